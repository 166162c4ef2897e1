"""Evaluates a kernel of ir.py, operation by operation, on lists of Python's integers and doubles.

Integers wrap around and are exact. There are two kinds of floats. Exact ones are integers so small that every
operation on them is exact in their type, in any order: their results must be equal. The others have, for each element, a
bound of the error of any correct implementation: each operation adds its own rounding error (EPSILON times the result, 2
units in the last place) to the propagated errors of its operands (forward error analysis). An implementation may
round less often.
"""

import math

from ir import COMBINERS, FLOATS, INTS, elements, type_of

# Two units in the last place, and an absolute error for subnormal numbers.
EPSILON = {"f16": 2.0**-9, "bf16": 2.0**-6, "f32": 2.0**-22, "f64": 2.0**-51}
TINY = {"f16": 2.0**-23, "bf16": 2.0**-130, "f32": 2.0**-130, "f64": 2.0**-1000}
FUNCTION = 1e-5  # relative error of f32 functions, whose default is an approximation


class Tile:
    __slots__ = ("dtype", "shape", "values", "errors")

    def __init__(self, dtype, shape, values, errors=None):
        self.dtype, self.shape, self.values, self.errors = dtype, tuple(shape), values, errors

    def error(self, i):
        return self.errors[i] if self.errors else 0.0


def wrap(value, bits):
    if bits == 1:
        return value & 1
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unsigned(value, bits):
    return value & ((1 << bits) - 1)


def truncated(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


COMPARE = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
INTEGER = {  # arguments: Python's integers, and the number of bits
    "arith.addi": lambda a, b, n: a + b,
    "arith.subi": lambda a, b, n: a - b,
    "arith.muli": lambda a, b, n: a * b,
    "arith.andi": lambda a, b, n: a & b,
    "arith.ori": lambda a, b, n: a | b,
    "arith.xori": lambda a, b, n: a ^ b,
    "arith.maxsi": lambda a, b, n: max(a, b),
    "arith.minsi": lambda a, b, n: min(a, b),
    "arith.maxui": lambda a, b, n: max(unsigned(a, n), unsigned(b, n)),
    "arith.minui": lambda a, b, n: min(unsigned(a, n), unsigned(b, n)),
    "arith.shli": lambda a, b, n: a << b,
    "arith.shrsi": lambda a, b, n: a >> b,
    "arith.shrui": lambda a, b, n: unsigned(a, n) >> b,
    "arith.divsi": lambda a, b, n: truncated(a, b),
    "arith.remsi": lambda a, b, n: a - b * truncated(a, b),
    "arith.divui": lambda a, b, n: unsigned(a, n) // unsigned(b, n),
    "arith.remui": lambda a, b, n: unsigned(a, n) % unsigned(b, n),
    "tt.mulhiui": lambda a, b, n: unsigned(a, n) * unsigned(b, n) >> n,
    "math.absi": lambda a, n: abs(a),
}
FLOAT = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": lambda a, b: a / b,
    "arith.negf": lambda a: -a,
    "math.absf": abs,
    "math.fma": lambda a, b, c: a * b + c,
    "arith.maxnumf": max,
    "arith.minnumf": min,
    "arith.maximumf": max,
    "arith.minimumf": min,
    "math.exp": math.exp,
    "math.exp2": lambda a: 2.0**a,
    "math.sin": math.sin,
    "math.cos": math.cos,
    "math.sqrt": lambda a: math.sqrt(max(a, 0.0)),
    "math.floor": math.floor,
    "math.ceil": math.ceil,
}


def float_error(name, dtype, result, args, errors):
    """The error bound of an operation's result."""
    own = EPSILON[dtype] * abs(result) + TINY[dtype]
    if name in ("arith.addf", "arith.subf"):
        return errors[0] + errors[1] + own
    if name in ("arith.mulf", "math.fma"):
        product = abs(args[0]) * errors[1] + abs(args[1]) * errors[0] + errors[0] * errors[1]
        rounded = EPSILON[dtype] * abs(args[0] * args[1])
        return product + own + (errors[2] + rounded if name == "math.fma" else 0.0)
    if name == "arith.divf":
        return (errors[0] + abs(result) * errors[1]) / max(abs(args[1]) - errors[1], 1e-9) + 2 * own
    if name in ("arith.negf", "math.absf"):
        return errors[0]
    if name.startswith(("arith.max", "arith.min")):
        return max(errors)
    function = FUNCTION * abs(result) + own + 1e-6
    if name in ("math.exp", "math.exp2"):
        return abs(result) * math.expm1(min(errors[0], 50.0)) + function
    if name in ("math.sin", "math.cos"):
        return errors[0] + function
    if name == "math.sqrt":
        return math.sqrt(max(args[0], 0) + errors[0]) - math.sqrt(max(args[0] - errors[0], 0)) + function
    raise ValueError(name)


