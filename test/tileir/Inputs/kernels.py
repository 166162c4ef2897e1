# Kernels in cuTile Python. make.py exports them to the bytecode that is kept beside them.
import cuda.tile as ct

C = ct.Constant[int]


@ct.kernel
def add(a, b, c, T: C):
    i = ct.bid(0)
    x = ct.load(a, index=(i,), shape=(T,))
    y = ct.load(b, index=(i,), shape=(T,))
    ct.store(c, index=(i,), tile=x + y)


@ct.kernel
def jumps(x, y, n: int, T: C):
    # A loop with continue and break, an if with results, extract and cat.
    i = ct.bid(0)
    t = ct.load(x, index=(i,), shape=(T,), padding_mode=ct.PaddingMode.ZERO)
    s = ct.full((T,), 0, dtype=ct.int32)
    k = 0
    while True:
        k += 1
        if k > n:
            break
        if k % 2 == 0:
            continue
        s += t * k
    if n > 3:
        s = s + 1
    else:
        s = ct.where(t > 0, s, -s)
    lo = ct.extract(s, index=(0,), shape=(T // 2,))
    hi = ct.extract(s, index=(1,), shape=(T // 2,))
    ct.store(y, index=(i,), tile=ct.cat((hi, lo), 0))


@ct.kernel
def rows(x, best, sums, T: C):
    r = ct.bid(0)
    t = ct.load(x, index=(r, 0), shape=(1, T), padding_mode=ct.PaddingMode.ZERO)
    ct.store(best, index=(r,), tile=ct.argmax(t, axis=1))
    ct.store(sums, index=(r, 0), tile=ct.cumsum(t, axis=1))


@ct.kernel
def matmul(a, b, c, M: C, N: C, K: C):
    acc = ct.full((M, N), 0, dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(M, K))):
        x = ct.load(a, index=(ct.bid(0), k), shape=(M, K), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, index=(k, ct.bid(1)), shape=(K, N), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, index=(ct.bid(0), ct.bid(1)), tile=acc)


@ct.kernel
def scales(bits, numbers):
    b = ct.load(bits, index=(0,), shape=(256,))
    ct.store(numbers, index=(0,), tile=ct.astype(ct.bitcast(b, ct.float8_e5m3fnu), ct.float32))


@ct.kernel
def chain(q, k, v, y, M: C, N: C, D: C):
    acc = ct.full((M, D), 0, dtype=ct.float32)
    x = ct.load(q, index=(ct.bid(0), 0), shape=(M, D))
    for j in range(ct.num_tiles(k, axis=0, shape=(N, D))):
        keys = ct.load(k, index=(0, j), shape=(D, N), order=(1, 0), padding_mode=ct.PaddingMode.ZERO)
        p = ct.mma(x, keys, ct.full((M, N), 0, dtype=ct.float32))
        values = ct.load(v, index=(j, 0), shape=(N, D), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(ct.where(p > 0, p, 0).astype(q.dtype), values, acc)
    ct.store(y, index=(ct.bid(0), 0), tile=acc)
