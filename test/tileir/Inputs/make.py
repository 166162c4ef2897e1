# Exports kernels.py as bytecode of CUDA Tile IR, into the current folder or the one that is named:
#   cd test/tileir/Inputs && python make.py [FOLDER]      (needs: pip install cuda-tile==1.7.0; no GPU)
import os, sys, types
import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, ScalarConstraint, export_kernel

folder = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
os.chdir(os.path.dirname(os.path.abspath(__file__)))
k = types.ModuleType("kernels")  # by a name without folders, which is in the debug information
sys.modules["kernels"] = k
exec(compile(open("kernels.py").read(), "kernels.py", "exec"), k.__dict__)
f16, f32, i32 = ct.float16, ct.float32, ct.int32


def array(dtype, rank, strides=1, sizes=1):  # that are known to be multiples of these numbers
    return ArrayConstraint(dtype, rank, index_dtype=i32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
                           stride_constant=[None] * (rank - 1) + [1], base_addr_divisible_by=16,
                           stride_divisible_by=[strides] * (rank - 1) + [1], shape_divisible_by=sizes)


for name, version, parameters, *kernel in [
    ("add", "13.1", [array(f32, 1)] * 3 + [64]),
    ("add", "13.4", [array(f32, 1)] * 3 + [64]),
    ("jumps", "13.3", [array(i32, 1)] * 2 + [ScalarConstraint(i32), 32]),
    ("rows", "13.4", [array(f32, 2), array(i32, 1), array(f32, 2), 64]),
    ("matmul", "13.4", [array(f32, 2)] * 3 + [16, 16, 16]),
    ("scales", "13.4", [array(ct.uint8, 1), array(f32, 1)]),  # only a later GPU has these numbers
    ("ragged", "13.1", [array(f16, 2, strides=8)] * 2 + [array(f32, 2), 64, 64, 64], "matmul"),
    ("chain", "13.1", [array(f16, 2, strides=8, sizes=16)] * 3 + [array(f32, 2), 128, 64, 64]),
]:
    export_kernel(getattr(k, *kernel or [name]), [KernelSignature(parameters, CallingConvention.cutile_python_v1(), symbol=name)],
                  f"{folder}/{name}-{version}.tilebc", gpu_code="sm_107" if name == "scales" else "sm_90", output_format="tileir_bytecode",
                  bytecode_version=version)
