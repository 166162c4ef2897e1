//===- Passes.td - passes over TTIR and TTGIR ------------------------------------------------------*- tablegen -*-===//
//
// A pass that does the job of one of Triton's passes has the same argument.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_PASSES
#define TILECC_PASSES

include "mlir/Pass/PassBase.td"

//===--- TTIR -----------------------------------------------------------------------------------------------------===//

def TritonCombine : Pass<"triton-combine", "::mlir::ModuleOp"> {
  let summary = "combines operations of the tile dialect";
  let description = [{
    addptr(addptr(p, a), b) with constant offsets becomes one addptr. dot(a, b, 0) + c becomes dot(a, b, c). A select on
    the mask of a load is folded into the load. Runs early, so that later passes match a single operation.
  }];
}

def TritonSqueezeUnitDims : Pass<"triton-squeeze-unit-dims", "::mlir::ModuleOp"> {
  let summary = "removes dimensions of size one from tiles of rank 3 and more";
  let description = [{
    A load of 1x1x64x64 elements then feeds a dot directly instead of through a reshape, so that loops are pipelined and
    layouts are chosen as for tiles of rank 2. Loop-carried values are squeezed as well, and a batched dot with a batch
    of one becomes a plain dot. Runs after inlining, and after descriptors have been rewritten to pointers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonUnwrapIndices : Pass<"triton-unwrap-indices", "::mlir::ModuleOp"> {
  let summary = "replaces remainders of indices by masks if elements beyond the size are never stored";
  let description = [{
    `a + (i % n) * stride` becomes `a + i * stride` under the mask `i < n`, if everything computed from rows beyond `n`
    ends at stores under `i < n`. Loads for dots then access blocks of tensors, which tensor maps can describe. The
    masked loads read no element that was not read before.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonRewriteTensorDescriptorToPointer : Pass<"triton-rewrite-tensor-descriptor-to-pointer", "::mlir::ModuleOp"> {
  let summary = "replaces tensor descriptors by pointers and masks";
  let description = [{
    For targets without tensor copies. A descriptor becomes its address, sizes and strides, also where branches and
    loops carry it. Runs after inlining, before any pass analyzes addresses. A descriptor parameter is an error, or with
    expand-arguments becomes the parameters that Triton's launchers pass in its place: the address, sizes and strides
    (i64), and whether reads outside the tensor yield NaNs (i1).
  }];
  let options = [Option<"expandArguments", "expand-arguments", "bool", /*default=*/"false", "rewrite parameters">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonRewriteNewerOperations : Pass<"triton-rewrite-newer-operations", "::mlir::ModuleOp"> {
  let summary = "expresses operations that Triton 3.9 has in addition to 3.6 by operations of 3.6";
  let description = [{
    Atomic loads, stores and polls become read-modify-write operations; ttg.barrier, tt.approx_divf and the attribute
    `cachePolicy` get the names of 3.6. Runs as soon as IR is read.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def TritonRewriteTensorPointer : Pass<"triton-rewrite-tensor-pointer", "::mlir::ModuleOp"> {
  let summary = "replaces block pointers by pointers and masks";
  let description = [{
    Does what Triton's pass of this name does, for all targets. A block pointer becomes its address, sizes, strides and
    offsets, also where branches and loops carry it; a loop carries only the parts that it changes. Runs after inlining,
    before any pass analyzes addresses.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonDecomposeScaledDot : Pass<"triton-decompose-scaled-dot", "::mlir::ModuleOp"> {
  let summary = "turns scaled dots into dots of bf16 or f16";
  let description = [{
    The operands of tt.dot_scaled are extended to bf16, or to f16 if one of them is f16, multiplied by their scales, and
    passed to tt.dot. Triton does this for GPUs without such instructions in tritongpu-decompose-scaled-blocked; here it
    happens before tiles have layouts. The pipeline of a target whose matrix unit multiplies scaled numbers keeps the
    dots that are suited to it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonPromoteProducts : Pass<"triton-promote-products", "::mlir::ModuleOp"> {
  let summary = "gives dots operand types that multiply-add supports";
  let description = [{
    For back ends that compute dots with FMAs in the accumulator's type, or on matrix units that accumulate in f32.
    8-bit floats become f16, which represents all their values. A 16-bit accumulator becomes f32, and the result is
    rounded once.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonReorderBroadcast : Pass<"triton-reorder-broadcast", "::mlir::ModuleOp"> {
  let summary = "moves elementwise operations before broadcasts and splats";
  let description = [{
    An elementwise operation on splats, or on tiles that are broadcast alike, computes each element many times. Applied
    to the sources of the broadcasts, it computes each element once.
  }];
}

def TritonForwardStores : Pass<"triton-forward-stores", "::mlir::ModuleOp"> {
  let summary = "forwards stored values to later loads";
  let description = [{
    A load of elements that an earlier store has written, through the same pointers and under a mask that implies the
    store's mask, becomes the stored value, unless an operation in between may write there. The bodies of kernels that
    one kernel calls (tt::call) therefore pass their results on in registers. Two lanes of a store never write the same
    element, since that would be a race. Values that memory has rounded stay rounded: the results are those of the
    separate kernels, bit for bit. Stores through an argument marked tt.temporary are erased if it has no other use.
    Runs after canonicalization, and runs CSE if there is something to forward; a kernel that loads nothing it has
    stored is not changed. Triton has no such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonLoopInvariantCodeMotion : Pass<"triton-licm", "::mlir::ModuleOp"> {
  let summary = "hoists invariant code out of loops, including loads";
  let description = [{
    Loads are hoisted out of loops that only read, under the condition that the loop has an iteration. Runs after
    canonicalization.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonSplitLoops : Pass<"triton-split-loops", "::mlir::ModuleOp"> {
  let summary = "splits off the iterations that need no mask";
  let description = [{
    Index-set splitting. A mask compares affine functions of the induction variable and of positions in tiles, such as
    `m >= from + n`, `from + n < length`, or the ends of a window. Interval arithmetic finds the iterations in which it
    has the same value for all elements. These are the first iterations, the last ones, or those in the middle. They get
    a loop without selects and without masks on loads; the loops before and after keep them. The iterations and their
    order do not change. A comparison that is constant in all iterations is folded.

    Applies to innermost loops with one or two dots that select elements of a tile by a mask, unless the source has
    already split the loop, and to loops for which tt.split (tt::range(...).split()) requests it. tt.split = false
    disables it, and marks loops that have been split. All parts keep the attributes of the loop. Runs after
    loop-invariant code motion, so that conditions compare scalars from outside the loop. Triton has no such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonHoistScales : Pass<"triton-hoist-scales", "::mlir::ModuleOp"> {
  let summary = "moves a positive factor out of a maximum";
  let description = [{
    max(x * s) becomes max(x) * s. The result has the same bits if s is positive and finite: a constant, an argument
    with the attribute `tt.positive`, or a product or quotient of such values. exp2(x * s - max) in a softmax is then
    one FMA per element. Runs after loops are split, so that no mask is left between the product and the maximum. Triton
    has no such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonLoopUnroll : Pass<"triton-loop-unroll", "::mlir::ModuleOp"> {
  let summary = "unrolls loops";
  let description = [{
    Unrolls by `tt.loop_unroll_factor`. The remaining iterations run in an epilogue loop, which is not pipelined. A loop
    with an unknown step is not unrolled. Runs last on TTIR, so that the copies are cleaned up with the rest.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonGPUGlobalScratchMemoryAllocation : Pass<"tritongpu-global-scratch-memory-allocation", "::mlir::ModuleOp"> {
  let summary = "allocates per-program scratch space in global memory";
  let description = [{
    A kernel with ttg.global_scratch_alloc gets one more argument after all others, as in Triton: the memory for all
    programs of the grid. The part of one program is ttg.global_scratch_memory_size bytes long. Runs after inlining,
    before any pass analyzes pointers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonGPUPlanCTA : Pass<"tritongpu-plan-cta", "::mlir::ModuleOp"> {
  let summary = "distributes every tile over the thread blocks of a cluster";
  let description = [{
    Converts a program that several thread blocks run to the code of one block. Tiles become parts of tiles, ranges and
    indices begin at the block's part, and blocks exchange elements that others need (ttng.redistribute). Dots are
    distributed over the rows and columns of their results, reductions and scans over the axes that they do not combine,
    and everything else follows. Runs on TTIR after inlining; later passes see the code of one block. On TTGIR whose
    encodings specify the part of each block (CGALayout, as in Triton), it follows these, and the program has
    ttg.num-ctas blocks.
  }];
  let options = [Option<"numCTAs", "num-ctas", "int32_t", /*default=*/"1", "thread blocks of a program">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilecc::ttng::TTNGDialect"];
}

def TritonGPUDivideTiles : Pass<"tritongpu-divide-tiles", "::mlir::ModuleOp"> {
  let summary = "computes a part of the result of a kernel's dots";
  let description = [{
    For tests: tcc creates variants of kernels with the same functions. A launch runs `parts` programs, a power of two,
    instead of one, which compute parts of the result of the only dot. With `chains`, they compute some of the rows of
    dots of which one depends on the other, as in attention. With `first-rows`, the kernel computes only the first 64
    rows, for launches in which no others are stored; arguments with tt.divisibility are taken as not negative. Runs on
    TTIR after inlining. Kernels for which this is impossible are errors.
  }];
  let options = [Option<"parts", "parts", "uint32_t", /*default=*/"2", "programs that run instead of one">,
                 Option<"chains", "chains", "bool", /*default=*/"false", "divide the rows of chains of dots">,
                 Option<"firstRows", "first-rows", "bool", /*default=*/"false", "compute only the first rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilecc::ttng::TTNGDialect"];
}

//===--- TTIR to TTGIR --------------------------------------------------------------------------------------------===//

def ConvertTritonToTritonGPU : Pass<"convert-triton-to-tritongpu", "::mlir::ModuleOp"> {
  let summary = "gives every tile a layout";
  let description = [{
    Every tile gets the default blocked layout of its shape: one element per thread, the last axis fastest. Operations
    that relate the layouts of operands and results (expand_dims, broadcast, reduce, dot) are surrounded by
    convert_layout. The layouts are correct but not fast; the passes after this one improve them.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cuda:80\"", "the target, as in ttg.target">,
    Option<"numWarps", "num-warps", "int32_t", /*default=*/"4", "warps of a program">,
    Option<"threadsPerWarp", "threads-per-warp", "int32_t", /*default=*/"32", "threads of a warp">,
    Option<"numCTAs", "num-ctas", "int32_t", /*default=*/"1", "thread blocks of a program">
  ];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

//===--- TTGIR ----------------------------------------------------------------------------------------------------===//

def TritonGPUCoalesce : Pass<"tritongpu-coalesce", "::mlir::ModuleOp"> {
  let summary = "gives each access to global memory a layout with wide accesses";
  let description = [{
    The axis along which the pointers are contiguous becomes the fastest, and a thread gets as many adjacent elements
    along it as fit a 128-bit access and as alignment allows. Conversions around the access keep the other operations as
    they are.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPURemoveLayoutConversions : Pass<"tritongpu-remove-layout-conversions", "::mlir::ModuleOp"> {
  let summary = "removes layout conversions by computing values in the layout that their users need";
  let description = [{
    Forward first: values computed from an anchor (an access, a dot) take its layout. Then backward: the source of a
    remaining conversion is recomputed in the wanted layout, through loops and branches too, if that costs less than the
    conversion (pointers, masks, constants). Otherwise the conversion moves to where it converts less: above an
    extension or a broadcast, into one branch of a conditional, or out of a loop. Runs after every pass that introduces
    conversions.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUOptimizeThreadLocality : Pass<"tritongpu-optimize-thread-locality", "::mlir::ModuleOp"> {
  let summary = "reduces once after a loop instead of in each iteration";
  let description = [{
    A loop that accumulates sum(x, axis), or another reduction of one tile, keeps a partial result in each thread
    instead. The rest of the reduction moves after the loop. Runs when layouts are settled: they decide whether the
    reduction needs shuffles or shared memory at all.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUF32DotTC : Pass<"tritongpu-F32DotTC", "::mlir::ModuleOp"> {
  let summary = "computes dots of f32 from dots of shorter types";
  let description = [{
    For inputPrecision = tf32x3, bf16x3 and bf16x6: splits both operands into numbers of the shorter type, and sums the
    dots of the parts. Runs before the passes that choose how dots are computed.
  }];
  let options = [Option<"emuTF32", "emu-tf32", "bool", /*default=*/"true", "also tf32x3; bf16 is always included">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonGPUOptimizeDotOperands : Pass<"tritongpu-optimize-dot-operands", "::mlir::ModuleOp"> {
  let summary = "computes operands of matrix units after they are loaded from shared memory";
  let description = [{
    Hoists a conversion to an operand of a dot on a matrix unit over elementwise operations, up to the tiles that these
    read, if that does not convert more bits. Loaded tiles then go to shared memory unchanged.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUCombineTensorSelectAndIf : Pass<"tritongpu-combine-tensor-select-and-if", "::mlir::ModuleOp"> {
  let summary = "turns a select of tiles into a result of the scf.if after it";
  let description = [{
    A select of tiles before an scf.if on the same condition, whose result is only used after the scf.if, becomes
    another result of the scf.if. A branch that is taken anyway then saves one instruction per element. Runs before
    loops are scheduled, because selects and branches both count as work of the iteration.
  }];
}

def TritonGPUReduceDataDuplication : Pass<"tritongpu-reduce-data-duplication", "::mlir::ModuleOp"> {
  let summary = "stores operands of matrix units to shared memory once for all warps";
  let description = [{
    A conversion through shared memory to an operand of a dot on a matrix unit becomes a store to a tile there, swizzled
    for its loads, and a load from it. Runs when conversions are settled; those within a thread or warp stay.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUReorderInstructions : Pass<"tritongpu-reorder-instructions", "::mlir::ModuleOp"> {
  let summary = "sinks conversions to their users, and hoists loads above waits";
  let description = [{
    A conversion to an operand of a dot, or to more registers than its source has, sinks to its first user, which
    shortens its live range. A load after an operation in which threads wait for each other (a reduction, a conversion
    through shared memory) is hoisted above it, as far as registers allow. Runs when layouts are settled.
  }];
}

def TritonGPUReduceRegisterPressure : Pass<"tritongpu-reduce-register-pressure", "::mlir::ModuleOp"> {
  let summary = "loads tiles from shared memory at their use if registers are scarce";
  let description = [{
    Where the live tiles at some point of a block need more registers than a thread has, loads from shared memory sink
    to their first use, but not past a write to the same memory. A warp-group dot whose left operand is in registers is
    waited for before the next one starts. Runs when loads have their final positions, before barriers are inserted.
  }];
}

def TritonGPUAssignLatencies : Pass<"tritongpu-assign-latencies", "::mlir::ModuleOp"> {
  let summary = "decides which loads of a loop start iterations before their use";
  let description = [{
    Loads that feed dots on matrix units, and loads that the addresses of those depend on, get `tt.latency`: the number
    of stages minus one, shared among dependent loads. A loop may have its own number of stages (`tt.num_stages`); then
    all its loads count if it has no dot. Excluded are narrow loads (less than 4 bytes at once), loads whose addresses
    cannot be computed ahead, and loads that a store or a barrier of the loop orders. If no load of a loop gets a
    latency, the loop has the reason as `tt.not_pipelined` until tritongpu-pipeline runs, for `-Rtile=pipelines`.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">,
                 Option<"maxStages", "max-stages", "int32_t", /*default=*/"1000", "also of loops that request more">];
}

def TritonGPUFitStages : Pass<"tritongpu-fit-stages", "::mlir::ModuleOp"> {
  let summary = "pipelines loops with as many stages as fit in shared memory";
  let description = [{
    Runs the target's loop passes (GpuBackend::buildLoopPasses), up to those that settle the use of shared memory, with
    the requested number of stages. If a function then needs more shared memory than the target has, it starts over with
    one stage less, and so on, and warns. With one stage there is no pipeline; if that does not fit either, the lowering
    reports an error.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect", "::mlir::scf::SCFDialect"];
}

def TritonGPUSplitRunningSums : Pass<"tritongpu-split-running-sums", "::mlir::ModuleOp"> {
  let summary = "keeps per-thread partial sums in loops with a running sum";
  let description = [{
    acc = acc * a + sum(x) in a loop, where acc has no other use, becomes a sum within each thread. The threads' parts
    are added after the loop.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect", "::mlir::arith::ArithDialect"];
}

def TritonGPUScheduleLoops : Pass<"tritongpu-schedule-loops", "::mlir::ModuleOp"> {
  let summary = "assigns each operation of a loop to a stage";
  let description = [{
    Converts latencies to `loop.stage` and `loop.cluster`: a load is scheduled its latency before its user, and
    everything else in the last stage, `tt.scheduled_max_stage`.
  }];
}

def TritonGPUPipeline : Pass<"tritongpu-pipeline", "::mlir::ModuleOp"> {
  let summary = "software-pipelines scheduled loops";
  let description = [{
    Loads that feed operands of matrix units become asynchronous copies to shared memory, with one slot more than there
    are iterations between a copy and its use. On targets without such copies, they are loads to registers at the
    beginning of an iteration, and stores to shared memory at the end of the iteration before their use. The results of
    other loads are kept in registers. Loops may have any trip count.
  }];
  let options = [Option<"hasMoreSlots", "more-slots", "bool", "true", "tiles that pass through registers may have two "
                        "slots, which saves a barrier">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect", "::mlir::ub::UBDialect"];
}

def TritonGPUOutlinePartitions : Pass<"tritongpu-outline-partitions", "::mlir::ModuleOp"> {
  let summary = "turns partitions into functions";
  let description = [{
    ttg.warp_specialize becomes ttg.start_partitions, the default region, and ttg.join_partitions. Runs first in the
    lowering: later passes process functions, each of which is executed by one set of warps.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUStageDotOperands : Pass<"tritongpu-stage-dot-operands", "::mlir::ModuleOp"> {
  let summary = "leaves operands of dots in shared memory";
  let description = [{
    A dot that is computed by multiply and add, and whose operands pass through shared memory, reads them from there
    step by step instead of holding every element in a register. The conversions of both operands, and extensions after
    them, are folded into it. Runs after the passes that work on conversions, just before shared memory is allocated.
  }];
}

def TritonGPUCheckReplicas : Pass<"tritongpu-check-replicas", "::mlir::ModuleOp"> {
  let summary = "makes the emulator compare the copies of replicated values";
  let description = [{
    Inserts ttg.compare_replicas on the operands of operations that access memory, exchange elements, broadcast a value
    or branch. Runs last, but before control flow is unstructured, if requested (-fcheck-replicas).
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonInsertRecords : Pass<"triton-insert-records", "::mlir::ModuleOp"> {
  let summary = "records when loops, dots, waits and partitions begin and end";
  let description = [{
    Encloses loops, dots, waits for copies, dots or barriers, and partitions in tt.record, except where the assembler
    should be free to reorder instructions: asynchronous dots, waits for dots that overlap with arithmetic, and turns
    (ttng.take_turn). Runs on TTGIR
    when loops are pipelined, and on TTIR for the CPU, if requested (-fprofile-tile).
  }];
  let dependentDialects = ["::tilecc::tt::TTDialect"];
}

def TritonGPULowerControlFlow : Pass<"tritongpu-lower-control-flow", "::mlir::ModuleOp"> {
  let summary = "lowers loops and conditionals to branches";
  let description = [{
    Like convert-scf-to-cf, except inside combiners of reductions. A combiner stays a single block until it is copied to
    where it is computed, and its control flow is lowered then.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

def AllocateSharedMemory : Pass<"allocate-shared-memory", "::mlir::ModuleOp"> {
  let summary = "places tiles and scratch space in shared memory";
  let description = [{
    Adds allocation.offset to every allocation and to every operation that needs scratch space, and ttg.shared, the
    total number of bytes, to the module. Buffers that are never live at the same time may overlap. But where no barrier
    separates two buffers, overlapping costs one. So these are kept apart: in loops up to 32 KiB, or up to what is
    needed anyway; elsewhere up to 16 bytes per thread. A conversion outside loops that alone makes a kernel need more
    than 64 bytes per thread is done in two rounds.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUMembar : Pass<"tritongpu-membar", "::mlir::ModuleOp"> {
  let summary = "inserts the barriers that shared memory needs";
  let description = [{
    A barrier is needed between two accesses of different threads to the same memory if one is a write. This covers
    scratch space, tiles, asynchronous copies (after their wait), and global memory that several threads load and one
    stores. Barriers inside operations count. Needs unstructured control flow and allocated shared memory.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect", "::mlir::gpu::GPUDialect"];
}

//===--- TTGIR to LLVM --------------------------------------------------------------------------------------------===//

def ConvertTritonGPUToLLVM : Pass<"convert-triton-gpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lowers TTGIR to the LLVM dialect, as the code of one thread";
  let description = [{
    Every tile becomes the scalars that one thread holds of it. Needs unstructured control flow, allocated shared memory
    and barriers. First verifies that layouts fit together, so that invalid IR from elsewhere is rejected with a
    location.
  }];
  let options = [
    Option<"fmad", "fmad", "bool", /*default=*/"true", "contract products and sums to one operation">,
    Option<"ftz", "ftz", "bool", /*default=*/"false", "treat subnormal numbers of f32 as zero">,
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
    Drops names of variables and calls from or to unknown locations, which Triton's IR has: MLIR's
    ensure-debug-info-scope-on-llvm-func expects a file at the end of every call site. Runs right before it.
  }];
}

def TritonLoopAwareCSE : Pass<"triton-loop-aware-cse", "::mlir::ModuleOp"> {
  let summary = "common subexpressions, including loop-carried values";
  let description = [{
    Merges loop-carried values that are equal; canonicalization of the loop removes the duplicate. Like Triton's pass.
  }];
}

//===--- to look at -----------------------------------------------------------------------------------------------===//

def TestPrintAlignment : Pass<"test-print-alignment", "::mlir::ModuleOp"> {
  let summary = "remarks what AxisInfo knows about every result";
  let description = [{
    Does what Triton's pass of this name does, for its tests and ours.
  }];
}

def TestPrintAllocation : Pass<"test-print-allocation", "::mlir::ModuleOp"> {
  let summary = "remarks the address and size of each buffer in shared memory";
}

def TestPrintAlias : Pass<"test-print-alias", "::mlir::ModuleOp"> {
  let summary = "remarks which allocations each tile in shared memory may alias";
}

def TestPrintMembar : Pass<"test-print-membar", "::mlir::ModuleOp"> {
  let summary = "allocates shared memory and inserts barriers";
  let description = "Control flow is lowered first. The module shows the result.";
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

#endif // TILECC_PASSES
