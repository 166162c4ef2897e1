import triton
import triton.language as tl


@triton.jit
def rounds(x, count):
    i = tl.arange(0, 256)
    for r in range(count):
        v = tl.load(x + i + 1)
        tl.debug_barrier()
        tl.store(x + i, v + r)
        tl.debug_barrier()
