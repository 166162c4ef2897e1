"""Generates random well-typed kernels (ir.py) whose results are defined: no division by zero, no access out of bounds, no
shift by the width, no race, and floats that are either exact or have no influence on control flow (evaluate.py)."""

from builder import MOST, Builder, Value, whole
from ir import EXACT, FLOATS, INTS, elements


class Generator(Builder):
    """Generator(seed).generate() returns a kernel."""

    # --- computations ------------------------------------------------------------------------------------------------

    def integers(self):
        a = self.some(lambda v: v.dtype in INTS)
        if a is None:
            return
        b = self.some(lambda v: v.dtype == a.dtype and v.shape == a.shape)
        dtype, most = a.dtype, whole(a.dtype)
        if dtype == "i1":
            return self.arith(self.random.choice(["arith.andi", "arith.ori", "arith.xori"]), [a, b], 1)
        name = self.random.choice(
            [
                "addi",
                "subi",
                "muli",
                "andi",
                "ori",
                "xori",
                "maxsi",
                "minsi",
                "maxui",
                "minui",
                "shli",
                "shrsi",
                "shrui",
                "divsi",
                "remsi",
                "divui",
                "remui",
                "mulhi",
                "absi",
            ]
        )
        if name.startswith("sh"):
            b = self.small(b, INTS[dtype] - 1)
        elif name.startswith(("div", "rem")):  # divisors are odd and positive, so never 0 nor -1
            b = self.arith("arith.ori", [self.small(b, 127), self.constant(dtype, b.shape, 1)], 127)
        if name == "mulhi":
            return self.arith("tt.mulhiui", [a, b], most) if dtype in ("i32", "i64") else None
        if name == "absi":
            return self.arith("math.absi", [a], most)
        return self.arith("arith." + name, [a, b], most)

    def floats(self):
        a = self.some(lambda v: v.dtype in FLOATS)
        if a is None:
            return
        dtype = a.dtype
        b = self.some(lambda v: v.dtype == dtype and v.shape == a.shape)
        exact = a.exact and b.exact
        limit = EXACT[dtype] if exact else 1e3
        name = self.random.choice(
            [
                "addf",
                "subf",
                "mulf",
                "mulf",
                "negf",
                "absf",
                "maxnumf",
                "minnumf",
                "maximumf",
                "fma",
                "function",
                "divf",
            ]
        )
        if name in ("negf", "absf"):
            return self.arith(("arith." if name == "negf" else "math.") + name, [a], a.bound, exact=a.exact)
        if name.startswith("m") and name != "mulf":
            return self.arith("arith." + name, [a, b], max(a.bound, b.bound), exact=exact)
        if name == "function":
            functions = ["exp", "exp2", "sin", "cos", "sqrt"] if dtype == "f32" else []
            if not functions or a.bound > 60:
                return
            function = self.random.choice(functions)
            if function in ("exp", "exp2") and a.bound > 8:
                return
            if function == "sqrt":
                a = self.arith("math.absf", [a], a.bound, exact=a.exact)
            return self.arith("math." + function, [a], 3000 if function.startswith("exp") else a.bound + 1, exact=False)
        if name == "divf":  # divisors are at least 1
            b = self.arith("math.absf", [b], b.bound, exact=b.exact)
            b = self.arith("arith.maxnumf", [b, self.constant(dtype, b.shape, 1)], max(b.bound, 1), exact=b.exact)
            return self.arith("arith.divf", [a, b], a.bound, exact=False)
        bound = a.bound * b.bound if name in ("mulf", "fma") else a.bound + b.bound
        if name == "fma":
            c = self.some(lambda v: v.dtype == dtype and v.shape == a.shape)
            exact, bound = exact and c.exact, bound + c.bound
            limit = EXACT[dtype] if exact else 1e3
            return self.arith("math.fma", [a, b, c], bound, exact=exact) if bound <= limit else None
        return self.arith("arith." + name, [a, b], bound, exact=exact) if bound <= limit else None

    def choose(self):
        a = self.some()
        b = self.some(lambda v: v.dtype == a.dtype and v.shape == a.shape)
        condition = self.comparison(a.shape)
        exact = a.exact and b.exact
        return self.emit(
            "elementwise", [condition, a, b], [(a.dtype, a.shape, max(a.bound, b.bound), exact)], name="arith.select"
        )

    def convert(self):
        a = self.some()
        to = self.random.choice(
            [t for t in ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f32", "f64") if t != a.dtype]
        )
        if a.dtype in INTS and to in INTS:
            if INTS[to] < INTS[a.dtype]:
                return self.cast("arith.trunci", a, to, whole(to))
            return self.cast(self.random.choice(["arith.extsi", "arith.extui"]), a, to, whole(to))
        if a.dtype in INTS:
            if a.dtype == "i1":
                return self.cast("arith.uitofp", a, to, 1)
            a = self.small(a, 63)
            return self.cast(self.random.choice(["arith.sitofp", "arith.uitofp"]), a, to, 63)
        if to in INTS:
            if not a.exact or a.bound >= 128:
                return
            return self.cast("arith.fptosi", a, to, 127)
        wider = FLOATS[to] > FLOATS[a.dtype]
        if FLOATS[to] == FLOATS[a.dtype] or (a.dtype == "f64") != (to == "f64") and "f32" not in (a.dtype, to):
            return
        if not wider and a.bound > (EXACT[to] if a.exact else 1e3):
            return
        return self.cast("arith.extf" if wider else "arith.truncf", a, to)

    def reduce(self):
        a = self.some(lambda v: v.shape and v.dtype != "i1")
        if a is None:
            return
        axis = self.random.randrange(len(a.shape))
        isScan = self.random.random() < 0.35 and not self.row
        left = a.shape if isScan else a.shape[:axis] + a.shape[axis + 1 :]
        rest = {"axis": axis, "reverse": self.random.random() < 0.3} if isScan else {"axis": axis}
        kind = "scan" if isScan else "reduce"
        if a.dtype in FLOATS:
            combiner = self.random.choice(["add", "add", "max", "min"] + ["argmax"] * (a.exact and not isScan))
            bound = a.bound * a.shape[axis] if combiner == "add" else a.bound
            if combiner == "add" and (bound > EXACT[a.dtype] if a.exact else bound > 1e5 or a.dtype in ("f16", "bf16")):
                return
            exact = a.exact
        else:
            combiner = self.random.choice(["add", "max", "min", "xor", "or", "argmax"] + ["affine"] * isScan)
            bound, exact = whole(a.dtype), True
        if combiner == "argmax":
            if isScan:
                return
            index = self.spread(self.coordinates(a.shape)[axis], a.shape)
            return self.emit(
                kind,
                [a, index],
                [(a.dtype, left, a.bound, True), ("i32", left, a.shape[axis], True)],
                combiner=combiner,
                **rest
            )
        if combiner == "affine":
            b = self.some(lambda v: v.dtype == a.dtype and v.shape == a.shape)
            return self.emit(kind, [a, b], [(a.dtype, left, bound, True)] * 2, combiner=combiner, **rest)
        return self.emit(kind, [a], [(a.dtype, left, bound, exact)], combiner=combiner, exact=exact, **rest)

    def move(self):
        a = self.some(lambda v: v.shape)
        if a is None:
            return
        same = (a.bound, a.exact)
        what = self.random.choice(["expand", "broadcast", "trans", "reshape", "join", "split", "gather", "histogram"])
        if what == "expand" and len(a.shape) < 3:
            axis = self.random.randint(0, len(a.shape))
            return self.emit("expand_dims", [a], [(a.dtype, a.shape[:axis] + (1,) + a.shape[axis:], *same)], axis=axis)
        if what == "broadcast":
            shape = tuple(2 ** self.random.randint(0, 5) if size == 1 else size for size in a.shape)
            return (
                self.emit("broadcast", [a], [(a.dtype, shape, *same)])
                if shape != a.shape and elements(shape) <= MOST
                else None
            )
        if what == "trans" and len(a.shape) > 1:
            order = list(range(len(a.shape)))
            self.random.shuffle(order)
            return self.emit("trans", [a], [(a.dtype, tuple(a.shape[i] for i in order), *same)], order=order)
        if what == "reshape":
            count, rank = elements(a.shape), self.random.randint(1, 3)
            shape = [1] * rank
            while elements(shape) < count:
                shape[self.random.randrange(rank)] *= 2
            return self.emit("reshape", [a], [(a.dtype, tuple(shape), *same)])
        if what == "join" and len(a.shape) < 3 and elements(a.shape) < MOST:
            b = self.some(lambda v: v.dtype == a.dtype and v.shape == a.shape)
            both = (max(a.bound, b.bound), a.exact and b.exact)
            return self.emit("join", [a, b], [(a.dtype, a.shape + (2,), *both)])
        if what == "split":
            a = self.some(lambda v: len(v.shape) > 1 and v.shape[-1] == 2)
            return a and self.emit("split", [a], [(a.dtype, a.shape[:-1], a.bound, a.exact)] * 2)
        if what == "gather":
            axis = self.random.randrange(len(a.shape))
            index = self.small(self.small_source(a.shape), a.shape[axis] - 1)
            return self.emit("gather", [a, index], [(a.dtype, a.shape, *same)], axis=axis)
        if what == "histogram" and a.dtype == "i32":
            flat = self.emit("reshape", [a], [("i32", (elements(a.shape),), *same)]) if len(a.shape) > 1 else a
            bins = 2 ** self.random.randint(1, 7)
            return self.emit("histogram", [self.small(flat, bins - 1)], [("i32", (bins,), MOST, True)])

    def product(self):
        m, n, k = (self.random.choice([16, 16, 32, 64]) for _ in range(3))
        dtype = self.random.choice(["f16", "bf16", "f32", "i8"])
        a = self.some(lambda v: v.dtype == dtype and v.shape == (m, k)) or self.load(dtype, (m, k))
        b = self.load(dtype, (k, n))
        precision = self.random.choice(["tf32", ""]) if dtype == "f32" else ""
        return self.multiply(a, b, None, precision)

    def multiply(self, a, b, c, precision, times=1):
        """Accumulates on `c`, or on zero; the accumulation is done `times` times."""
        isInt = a.dtype in INTS
        to, shape, k = "i32" if isInt else "f32", (a.shape[0], b.shape[1]), a.shape[1]
        bound = whole("i32") if isInt else a.bound * b.bound * k * times
        exact = isInt or (
            a.exact and b.exact and bound <= EXACT["f32"] and (precision != "tf32" or max(a.bound, b.bound) <= 2**11)
        )
        if not isInt and not exact and bound > 1e6:
            return None
        c = c or self.constant(to, shape, 0)
        return self.emit("dot", [a, b, c], [(to, shape, bound, exact)], precision=precision, exact=exact)

    # --- control flow -------------------------------------------------------------------------------------------------

    def inside(self, make):
        """Emits the operations of `make` into a new body. Returns the body, and the result of `make`."""
        body, pool = self.body, list(self.pool)
        self.body = inner = []
        self.depth += 1
        result = make()
        self.depth -= 1
        self.body, self.pool = body, pool
        return inner, result

    def branch(self):
        a = self.some()
        condition = self.comparison(())
        inexact = self.some(lambda v: not v.shape and not v.exact)
        if (
            inexact and self.random.random() < 0.5
        ):  # the side is not known, but all threads must agree; both sides are the same
            zero = self.constant(inexact.dtype, (), 0)
            condition = self.arith("arith.cmpf", [inexact, zero], 1, "i1", predicate="ogt")
            sides = [self.inside(lambda: a) for _ in range(2)]
        else:
            sides = [self.inside(lambda: self.steps(3) or self.some(lambda v: v.kind == a.kind)) for _ in range(2)]
        (body, yes), (other, no) = sides
        return self.emit(
            "if",
            [condition],
            [(a.dtype, a.shape, max(yes.bound, no.bound), yes.exact and no.exact)],
            body=body,
            yields_body=[yes.number],
            yields_else=[no.number],
            **{"else": other}
        )

    def loop(self):
        """A loop that carries an integer tile, which the body computes, and accumulators of dots or of loaded tiles."""
        trips = 4
        zero, one = self.constant("i32", (), 0), self.constant("i32", (), 1)
        last = (
            self.emit("scalar", [], [("i32", (), 4, True)], index=0)
            if self.random.random() < 0.5
            else self.constant("i32", (), trips)
        )
        carried = [v for v in [self.some(lambda v: v.dtype in ("i32", "i64"))] if v]
        isProduct = self.random.random() < 0.5
        m, n, k = self.random.choice([16, 32, 64]), self.random.choice([16, 32]), self.random.choice([16, 32])
        dtype = self.random.choice(["f16", "f16", "bf16", "f32", "i8"]) if isProduct else "f32"
        shape = (m, n) if isProduct else self.shape()
        sums = self.constant("i32" if dtype == "i8" else "f32", shape, 0)
        tile = (m, k) if isProduct else shape
        moving = self.offsets(tile) if self.random.random() < 0.4 else None
        if moving:
            carried.append(moving)
        arguments = [
            Value(self.numbers + 1 + i, v.dtype, v.shape, whole(v.dtype) if v.dtype in INTS else 2**23, v.exact)
            for i, v in enumerate([one] + carried + [sums])
        ]
        self.numbers += len(arguments)
        index, accumulated = arguments[0], arguments[-1]
        index.bound = 4
        accumulated.exact = True
        offset = arguments[-2] if moving else None

        def make():
            self.pool += arguments[:-1]
            yields = []
            if isProduct:
                a, b = self.load(dtype, tile, index, offset), self.load(dtype, (k, n), index)
                total = self.multiply(a, b, accumulated, "", trips)
            else:
                loaded = self.load("f32", shape, index, offset)
                total = self.emit(
                    "elementwise",
                    [accumulated, loaded],
                    [("f32", shape, loaded.bound * trips, loaded.exact)],
                    name="arith.addf",
                )
            self.pool.remove(total)
            self.steps(self.random.randint(0, 4))
            for v in carried[:-1] if moving else carried:
                yields.append(self.some(lambda w: w.kind == v.kind))
            if moving:
                step = self.constant("i32", tile, elements(tile))
                yields.append(self.arith("arith.addi", [offset, step], 9 * elements(tile)))
            return yields + [total]

        body, yields = self.inside(make)
        results = [(v.dtype, v.shape, whole(v.dtype), True) for v in carried] + [
            (sums.dtype, shape, yields[-1].bound, yields[-1].exact)
        ]
        self.emit(
            "for",
            [zero, last, one] + carried + [sums],
            results,
            body=body,
            arguments=[v.number for v in arguments],
            argument_types=[v.kind for v in arguments],
            yields_body=[v.number for v in yields],
            stages=self.random.choice([0, 0, 2, 3, 4]),
        )

    def widen(self):
        """Broadcasts a scalar, such as a row's sum, to the row's elements."""
        a = self.some(lambda v: not v.shape)
        return a and self.spread(a, self.row)

    def steps(self, count):
        for _ in range(count):
            makers = (
                [self.integers] * 4
                + [self.floats] * 5
                + [self.choose] * 2
                + [self.convert] * 3
                + [self.reduce] * 4
                + [self.widen if self.row else self.move] * 5
                + [self.load]
                + ([self.product, self.branch, self.loop] if self.depth < 2 and not self.row else [])
            )
            self.random.choice(makers)()

    def generate(self):
        for _ in range(self.random.randint(1, 3)):
            self.load()
        self.scalar()
        self.steps(self.random.randint(3, 25))
        used = {i for op in self.body for i in op["in"]}
        unused = [v for v in self.pool if v.number not in used]
        if self.random.random() < 0.2 and not self.row:
            self.atomic()
        for value in self.random.sample(unused, min(len(unused), 4)) + [self.some()]:
            self.store(value)
        return self.kernel
