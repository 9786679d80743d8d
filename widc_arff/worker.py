"""The loop of a worker process: requests on standard input, replies on standard output.

The two streams are kept privately and replaced, so that nothing that prints can disturb the
frames.  Requests are read on a thread of their own: at the end of input the process ends at once,
even in the middle of a training, so that a killed caller leaves no orphan.
"""

from __future__ import annotations

import os
from queue import Queue
from threading import Thread
from typing import IO, Any

from widc_arff.errors import ProtocolError
from widc_arff.protocol import answer, greeting, parse_header, reply


def serve() -> None:
    """Greet, then answer requests until the input ends."""
    requests, replies = _private_streams()
    queue: Queue[tuple[dict[str, Any], bytes]] = Queue()
    replies.write(greeting())
    replies.flush()
    Thread(target=_read_requests, args=(requests, replies, queue), daemon=True).start()
    while True:
        header, content = queue.get()
        replies.write(reply(answer(header, content)))
        replies.flush()


def _private_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Return the process's input and output; what is left of them is the null device and stderr."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    return requests, replies


def _read_requests(
    requests: IO[bytes], replies: IO[bytes], queue: Queue[tuple[dict[str, Any], bytes]]
) -> None:
    status = 0
    try:
        while line := requests.readline():
            header = parse_header(line)
            content = requests.read(header["bytes"])
            if len(content) < header["bytes"]:
                break
            queue.put((header, content))
    except ProtocolError as error:
        replies.write(reply({"error": {"kind": "ProtocolError", "message": str(error)}}))
        replies.flush()
        status = 1
    finally:
        os._exit(status)  # at once, whatever the other thread does


if __name__ == "__main__":
    serve()
