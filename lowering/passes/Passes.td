//===- Passes.td - passes over TTIR and TTGIR -----------------------------------------------------------*- tablegen -*-//
//
// Where a pass does the job of one of Triton's it carries that one's argument.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_PASSES
#define TILECC_PASSES

include "mlir/Pass/PassBase.td"

//===--- TTIR -------------------------------------------------------------------------------------------------------===//

def TritonCombine : Pass<"triton-combine", "::mlir::ModuleOp"> {
  let summary = "combines operations of the tile dialect";
  let description = [{
    addptr(addptr(p, a), b) with constants becomes one addptr; dot(a, b, 0) + c becomes dot(a, b, c); a load whose mask
    is chosen by a select loses the select. Runs early: later passes see one operation where there is one idea.
  }];
}

def TritonReorderBroadcast : Pass<"triton-reorder-broadcast", "::mlir::ModuleOp"> {
  let summary = "moves elementwise operations before broadcasts and splats";
  let description = [{
    An elementwise operation on splats or on equally broadcast tiles computes each element many times over; on the
    sources it computes it once.
  }];
}

//===--- TTIR to TTGIR ----------------------------------------------------------------------------------------------===//

def ConvertTritonToTritonGPU : Pass<"convert-triton-to-tritongpu", "::mlir::ModuleOp"> {
  let summary = "gives every tile a layout";
  let description = [{
    Every tile gets the default blocked layout of its shape: one element per thread, the last axis fastest. Operations
    that tie the layouts of operands and results together (expand_dims, broadcast, reduce, dot) get convert_layout around
    them. The layouts are not good; they are right, and the passes after this one start from them.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cuda:80\"", "the target, as in ttg.target">,
    Option<"numWarps", "num-warps", "int32_t", /*default=*/"4", "warps of a program">,
    Option<"threadsPerWarp", "threads-per-warp", "int32_t", /*default=*/"32", "threads of a warp">,
    Option<"numCTAs", "num-ctas", "int32_t", /*default=*/"1", "thread blocks of a program">
  ];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

//===--- TTGIR ------------------------------------------------------------------------------------------------------===//

def TritonGPUCoalesce : Pass<"tritongpu-coalesce", "::mlir::ModuleOp"> {
  let summary = "gives each memory access the layout that moves the most bytes at once";
  let description = [{
    The axis along which the pointers are contiguous becomes the fastest, and a thread gets as many neighbours along it
    as one 128-bit access holds and as alignment allows. Conversions around the access keep the rest as it is.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPURemoveLayoutConversions : Pass<"tritongpu-remove-layout-conversions", "::mlir::ModuleOp"> {
  let summary = "removes layout conversions by computing values in the layout their users want";
  let description = [{
    First forward: values computed from an anchor (an access, a product) take over its layout. Then backward: what is
    cheap and still converted (pointers, masks, constants) is computed again in the layout it is wanted in, through
    loops too. Runs after every pass that introduces conversions.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUAccelerateMatmul : Pass<"tritongpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "chooses how products are computed";
  let description = [{
    On the target's matrix unit where it has an instruction for the types and the precision; else by multiply and add in the
    accumulator's type, to which operands of narrower types are extended.
    Runs after layout conversions have settled, since before that a conversion could move behind the extension and carry
    twice the bytes.
  }];
}

def TritonGPUReorderInstructions : Pass<"tritongpu-reorder-instructions", "::mlir::ModuleOp"> {
  let summary = "moves conversions to where their results are used";
  let description = [{
    A conversion to an operand of a dot, or to a larger type, sinks to its first user: its result then occupies
    registers for as short as possible.
  }];
}

def TritonGPUStageDotOperands : Pass<"tritongpu-stage-dot-operands", "::mlir::ModuleOp"> {
  let summary = "leaves operands of products in shared memory";
  let description = [{
    A product computed by multiply and add, whose operands come through shared memory, reads them from there step by step
    rather than holding every element in a register first: the conversions of both operands, and extensions behind them,
    are folded into it. Runs
    after the passes that work on conversions, just before shared memory is allocated.
  }];
}

def TritonGPULowerControlFlow : Pass<"tritongpu-lower-control-flow", "::mlir::ModuleOp"> {
  let summary = "makes branches of loops and conditionals";
  let description = [{
    As convert-scf-to-cf, except inside combiners of reductions: a combiner is one block until it is copied to where it
    computes, and what control flow it has becomes branches then.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

def AllocateSharedMemory : Pass<"allocate-shared-memory", "::mlir::ModuleOp"> {
  let summary = "places the scratch space of reductions and conversions in shared memory";
  let description = [{
    Adds allocation.offset to every operation that needs scratch space, and ttg.shared, the bytes in all, to the module.
    Scratch space is dead when its operation ends, so any two may overlap; but overlapping costs a barrier between them.
    While the sum stays small each gets its own place.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUMembar : Pass<"tritongpu-membar", "::mlir::ModuleOp"> {
  let summary = "inserts the barriers that shared memory needs";
  let description = [{
    An operation may not write scratch space that threads may still read or write for an earlier operation. Barriers
    inside operations count. Needs unstructured control flow and allocated shared memory.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

//===--- TTGIR to LLVM ----------------------------------------------------------------------------------------------===//

def ConvertTritonGPUToLLVM : Pass<"convert-triton-gpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lowers TTGIR to the LLVM dialect: what one thread does";
  let description = [{
    Every tile becomes the scalars that a thread holds of it. Needs unstructured control flow, allocated shared memory
    and barriers. Verifies first that layouts fit together, so that IR from elsewhere is rejected with a location.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect"];
}

def NormalizeLocations : Pass<"normalize-locations", "::mlir::ModuleOp"> {
  let summary = "reduces locations to files, lines and call sites";
  let description = [{
    Names of variables and calls from or to nowhere, which Triton's IR has, are dropped: upstream's
    ensure-debug-info-scope-on-llvm-func expects a file at the end of every call site. Runs right before it.
  }];
}

#endif // TILECC_PASSES
