"""Writes a kernel of ir.py in C++, with the operations of <tilecc/tt.h>, so that the front end is also compared with the interpreter.

Values are declared with explicit types, which the results of operations must have. If the language has several ways to write
an operation, the number of the result selects one. Integers wrap around in the IR, but not in C++, so sums and products use
unsigned integers.
"""

from ir import FLOATS, INTS, types_of

NAMES = {"i1": "bool", "i8": "tt::int8", "i16": "tt::int16", "i32": "int", "i64": "tt::int64"}
NAMES |= {"f16": "tt::float16", "bf16": "tt::bfloat16", "f32": "float", "f64": "double"}

HEAD = """#include <tilecc/tt.h>
template <class T> struct other { using type = T; };
#define PAIR(a, b) template <> struct other<a> { using type = b; }; template <> struct other<b> { using type = a; };
PAIR(tt::int8, tt::uint8) PAIR(tt::int16, tt::uint16) PAIR(int, unsigned) PAIR(tt::int64, tt::uint64)
template <class T, class S> constexpr T element_of(tt::tensor<T, S>);
template <class T> constexpr T element_of(T);
// The same bits with the other sign.
template <class X> __tile__ auto other_sign(X x) {
  return tt::bitcast<typename other<decltype(element_of(x))>::type>(x);
}
"""
SIGNED = {
    "arith.andi": "{0} & {1}",
    "arith.ori": "{0} | {1}",
    "arith.xori": "{0} ^ {1}",
    "arith.maxsi": "tt::maximum({0}, {1})",
    "arith.minsi": "tt::minimum({0}, {1})",
    "arith.shrsi": "{0} >> {1}",
    "arith.divsi": "{0} / {1}",
    "arith.remsi": "{0} % {1}",
    "math.absi": "tt::abs({0})",
    "arith.addf": "{0} + {1}",
    "arith.subf": "{0} - {1}",
    "arith.mulf": "{0} * {1}",
    "arith.divf": "{0} / {1}",
    "arith.negf": "-{0}",
    "math.absf": "tt::abs({0})",
    "math.fma": "tt::fma({0}, {1}, {2})",
    "arith.maxnumf": "tt::maximum({0}, {1})",
    "arith.minnumf": "tt::minimum({0}, {1})",
    "arith.maximumf": "tt::maximum<tt::propagate_nan::all>({0}, {1})",
    "arith.select": "tt::where({0}, {1}, {2})",
}
UNSIGNED = {
    "arith.addi": "{0} + {1}",
    "arith.subi": "{0} - {1}",
    "arith.muli": "{0} * {1}",
    "arith.maxui": "tt::maximum({0}, {1})",
    "arith.minui": "tt::minimum({0}, {1})",
    "arith.shli": "{0} << {1}",
    "arith.shrui": "{0} >> {1}",
    "arith.divui": "{0} / {1}",
    "arith.remui": "{0} % {1}",
    "tt.mulhiui": "tt::umulhi({0}, {1})",
}
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
COMBINERS = {  # T is the type of elements; the sum of narrow integers is an int
    "add": "[](T a, T b) {{ return T(a + b); }}",
    "max": "[](T a, T b) {{ return a > b ? a : b; }}",
    "min": "[](T a, T b) {{ return a < b ? a : b; }}",
    "xor": "[](T a, T b) {{ return T(a ^ b); }}",
    "or": "[](T a, T b) {{ return T(a | b); }}",
    "argmax": "[](T a, int i, T b, int j) {{ bool first = a > b || (a == b && i < j); "
    "return tt::pair{{first ? a : b, first ? i : j}}; }}",
    "affine": "[](T a, T b, T c, T d) {{ return tt::pair{{T(a * c), T(b * c + d)}}; }}",
}
NAMED = {"reduce": {"add": "sum", "max": "max", "min": "min", "xor": "xor_sum"}, "scan": {"add": "cumsum"}}


def name_of(kind):
    dtype, shape = kind
    return f"tt::tile<{', '.join([NAMES[dtype], *map(str, shape)])}>" if shape else NAMES[dtype]


