//! Several Lunas at once, stale control files, memory that would end up in a core file (BUF-3).
