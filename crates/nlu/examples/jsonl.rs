use std::io::Read;
fn main() {
    let u = luna_nlu::Understanding::new(&luna_nlu::Vocabulary::default());
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let inputs: Vec<luna_messages::understanding::UtteranceInput> = s.lines().filter(|l| !l.trim().is_empty()).map(|l| serde_json::from_str(l).unwrap()).collect();
    let mut t = Vec::new();
    for i in &inputs {
        let b = std::time::Instant::now();
        let r = u.understand(i);
        t.push(b.elapsed().as_micros());
        println!("{}", serde_json::to_string(&r).unwrap());
    }
    t.sort_unstable();
    eprintln!("p50 {} p99 {} max {}", t[t.len() / 2], t[t.len() * 99 / 100], t[t.len() - 1]);
}
