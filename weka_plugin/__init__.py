"""WIDC inside Weka: the classifier ``weka.classifiers.rules.WIDC`` from Python.

The plugin is built by ``python -m weka_plugin build``.  This package needs the extra ``weka``
(python-weka-wrapper3) for `start_jvm` and `classifier`, and a JDK.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weka_plugin.build import build
from weka_plugin.experiments import Results, experiment
from weka_plugin.schemes import WIDC
from weka_plugin.weka_options import words_of
from widc_arff.errors import WidcError

if TYPE_CHECKING:
    from weka.classifiers import Classifier

__all__ = ["Results", "build", "classifier", "experiment", "start_jvm"]


def start_jvm(jar: str | os.PathLike[str] | None = None, **arguments: Any) -> None:  # noqa: ANN401
    """Start the JVM of python-weka-wrapper3 with the classifier on its class path.

    Parameters
    ----------
    jar : path, optional
        A built ``widc.jar``; by default one is built for this process.
    **arguments
        For python-weka-wrapper3's own ``jvm.start``, such as ``max_heap_size="4g"``.

    Raises
    ------
    WidcError
        If the JVM of this process has been stopped (it cannot start twice), or runs already
        without the classifier.
    """
    _require_wrapper()
    from weka.core import jvm  # noqa: PLC0415 - the extra weka

    if jvm.started:
        if not _classifier_is_there():
            raise WidcError(
                "expected the JVM to be started with the classifier, got one that runs without "
                "it; call weka_plugin.start_jvm() first, or put widc.jar on its class path"
            )
        return
    if _was_stopped():
        raise WidcError("the JVM of this process has been stopped and cannot be started again")
    if jar is None:
        folder = tempfile.mkdtemp(prefix="widc-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        jar = build(folder).jar
    os.environ.setdefault("WIDC_PYTHON", sys.executable)
    jvm.start(class_path=[str(Path(jar).absolute())], **arguments)


def classifier(**options: Any) -> Classifier:  # noqa: ANN401 - numbers and texts
    """Return a python-weka-wrapper3 classifier, WIDC with some options.

    Parameters
    ----------
    **options
        Those of `widc_arff.Options` except ``delta``, with the same values, but ``rules`` and
        tables of ``cut_points`` are given as file names; also ``layout`` ("class" or "rule"),
        ``python`` and ``timeout``.  Those that are absent or None have their defaults.

    Raises
    ------
    OptionError
        If there is no such option.
    """
    _require_wrapper()
    from weka.classifiers import Classifier  # noqa: PLC0415 - the extra weka

    words: list[str] = []
    for name, value in options.items():
        words += [] if value is None else words_of(name, value)
    return Classifier(classname=WIDC, options=words)


def _require_wrapper() -> None:
    if find_spec("jpype") is None:
        raise WidcError("this needs python-weka-wrapper3: pip install 'widc-arff[weka]'")


def _classifier_is_there() -> bool:
    import jpype  # noqa: PLC0415 - comes with python-weka-wrapper3

    try:
        jpype.JClass(WIDC)
    except TypeError:
        return False
    return True


def _was_stopped() -> bool:
    import jpype  # noqa: PLC0415

    return bool(getattr(jpype._core, "_JVM_started", False)) and not jpype.isJVMStarted()  # noqa: SLF001
