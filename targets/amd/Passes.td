//===- Passes.td - passes for AMD's GPUs ------------------------------------------------------------*- tablegen -*-//
//
// The back end runs these passes among those of lowering/passes. If Triton has the same pass, we use its name and
// argument.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_AMD_PASSES
#define TILECC_TARGETS_AMD_PASSES

include "mlir/Pass/PassBase.td"

def TritonAMDGPUAccelerateMatmul : Pass<"tritonamdgpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "uses matrix instructions for dots";
  let description = [{
    Gives the operands and results of a dot the layouts of an MFMA (CDNA) or WMMA (RDNA) instruction, if the target has
    one for the element types and the tile is not much smaller than the instruction. Other dots are unchanged and use
    multiply-add. Runs after layout conversions are settled, before the passes that remove the conversions around dots.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonAMDGPUInThreadTranspose : Pass<"tritonamdgpu-in-thread-transpose", "::mlir::ModuleOp"> {
  let summary = "lets threads load blocks of operands that are stored across the contracted axis";
  let description = [{
    A lane multiplies adjacent elements along the contracted axis. If the adjacent elements of a load are along the
    other axis (a right operand stored by rows), its layout changes so that each thread loads several adjacent rows. The
    thread then has adjacent elements along both axes, and writes the operand to LDS in the order in which it is read,
    16 bytes at once. Packing the elements takes one permutation (v_perm_b32) for each register. Runs after
    tritonamdgpu-accelerate-matmul, before the pass that removes layout conversions.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def OptimizeAMDLDSUsage : Pass<"optimize-amd-lds-usage", "::mlir::ModuleOp"> {
  let summary = "reduces the LDS usage of kernels to the available size";
  let description = [{
    If the tiles of a kernel do not fit into LDS together, replaces tiles that are stored once and then only loaded,
    such as operands of dots, by layout conversions, starting with the largest. Runs before shared memory is allocated.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

#endif
