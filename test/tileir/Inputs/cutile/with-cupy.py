# A program that keeps its arrays in CuPy, as cuTile's documentation shows it.
import cuda.tile as ct
import cupy as cp
import numpy as np


@ct.kernel
def scale_rows(x, factors, y, T: ct.Constant[int]):
    r = ct.bid(0)
    factor = ct.load(factors, index=(r,), shape=(1,)).reshape((1, 1))
    ct.store(y, index=(r, 0), tile=ct.load(x, index=(r, 0), shape=(1, T)) * factor)


rng = cp.random.default_rng(1)
x, factors = rng.random((4, 64), dtype=np.float32), cp.arange(4, dtype=cp.float32)
y = cp.zeros_like(x)
ct.launch(cp.cuda.get_current_stream(), (4, 1, 1), scale_rows, (x, factors, y, 64))
np.testing.assert_allclose(cp.asnumpy(y), cp.asnumpy(x) * cp.asnumpy(factors)[:, None])
every_second = cp.zeros((4, 128), dtype=cp.float32)[:, ::2]
with cp.cuda.Stream() as stream:
    ct.launch(stream, (4, 1, 1), scale_rows, (x, factors, every_second, 64))
    stream.synchronize()
assert (every_second.get() == y.get()).all()
assert cp.random.randn(4, 4, dtype=cp.float32).dtype == cp.float32 and cp.random.randint(0, 3, (2,), dtype=cp.int8).dtype == cp.int8
print("CuPy's arrays are right")
try:
    cp.fuse
except AttributeError as error:
    print(error)
