"""Measures time for the benchmarks in this folder: interleaved calls in one process, in random order, with Triton's
do_bench."""
import ctypes
import random
import statistics

import torch
import triton


def medians(calls, rounds=7):
    """Returns the median time in milliseconds of each of `calls` (name: function) over interleaved rounds. Each round
    has its own order, because a call that always follows the same one finds the GPU at the same temperature, which affects
    the time by 5 %."""
    times, names, order = {name: [] for name in calls}, list(calls), random.Random(0)
    for _ in range(rounds):
        order.shuffle(names)
        for name in names:
            times[name].append(triton.testing.do_bench(calls[name], warmup=10, rep=40, return_mode="median"))
    return {name: statistics.median(values) for name, values in times.items()}


def off_by(result, expected):
    return ((result.float() - expected.float()).norm() / expected.float().norm()).item()


class Library:
    """A shared library built by tcc: its functions take tensors, numbers and finally torch's stream, and return an
    error. Tensors that are not on a GPU are copied to tcc's device, and back."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.bench_error.restype = ctypes.c_char_p

    def __getattr__(self, name):
        def call(*args):
            if torch.cuda.is_available():
                return self.call(name, map(self.convert, args), torch.cuda.current_stream().cuda_stream)
            size = lambda x: ctypes.c_size_t(x.numel() * x.element_size())
            self.lib.bench_to_device.restype = ctypes.c_void_p
            copies = {i: ctypes.c_void_p(self.lib.bench_to_device(self.convert(x), size(x)))
                      for i, x in enumerate(args) if isinstance(x, torch.Tensor)}
            self.call(name, (copies.get(i) or self.convert(x) for i, x in enumerate(args)), None)
            for i, copy in copies.items():
                self.lib.bench_from_device(self.convert(args[i]), copy, size(args[i]))
        return call

    def call(self, name, args, stream):
        code = getattr(self.lib, name)(*args, ctypes.c_void_p(stream))
        if code:
            raise RuntimeError(f"tcc's {name} failed with {code}: {self.lib.bench_error().decode()}")

    @staticmethod
    def convert(value):
        if isinstance(value, torch.Tensor):
            return ctypes.c_void_p(value.data_ptr())
        if isinstance(value, float):
            return ctypes.c_float(value)
        return value.encode() if isinstance(value, str) else int(value)
