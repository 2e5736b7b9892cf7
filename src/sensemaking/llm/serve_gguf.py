"""The process of a local model: llama.cpp's server on the loopback interface, until stdin ends.

It is run by its path and imports nothing of this package. In a process of its own the server can be
stopped at any time: within another one it waits for ever if a call is under way, and a fault in
it would take the job along.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence

LISTENING = "listening at "


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve a model, print the address, and end when standard input does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("--alias", required=True)
    parser.add_argument("--context", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--start-s", type=int, required=True)
    options = parser.parse_args(arguments)
    # The job decides when an interrupted run is at its end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # While the model is loaded no other thread runs that might see the job end.
    signal.alarm(options.start_s)
    # Nobody reads standard output behind the address, so whatever else is written would fill it.
    told = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = options.path
    parameters.model_alias = {options.alias}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.verbosity = -1
    parameters.n_ctx = options.context
    # One call at a time has all threads and the whole context, which is never shifted.
    parameters.n_parallel = 1
    parameters.ctx_shift = False
    parameters.warmup = False
    parameters.ui = False
    parameters.offline = True
    parameters.cpuparams.n_threads = options.threads
    parameters.cpuparams_batch.n_threads = options.threads
    server = xllamacpp.Server(parameters)
    signal.alarm(0)
    print(f"{LISTENING}{server.listening_address}", file=told, flush=True)
    # It ends with the job, even if the job is killed.
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
