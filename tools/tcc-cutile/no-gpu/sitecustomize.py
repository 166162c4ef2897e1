"""Python imports this module when it starts under tcc-cutile: it makes cuTile use tcc, and continues with the module of this
name that Python would have imported."""
import importlib.machinery
import importlib.util
import os
import sys

import tilecc.cutile

tilecc.cutile.install()

_here = os.path.dirname(os.path.abspath(__file__))
_spec = importlib.machinery.PathFinder.find_spec(__name__, [path for path in sys.path if os.path.abspath(path) != _here])
if _spec:
    _spec.loader.exec_module(importlib.util.module_from_spec(_spec))
