//===- Passes.td - passes for AMD's GPUs ------------------------------------------------------------*- tablegen -*-//
//
// The back end runs them among those of lowering/passes. Where Triton has such a pass, its name and argument are
// Triton's.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_AMD_PASSES
#define TILECC_TARGETS_AMD_PASSES

include "mlir/Pass/PassBase.td"

def TritonAMDGPUAccelerateMatmul : Pass<"tritonamdgpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "has products computed on matrix units";
  let description = [{
    Gives operands and results the layouts of an MFMA (CDNA) or WMMA (RDNA) instruction where the target has one for the
    element types and the tile is not much smaller than the instruction. Other products stay as they are, and are computed
    by multiply and add. Runs after layout conversions have settled, before the passes that remove those around products.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def OptimizeAMDLDSUsage : Pass<"optimize-amd-lds-usage", "::mlir::ModuleOp"> {
  let summary = "has kernels need no more LDS than there is";
  let description = [{
    Where the tiles of a kernel do not fit into LDS together, those that are operands of products become conversions,
    beginning with the largest. Runs before shared memory is allocated.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

#endif
