//! Declares the `loom` configuration, which only `scripts/loom-check.sh` sets.

fn main() {
    let mut out = std::io::stdout().lock();
    // A failed write to cargo can't be told to anyone.
    let _ =
        std::io::Write::write_all(&mut out, b"cargo::rustc-check-cfg=cfg(loom)\ncargo::rerun-if-changed=build.rs\n");
}
