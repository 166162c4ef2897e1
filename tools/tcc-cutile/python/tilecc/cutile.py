"""cuTile Python with tcc: install() makes cuTile compile kernels with tcc; arrays and streams for programs without a GPU.

    import tilecc.cutile
    tilecc.cutile.install()       # from now on, cuda.tile runs tcc-tileiras

The command tcc-cutile runs programs without a GPU, on the PTX emulator or on the CPU. In such a program, kernels access
NumPy arrays of the class `ndarray` of this module:

    x = tilecc.cutile.asarray(numpy.arange(1000, dtype=numpy.float32))
    cuda.tile.launch(tilecc.cutile.stream(), (1,), kernel, (x,))
    tilecc.cutile.synchronize()   # raises an error if a kernel has failed
"""
import ctypes
import functools
import importlib.abc
import importlib.util
import os
import pathlib
import sys
import weakref

__all__ = ["install", "ndarray", "asarray", "stream", "synchronize", "Error"]


class Error(RuntimeError):
    """An error of the driver, such as that of a kernel that accessed memory out of bounds."""


# ---- tileiras


def _find_tileiras():
    """The folder with tcc's tileiras: in the installation with this file, or in the environment of its wheel."""
    here = pathlib.Path(os.path.abspath(__file__))  # lib/tilecc/cutile/python/tilecc/cutile.py, or in site-packages
    for prefix in [*here.parents[5:6], pathlib.Path(sys.prefix)]:
        folder = prefix / "lib" / "tilecc" / "tileiras"
        if os.access(folder / "tileiras", os.X_OK):
            return folder
    raise FileNotFoundError(f"no installation of tcc belongs to {here}: there is no lib/tilecc/tileiras/tileiras")


def _patch(module):
    """Makes cuda.tile._compile ignore the tileiras of NVIDIA's packages, which it prefers to PATH, and forget its choice."""
    for name in ("_find_pip_tileiras", "_find_compiler_bin", "_get_max_supported_bytecode_version",
                 "_get_compiler_version_string"):
        if not hasattr(module, name):
            raise NotImplementedError(f"tilecc.cutile does not know this version of cuda-tile: {module.__name__} has no {name}")
    module._find_pip_tileiras = lambda: None
    for name in ("_find_compiler_bin", "_get_max_supported_bytecode_version", "_get_compiler_version_string"):
        clear = getattr(getattr(module, name), "cache_clear", None)
        if clear:
            clear()


class _PatchOnImport(importlib.abc.MetaPathFinder):
    """Patches cuTile's compiler when the program imports it, so that importing tilecc.cutile does not import cuTile."""

    def find_spec(self, name, path, target=None):
        if name != "cuda.tile._compile":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def execute_and_patch(module):
            execute(module)
            _patch(module)

        spec.loader.exec_module = execute_and_patch
        return spec


def install():
    """Makes cuTile Python compile kernels with tcc, in this process and its children. It may be called at any time."""
    folder = str(_find_tileiras())
    path = os.environ.get("PATH", "")
    if path.split(os.pathsep)[0] != folder:
        os.environ["PATH"] = folder + os.pathsep + path
    module = sys.modules.get("cuda.tile._compile")
    if module:
        _patch(module)
    elif not any(isinstance(finder, _PatchOnImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _PatchOnImport())


# ---- the driver of programs without a GPU


@functools.cache
def _driver():
    """The libcuda that tcc-cutile provides, with its context made current."""
    driver = ctypes.CDLL("libcuda.so.1")
    _check(driver, driver.cuInit(0))
    context = ctypes.c_void_p()
    _check(driver, driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    _check(driver, driver.cuCtxSetCurrent(context))
    return driver


def _check(driver, error):
    if error:
        text = ctypes.c_char_p()
        driver.cuGetErrorString(error, ctypes.byref(text))
        raise Error(f"{text.value.decode() if text.value else 'unknown error'} (CUDA error {error})")


def _call(name, *arguments):
    driver = _driver()
    _check(driver, getattr(driver, name)(*arguments))


def synchronize():
    """Waits for all kernels. Raises an error if one has failed."""
    _call("cuCtxSynchronize")


def stream():
    """A new stream, as a number."""
    made = ctypes.c_void_p()
    _call("cuStreamCreate", ctypes.byref(made), 1)
    return made.value


# ---- arrays


def _make_arrays():
    import numpy

    accessible = set()  # the addresses of memory that kernels may access

    def release(function, address):
        accessible.discard(address)
        getattr(_driver(), function)(ctypes.c_void_p(address))

    def track(owner, address, function):
        """Releases memory by a function of the driver when its owner is freed."""
        accessible.add(address)
        weakref.finalize(owner, release, function, address).atexit = False

    def owner_of(array):
        while isinstance(array.base, numpy.ndarray):
            array = array.base
        return array

    class ndarray(numpy.ndarray):
        """A NumPy array that kernels access, too. Host code sees what kernels have written without a copy."""

        @property
        def __cuda_array_interface__(self):
            owner = owner_of(self)
            address = owner.ctypes.data
            if address not in accessible and owner.nbytes:  # NumPy has allocated it
                _call("cuMemHostRegister_v2", ctypes.c_void_p(address), ctypes.c_size_t(owner.nbytes), 0)
                track(owner, address, "cuMemHostUnregister")
            return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.ctypes.data, not self.flags.writeable),
                    "strides": None if self.flags.c_contiguous else self.strides, "version": 3}

        @property
        def __dlpack__(self):
            """Hidden: NumPy's says that the memory is not on a GPU, and cuTile prefers it to the interface above."""
            raise AttributeError("__dlpack__")

        def get(self):
            """A NumPy array with a copy of the contents, after waiting for kernels."""
            synchronize()
            return numpy.array(self, subok=False)

    def asarray(values, dtype=None):
        array = numpy.asarray(values, dtype)
        if owner_of(array).ctypes.data in accessible or not array.nbytes:
            return array.view(ndarray)
        memory = ctypes.c_uint64()
        _call("cuMemAllocManaged", ctypes.byref(memory), ctypes.c_size_t(array.nbytes), 1)
        buffer = (ctypes.c_char * array.nbytes).from_address(memory.value)
        track(buffer, memory.value, "cuMemFree_v2")
        placed = numpy.frombuffer(buffer, array.dtype).reshape(array.shape)
        placed[...] = array
        return placed.view(ndarray)

    return ndarray, asarray


@functools.cache
def _arrays():
    return _make_arrays()


def asarray(values, dtype=None):
    """An array that kernels can access. It has memory of the driver, to which the values are copied, so that the emulator
    tells accesses beyond its ends; an array that has such memory stays as it is."""
    return _arrays()[1](values, dtype)


def __getattr__(name):
    if name == "ndarray":
        return _arrays()[0]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
