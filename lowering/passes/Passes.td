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

def TritonSqueezeUnitDims : Pass<"triton-squeeze-unit-dims", "::mlir::ModuleOp"> {
  let summary = "computes tiles of three dimensions and more without those of size one";
  let description = [{
    A load of 1x1x64x64 elements and the product of matrices that it is reshaped for meet: loops are pipelined, and layouts
    chosen, as for tiles of two dimensions. What loops carry is squeezed as well, and a product of a batch of one becomes one of
    matrices. Runs once functions are inlined, and where descriptors have become pointers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonUnwrapIndices : Pass<"triton-unwrap-indices", "::mlir::ModuleOp"> {
  let summary = "replaces remainders of indices by masks, where what is beyond the size is stored nowhere";
  let description = [{
    `a + (i % n) * stride`, where all that follows from rows beyond `n` ends at stores under `i < n`, becomes `a + i * stride` under
    the mask `i < n`. Loads for products are then blocks of tensors, which tensor maps describe. The masks read no element that
    was not read before.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonRewriteTensorDescriptorToPointer : Pass<"triton-rewrite-tensor-descriptor-to-pointer", "::mlir::ModuleOp"> {
  let summary = "accesses tensors through pointers and masks instead of descriptors";
  let description = [{
    For targets that do not copy tensors. A descriptor becomes its address, sizes and strides, also where branches and loops
    carry it. Runs once functions are inlined, before anything asks what an access knows of its addresses. A parameter that is a
    descriptor is an error, or becomes the parameters that Triton's launchers pass in its place: the address, sizes and strides
    (i64), and whether reads outside the tensor give NaNs (i1).
  }];
  let options = [Option<"expandArguments", "expand-arguments", "bool", /*default=*/"false", "rewrite parameters">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonRewriteTensorPointer : Pass<"triton-rewrite-tensor-pointer", "::mlir::ModuleOp"> {
  let summary = "accesses tensors through pointers and masks instead of block pointers";
  let description = [{
    As Triton's pass of this name does, for all targets. A block pointer becomes its address, sizes, strides and offsets, also
    where branches and loops carry it; what a loop does not change it does not carry. Runs once functions are inlined, before
    anything asks what an access knows of its addresses.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonDecomposeScaledDot : Pass<"triton-decompose-scaled-dot", "::mlir::ModuleOp"> {
  let summary = "multiplies scaled numbers as bf16 or f16";
  let description = [{
    Operands of tt.dot_scaled are extended to bf16, or to f16 where one of them is f16, multiplied by their scales, and passed
    to tt.dot. Triton does so for GPUs that have no such products, in tritongpu-decompose-scaled-blocked; here it happens
    before tiles have layouts, for all targets.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonPromoteProducts : Pass<"triton-promote-products", "::mlir::ModuleOp"> {
  let summary = "gives products types that can be multiplied and added";
  let description = [{
    For targets whose matrix units are not used: tt.dot is computed by fused multiply and add, in the accumulator's
    type. 8-bit floats become f16, which has all their numbers. An accumulator of 16 bits becomes f32, and the result is
    rounded once.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonReorderBroadcast : Pass<"triton-reorder-broadcast", "::mlir::ModuleOp"> {
  let summary = "moves elementwise operations before broadcasts and splats";
  let description = [{
    An elementwise operation on splats or on equally broadcast tiles computes each element many times over; on the
    sources it computes it once.
  }];
}

def TritonForwardStores : Pass<"triton-forward-stores", "::mlir::ModuleOp"> {
  let summary = "takes what was stored from registers instead of loading it";
  let description = [{
    A load of the elements that a store before it has written, through the same pointers and under a mask that implies the store's,
    becomes the value that was stored, unless something between them may write there: the bodies of kernels that one kernel calls
    (tt::call) hand their results on. Two lanes of a store never write to one element, for that would be a race. What memory has
    rounded stays rounded: results are those of the kernels one after the other, bit for bit. Stores through an argument that is
    marked tt.temporary go if nothing else uses it. Runs once expressions are canonical, and makes equal ones one where it has to;
    a kernel that loads nothing it has stored stays as it is. Triton has no such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonLoopInvariantCodeMotion : Pass<"triton-licm", "::mlir::ModuleOp"> {
  let summary = "moves what is the same in every iteration out of a loop, loads included";
  let description = [{
    Loads leave a loop that only reads, under the condition that it has an iteration. Runs once expressions are canonical.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonSplitLoops : Pass<"triton-split-loops", "::mlir::ModuleOp"> {
  let summary = "gives iterations that need no mask a loop of their own";
  let description = [{
    Index-set splitting. A mask compares affine functions of the induction variable and of positions in tiles: `m >= from + n`,
    `from + n < length`, a window's ends. Interval arithmetic says in which iterations it is the same for all elements. Such
    iterations are the first ones, the last ones or those between; they get a loop without selects and masks of loads, and the
    loops before and behind keep them. Iterations and their order stay the same. A comparison that never matters goes, too.

    Done for innermost loops with one or two products that select elements of a tile by a mask, unless the author has cut the loop
    already, and where tt.split (tt::range(...).split()) asks for it; tt.split = false turns it off, and marks loops that
    have been split. All attributes of the loop are on all of its parts. Runs when what does not depend on the iteration has left
    the loops: conditions are then about scalars outside. Triton has no such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonHoistScales : Pass<"triton-hoist-scales", "::mlir::ModuleOp"> {
  let summary = "takes a positive factor out of a maximum";
  let description = [{
    max(x * s) becomes max(x) * s, which has the same bits if s is positive and finite: a constant, an argument with the attribute
    `tt.positive`, or a product or quotient of such. A softmax's exp2(x * s - max) is one fused multiplication for each element
    then. Runs behind the splitting of loops, which leaves no mask between the product and the maximum. Triton has no such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonLoopUnroll : Pass<"triton-loop-unroll", "::mlir::ModuleOp"> {
  let summary = "makes several iterations of a loop one";
  let description = [{
    As many as `tt.loop_unroll_factor` says; the iterations left over run in a loop behind, which is not pipelined. A loop whose
    step is not known stays as it is. Runs last on TTIR: the copies are then cleaned up with the rest.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonGPUGlobalScratchMemoryAllocation : Pass<"tritongpu-global-scratch-memory-allocation", "::mlir::ModuleOp"> {
  let summary = "gives programs their scratch space in global memory";
  let description = [{
    A kernel with ttg.global_scratch_alloc gets one more argument behind all others, as kernels of Triton's have it: the memory
    for all programs of the grid. A program's part is ttg.global_scratch_memory_size bytes long. Runs once functions are
    inlined, before anything asks what is known of pointers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonGPUPlanCTA : Pass<"tritongpu-plan-cta", "::mlir::ModuleOp"> {
  let summary = "gives every thread block of a cluster its part of every tile";
  let description = [{
    A program that several thread blocks run becomes what each of them does: tiles become parts of tiles, ranges and indices
    begin where the block's part does, and blocks exchange what others need (ttng.redistribute). Products are divided by
    rows and columns of their results, reductions and scans by what they leave alone, everything else as these have it.
    Runs on TTIR, when functions are inlined; what comes later sees a block's program. On TTGIR whose encodings say which
    part a block has (CGALayout, as Triton's do), parts are those, and the program has ttg.num-ctas blocks.
  }];
  let options = [Option<"numCTAs", "num-ctas", "int32_t", /*default=*/"1", "thread blocks of a program">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilecc::ttng::TTNGDialect"];
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
    still converted is computed again in the layout it is wanted in, through loops and branches too, where that costs less
    than the conversion (pointers, masks, constants), or is converted where less has to be: before an extension or a
    broadcast, in one branch of a conditional, before a loop. Runs after every pass that introduces conversions.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUOptimizeThreadLocality : Pass<"tritongpu-optimize-thread-locality", "::mlir::ModuleOp"> {
  let summary = "reduces once behind a loop what the loop accumulates";
  let description = [{
    A loop that adds up sum(x, axis), or accumulates another reduction of one tile, keeps a partial result in each thread
    instead, and what is left of the reduction moves behind the loop. Runs when layouts are settled: they say whether the
    reduction takes shuffles or shared memory at all.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUF32DotTC : Pass<"tritongpu-F32DotTC", "::mlir::ModuleOp"> {
  let summary = "makes products of f32 in several parts";
  let description = [{
    inputPrecision = tf32x3, bf16x3 and bf16x6: splits both operands into numbers of the shorter type, and sums the products
    of their parts. Runs before the passes that choose how products are computed.
  }];
  let options = [Option<"emuTF32", "emu-tf32", "bool", /*default=*/"true", "tf32x3, too; bf16 in any case">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonGPUOptimizeDotOperands : Pass<"tritongpu-optimize-dot-operands", "::mlir::ModuleOp"> {
  let summary = "computes on operands of matrix units behind their way through shared memory";
  let description = [{
    A conversion to an operand of a product on a matrix unit moves up over elementwise operations to the tiles that these
    come from, where that converts no more bits: what is loaded then goes to shared memory as it is.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUCombineTensorSelectAndIf : Pass<"tritongpu-combine-tensor-select-and-if", "::mlir::ModuleOp"> {
  let summary = "makes a choice between tiles a result of the branch behind it";
  let description = [{
    A select of tiles before an scf.if on the same condition, used only behind it, becomes a further result of the scf.if:
    a branch that is taken anyway then saves an instruction per element. Runs before loops are scheduled, for which selects
    and branches are work of the iteration alike.
  }];
}

def TritonGPUReduceDataDuplication : Pass<"tritongpu-reduce-data-duplication", "::mlir::ModuleOp"> {
  let summary = "leaves operands of matrix units in shared memory once for all warps";
  let description = [{
    A conversion through shared memory to an operand of a product on a matrix unit becomes a store to a tile there, swizzled
    for its loads, and a load from it. Runs when conversions have settled: those inside a thread or warp stay.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUReorderInstructions : Pass<"tritongpu-reorder-instructions", "::mlir::ModuleOp"> {
  let summary = "moves conversions to where their results are used, and loads to before threads wait";
  let description = [{
    A conversion to an operand of a dot, or to a larger type, sinks to its first user: its result then occupies
    registers for as short as possible. A load behind an operation in which threads wait for each other (a reduction, a
    conversion through shared memory) rises above it, as far as registers allow. Runs when layouts have settled.
  }];
}

def TritonGPUReduceRegisterPressure : Pass<"tritongpu-reduce-register-pressure", "::mlir::ModuleOp"> {
  let summary = "loads tiles from shared memory where they are used, where there are too few registers";
  let description = [{
    Where the tiles that are alive at one point of a block take more registers than a thread has, loads from shared memory
    sink to their first use, up to what writes there, and a product of warpgroups whose left operand is in registers is
    waited for before the next one starts. Runs when loads have their places, and before barriers are inserted.
  }];
}

def TritonGPUAssignLatencies : Pass<"tritongpu-assign-latencies", "::mlir::ModuleOp"> {
  let summary = "decides which loads of a loop should start iterations before their use";
  let description = [{
    Loads that products on matrix units need, and loads that the addresses of those need, get `tt.latency`: the stages less
    one, shared out among loads that follow each other. A loop may have stages of its own (`tt.num_stages`), and then all
    its loads count where it has no product. Narrow ones (less than 4 bytes at once), ones whose addresses cannot be
    computed ahead, and ones that a store or a barrier of the loop orders are left alone.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">,
                 Option<"mostStages", "most-stages", "int32_t", /*default=*/"1000", "also of loops that ask for more">];
}

def TritonGPUFitStages : Pass<"tritongpu-fit-stages", "::mlir::ModuleOp"> {
  let summary = "pipelines loops with as many stages as shared memory has room for";
  let description = [{
    Runs the target's passes over loops (GpuBackend::buildLoopPasses), up to those that settle what is in shared memory, with the stages
    that are asked for. If a function then takes more shared memory than the target has, it runs them again with one stage less, and so
    on, and warns. With one stage there is no pipeline; what does not fit then is an error of the lowering.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect", "::mlir::scf::SCFDialect"];
}

def TritonGPUSplitRunningSums : Pass<"tritongpu-split-running-sums", "::mlir::ModuleOp"> {
  let summary = "threads that share a row sum their own part of it through a loop";
  let description = [{
    acc = acc * a + sum(x) in a loop, where acc is used for nothing else, becomes a sum within each thread; the threads' parts are
    added behind the loop.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect", "::mlir::arith::ArithDialect"];
}

def TritonGPUScheduleLoops : Pass<"tritongpu-schedule-loops", "::mlir::ModuleOp"> {
  let summary = "gives each operation of a loop its stage";
  let description = [{
    Latencies become `loop.stage` and `loop.cluster`: a load runs its latency before what needs it, and everything else in
    the last stage, `tt.scheduled_max_stage`.
  }];
}

def TritonGPUPipeline : Pass<"tritongpu-pipeline", "::mlir::ModuleOp"> {
  let summary = "starts loads of scheduled loops in earlier iterations";
  let description = [{
    Loads that go to operands of matrix units become asynchronous copies to shared memory, with as many tiles as there are
    iterations between the copy and its use, and one; others wait in registers. Loops may have any number of iterations.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonGPUOutlinePartitions : Pass<"tritongpu-outline-partitions", "::mlir::ModuleOp"> {
  let summary = "makes functions of partitions";
  let description = [{
    ttg.warp_specialize becomes ttg.start_partitions, the default region, and ttg.join_partitions. Runs first in the lowering:
    what follows looks at functions, each run by one set of warps.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
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

def TritonGPUCheckReplicas : Pass<"tritongpu-check-replicas", "::mlir::ModuleOp"> {
  let summary = "has the emulator compare what several threads hold copies of";
  let description = [{
    In front of what accesses memory, exchanges elements, spreads a value over a tile or branches: ttg.compare_replicas of its
    operands. Runs last, and before branches are unstructured, where it is asked for (-fcheck-replicas).
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
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
  let summary = "places tiles and scratch space in shared memory";
  let description = [{
    Adds allocation.offset to every allocation and to every operation that needs scratch space, and ttg.shared, the bytes in
    all, to the module. What never lives at the same time may overlap; but where no barrier lies between two, overlapping costs
    one. So these keep apart: in loops up to 32 KiB, or what is needed anyway, elsewhere up to 16 bytes for each thread. A
    conversion outside of loops that alone makes a kernel need more than 64 bytes for each thread goes in two rounds.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUMembar : Pass<"tritongpu-membar", "::mlir::ModuleOp"> {
  let summary = "inserts the barriers that shared memory needs";
  let description = [{
    Between two accesses of different threads to one place, of which one writes: scratch space, tiles, copies under way (behind
    their wait), and global memory that several threads load and one stores. Barriers inside operations count. Needs
    unstructured control flow and allocated shared memory.
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
  let options = [
    Option<"fmad", "fmad", "bool", /*default=*/"true", "contract products and sums to one operation">,
    Option<"ftz", "ftz", "bool", /*default=*/"false", "take subnormal numbers of f32 for zero">,
    Option<"precDiv", "prec-div", "bool", /*default=*/"false", "divide f32 exactly">,
    Option<"precSqrt", "prec-sqrt", "bool", /*default=*/"false", "take exact square roots of f32">,
    Option<"fastMath", "fast-math", "bool", /*default=*/"false", "use the approximate functions of f32 that GPUs have">,
    Option<"libdevice", "libdevice", "std::string", /*default=*/"\"\"",
           "the file that functions of extern_elementwise come from; without it they are an error">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect"];
}

def NormalizeLocations : Pass<"normalize-locations", "::mlir::ModuleOp"> {
  let summary = "reduces locations to files, lines and call sites";
  let description = [{
    Names of variables and calls from or to nowhere, which Triton's IR has, are dropped: upstream's
    ensure-debug-info-scope-on-llvm-func expects a file at the end of every call site. Runs right before it.
  }];
}

def TritonLoopAwareCSE : Pass<"triton-loop-aware-cse", "::mlir::ModuleOp"> {
  let summary = "common subexpressions, also of what loops carry";
  let description = [{
    What a loop carries twice, it carries once: the second is left for its canonicalization to remove. As Triton's pass.
  }];
}

//===--- to look at -------------------------------------------------------------------------------------------------===//

def TestPrintAlignment : Pass<"test-print-alignment", "::mlir::ModuleOp"> {
  let summary = "remarks what AxisInfo knows of every result";
  let description = [{
    As Triton's pass of this name does, for its tests and ours.
  }];
}

def TestPrintAllocation : Pass<"test-print-allocation", "::mlir::ModuleOp"> {
  let summary = "remarks where each buffer in shared memory would lie, and how large each is";
}

def TestPrintAlias : Pass<"test-print-alias", "::mlir::ModuleOp"> {
  let summary = "remarks which allocations each tile in shared memory may be";
}

def TestPrintMembar : Pass<"test-print-membar", "::mlir::ModuleOp"> {
  let summary = "allocates shared memory and inserts barriers";
  let description = "Control flow is lowered first. What there is to see is the module.";
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

#endif // TILECC_PASSES
