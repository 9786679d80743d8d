"""``python -m widc_arff``."""

from __future__ import annotations

import sys

from widc_arff.cli import main

sys.exit(main())
