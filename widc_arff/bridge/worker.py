"""The process that trains for a caller such as Weka: requests on its input, replies on its output.

It lives and ends in the way of `widc_arff.system.processes`: at the end of input at once, even in
the middle of a training, so that a killed caller leaves no orphan.
"""

from __future__ import annotations

from functools import partial
from typing import IO, TYPE_CHECKING, Any

from widc_arff.bridge.protocol import (
    LONGEST_HEADER,
    answer,
    fault,
    greeting,
    parse_header,
    reply,
    room_for_content,
)
from widc_arff.errors import ProtocolError
from widc_arff.system.processes import private_streams
from widc_arff.system.processes import serve as serve_requests

if TYPE_CHECKING:
    from collections.abc import Iterator

Request = tuple[dict[str, Any], bytes | bytearray]


def serve() -> None:
    """Greet, then answer requests until the input ends."""
    requests, replies = private_streams()
    send = partial(_send, replies)
    send(greeting())
    serve_requests(_requests(requests, replies), lambda request: send(reply(answer(*request))))


def _send(replies: IO[bytes], frame: bytes) -> None:
    replies.write(frame)
    replies.flush()


def _requests(requests: IO[bytes], replies: IO[bytes]) -> Iterator[Request]:
    """Yield requests; one whose end cannot be found is told, and is the last."""
    try:
        while line := requests.readline(LONGEST_HEADER):
            header = parse_header(line)
            content = room_for_content(header)
            filled = 0
            while filled < len(content):
                n_read = requests.readinto(memoryview(content)[filled:])  # type: ignore[attr-defined]
                if not n_read:
                    return
                filled += n_read
            yield header, content
    except (ProtocolError, MemoryError) as error:
        _send(replies, reply(fault(error)))
        raise


if __name__ == "__main__":
    serve()
