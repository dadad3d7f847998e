#!/usr/bin/env python3
"""Writes raw sound (signed 16 bit, 24 kHz, mono) from standard input to a WAV file whose header is always valid.

wav_writer.py [--compact] FILE      --compact leaves out silence beyond two seconds
"""

import os
import signal
import struct
import sys

RATE = 24_000
LONGEST_SILENCE = 2 * RATE * 2  # bytes
QUIET = 8  # smaller amplitudes count as silence


def header(data_bytes):
    return struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        *(b"RIFF", 36 + data_bytes, b"WAVE", b"fmt ", 16, 1, 1, RATE, RATE * 2, 2, 16, b"data", data_bytes),
    )


def is_silent(chunk):
    samples = memoryview(chunk).cast("h")
    return max(samples, default=0) < QUIET and min(samples, default=0) > -QUIET


def main():
    compact = "--compact" in sys.argv
    # The program ends only at the end of the input, so that no recorded sound is lost.
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    written = silence = 0
    rest = b""
    with open(sys.argv[-1], "wb", buffering=0) as out:
        out.write(header(0))
        while chunk := os.read(0, 1 << 16):
            chunk = rest + chunk
            rest, chunk = chunk[len(chunk) & ~1 :], chunk[: len(chunk) & ~1]
            silence = silence + len(chunk) if is_silent(chunk) else 0
            if compact and silence > LONGEST_SILENCE:
                continue
            written += len(chunk)
            out.write(chunk)
            os.pwrite(out.fileno(), header(written), 0)


if __name__ == "__main__":
    main()