def elementwise(op, inputs):
    dtype, shape = op["types"][0]
    name, count = op["name"], elements(shape)
    if name == "arith.select":
        condition, yes, no = inputs
        chosen = [yes if c else no for c in (condition.values if condition.shape else condition.values * count)]
        errors = [t.error(i) for i, t in enumerate(chosen)] if yes.errors or no.errors else None
        return Tile(dtype, shape, [t.values[i] for i, t in enumerate(chosen)], errors)
    rows = list(zip(*(t.values for t in inputs)))
    if "predicate" in op:
        predicate, bits = op["predicate"], INTS.get(inputs[0].dtype)
        compare = COMPARE[predicate[-2:]]
        if bits and predicate[0] == "u":
            rows = [(unsigned(a, bits), unsigned(b, bits)) for a, b in rows]
        return Tile(dtype, shape, [int(compare(a, b)) for a, b in rows])
    if dtype in INTS:
        bits, function = INTS[dtype], INTEGER[name]
        return Tile(dtype, shape, [wrap(function(*row, bits), bits) for row in rows])
    values = [float(FLOAT[name](*row)) for row in rows]
    if not any(t.errors for t in inputs) and op.get("exact", True):
        return Tile(dtype, shape, values)
    errors = zip(*([t.error(i) for i in range(count)] for t in inputs))
    return Tile(dtype, shape, values, [float_error(name, dtype, v, row, e) for v, row, e in zip(values, rows, errors)])


def cast(op, source):
    dtype, shape = op["types"][0]
    name = op["name"]
    if dtype in FLOATS:
        values = [float(v) for v in source.values]
        if name == "arith.uitofp":
            values = [float(unsigned(v, INTS[source.dtype])) for v in source.values]
        errors = source.errors
        if name == "arith.truncf" and errors:
            errors = [e + EPSILON[dtype] * (abs(v) + e) + TINY[dtype] for v, e in zip(values, errors)]
        return Tile(dtype, shape, values, errors)
    values = [int(v) for v in source.values]
    if name == "arith.extui":
        values = [unsigned(v, INTS[source.dtype]) for v in values]
    if name == "arith.extsi" and source.dtype == "i1":
        values = [-v for v in values]
    return Tile(dtype, shape, [wrap(v, INTS[dtype]) for v in values])


def strides_of(shape):
    strides = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    return strides


def places(shape):
    """The coordinates of all elements, in row-major order."""
    result = [()]
    for size in shape:
        result = [place + (i,) for place in result for i in range(size)]
    return result


def pick(tile, dtype, shape, indices):
    return Tile(
        dtype, shape, [tile.values[i] for i in indices], [tile.errors[i] for i in indices] if tile.errors else None
    )


def move(op, inputs):
    (dtype, shape), source = op["types"][0], inputs[0]
    kind, strides = op["op"], strides_of(source.shape)
    if kind == "splat":
        return [pick(source, dtype, shape, [0] * elements(shape))]
    if kind in ("reshape", "expand_dims"):
        return [Tile(dtype, shape, source.values, source.errors)]
    if kind == "broadcast":
        steps = [0 if size == 1 else stride for size, stride in zip(source.shape, strides)]
    elif kind == "trans":
        steps = [strides[axis] for axis in op["order"]]
    if kind in ("broadcast", "trans"):
        return [pick(source, dtype, shape, [sum(i * s for i, s in zip(place, steps)) for place in places(shape)])]
    if kind == "join":
        values = [v for pair in zip(source.values, inputs[1].values) for v in pair]
        errors = None
        if source.errors or inputs[1].errors:
            errors = [t.error(i) for i in range(len(source.values)) for t in inputs[:2]]
        return [Tile(dtype, shape, values, errors)]
    if kind == "split":
        return [pick(source, dtype, shape, range(side, len(source.values), 2)) for side in (0, 1)]
    if kind == "gather":
        axis, indices = op["axis"], inputs[1].values
        where = []
        for index, place in zip(indices, places(shape)):
            place = list(place)
            place[axis] = index
            where.append(sum(i * s for i, s in zip(place, strides)))
        return [pick(source, dtype, shape, where)]
    bins = [0] * shape[0]  # histogram
    for value in source.values:
        if 0 <= value < shape[0]:
            bins[value] += 1
    return [Tile(dtype, shape, bins)]


