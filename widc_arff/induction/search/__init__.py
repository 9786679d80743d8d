"""One search for a committee of small description length, J of `objective`.

A committee is *grown* stagewise on what it leaves undone (`growth`), *shrunk* by removals down the
order of J (`shrinking`), and *polished* by changes of one rule at a time (`polishing`); then grown
again from there, as long as J falls.  All three count on the distinct rows of codes (`rows`);
`budget` bounds what is tried.

Where votes cost nothing, with two classes, the paper's growing by partitions (`partitions`) takes
turns with it: first of the whole sample, then within what equal votes leave together.  It reaches
conjunctions before which growth on what is undone stands still.  With more classes its rules, which
vote as their cover has it, name too many of them to pay.
"""
