//! Memory of this process: its size, its priority for the OOM killer, its privacy.

/// Resident memory of this process, bytes; 0 on systems other than Linux.
#[must_use]
pub fn resident_bytes() -> u64 {
    #[cfg(target_os = "linux")]
    return linux::resident_bytes();
    #[cfg(not(target_os = "linux"))]
    0
}

/// Adjustment of this program's score for Linux's OOM killer, which ends programs with a high score first: 0 is the usual value, 1000 the maximum.
#[cfg(target_os = "linux")]
const OOM_SCORE: i32 = 500;

/// Makes the system end this program before Luna and most other programs if memory runs out: an engine can be restarted (ENG-2).
pub(crate) fn raise_oom_score() {
    #[cfg(target_os = "linux")]
    {
        let file = "/proc/self/oom_score_adj";
        let before = std::fs::read_to_string(file).ok().and_then(|text| text.trim().parse::<i32>().ok());
        if before.is_none_or(|before| before < OOM_SCORE) {
            // Raising it needs no privilege; if there is no such file, nothing is lost.
            let _ = std::fs::write(file, OOM_SCORE.to_string());
        }
    }
}

/// Keeps the memory of this process out of core files (BUF-3), also of those that the system passes to a program, and out of reach of other programs
/// of the same user. Call it before any content of the screen comes in, and after [`raise_oom_score`], which can't write its file afterwards.
///
/// # Errors
/// The operating system refuses.
pub fn keep_private() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        // Afterwards not even this process may open the file that tells the page size.
        let _ = resident_bytes();
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    }
    Ok(())
}

/// Health checks report resident memory and must be quick: the file stays open, and `statm` is the shortest file that contains it.
#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use std::sync::OnceLock;

    pub fn resident_bytes() -> u64 {
        static STATM: OnceLock<Option<File>> = OnceLock::new();
        static PAGE: OnceLock<u64> = OnceLock::new();
        let Some(statm) = STATM.get_or_init(|| File::open("/proc/self/statm").ok()) else { return 0 };
        let page = *PAGE
            .get_or_init(|| std::fs::read("/proc/self/auxv").ok().and_then(|auxv| page_size(&auxv)).unwrap_or(4096));
        let mut text = [0; 128];
        let length = statm.read_at(&mut text, 0).unwrap_or_default();
        pages(text.get(..length).unwrap_or_default()).saturating_mul(page)
    }

    /// The second number of `statm`: pages in RAM.
    pub fn pages(statm: &[u8]) -> u64 {
        let number = statm.split(|byte| *byte == b' ').nth(1).and_then(|number| std::str::from_utf8(number).ok());
        number.and_then(|number| number.parse().ok()).unwrap_or_default()
    }

    /// Finds the page size in the auxiliary vector, which the kernel passes to a new process: pairs of machine words, its key is 6 (`AT_PAGESZ`).
    pub fn page_size(auxv: &[u8]) -> Option<u64> {
        const WORD: usize = size_of::<usize>();
        let words = auxv.chunks_exact(WORD).filter_map(|word| word.try_into().ok().map(usize::from_ne_bytes));
        let words: Vec<usize> = words.collect();
        let found = words.chunks_exact(2).find(|pair| pair.first() == Some(&6))?;
        found.get(1).and_then(|size| u64::try_from(*size).ok())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::linux::{page_size, pages};
    use super::resident_bytes;

    #[test]
    fn resident_memory_is_found_in_what_linux_says() {
        for (statm, expect) in [(&b"900 12 3 4 0 5 0\n"[..], 12), (b"900", 0), (b"", 0), (b"9 x", 0)] {
            assert_eq!(pages(statm), expect);
        }
        let auxv: Vec<u8> = [33_usize, 1, 6, 16384, 0, 0].iter().flat_map(|word| word.to_ne_bytes()).collect();
        assert_eq!((page_size(&auxv), page_size(&[])), (Some(16384), None));
        assert!(resident_bytes() > 100_000);
    }

    // BUF-3
    #[test]
    fn an_engine_keeps_its_memory_private_and_still_tells_its_size_buf_3() {
        super::keep_private().unwrap();
        let behaviour = rustix::process::dumpable_behavior().unwrap();
        assert_eq!(behaviour, rustix::process::DumpableBehavior::NotDumpable);
        assert!(resident_bytes() > 100_000);
    }
}
