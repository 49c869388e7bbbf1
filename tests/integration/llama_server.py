"""Serves a GGUF model over HTTP on 127.0.0.1 until standard input ends: ``python llama_server.py WEIGHTS TEMPLATE``.

A process of its own, so that its log, its lower priority and a crash of the native code stay out of the test run. The first
line of standard output is the server's address. Temperature 0 makes the runs on one machine alike; our requests set none.
"""

import os
import sys
from pathlib import Path

import xllamacpp


def main(weights: str, template: str) -> None:
    os.nice(5)
    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.chat_template = Path(template).read_text(encoding="utf-8")
    params.use_jinja = True
    params.n_ctx = 4096
    params.n_parallel = 1
    # More threads only wait for each other where other tests keep the cores busy.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.sampling.temp = 0.0
    params.hostnames = ["127.0.0.1"]
    params.ui = False
    params.offline = True
    params.port = 0
    params.warmup = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
