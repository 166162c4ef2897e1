"""The part of cupy.cuda that programs with cuTile kernels use: streams, events and waiting. All work is done when a call
returns."""
import time

from tilecc.cutile import stream as _create, synchronize as _synchronize


class Stream:
    null: "Stream"

    def __init__(self, null=False, non_blocking=False, ptr=None):
        self.ptr = 0 if null else _create() if ptr is None else ptr

    def synchronize(self):
        _synchronize()

    def use(self):
        _current[-1] = self
        return self

    def __enter__(self):
        _current.append(self)
        return self

    def __exit__(self, *_):
        _current.pop()


Stream.__module__ = "cupy.cuda.stream"
Stream.null = Stream(null=True)
_current = [Stream.null]


def get_current_stream():
    return _current[-1]


class Event:
    def __init__(self, *_, **__):
        self.time = None

    def record(self, stream=None):
        self.time = time.perf_counter()

    def synchronize(self):
        _synchronize()


def get_elapsed_time(start, end):
    return (end.time - start.time) * 1000


class Device:
    def __init__(self, number=0):
        if number:
            raise ValueError("tcc-cutile has one device, of the number 0")
        self.id = 0
        self.compute_capability = "90"

    def synchronize(self):
        _synchronize()

    def use(self):
        pass

    __enter__ = __exit__ = lambda self, *_: None


class runtime:
    getDeviceCount = staticmethod(lambda: 1)
    deviceSynchronize = staticmethod(_synchronize)
