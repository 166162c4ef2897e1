//===- Passes.td - passes for AMD's GPUs ------------------------------------------------------------*- tablegen -*-//
//
// The back end for AMD's GPUs runs these passes among those of lowering/passes. If Triton has the same pass, ours has
// the same name on the command line.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_AMD_PASSES
#define TILECC_TARGETS_AMD_PASSES

include "mlir/Pass/PassBase.td"

def TritonAMDGPUAccelerateMatmul : Pass<"tritonamdgpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "uses matrix instructions for dots";
  let description = [{
    The operands and results of a dot get the layouts of an MFMA (CDNA) or WMMA (RDNA) instruction, if the target has
    one for the element types and the tile is not much smaller than the instruction. Other dots do not change, and are
    computed by multiply and add. The pass runs after tritongpu-remove-layout-conversions, and before the passes that
    remove the conversions around dots.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonAMDGPUInThreadTranspose : Pass<"tritonamdgpu-in-thread-transpose", "::mlir::ModuleOp"> {
  let summary = "lets threads load operand blocks whose rows run across the contracted axis";
  let description = [{
    A lane multiplies elements that are adjacent along the contracted axis. If the elements that a load finds adjacent
    in memory are along the other axis (a right operand stored by rows), the layout of the load changes so that each
    thread loads several adjacent rows. The thread then has adjacent elements along both axes, and can write the operand
    to LDS in the order in which it will be read, 16 bytes at once. Packing the elements takes one permutation
    (v_perm_b32) for each register. The pass runs after tritonamdgpu-accelerate-matmul, before the pass that removes
    layout conversions.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def OptimizeAMDLDSUsage : Pass<"optimize-amd-lds-usage", "::mlir::ModuleOp"> {
  let summary = "reduces the LDS usage of kernels to the available size";
  let description = [{
    If the tiles of a kernel do not all fit into LDS, this pass takes tiles that are stored once and then only loaded,
    such as operands of dots, and replaces them by layout conversions, starting with the largest. It runs before shared
    memory is allocated.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

#endif
