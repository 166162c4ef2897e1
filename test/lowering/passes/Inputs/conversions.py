"""Counts the conversions that tritongpu-remove-layout-conversions leaves in each function, in tcc and in Triton.

  conversions.py <file.mlir> <ours.mlir> [<function>=<reason> ...]

Prints functions in which tcc leaves more, and then exits with 1. Functions with a reason must have more.
"""
import re
import sys

from triton._C.libtriton import ir, nvidia, passes


def run_triton(path):
    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    module = ir.parse_mlir_module(path, context)
    module.context = context
    manager = ir.pass_manager(context)
    passes.ttgpuir.add_remove_layout_conversions(manager)
    passes.common.add_canonicalizer(manager)
    passes.common.add_cse(manager)
    manager.run(module, "remove-layout-conversions")
    return str(module)


def count(text):
    bodies = re.split(r"tt\.func (?:public )?@", text)[1:]
    return {re.match(r"\w+", body)[0]: len(re.findall(r"= ttg\.convert_layout", body)) for body in bodies}


path, ours, *reasons = sys.argv[1:]
reasons = dict(reason.split("=", 1) for reason in reasons)
ours, tritons = count(open(ours).read()), count(run_triton(path))
wrong = [] if ours and ours.keys() == tritons.keys() else [f"different functions: {list(ours)} and {list(tritons)}"]
for name in ours.keys() & tritons.keys():
    if (ours[name] > tritons[name]) != (name in reasons):
        wrong.append(f"{name}: {ours[name]} conversions are left, and {tritons[name]} in Triton; {reasons.get(name)}")
print("\n".join(wrong))
sys.exit(bool(wrong))
