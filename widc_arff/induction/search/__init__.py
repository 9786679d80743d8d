"""One search for a committee of small description length, J of `objective`.

A committee is *grown* stagewise on what it leaves undone (`growth`), *shrunk* by removals down the
order of J (`shrinking`), and *polished* by changes of one rule at a time (`polishing`); then grown
again from there, as long as J falls.  All three count on the distinct rows of codes (`rows`);
`budget` bounds what is tried.
"""
