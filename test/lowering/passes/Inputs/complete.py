"""Looks for <pass>.mlir and <pass>-errors.mlir of every pass in lowering/passes/Passes.td and those of the back ends. Prints missing files,
and then exits with 1."""
import pathlib
import re
import sys

# Passes whose tests are elsewhere, because there are many.
ELSEWHERE = {"convert-triton-gpu-to-llvm": ("lowering/gpu/convert-layout.mlir", "lowering/gpu/errors.mlir")}

# Passes that report no error. They leave what they cannot improve unchanged, which is correct.
TAKES_ANYTHING = {
    "check-replicas",
    "insert-records",
    "combine",
    "promote-products",
    "reorder-broadcast",
    "squeeze-unit-dims",
    "unwrap-indices",
    "coalesce",
    "remove-layout-conversions",
    "optimize-thread-locality",
    "keep-stores-in-warps",
    "hoist-scales",
    "split-running-sums",
    "nvidia-gpu-limit-products",
    "nvidia-gpu-number-programs",
    "nvidia-gpu-overlap-launches",
    "nvidia-gpu-split-iterations",
    "nvidia-gpu-use-tensor-maps",
    "order-programs",
    "persistent-programs",
    "share-blocks",  # where programs cannot, it warns
    "F32DotTC",
    "nvidia-gpu-accumulate-in-tensor-memory",
    "nvidia-gpu-partition-dots",
    "nvidia-gpu-store-by-columns",
    "nvidia-gpu-fence-insertion",
    "nvidia-mma-lowering",
    "optimize-amd-lds-usage",  # too much is an error of convert-triton-gpu-to-llvm
    "tritonamdgpu-in-thread-transpose",
    "optimize-dot-operands",
    "combine-tensor-select-and-if",
    "reduce-data-duplication",
    "reorder-instructions",
    "reduce-register-pressure",
    "specialize-loops",
    "rotate-loops",
    "nvidia-gpu-advance-products",
    "nvidia-gpu-overlap-products",
    "fit-stages",  # with one stage left it is an error of convert-triton-gpu-to-llvm
    "assign-latencies",
    "schedule-loops",
    "stage-dot-operands",
    "allocate-shared-memory",  # too much is an error of convert-triton-gpu-to-llvm, which knows the target
    "forward-stores",
    "normalize-locations",
    "licm",
    "loop-aware-cse",
    "test-print-alignment",
    "test-print-alias",
    "test-print-allocation",
    "test-print-membar",  # its errors are those of the passes it runs
}

source = pathlib.Path(sys.argv[1])
tests = source / "test"
passes = [name for table in [source / "lowering/passes/Passes.td", *source.glob("targets/*/Passes.td")]
          for name in re.findall(r'^def \w+ : Pass<"([^"]+)"', table.read_text(), re.M)]
names = {name: re.sub(r"^(tritongpu|triton)-", "", name) for name in passes}
missing = []
for name, stem in names.items():
    test, errors = ELSEWHERE.get(name, (f"lowering/passes/{stem}.mlir", f"lowering/passes/{stem}-errors.mlir"))
    if not (tests / test).exists() or f"--{name}" not in (tests / test).read_text():
        missing.append(f"{name}: no test {test} that runs it")
    if stem in TAKES_ANYTHING:
        if (tests / errors).exists():
            missing.append(f"{name}: is said to take anything, and has {errors}")
    elif not (tests / errors).exists() or f"--{name}" not in (tests / errors).read_text():
        missing.append(f"{name}: no test {errors} that runs it")
missing += [f"{stem}: is no pass" for stem in TAKES_ANYTHING - set(names.values())]
print("\n".join(missing))
sys.exit(bool(missing) or not passes)
