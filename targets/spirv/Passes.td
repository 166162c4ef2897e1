//===- Passes.td - passes for OpenCL devices -------------------------------------------------------*- tablegen -*-===//
//
// The back end for SPIR-V runs these passes among those of lowering/passes. If Intel's back end for Triton has the same
// pass, ours has the same name on the command line.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_SPIRV_PASSES
#define TILECC_TARGETS_SPIRV_PASSES

include "mlir/Pass/PassBase.td"

def TritonIntelGPUAccelerateMatmul : Pass<"tritonintelgpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "uses the matrix unit of Intel's GPUs for dots";
  let description = [{
    The operands and results of a dot get the layouts of the matrix unit, if the target has it, it multiplies the
    element types (f16, bf16, or 8-bit integers), and the tile is at least as wide and as deep as an instruction. Other
    dots do not change, and are computed by multiply and add. The pass runs after tritongpu-remove-layout-conversions,
    and before the passes that remove the conversions around dots.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect", "::tilecc::ttig::TTIGDialect"];
}

#endif