def combine_one(combiner, dtypes, a, b):
    """Values and errors of each operand."""
    (a0, ea), (b0, eb), dtype = a[0], b[0], dtypes[0]
    if combiner == "argmax":
        return a if a0 > b0 or (a0 == b0 and a[1][0] < b[1][0]) else b
    if combiner == "affine":
        bits = INTS[dtype]
        return [(wrap(a0 * b0, bits), 0.0), (wrap(a[1][0] * b0 + b[1][0], bits), 0.0)]
    if dtype in FLOATS:
        if combiner == "add":  # in any order: each partial sum is rounded
            return [(a0 + b0, ea + eb)]
        return [(max(a0, b0) if combiner == "max" else min(a0, b0), max(ea, eb))]
    bits = INTS[dtype]
    name = {"add": "arith.addi", "max": "arith.maxsi", "min": "arith.minsi", "xor": "arith.xori", "or": "arith.ori"}[
        combiner
    ]
    return [(wrap(INTEGER[name](a0, b0, bits), bits), 0.0)]


def combine(op, inputs):
    """Reductions and scans."""
    axis, shape, combiner = op["axis"], inputs[0].shape, op["combiner"]
    assert combiner in COMBINERS
    strides, size = strides_of(shape), shape[axis]
    rest = [range(n) if d != axis else (0,) for d, n in enumerate(shape)]
    starts = [0]
    for d, r in enumerate(rest):
        starts = [start + i * strides[d] for start in starts for i in r]
    dtypes = [t.dtype for t in inputs]
    inexact = any(t.errors for t in inputs) or not op.get("exact", True)
    isScan = op["op"] == "scan"
    results = [([0] * len(t.values), [0.0] * len(t.values)) if isScan else ([], []) for t in inputs]
    for start in starts:
        order = [start + i * strides[axis] for i in range(size)]
        if isScan and op["reverse"]:
            order.reverse()
        current, absolute = None, 0.0
        for number, at in enumerate(order):
            element = [(t.values[at], t.error(at)) for t in inputs]
            current = element if current is None else combine_one(combiner, dtypes, current, element)
            absolute += abs(element[0][0]) + element[0][1] if inexact else 0
            if isScan or number == size - 1:
                for (values, errors), (value, error), dtype in zip(results, current, dtypes):
                    if inexact and combiner == "add":
                        error += (number + 1) * (EPSILON[dtype] * absolute + TINY[dtype])
                    if isScan:
                        values[at], errors[at] = value, error
                    else:
                        values.append(value)
                        errors.append(error)
    return [
        Tile(dtype, kind[1], values, errors if inexact and dtype in FLOATS else None)
        for dtype, kind, (values, errors) in zip(dtypes, op["types"], results)
    ]


def dot(op, a, b, c):
    dtype, shape = op["types"][0]
    (m, k), n = a.shape, b.shape[1]
    values, errors = list(c.values), None
    columns = [b.values[j::n] for j in range(n)]
    for i in range(m):
        row = a.values[i * k : (i + 1) * k]
        for j, column in enumerate(columns):
            values[i * n + j] += sum(map(lambda x, y: x * y, row, column))
    if dtype in INTS:
        return Tile(dtype, shape, [wrap(v, INTS[dtype]) for v in values])
    if a.errors or b.errors or c.errors or not op["exact"]:
        own = 2.0**-9 if op["precision"] == "tf32" else EPSILON[a.dtype] if a.dtype != "f32" else 0.0
        own += k * EPSILON["f32"]
        errors = []
        for i in range(m):
            for j in range(n):
                error = c.error(i * n + j) + EPSILON["f32"] * k * abs(c.values[i * n + j]) + TINY["f32"]
                for x in range(k):
                    u, v, eu, ev = a.values[i * k + x], b.values[x * n + j], a.error(i * k + x), b.error(x * n + j)
                    error += abs(u) * ev + abs(v) * eu + eu * ev + own * (abs(u) + eu) * (abs(v) + ev)
                errors.append(error)
    return Tile(dtype, shape, values, errors)


