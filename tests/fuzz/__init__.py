"""Fuzzing as a command of its own: ``python -m tests.fuzz --minutes 10``.

Inputs are drawn from a grammar with hostile parts, or are valid ones with damaged bytes, and each
is given to what reads it.  A finding is

- an exception other than our own, or a numpy warning;
- more than the limit of CPU time, or more than a gigabyte;
- a message with control characters, or without an end;
- a difference between two ways that must agree, such as writing and reading again.

The input with the number N of a target is drawn from the seed ``SEED:TARGET:N`` alone, so that it
comes back with ``--replay TARGET:SEED:N``, however many jobs there were.  Each kind of finding is
kept once, in a file that is cut down to what still shows it.

To add a target: write two functions in `tests.fuzz.targets`, ``draw(draw: Draw) -> bytes`` and
``check(data: bytes, folder: Path) -> bool``, and name them in its `TARGETS`.  ``check`` returns
whether the input was accepted, raises our errors as the code under test does, and
`DifferenceError` where two ways disagree; whatever else it raises is a finding.  About half of the
inputs should be accepted, else only the first check is tested: the report tells the shares.
"""
