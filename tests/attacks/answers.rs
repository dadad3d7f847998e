//! Schemas that can't be kept, answers that were cut off, engines that say too much (ENG-2, PRV-2).
