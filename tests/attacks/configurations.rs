//! Configuration files that are endless, pipes, or written in words of a library (CFG-2, CFG-4).
