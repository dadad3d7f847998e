use luna_platform::accessibility::actions::ElementActions as _;
use luna_platform::accessibility::linux::AtSpi;
fn main() {
    let rt = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    rt.block_on(async {
        let tree = AtSpi::new();
        for round in 0..4 {
            let begin = std::time::Instant::now();
            let windows = tree.active_windows().await.unwrap();
            for window in &windows {
                let at = std::time::Instant::now();
                let all = tree.window_elements_to_act_on(window).await;
                match all {
                    Ok(all) => {
                        println!(
                            "round {round} {:?} {} elements complete {} focused {:?} {:?}",
                            window.title,
                            all.elements.len(),
                            all.is_complete,
                            all.focused,
                            at.elapsed()
                        );
                        if round == 3 && std::env::args().nth(1).is_some() {
                            for one in &all.elements {
                                println!(
                                    "   {:?} {:?} label {:?} {:?} {:?}",
                                    one.element.role,
                                    one.element.text.chars().take(40).collect::<String>(),
                                    one.element.label,
                                    one.element.bbox,
                                    one.capacities
                                );
                            }
                        }
                    }
                    Err(e) => println!("round {round} {e} {:?}", at.elapsed()),
                }
            }
            println!("round {round} in all {:?}", begin.elapsed());
        }
    });
}
