"""Prints a module with one kernel for every operation of the language on every element type that it accepts."""
import itertools

INTS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
WIDTH = INTS | FLOATS
N = 256


def kernel(name, ins, out, operation):
    """`operation` computes %res from %v0, %v1, ..., tiles of the element types `ins`."""
    tile = f"tensor<{N}xi32>"
    parameters = [f"%p{i}: !tt.ptr<{e}>" for i, e in enumerate(ins)] + [f"%q: !tt.ptr<{out}>", "%n: i32"]
    print(f"tt.func public @{name}({', '.join(parameters)}) {{")
    print(f"  %r = tt.make_range {{start = 0 : i32, end = {N} : i32}} : {tile}")
    print(f"  %ns = tt.splat %n : i32 -> {tile}\n  %m = arith.cmpi slt, %r, %ns : {tile}")
    for i, e in list(enumerate(ins)) + [("q", out)]:
        ptrs, base = f"tensor<{N}x!tt.ptr<{e}>>", "%q" if i == "q" else f"%p{i}"
        print(f"  %s{i} = tt.splat {base} : !tt.ptr<{e}> -> {ptrs}\n  %a{i} = tt.addptr %s{i}, %r : {ptrs}, {tile}")
        if i != "q":
            print(f"  %v{i} = tt.load %a{i}, %m : {ptrs}")
    print(f"  %res = {operation}\n  tt.store %aq, %res, %m : tensor<{N}x!tt.ptr<{out}>>\n  tt.return\n}}")


def tile(element):
    return f"tensor<{N}x{element}>"


for e in INTS:
    for op in ("addi subi muli divsi divui remsi remui andi ori xori shli shrsi shrui minsi maxsi minui maxui").split():
        kernel(f"{op}_{e}", [e, e], e, f"arith.{op} %v0, %v1 : {tile(e)}")
    for predicate in ("eq", "slt", "uge"):
        kernel(f"cmpi_{predicate}_{e}", [e, e], "i1", f"arith.cmpi {predicate}, %v0, %v1 : {tile(e)}")
    if e != "i1":
        kernel(f"absi_{e}", [e], e, f"math.absi %v0 : {tile(e)}")
for e in FLOATS:
    for op in "addf subf mulf divf remf minimumf maximumf minnumf maxnumf".split():
        kernel(f"{op}_{e}", [e, e], e, f"arith.{op} %v0, %v1 : {tile(e)}")
    for predicate in ("oeq", "olt", "une", "uge"):
        kernel(f"cmpf_{predicate}_{e}", [e, e], "i1", f"arith.cmpf {predicate}, %v0, %v1 : {tile(e)}")
    for op in "math.exp math.exp2 math.log math.log2 math.sqrt math.absf math.floor math.ceil arith.negf".split():
        kernel(f"{op.split('.')[1]}_{e}", [e], e, f"{op} %v0 : {tile(e)}")
    kernel(f"fma_{e}", [e] * 3, e, f"math.fma %v0, %v1, %v2 : {tile(e)}")
    kernel(f"clampf_{e}", [e] * 3, e, f"tt.clampf %v0, %v1, %v2, propagateNan = all : {tile(e)}")
for e in WIDTH:
    kernel(f"select_{e}", ["i1", e, e], e, f"arith.select %v0, %v1, %v2 : {tile('i1')}, {tile(e)}")
for kind, wide, narrow in ((INTS, ("extsi", "extui"), ("trunci",)), (FLOATS, ("extf",), ("truncf",))):
    for a, b in itertools.product(kind, kind):
        for op in wide if WIDTH[a] < WIDTH[b] else narrow if WIDTH[a] > WIDTH[b] else ():
            kernel(f"{op}_{a}_{b}", [a], b, f"arith.{op} %v0 : {tile(a)} to {tile(b)}")
for i, f in itertools.product(INTS, FLOATS):
    for op in ("sitofp", "uitofp"):
        kernel(f"{op}_{i}_{f}", [i], f, f"arith.{op} %v0 : {tile(i)} to {tile(f)}")
    for op in ("fptosi", "fptoui"):
        kernel(f"{op}_{f}_{i}", [f], i, f"arith.{op} %v0 : {tile(f)} to {tile(i)}")
for a, b in (("i16", "f16"), ("f16", "bf16"), ("i32", "f32"), ("f64", "i64")):
    kernel(f"bitcast_{a}_{b}", [a], b, f"tt.bitcast %v0 : {tile(a)} -> {tile(b)}")
