//! Output that can't be written, and text of the screen that would drive the terminal.
