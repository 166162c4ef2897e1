"""Builds a module of SPIR-V and runs its kernels on the first OpenCL device, by the functions of libOpenCL.

    device = Device()
    module = device.build(open("kernels.spv", "rb").read())
    results = module.launch("kernel", programs=4, threads=64, buffers=[bytes, ...], numbers=[int, ...])

OCL_ICD_FILENAMES and LD_LIBRARY_PATH name the implementation, as in %opencl of lit.cfg.py. Arguments of kernels are
pointers, followed by integers of 32 bits.
"""

import ctypes

PLATFORM_NAME, DEVICE_EXTENSIONS, PROGRAM_BUILD_LOG = 0x0902, 0x1030, 0x1183
DEVICE_TYPE_ALL, READ_WRITE = 0xFFFFFFFF, 1


class OpenCLError(Exception):
    """A call failed."""


class Device:
    def __init__(self):
        self.library = ctypes.CDLL("libOpenCL.so.1")
        for name in ("clCreateContext", "clCreateCommandQueueWithProperties", "clCreateProgramWithIL", "clCreateKernel",
                     "clSVMAlloc"):
            getattr(self.library, name).restype = ctypes.c_void_p
        platform, self.device, error = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
        self.call("clGetPlatformIDs", 1, ctypes.byref(platform), None)
        self.call("clGetDeviceIDs", platform, ctypes.c_uint64(DEVICE_TYPE_ALL), 1, ctypes.byref(self.device), None)
        self.context = ctypes.c_void_p(
            self.library.clCreateContext(None, 1, ctypes.byref(self.device), None, None, ctypes.byref(error)))
        self.check("clCreateContext", error.value)
        self.queue = ctypes.c_void_p(
            self.library.clCreateCommandQueueWithProperties(self.context, self.device, None, ctypes.byref(error)))
        self.check("clCreateCommandQueueWithProperties", error.value)

    @staticmethod
    def check(function, error):
        if error:
            raise OpenCLError(f"{function} failed with OpenCL's error {error}")

    def call(self, function, *arguments):
        self.check(function, getattr(self.library, function)(*arguments))

    def extensions(self):
        text = ctypes.create_string_buffer(65536)
        self.call("clGetDeviceInfo", self.device, DEVICE_EXTENSIONS, ctypes.c_size_t(len(text)), text, None)
        return text.value.decode().split()

    def build(self, code, options=b""):
        error = ctypes.c_int()
        program = ctypes.c_void_p(
            self.library.clCreateProgramWithIL(self.context, code, ctypes.c_size_t(len(code)), ctypes.byref(error)))
        self.check("clCreateProgramWithIL", error.value)
        result = self.library.clBuildProgram(program, 1, ctypes.byref(self.device), options, None, None)
        if result:
            log = ctypes.create_string_buffer(4096)
            self.library.clGetProgramBuildInfo(program, self.device, PROGRAM_BUILD_LOG, ctypes.c_size_t(len(log)), log,
                                               None)
            raise OpenCLError(f"the module cannot be built: OpenCL's error {result}: {log.value.decode()}")
        return Module(self, program)


class Module:
    def __init__(self, device, program):
        self.device, self.program = device, program

    def launch(self, name, programs, threads, buffers, numbers=()):
        """Returns the contents of the buffers after the launch."""
        device, error = self.device, ctypes.c_int()
        kernel = ctypes.c_void_p(device.library.clCreateKernel(self.program, name.encode(), ctypes.byref(error)))
        device.check("clCreateKernel", error.value)
        memories = []
        for index, data in enumerate(buffers):
            memory = ctypes.c_void_p(
                device.library.clSVMAlloc(device.context, ctypes.c_uint64(READ_WRITE), ctypes.c_size_t(len(data)), 0))
            device.call("clEnqueueSVMMemcpy", device.queue, 1, memory, data, ctypes.c_size_t(len(data)), 0, None, None)
            device.call("clSetKernelArgSVMPointer", kernel, index, memory)
            memories.append(memory)
        for index, number in enumerate(numbers, len(buffers)):
            value = ctypes.c_int32(number)
            device.call("clSetKernelArg", kernel, index, ctypes.c_size_t(4), ctypes.byref(value))
        sizes = (ctypes.c_size_t * 1)(programs * threads), (ctypes.c_size_t * 1)(threads)
        device.call("clEnqueueNDRangeKernel", device.queue, kernel, 1, None, *sizes, 0, None, None)
        device.call("clFinish", device.queue)
        results = []
        for memory, data in zip(memories, buffers):
            result = ctypes.create_string_buffer(len(data))
            device.call("clEnqueueSVMMemcpy", device.queue, 1, result, memory, ctypes.c_size_t(len(data)), 0, None, None)
            results.append(result.raw)
            device.library.clSVMFree(device.context, memory)
        device.library.clReleaseKernel(kernel)
        return results
