"""The peer of the OCR bench: RapidOCR as it comes, with the same models and number of threads.

Reads one path of a picture a line on stdin, answers with one line of JSON: milliseconds of wall and processor time of the call
alone (decoding the picture and starting Python are not counted), and the lines with more than half confidence.
"""

import json
import logging
import sys
import time

logging.disable(logging.CRITICAL)

import cv2  # noqa: E402


def engine(version, threads):
    if version == "v6":
        from rapidocr import RapidOCR

        ocr = RapidOCR(
            params={
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )

        def read(picture):
            result = ocr(picture)
            return list(zip(result.txts or [], result.scores or []))

    else:
        from rapidocr_onnxruntime import RapidOCR

        ocr = RapidOCR(intra_op_num_threads=threads, inter_op_num_threads=1)

        def read(picture):
            result, _ = ocr(picture)
            return [(text, score) for _, text, score in result or []]

    return read


def main():
    read = engine(sys.argv[1], int(sys.argv[2]))
    answers = sys.stdout
    sys.stdout = sys.stderr
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        picture = cv2.imread(line.strip(), cv2.IMREAD_COLOR)
        wall, processor = time.perf_counter(), time.process_time()
        found = read(picture)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        answer = {"wall": wall * 1e3, "processor": processor * 1e3, "lines": [t for t, s in found if float(s) > 0.5]}
        print(json.dumps(answer), file=answers, flush=True)


main()
