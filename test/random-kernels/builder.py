"""The parts of the generator: values with their known properties, operations that are always well-typed, memory."""

import random

from ir import FLOATS, INTS, elements

MOST = 2048  # elements of a tile


class Value:
    """`bound`: the maximum of the absolute values. `exact`: for floats, True if all are small integers."""

    def __init__(self, number, dtype, shape, bound, exact=True):
        self.number, self.dtype, self.shape, self.bound, self.exact = number, dtype, tuple(shape), bound, exact

    @property
    def kind(self):
        return [self.dtype, list(self.shape)]


def whole(dtype):
    """The bound of all integers of a type."""
    return 1 if dtype == "i1" else 2 ** (INTS[dtype] - 1)


class Builder:
    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        self.kernel = {
            "buffers": [],
            "scalars": [self.random.randint(0, 4), self.random.randint(1, 60)],
            "grid": pick([1, 1, 2, 3]),
            "warps": pick([1, 2, 4, 4, 8]),
            "stages": pick([1, 2, 3, 3]),
            "body": [],
        }
        self.body, self.pool, self.numbers, self.depth = self.kernel["body"], [], 0, 0
        # Programs that compute one row each, which run two at a time on the CPU.
        self.row = (2 ** pick([4, 6, 7, 8]),) if self.random.random() < 0.2 else None
        if self.row:
            self.kernel["grid"] = pick([2, 3, 5])

    # --- building -----------------------------------------------------------------------------------------------------

    def emit(self, kind, ins, results, **rest):
        """`results`: (dtype, shape, bound, exact) of each result."""
        values = []
        for result in results:
            self.numbers += 1
            values.append(Value(self.numbers, *result))
        self.body.append(
            {
                "op": kind,
                "in": [v.number for v in ins],
                "out": [v.number for v in values],
                "types": [v.kind for v in values],
                **rest,
            }
        )
        self.pool += values
        return values[0] if len(values) == 1 else values

    def constant(self, dtype, shape, value):
        return self.emit("const", [], [(dtype, shape, abs(value), True)], value=value)

    def arith(self, name, ins, bound, dtype=None, exact=True, **rest):
        dtype = dtype or ins[0].dtype
        if dtype in FLOATS and exact is False:
            rest["exact"] = False
        return self.emit("elementwise", ins, [(dtype, ins[-1].shape, bound, exact)], name=name, **rest)

    def cast(self, name, value, dtype, bound=None, exact=None):
        bound = value.bound if bound is None else bound
        return self.emit(
            "cast", [value], [(dtype, value.shape, bound, value.exact if exact is None else exact)], name=name
        )

    def shape(self, rank=None):
        if self.row:
            return self.row
        rank = rank if rank is not None else self.random.choice([1, 1, 2, 2, 2, 3])
        while True:
            shape = tuple(2 ** self.random.randint(0 if rank > 1 else 2, 8 if rank < 3 else 4) for _ in range(rank))
            if elements(shape) <= MOST:
                return shape

    def some(self, accepts=lambda value: True):
        """A value of the pool, with a preference for newer ones; None if there is none."""
        values = [v for v in self.pool if accepts(v)]
        if not values:
            return None
        return values[max(self.random.randrange(len(values)), self.random.randrange(len(values)))]

    def spread(self, value, shape):
        """The value broadcast to a tile of a shape."""
        if value.shape == tuple(shape):
            return value
        if not value.shape:
            return self.emit("splat", [value], [(value.dtype, shape, value.bound, value.exact)])
        return self.emit("broadcast", [value], [(value.dtype, shape, value.bound, value.exact)])

    def coordinates(self, shape):
        """For each axis, its indices as a tile of i32 that can be broadcast to the shape."""
        result = []
        for axis, size in enumerate(shape):
            tile = self.emit("range", [], [("i32", (size,), size, True)])
            for other in range(len(shape)):
                if other != axis:
                    at = min(other, len(tile.shape))
                    grown = tile.shape[:at] + (1,) + tile.shape[at:]
                    tile = self.emit("expand_dims", [tile], [("i32", grown, size, True)], axis=at)
            result.append(tile)
        return result

    def offsets(self, shape, column_major=False):
        """A tile of i32 with consecutive offsets from 0, in row-major or column-major order."""
        if not shape:
            return self.constant("i32", (), 0)
        order, stride, total = list(range(len(shape))), 1, None
        if not column_major:
            order.reverse()
        coordinates = self.coordinates(shape)
        for axis in order:
            tile = coordinates[axis]
            if stride != 1:
                tile = self.arith("arith.muli", [tile, self.constant("i32", tile.shape, stride)], elements(shape))
            tile = self.spread(tile, shape)
            total = tile if total is None else self.arith("arith.addi", [total, tile], elements(shape))
            stride *= shape[axis]
        return total

    def small(self, value, most):
        """Limits an integer to 0 to `most`, a power of two minus one."""
        return self.arith("arith.andi", [value, self.constant(value.dtype, value.shape, most)], most)

    def comparison(self, shape):
        """An i1 that is computed from exact values."""
        a = self.some(lambda v: v.shape == tuple(shape) and v.exact and v.dtype != "i1")
        if a is None:
            a = self.offsets(shape) if shape else self.scalar()
        b = self.some(lambda v: v.shape == a.shape and v.dtype == a.dtype and v.exact)
        if self.random.random() < 0.4 or b is a:
            low = -min(a.bound, 20) if a.dtype in FLOATS else -20
            b = self.constant(a.dtype, a.shape, self.random.randint(int(low), 60))
        words = ["eq", "ne", "lt", "le", "gt", "ge"]
        word = self.random.choice(words)
        if a.dtype in FLOATS:
            return self.arith("arith.cmpf", [a, b], 1, "i1", predicate="une" if word == "ne" else "o" + word)
        sign = "" if word in ("eq", "ne") else self.random.choice("su")
        return self.arith("arith.cmpi", [a, b], 1, "i1", predicate=sign + word)

    def scalar(self):
        if self.random.random() < 0.3:
            return self.emit("pid", [], [("i32", (), 8, True)])
        return self.emit(
            "scalar", [], [("i32", (), 64, True)], index=self.random.randrange(len(self.kernel["scalars"]))
        )

    # --- memory -------------------------------------------------------------------------------------------------------

    def buffer(self, dtype, count, exact=True, **rest):
        self.kernel["buffers"].append(
            {"dtype": dtype, "elements": count, "exact": exact, "aligned": self.random.random() < 0.7, **rest}
        )
        return len(self.kernel["buffers"]) - 1

    def load(self, dtype=None, shape=None, index=None, moving=None):
        """Loads from a new buffer. `index`: an i32 scalar below 8 that moves the tile; `moving`: offsets to use instead."""
        dtype = dtype or self.random.choice(
            ["i8", "i16", "i32", "i32", "i64", "f16", "bf16", "f32", "f32", "f32", "f64"]
        )
        shape = self.shape() if shape is None else shape
        if self.row and self.random.random() < 0.7:
            index = self.emit("pid", [], [("i32", (), 8, True)])
        exact = dtype in INTS or self.random.random() < 0.5
        bound = whole(dtype) if dtype in INTS else 8 if exact else 1
        offset = moving or self.offsets(shape, self.random.random() < 0.2)
        count = elements(shape)
        if moving:
            count *= 8
        elif index:
            moved = self.arith("arith.muli", [index, self.constant("i32", (), count)], 8 * count)
            offset = self.arith("arith.addi", [offset, self.spread(moved, shape)], 9 * count)
            count *= 8
        elif self.random.random() < 0.2 and count > 1:  # arbitrary elements
            offset = self.small(self.small_source(shape), count - 1)
        ins = [offset]
        if self.random.random() < 0.4:
            ins.append(self.mask(shape))
            ins.append(
                self.constant(dtype, shape, self.random.randint(0, 5))
            )  # without it, masked elements are unspecified
            bound = max(bound, 5)
        number = self.buffer(dtype, count, exact, bound=bound)
        return self.emit("load", ins, [(dtype, shape, bound, exact)], buffer=number)

    def mask(self, shape):
        if shape and self.random.random() < 0.6:  # the first few along an axis
            axis = self.random.randrange(len(shape))
            tile = self.coordinates(shape)[axis]
            limit = (
                self.scalar()
                if self.random.random() < 0.5
                else self.constant("i32", (), self.random.randint(0, shape[axis]))
            )
            return self.spread(
                self.arith("arith.cmpi", [tile, self.spread(limit, tile.shape)], 1, "i1", predicate="slt"), shape
            )
        return self.comparison(shape)

    def small_source(self, shape):
        found = self.some(lambda v: v.shape == tuple(shape) and v.dtype == "i32")
        return found or self.offsets(shape)

    def store(self, value):
        """Each program's results come after those of the previous program."""
        count = elements(value.shape)
        offset = self.offsets(value.shape, self.random.random() < 0.2)
        pid = self.emit("pid", [], [("i32", (), 8, True)])
        moved = self.arith("arith.muli", [pid, self.constant("i32", (), count)], 8 * count)
        ins = [self.arith("arith.addi", [offset, self.spread(moved, value.shape)], 9 * count), value]
        if value.dtype == "i1":
            ins[1] = value = self.cast("arith.extui", value, "i8")
        if self.random.random() < 0.25:
            ins.append(self.mask(value.shape))
        number = self.buffer(value.dtype, count * self.kernel["grid"], value.exact, bound=0, out=True)
        self.emit("store", ins, [], buffer=number)

    def atomic(self):
        """All programs change the same integers, in any order."""
        value = self.some(lambda v: v.shape and v.dtype in ("i32", "i64"))
        if value is None:
            return
        count, name = elements(value.shape), self.random.choice(["add", "max", "xor"])
        offset = self.offsets(value.shape)
        if self.random.random() < 0.3:  # several elements of the tile change the same one
            offset = self.small(offset, max(count // 4, 1) - 1)
        ins = [offset, value] + ([self.mask(value.shape)] if self.random.random() < 0.3 else [])
        number = self.buffer(value.dtype, count, bound=0, out=True)
        self.emit("atomic", ins, [(value.dtype, value.shape, whole(value.dtype), True)], buffer=number, name=name)
        self.pool.pop()  # the previous contents depend on the order
