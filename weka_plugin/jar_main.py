# ruff: noqa: UP031 - any Python must be able to read this and to say that it is too old
"""Starts the worker in this jar; becomes the jar's ``__main__.py``."""

import sys

found = "Python %d.%d.%d" % sys.version_info[:3]
fit = sys.version_info >= (3, 11)
if fit:
    try:
        import numpy as np
    except ImportError:
        fit = False
        found += " without numpy"
    else:
        del np

if sys.argv[1:] != ["--weka-worker"]:
    sys.stderr.write("a part of the Weka package WIDC: install it with Weka's package manager\n")
    sys.exit(2)
elif not fit:
    sys.stderr.write("needs Python 3.11 or newer and numpy, found %s\n" % found)
    sys.exit(3)
else:
    from widc_arff.worker import serve

    serve()
