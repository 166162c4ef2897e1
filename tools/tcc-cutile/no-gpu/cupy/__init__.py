"""A module cupy for programs that tcc-cutile runs without a GPU. The real CuPy contains NVIDIA's CUDA runtime, which needs a GPU.

Arrays are NumPy arrays that kernels access, too (tilecc.cutile.ndarray). Functions of this module are NumPy's, with such arrays
as their results; functions that only CuPy has are missing, except for those below.
"""
import functools
import types

import numpy
from tilecc.cutile import asarray as _on_device, ndarray, synchronize as _synchronize

from . import cuda

__version__ = "0"


def _give(result):
    """The result of a function of NumPy, with arrays that kernels can access."""
    if isinstance(result, numpy.ndarray):
        return _on_device(result)
    if isinstance(result, (tuple, list)):
        return type(result)(map(_give, result)) if type(result) in (tuple, list) else result
    return result


class _Wrapped:
    """A module or an object of NumPy whose functions give arrays that kernels can access."""

    def __init__(self, name, wrapped):
        self._name, self._wrapped = name, wrapped

    def __getattr__(self, name):
        try:
            value = getattr(self._wrapped, name)
        except AttributeError:
            raise AttributeError(f"the module cupy of tcc-cutile has no {self._name}.{name}") from None
        return _wrap(f"{self._name}.{name}", value)


_RANDOM_WITH_TYPE = ("cupy.random.randint", "cupy.random.default_rng", "cupy.random.RandomState", "cupy.random.seed")


def _wrap(name, value):
    if isinstance(value, (types.ModuleType, numpy.random.Generator, numpy.random.RandomState)):
        return _Wrapped(name, value)
    if isinstance(value, type) or not callable(value):
        return value

    @functools.wraps(value)
    def call(*arguments, **options):
        if name.startswith("cupy.random.") and name not in _RANDOM_WITH_TYPE:  # CuPy's functions take a type, NumPy's do not
            dtype = options.pop("dtype", None)
            result = value(*arguments, **options)
            return _give(result if dtype is None else numpy.asarray(result, dtype))
        result = value(*arguments, **options)
        return _wrap(name, result) if isinstance(result, numpy.random.Generator) else _give(result)

    return call


def asnumpy(array, *_, **__):
    """A NumPy array with a copy of the contents, after waiting for kernels."""
    _synchronize()
    return numpy.array(array, subok=False)


def asarray(values, dtype=None, **options):
    return _on_device(numpy.asarray(values, dtype, **options))


def get_array_module(*_):
    import sys

    return sys.modules[__name__]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_Wrapped("cupy", numpy), name)
