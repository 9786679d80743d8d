# ruff: noqa: UP031 - any Python must be able to read this and to say that it is too old
"""Starts the worker in this jar; becomes the jar's ``__main__.py``."""

import os
import select
import sys
from threading import Thread

if sys.argv[1:] != ["--weka-worker"]:
    sys.stderr.write("a part of the Weka package WIDC: install it with Weka's package manager\n")
    sys.exit(2)

if hasattr(select, "poll"):  # the JVM's end is noticed also while modules are being loaded
    hung_up = select.poll()
    hung_up.register(0, 0)
    watch = Thread(target=lambda: (hung_up.poll(), os._exit(0)))
    watch.daemon = True
    watch.start()

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

if not fit:
    sys.stderr.write("needs Python 3.11 or newer and numpy, found %s\n" % found)
    sys.exit(3)
else:
    from widc_arff.bridge.worker import serve

    serve()
