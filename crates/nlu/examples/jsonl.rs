use std::io::Read;
fn main() {
    let c = std::env::var("NOCLS")
        .is_err()
        .then(|| {
            luna_nlu::talk::Classifier::read(
                &std::fs::read("/work/h-grammar/models/order-or-talk/order-or-talk.bin").unwrap(),
            )
            .ok()
        })
        .flatten();
    let u = luna_nlu::Understanding::new(&luna_nlu::Vocabulary::default()).with_classifier(c);
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let inputs: Vec<luna_messages::understanding::UtteranceInput> =
        s.lines().filter(|l| !l.trim().is_empty()).map(|l| serde_json::from_str(l).unwrap()).collect();
    let mut t = Vec::new();
    for i in &inputs {
        if std::env::var_os("LUNA_NLU_TRACE").is_some() {
            for l in u.readings(i) {
                eprintln!("{l}");
            }
        }
        let b = std::time::Instant::now();
        let r = u.understand(i);
        t.push(b.elapsed().as_micros());
        println!("{}", serde_json::to_string(&r).unwrap());
    }
    t.sort_unstable();
    eprintln!("p50 {} p99 {} max {}", t[t.len() / 2], t[t.len() * 99 / 100], t[t.len() - 1]);
}
