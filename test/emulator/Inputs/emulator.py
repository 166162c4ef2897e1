"""The emulators' C interface for Python: runs kernels of PTX text or of code objects (bytes) on byte strings.

  with Emulator("lib/libtilecc_emu.so", schedule="random", seed=1) as device:
      a = device.put(bytes)
      findings = device.launch(ptx, "kernel", grid, threads, shared, [a, 128, TensorMap(...)], cluster)
      result = device.get(a, size)
"""
import ctypes

VERSION = 4  # of tilecc/emulator.h
CHECK_ALL = 23


class Options(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("arch", ctypes.c_uint32), ("checks", ctypes.c_uint32), ("schedule", ctypes.c_uint32),
                ("seed", ctypes.c_uint64), ("instruction_limit", ctypes.c_uint64), ("print", ctypes.c_void_p), ("report", ctypes.c_void_p),
                ("profile", ctypes.c_char_p)]


class Config(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3), ("cluster", ctypes.c_uint32 * 3),
                ("shared_bytes", ctypes.c_uint32), ("parallel", ctypes.c_void_p), ("cooperative", ctypes.c_uint32),
                ("devices_along_z", ctypes.c_uint32), ("counts_banks", ctypes.c_uint32)]


class Failure(Exception):
    pass


class TensorMap:
    """dims and box begin with the innermost dimension; strides are in bytes, for all dimensions except that one; other numbers are
    those of cuTensorMapEncodeTiled"""

    def __init__(self, address, type, dims, strides, box, swizzle):
        self.args = (address, type, list(dims), list(strides), list(box), swizzle)


class Emulator:
    def __init__(self, library, checks=CHECK_ALL, schedule="fast", seed=0):
        self.lib = ctypes.CDLL(library)
        self.lib.tilecc_emu_error_message.restype = ctypes.c_char_p
        self.lib.tilecc_emu_param_size.restype = ctypes.c_size_t
        self.findings = []
        self.report = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)(
            lambda text, size: self.findings.append(ctypes.string_at(text, size).decode()))
        options = Options(VERSION, 0, checks, int(schedule == "random"), seed, 0, None, ctypes.cast(self.report, ctypes.c_void_p).value, None)
        self.device = ctypes.c_void_p()
        self.check(self.lib.tilecc_emu_create(ctypes.byref(options), ctypes.byref(self.device)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lib.tilecc_emu_destroy(self.device)

    def check(self, error):
        if error:
            raise Failure(self.lib.tilecc_emu_error_message().decode())

    def put(self, data):
        address = ctypes.c_void_p()
        self.check(self.lib.tilecc_emu_allocate(self.device, ctypes.c_size_t(len(data)), ctypes.byref(address)))
        self.check(self.lib.tilecc_emu_copy(self.device, address, ctypes.c_char_p(bytes(data)), ctypes.c_size_t(len(data))))
        return address.value

    def multicast(self, addresses, size):
        address = ctypes.c_void_p()
        copies = (ctypes.c_void_p * len(addresses))(*addresses)
        self.check(self.lib.tilecc_emu_allocate_multicast(self.device, copies, ctypes.c_size_t(len(addresses)), ctypes.c_size_t(size),
                                                          ctypes.byref(address)))
        return address.value

    def get(self, address, size):
        data = ctypes.create_string_buffer(size)
        self.check(self.lib.tilecc_emu_copy(self.device, data, ctypes.c_void_p(address), ctypes.c_size_t(size)))
        return data.raw

    def encode(self, map):
        address, type, dims, strides, box, swizzle = map.args
        room = ctypes.create_string_buffer(128 + 64)
        at = (ctypes.addressof(room) + 63) & ~63
        rank = len(dims)
        u64, u32 = ctypes.c_uint64 * rank, ctypes.c_uint32 * rank
        self.check(self.lib.tilecc_emu_tensor_map_encode_tiled(
            ctypes.c_void_p(at), type, ctypes.c_uint32(rank), ctypes.c_void_p(address), u64(*dims), u64(*strides, 0), u32(*box),
            u32(*[1] * rank), 0, swizzle, 0, 0))
        return ctypes.string_at(at, 128)

    def launch(self, ptx, kernel, grid, threads, shared, args, cluster=1, ranks=False):
        """Arguments are numbers, floats, bytes and tensor maps, in order; missing ones are zeros. Returns the findings. Other errors
        raise Failure. With `ranks`, blocks with different z belong to different GPUs, and all blocks run together."""
        text = ptx if isinstance(ptx, bytes) else ptx.encode()
        module, entry = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.lib.tilecc_emu_load(self.device, text, ctypes.c_size_t(len(text)), b"kernel.ptx", ctypes.byref(module)))
        self.check(self.lib.tilecc_emu_get_kernel(module, kernel.encode(), None, ctypes.byref(entry)))
        values, given = [], iter(args)
        while size := self.lib.tilecc_emu_param_size(entry, ctypes.c_size_t(len(values))):
            value = next(given, 0)
            if isinstance(value, TensorMap):
                data = self.encode(value)
            elif isinstance(value, bytes):
                data = value
            elif isinstance(value, float):
                data = bytes(ctypes.c_float(value))
            else:
                data = int(value).to_bytes(size, "little", signed=value < 0)
            values.append(ctypes.create_string_buffer(data, size))
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        blocks = [grid[0] * cluster] + list(grid[1:]) + [1] * (3 - len(grid))
        config = Config((ctypes.c_uint32 * 3)(*blocks), (ctypes.c_uint32 * 3)(threads, 1, 1), (ctypes.c_uint32 * 3)(cluster, 1, 1),
                        shared, None, int(ranks), int(ranks))
        self.findings.clear()
        error = self.lib.tilecc_emu_launch(entry, ctypes.byref(config), pointers, None)
        message = self.lib.tilecc_emu_error_message().decode()
        self.lib.tilecc_emu_synchronize(self.device)
        self.lib.tilecc_emu_unload(module)
        if error and not self.findings:
            raise Failure(message)
        return list(self.findings)
