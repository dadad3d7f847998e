"""The peer of benches/llm.rs: llama-cpp-python. One JSON command a line on stdin, one JSON answer a line on stdout."""

import json
import sys
import time

from llama_cpp import Llama, LlamaGrammar

model = None


def load(path, threads, context):
    global model
    if model is not None:
        model.close()
        model = None
    model = Llama(
        path, n_ctx=context, n_threads=threads, n_threads_batch=threads, n_gpu_layers=0, verbose=False, logits_all=False
    )
    return {}


def say(prompt, tokens, schema=None):
    grammar = LlamaGrammar.from_json_schema(schema, verbose=False) if schema else None
    begun = time.perf_counter()
    first, count = None, 0
    ids = model.tokenize(prompt.encode(), add_bos=False)
    for token in model.generate(ids, temp=0.0, top_k=1, repeat_penalty=1.0, grammar=grammar):
        if first is None:
            first = time.perf_counter() - begun
        if token == model.token_eos():
            break
        model.detokenize([token])
        count += 1
        if count == tokens:
            break
    return {"first": first, "total": time.perf_counter() - begun, "tokens": count, "prompt": len(ids)}


def swap(path, threads, context, prompt):
    begun = time.perf_counter()
    load(path, threads, context)
    say(prompt, 1)
    return {"total": time.perf_counter() - begun}


print("ready", flush=True)
for line in sys.stdin:
    command = json.loads(line)
    print(json.dumps({"load": load, "say": say, "swap": swap}[command.pop("do")](**command)), flush=True)
