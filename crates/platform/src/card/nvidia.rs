//! NVIDIA cards, through the management library that comes with their driver (NVML). The library is loaded at run time.

use std::sync::{Mutex, PoisonError};

use nvml_wrapper::Nvml;

use super::{Card, CardMemory};

/// The name that the driver installs; the unversioned name belongs to the development package.
#[cfg(target_os = "linux")]
const LIBRARY: &str = "libnvidia-ml.so.1";
#[cfg(windows)]
const LIBRARY: &str = "nvml.dll";

/// The NVIDIA card of this machine, if there is one.
#[derive(Debug, Default)]
pub struct NvidiaCard {
    /// The library; `None` until it is loaded.
    library: Mutex<Option<Nvml>>,
}

impl NvidiaCard {
    /// Loads nothing until the first query.
    #[must_use]
    pub const fn new() -> Self {
        Self { library: Mutex::new(None) }
    }
}

impl Card for NvidiaCard {
    fn memory(&self) -> Option<CardMemory> {
        let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        if library.is_none() {
            match Nvml::builder().lib_path(LIBRARY.as_ref()).init() {
                Ok(loaded) => *library = Some(loaded),
                Err(why) => {
                    tracing::debug!(%why, "No NVIDIA card reports itself.");
                    return None;
                }
            }
        }
        let found = library.as_ref().and_then(largest);
        if found.is_none() {
            // The driver is gone or was replaced while Luna runs; load the library again next time.
            *library = None;
        }
        found
    }
}

/// The card with the most memory. Cards that report nothing are skipped.
fn largest(library: &Nvml) -> Option<CardMemory> {
    let count = library.device_count().ok()?;
    (0..count)
        .filter_map(|index| {
            let device = library.device_by_index(index).ok()?;
            let memory = device.memory_info().ok()?;
            let name = device.name().unwrap_or_else(|_| "NVIDIA".to_owned());
            Some(CardMemory { name, total: memory.total, free: memory.free })
        })
        .max_by_key(|card| card.total)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "tests")]
mod tests {
    use super::*;

    // GPU-5
    #[test]
    fn this_machine_tells_of_a_card_only_where_there_is_one_gpu_5() {
        let nvidia = NvidiaCard::new();
        let has_driver = std::path::Path::new("/proc/driver/nvidia/version").exists();
        match nvidia.memory() {
            Some(card) => {
                assert!(card.total >= card.free && card.total > 100 << 20 && !card.name.is_empty(), "{card:?}");
                let again = nvidia.memory().expect("it is still there");
                assert_eq!((again.name, again.total), (card.name, card.total));
            }
            None => assert!(!has_driver, "there is a driver of NVIDIA, but no card was found"),
        }
    }
}
