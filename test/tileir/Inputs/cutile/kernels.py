# Programs of cuTile Python, as on a machine with a GPU but for the arrays: each compares its results with NumPy's.
import numpy as np
import cuda.tile as ct
import tilecc.cutile as device

C = ct.Constant[int]


@ct.kernel
def vector_add(a, b, c, T: C):
    i = ct.bid(0)
    ct.store(c, index=(i,), tile=ct.load(a, index=(i,), shape=(T,)) + ct.load(b, index=(i,), shape=(T,)))


@ct.kernel
def total(x, sums, T: C):
    ct.store(sums, index=(0,), tile=ct.load(sums, index=(0,), shape=(1,)) + ct.sum(ct.load(x, index=(0,), shape=(T,))))


@ct.kernel
def softmax(x, y, T: C):
    r = ct.bid(0)
    row = ct.astype(ct.load(x, index=(r, 0), shape=(1, T), padding_mode=ct.PaddingMode.NEG_INF), ct.float32)
    e = ct.exp(row - ct.max(row, axis=1, keepdims=True))
    ct.store(y, index=(r, 0), tile=ct.astype(e / ct.sum(e, axis=1, keepdims=True), y.dtype))


@ct.kernel
def matmul(a, b, c, M: C, N: C, K: C):
    acc = ct.full((M, N), 0, dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(M, K))):
        x = ct.load(a, index=(ct.bid(0), k), shape=(M, K), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, index=(k, ct.bid(1)), shape=(K, N), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, index=(ct.bid(0), ct.bid(1)), tile=ct.astype(acc, c.dtype))


@ct.kernel
def attention(q, k, v, y, scale: float, M: C, N: C, D: C):
    i, h = ct.bid(0), ct.bid(1)
    queries = ct.load(q, index=(h, i, 0), shape=(1, M, D)).reshape((M, D))
    best = ct.full((M, 1), -np.inf, dtype=ct.float32)
    total = ct.full((M, 1), 0, dtype=ct.float32)
    acc = ct.full((M, D), 0, dtype=ct.float32)
    for j in range(ct.num_tiles(k, axis=1, shape=(1, N, D))):
        keys = ct.load(k, index=(h, 0, j), shape=(1, D, N), order=(0, 2, 1)).reshape((D, N))
        s = ct.mma(queries, keys, ct.full((M, N), 0, dtype=ct.float32)) * scale
        top = ct.maximum(best, ct.max(s, axis=1, keepdims=True))
        p = ct.exp(s - top)
        correction = ct.exp(best - top)
        total = total * correction + ct.sum(p, axis=1, keepdims=True)
        values = ct.load(v, index=(h, j, 0), shape=(1, N, D)).reshape((N, D))
        acc = ct.mma(ct.astype(p, v.dtype), values, acc * correction)
        best = top
    ct.store(y, index=(h, i, 0), tile=ct.astype(acc / total, y.dtype).reshape((1, M, D)))


rng = np.random.default_rng(3)
stream = device.stream()


def given(*shape, dtype=np.float32):
    return device.asarray(rng.standard_normal(shape).astype(dtype))


def zeros(*shape, dtype=np.float32):
    return device.asarray(np.zeros(shape, dtype))


def check(name, got, want, tolerance):
    worst = np.max(np.abs(got.get().astype(np.float64) - want))
    print(name, "is right" if worst < tolerance else f"is wrong by {worst}")


def exact(array):
    return array.get().astype(np.float64)


a, b, c = given(3000), given(3000), zeros(3000)
ct.launch(stream, (3,), vector_add, (a, b, c, 1024))
check("vector_add", c, exact(a) + exact(b), 1e-6)

x, s = given(256), zeros(1)  # of an array of one element, cuTile says that its stride 1 is divisible by 4
ct.launch(stream, (1,), total, (x, s, 256))
check("total", s, exact(x).sum(), 1e-4)

x, y = given(5, 200, dtype=np.float16), zeros(5, 200, dtype=np.float16)
ct.launch(stream, (5,), softmax, (x, y, 256))
e = np.exp(exact(x) - exact(x).max(1, keepdims=True))
check("softmax", y, e / e.sum(1, keepdims=True), 1e-3)

a, b, c = given(72, 136, dtype=np.float16), given(136, 88, dtype=np.float16), zeros(72, 88, dtype=np.float16)
ct.launch(stream, (2, 2), matmul, (a, b, c, 64, 64, 64))
check("matmul", c, exact(a) @ exact(b), 0.05)

q, k, v = (given(2, 128, 64, dtype=np.float16) for _ in range(3))
y = zeros(2, 128, 64, dtype=np.float16)
ct.launch(stream, (2, 2), attention, (q, k, v, y, 0.125, 64, 64, 64))
s = exact(q) @ exact(k).transpose(0, 2, 1) * 0.125
p = np.exp(s - s.max(-1, keepdims=True))
check("attention", y, p / p.sum(-1, keepdims=True) @ exact(v), 0.01)