class Interpreter:
    """Runs all programs of a kernel, one after the other. Stores change the lists `buffers`. Afterwards `errors` has a
    bound for each element, or None."""

    def __init__(self, kernel, buffers):
        self.kernel, self.buffers = kernel, buffers
        self.errors = [[None] * len(buffer) for buffer in buffers]

    def run(self):
        for pid in range(self.kernel["grid"]):
            self.pid = pid
            self.body(self.kernel["body"], {})

    def body(self, body, values):
        for op in body:
            inputs = [values[i] for i in op["in"]]
            for number, result in zip(op["out"], self.operation(op, inputs, values)):
                values[number] = result

    def operation(self, op, inputs, values):
        kind = op["op"]
        if kind == "const":
            dtype, shape = op["types"][0]
            return [Tile(dtype, shape, [op["value"]] * elements(shape))]
        if kind == "scalar":
            return [Tile("i32", (), [self.kernel["scalars"][op["index"]]])]
        if kind == "pid":
            return [Tile("i32", (), [self.pid])]
        if kind == "range":
            return [Tile("i32", op["types"][0][1], list(range(op["types"][0][1][0])))]
        if kind == "elementwise":
            return [elementwise(op, inputs)]
        if kind == "cast":
            return [cast(op, inputs[0])]
        if kind in ("reduce", "scan"):
            return combine(op, inputs)
        if kind == "dot":
            return [dot(op, *inputs)]
        if kind in ("load", "store", "atomic"):
            return self.access(op, inputs)
        if kind == "for":
            return self.loop(op, inputs, values)
        if kind == "if":
            taken = "body" if inputs[0].values[0] else "else"
            inner = dict(values)
            self.body(op[taken], inner)
            return [inner[i] for i in op["yields_" + taken]]
        return move(op, inputs)

    def loop(self, op, inputs, values):
        first, last, step = (t.values[0] for t in inputs[:3])
        carried = inputs[3:]
        for index in range(first, last, step):
            inner = dict(values)
            inner.update(zip(op["arguments"], [Tile("i32", (), [index])] + carried))
            self.body(op["body"], inner)
            carried = [inner[i] for i in op["yields_body"]]
        return carried

    def access(self, op, inputs):
        number = op["buffer"]
        buffer, errors = self.buffers[number], self.errors[number]
        info, offsets = self.kernel["buffers"][number], inputs[0].values
        if op["op"] == "load":
            mask = inputs[1].values if len(inputs) > 1 else [1] * len(offsets)
            other = inputs[2] if len(inputs) > 2 else None
            values = [
                buffer[at] if m else other.values[i] if other else 0 for i, (at, m) in enumerate(zip(offsets, mask))
            ]
            bounds = None
            if info["dtype"] in FLOATS and not info["exact"]:
                bounds = [0.0 if m or not other else other.error(i) for i, m in enumerate(mask)]
            return [Tile(info["dtype"], inputs[0].shape, values, bounds)]
        stored = inputs[1]
        mask = inputs[2].values if len(inputs) > 2 else [1] * len(offsets)
        for i, (at, m) in enumerate(zip(offsets, mask)):
            if m and op["op"] == "store":
                assert 0 <= at < len(buffer), f"a store to element {at} of {len(buffer)} {type_of((info['dtype'], ()))}"
                buffer[at], errors[at] = stored.values[i], stored.error(i)
            elif m:
                bits = INTS[info["dtype"]]
                name = {"add": "arith.addi", "max": "arith.maxsi", "xor": "arith.xori"}[op["name"]]
                buffer[at], errors[at] = wrap(INTEGER[name](buffer[at], stored.values[i], bits), bits), 0.0
        return []
