"""Random kernels as data. The generator creates them, the printer writes them as TTIR, and the interpreter (evaluate.py) runs them.

A kernel is a dictionary: "buffers" (dtype, elements, direction, content), "scalars" (values of i32 arguments),
"grid", "warps", "stages" and "body", a list of operations. An operation has "op", operands "in", results "out"
(numbers of values) with "types" [dtype, shape], and further members according to its kind; loops and branches have
bodies. A kernel can be stored as JSON.
"""

INTS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8}
# A type represents integers up to this bound exactly, and so every sum of such integers below it, in any order.
EXACT = {"f16": 2**11, "bf16": 2**8, "f32": 2**24, "f64": 2**53}


def type_of(kind):
    dtype, shape = kind
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>" if shape else dtype


def pointers_of(kind):
    dtype, shape = kind
    return f"tensor<{'x'.join(map(str, shape))}x!tt.ptr<{dtype}>>" if shape else f"!tt.ptr<{dtype}>"


def elements(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def bodies(op):
    return [op[name] for name in ("body", "else") if name in op]


def operations(body):
    for op in body:
        yield op
        for inner in bodies(op):
            yield from operations(inner)


def types_of(kernel):
    """The types of all values, by number."""
    types = {}
    for op in operations(kernel["body"]):
        types.update(zip(op["out"], map(tuple, op["types"])))
        types.update(zip(op.get("arguments", []), map(tuple, op.get("argument_types", []))))
    return types


def literal(dtype, value):
    if dtype == "i1":
        return "true" if value else "false"
    return f"{float(value)!r}" if dtype in FLOATS else str(value)


COMBINERS = {  # of reductions and scans; a0, a1 ... are the first operand, b0, b1 ... the second
    "add": "{r0} = arith.add{x} {a0}, {b0} : {t0}",
    "max": "{r0} = arith.max{s} {a0}, {b0} : {t0}",
    "min": "{r0} = arith.min{s} {a0}, {b0} : {t0}",
    "xor": "{r0} = arith.xori {a0}, {b0} : {t0}",
    "or": "{r0} = arith.ori {a0}, {b0} : {t0}",
    # The first of the largest elements, with its index.
    "argmax": """%gt = arith.cmp{x} {greater}, {a0}, {b0} : {t0}
%eq = arith.cmp{x} {equal}, {a0}, {b0} : {t0}
%lt = arith.cmpi slt, {a1}, {b1} : i32
%tie = arith.andi %eq, %lt : i1
%take = arith.ori %gt, %tie : i1
{r0} = arith.select %take, {a0}, {b0} : {t0}
{r1} = arith.select %take, {a1}, {b1} : i32""",
    # composition of functions x -> a x + b: associative, and not commutative
    "affine": """{r0} = arith.muli {a0}, {b0} : {t0}
%p = arith.muli {a1}, {b0} : {t0}
{r1} = arith.addi %p, {b1} : {t0}""",
}


class Printer:
    def __init__(self, kernel):
        self.kernel, self.types, self.lines, self.temporaries = kernel, types_of(kernel), [], 0

    def temporary(self):
        self.temporaries += 1
        return f"%t{self.temporaries}"

    def print(self):
        """The kernel's TTIR."""
        arguments = [
            f"%p{i}: !tt.ptr<{buffer['dtype']}>" + (" {tt.divisibility = 16 : i32}" if buffer["aligned"] else "")
            for i, buffer in enumerate(self.kernel["buffers"])
        ]
        arguments += [f"%s{i}: i32" for i in range(len(self.kernel["scalars"]))]
        self.lines.append(f"tt.func public @kernel({', '.join(arguments)}) {{")
        self.body(self.kernel["body"], "  ")
        self.lines += ["  tt.return", "}"]
        return "\n".join(self.lines) + "\n"

    def body(self, body, indent):
        for op in body:
            self.operation(op, indent)

    def operation(self, op, indent):
        kind, ins, outs = op["op"], [f"%v{i}" for i in op["in"]], [f"%v{i}" for i in op["out"]]
        kinds = [tuple(self.types[i]) for i in op["in"]]
        ins_types = [type_of(k) for k in kinds]
        outs_types = [type_of(k) for k in op["types"]]
        out, result = ", ".join(outs), ", ".join(outs_types)

        def line(text):
            self.lines.append(indent + text)

        if kind == "const":
            dtype, shape = op["types"][0]
            line(
                f"{out} = arith.constant dense<{literal(dtype, op['value'])}> : {result}"
                if shape
                else f"{out} = arith.constant {literal(dtype, op['value'])}" + (f" : {result}" if dtype != "i1" else "")
            )
        elif kind == "scalar":
            line(f"{out} = arith.addi %s{op['index']}, %zero{outs[0][2:]} : i32")
            self.lines.insert(len(self.lines) - 1, f"{indent}%zero{outs[0][2:]} = arith.constant 0 : i32")
        elif kind == "pid":
            line(f"{out} = tt.get_program_id x : i32")
        elif kind == "range":
            line(f"{out} = tt.make_range {{start = 0 : i32, end = {op['types'][0][1][0]} : i32}} : {result}")
        elif kind == "elementwise":
            extra = f" {op['predicate']}," if "predicate" in op else ""
            shown = f"{ins_types[0]}, {result}" if op["name"] == "arith.select" and kinds[0][1] else result
            shown = ins_types[0] if "predicate" in op else shown
            line(f"{out} = {op['name']}{extra} {', '.join(ins)} : {shown}")
        elif kind == "cast":
            line(f"{out} = {op['name']} {ins[0]} : {ins_types[0]} to {result}")
        elif kind in ("splat", "broadcast", "reshape"):
            line(f"{out} = tt.{kind} {ins[0]} : {ins_types[0]} -> {result}")
        elif kind == "expand_dims":
            line(f"{out} = tt.expand_dims {ins[0]} {{axis = {op['axis']} : i32}} : {ins_types[0]} -> {result}")
        elif kind == "trans":
            line(
                f"{out} = tt.trans {ins[0]} {{order = array<i32: {', '.join(map(str, op['order']))}>}} : "
                f"{ins_types[0]} -> {result}"
            )
        elif kind == "join":
            line(f"{out} = tt.join {ins[0]}, {ins[1]} : {ins_types[0]} -> {result}")
        elif kind == "split":
            line(f"{out} = tt.split {ins[0]} : {ins_types[0]} -> {outs_types[0]}")
        elif kind == "gather":
            line(
                f"{out} = tt.gather {ins[0]}[{ins[1]}] {{axis = {op['axis']} : i32}} : "
                f"({', '.join(ins_types)}) -> {result}"
            )
        elif kind == "histogram":
            line(f"{out} = tt.histogram {ins[0]} : {ins_types[0]} -> {result}")
        elif kind in ("reduce", "scan"):
            self.combine(op, indent, ins, outs, kinds, ins_types, outs_types)
        elif kind == "dot":
            precision = f", inputPrecision = {op['precision']}" if op["precision"] else ""
            line(f"{out} = tt.dot {', '.join(ins)}{precision} : {ins_types[0]} * {ins_types[1]} -> {result}")
        elif kind in ("load", "store", "atomic"):
            self.access(op, line, ins, kinds, out)
        elif kind == "for":
            self.loop(op, indent, ins, outs, result)
        elif kind == "if":
            line(f"{out} = scf.if {ins[0]} -> ({result}) {{")
            for name in ("body", "else"):
                self.body(op[name], indent + "  ")
                values = ", ".join(f"%v{i}" for i in op["yields_" + name])
                line(f"  scf.yield {values} : {result}")
                line("} else {" if name == "body" else "}")
        else:
            raise ValueError(kind)

    def combine(self, op, indent, ins, outs, kinds, ins_types, outs_types):
        names = [f"%a{i}" for i in range(len(ins))] + [f"%b{i}" for i in range(len(ins))]
        scalars = [kind[0] for kind in kinds]
        isFloat = scalars[0] in FLOATS
        fields = {f"a{i}": f"%a{i}" for i in range(len(ins))} | {f"b{i}": f"%b{i}" for i in range(len(ins))}
        fields |= {f"r{i}": f"%r{i}" for i in range(len(ins))} | {f"t{i}": t for i, t in enumerate(scalars)}
        fields |= {
            "x": "f" if isFloat else "i",
            "s": "numf" if isFloat else "si",
            "greater": "ogt" if isFloat else "sgt",
            "equal": "oeq" if isFloat else "eq",
        }
        attributes = f"axis = {op['axis']} : i32" + (
            f", reverse = {str(op['reverse']).lower()}" if op["op"] == "scan" else ""
        )
        self.lines.append(f"{indent}{', '.join(outs)} = \"tt.{op['op']}\"({', '.join(ins)}) <{{{attributes}}}> ({{")
        both = scalars + scalars
        self.lines.append(f"{indent}^bb0({', '.join(f'{n}: {t}' for n, t in zip(names, both))}):")
        self.lines += [f"{indent}  {text}" for text in COMBINERS[op["combiner"]].format(**fields).split("\n")]
        returned = ", ".join(f"%r{i}" for i in range(len(ins)))
        self.lines.append(f"{indent}  tt.{op['op']}.return {returned} : {', '.join(scalars)}")
        self.lines.append(f"{indent}}}) : ({', '.join(ins_types)}) -> ({', '.join(outs_types)})")

    def access(self, op, line, ins, kinds, out):
        """Operands: an offset, then the stored value, a mask, and the value of masked elements, as applicable."""
        dtype, shape = self.kernel["buffers"][op["buffer"]]["dtype"], kinds[0][1]
        pointers, base = pointers_of((dtype, shape)), f"%p{op['buffer']}"
        if shape:
            spread = self.temporary()
            line(f"{spread} = tt.splat {base} : !tt.ptr<{dtype}> -> {pointers}")
            base = spread
        address = self.temporary()
        line(f"{address} = tt.addptr {base}, {ins[0]} : {pointers}, {type_of(kinds[0])}")
        if op["op"] == "atomic":
            mask = ins[2] if len(ins) > 2 else self.temporary()
            if len(ins) == 2:
                line(f"{mask} = arith.constant " + (f"dense<true> : {type_of(('i1', shape))}" if shape else "true"))
            line(
                f"%old{self.temporary()[2:]} = tt.atomic_rmw {op['name']}, relaxed, gpu, {address}, {ins[1]}, {mask} : "
                f"({pointers}, {type_of((dtype, shape))}, {type_of(('i1', shape))}) -> {type_of((dtype, shape))}"
            )
        elif op["op"] == "load":
            line(f"{out} = tt.load {', '.join([address] + ins[1:])} : {pointers}")
        else:
            line(f"tt.store {', '.join([address] + ins[1:])} : {pointers}")

    def loop(self, op, indent, ins, outs, result):
        index, carried = f"%v{op['arguments'][0]}", [f"%v{i}" for i in op["arguments"][1:]]
        initial = ", ".join(f"{a} = {b}" for a, b in zip(carried, ins[3:]))
        stages = f" {{tt.num_stages = {op['stages']} : i32}}" if op.get("stages") else ""
        self.lines.append(
            f"{indent}{', '.join(outs)} = scf.for {index} = {ins[0]} to {ins[1]} step {ins[2]} iter_args({initial}) -> "
            f"({result}) : i32 {{"
        )
        self.body(op["body"], indent + "  ")
        values = ", ".join(f"%v{i}" for i in op["yields_body"])
        self.lines += [f"{indent}  scf.yield {values} : {result}", f"{indent}}}{stages}"]