class Writer:
    def __init__(self, kernel):
        self.kernel, self.types, self.lines = kernel, types_of(kernel), [HEAD]
        self.stretched = {}  # values that are broadcasts of others

    def write(self):
        parameters = [
            ("[[tt::divisible(16)]] " if buffer["aligned"] else "") + f"{NAMES[buffer['dtype']]} *p{i}"
            for i, buffer in enumerate(self.kernel["buffers"])
        ]
        parameters += [f"int s{i}" for i in range(len(self.kernel["scalars"]))]
        self.lines.append(f"extern \"C\" __tile_global__ void kernel({', '.join(parameters)}) {{")
        self.body(self.kernel["body"], "  ")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"

    def body(self, body, indent):
        for op in body:
            self.operation(op, [f"v{i}" for i in op["in"]], [f"v{i}" for i in op["out"]], indent)

    def operation(self, op, ins, outs, indent):
        if op["op"] in ("store", "atomic"):
            self.lines.append(f"{indent}{self.access(op, ins)};")
        elif op["op"] == "for":
            self.loop(op, ins, outs, indent)
        elif op["op"] == "if":
            self.branch(op, ins, outs, indent)
        elif len(outs) == 1:
            if op["op"] in ("splat", "broadcast"):
                self.stretched[op["out"][0]] = ins[0]
            self.lines.append(f"{indent}{name_of(op['types'][0])} {outs[0]} = {self.expression(op, ins)};")
        else:
            parts = [f"{out}_part" for out in outs]
            self.lines.append(f"{indent}auto [{', '.join(parts)}] = {self.expression(op, ins)};")
            for out, part, kind in zip(outs, parts, op["types"]):
                self.lines.append(f"{indent}{name_of(kind)} {out} = {part};")

    def expression(self, op, ins):
        kind, (dtype, shape) = op["op"], op["types"][0]
        sizes, of = ", ".join(map(str, shape)), ", ".join(ins)
        if kind == "const":
            value = f"{NAMES[dtype]}({op['value']})"
            return f"tt::full<{NAMES[dtype]}, {sizes}>({value})" if shape else value
        if kind == "elementwise":
            return self.elementwise(op, ins)
        if kind == "cast":
            return self.cast(op, ins[0])
        if kind in ("reduce", "scan"):
            return self.combine(op, ins)
        if kind == "dot":
            isFloat = self.types[op["in"][0]][0] == "f32"
            precision = f"<tt::precision::{op['precision'] or 'ieee'}>" if isFloat else ""
            return f"tt::dot{precision}({of})"
        if kind == "load":
            return self.access(op, ins)
        return {
            "scalar": lambda: f"s{op['index']}",
            "pid": lambda: "tt::program_id(0)",
            "range": lambda: f"tt::arange<{sizes}>()",
            "splat": lambda: f"tt::full<{NAMES[dtype]}, {sizes}>({of})",
            "broadcast": lambda: f"tt::broadcast_to<{sizes}>({of})",
            "reshape": lambda: f"tt::reshape<{sizes}>({of})",
            "expand_dims": lambda: self.expand(op, ins[0]),
            "trans": lambda: f"tt::permute<{', '.join(map(str, op['order']))}>({of})",
            "join": lambda: f"tt::join({of})",
            "split": lambda: f"tt::split({of})",
            "gather": lambda: f"tt::gather<{op['axis']}>({of})",
            "histogram": lambda: f"tt::histogram<{sizes}>({of})",
        }[kind]()

    def expand(self, op, value):
        """Writes expand_dims in one of three ways."""
        rank, axis = len(op["types"][0][1]), op["axis"]
        if op["out"][0] % 3 == 0:
            return f"tt::expand_dims<{axis}>({value})"
        if op["out"][0] % 3 == 1 and rank == 2:
            return f"{value}.{'col' if axis else 'row'}()"
        return f"{value}({', '.join('tt::newaxis' if d == axis else 'tt::all' for d in range(rank))})"

    def unstretched(self, op, ins):
        """In every other operation on two operands, relies on the language to broadcast one of them."""
        if len(ins) == 2 and op["out"][0] % 2:
            for i, number in enumerate(op["in"]):
                if number in self.stretched and op["in"][1 - i] not in self.stretched:
                    return [self.stretched[number] if k == i else value for k, value in enumerate(ins)]
        return ins

    def elementwise(self, op, ins):
        name, dtype, ins = op["name"], self.types[op["in"][0]][0], self.unstretched(op, ins)
        others = [f"other_sign({value})" for value in ins]
        if "predicate" in op:
            isUnsigned = dtype in INTS and op["predicate"].startswith("u")
            return f" {COMPARE[op['predicate'][-2:]]} ".join(others if isUnsigned else ins)
        if name in UNSIGNED:  # C++ promotes scalars narrower than int
            return f"other_sign(tt::cast<other<{NAMES[dtype]}>::type>({UNSIGNED[name].format(*others)}))"
        return SIGNED.get(name, f"tt::{name.split('.')[1]}({{0}})").format(*ins)

    def cast(self, op, value):
        source, to = self.types[op["in"][0]][0], NAMES[op["types"][0][0]]
        if op["name"] == "arith.extsi" and source == "i1":
            return f"-tt::cast<{to}>({value})"
        if op["name"] == "arith.extui" and source != "i1":
            return f"other_sign(tt::cast<other<{to}>::type>(other_sign({value})))"
        return f"tt::cast<{to}>({f'other_sign({value})' if op['name'] == 'arith.uitofp' and source != 'i1' else value})"

    def combine(self, op, ins):
        kind, combiner, dtype = op["op"], op["combiner"], self.types[op["in"][0]][0]
        options = ", tt::reverse" if op.get("reverse") else ""
        named = NAMED[kind].get(combiner)
        if named and dtype in ("i32", "i64", "f32", "f64"):
            return f"tt::{named}<{op['axis']}>({ins[0]}{options})"
        # Sums and products of unsigned elements wrap around.
        wraps = combiner in ("add", "affine") and dtype in INTS
        of = [f"other_sign({value})" for value in ins] if wraps else ins
        element = f"other<{NAMES[dtype]}>::type" if wraps else NAMES[dtype]
        function = COMBINERS[combiner].format().replace("T", element)
        of = f"tt::pair{{{', '.join(of)}}}" if len(of) == 2 else of[0]
        text = f"tt::{'reduce' if kind == 'reduce' else 'associative_scan'}<{op['axis']}>({of}, {function}{options})"
        if not wraps:
            return text
        if len(ins) == 1:
            return f"other_sign({text})"
        return f"[&] {{ auto [a, b] = {text}; return tt::pair{{other_sign(a), other_sign(b)}}; }}()"

    def access(self, op, ins):
        """Operands: an offset, then the stored value, a mask, and the value of masked elements, as applicable."""
        arguments = ", ".join([f"p{op['buffer']} + {ins[0]}", *ins[1:]])
        if op["op"] == "atomic":
            return f"tt::atomic_{op['name']}({arguments}, tt::sem::relaxed)"
        return f"tt::{op['op']}({arguments})"

    def loop(self, op, ins, outs, indent):
        for out, initial, kind in zip(outs, ins[3:], op["types"]):
            self.lines.append(f"{indent}{name_of(kind)} {out} = {initial};")
        index, *carried = [f"v{i}" for i in op["arguments"]]
        if op.get("stages"):
            range = f"tt::range({ins[0]}, {ins[1]}, 1).num_stages({op['stages']})"
            self.lines.append(f"{indent}for (int {index} : {range}) {{")
        else:
            self.lines.append(f"{indent}for (int {index} = {ins[0]}; {index} < {ins[1]}; ++{index}) {{")
        for name, out in zip(carried, outs):
            self.lines.append(f"{indent}  auto {name} = {out};")
        self.body(op["body"], indent + "  ")
        for out, value in zip(outs, op["yields_body"]):
            self.lines.append(f"{indent}  {out} = v{value};")
        self.lines.append(f"{indent}}}")

    def branch(self, op, ins, outs, indent):
        for out, kind in zip(outs, op["types"]):
            self.lines.append(f"{indent}{name_of(kind)} {out};")
        self.lines.append(f"{indent}if ({ins[0]}) {{")
        for name in ("body", "else"):
            self.body(op[name], indent + "  ")
            for out, value in zip(outs, op["yields_" + name]):
                self.lines.append(f"{indent}  {out} = v{value};")
            self.lines.append(indent + ("} else {" if name == "body" else "}"))
