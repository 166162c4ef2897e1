//===- Passes.td - passes over TTIR and TTGIR ------------------------------------------------------*- tablegen -*-===//
//
// These passes run for every target; the passes of one vendor are in targets/*/Passes.td. Each description says what
// the pass does, to which kernels it applies, and why it runs where it does. If Triton has a pass for the same purpose,
// ours has the same name on the command line.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_PASSES
#define TILECC_PASSES

include "mlir/Pass/PassBase.td"

//===--- TTIR -----------------------------------------------------------------------------------------------------===//

def TritonCombine : Pass<"triton-combine", "::mlir::ModuleOp"> {
  let summary = "combines operations of the tile dialect";
  let description = [{
    Merges operations, so that later passes match a single one. addptr(addptr(p, a), b) with constant offsets becomes
    one addptr. dot(a, b, 0) + c becomes dot(a, b, c). A select on the mask of a load is folded into the load. The pass
    runs early for this reason.
  }];
}

def TritonSqueezeUnitDims : Pass<"triton-squeeze-unit-dims", "::mlir::ModuleOp"> {
  let summary = "removes dimensions of size one from tiles of rank 3 and more";
  let description = [{
    A load of 1x1x64x64 elements then feeds a dot directly instead of through a reshape, so that loops are pipelined and
    layouts are chosen as for tiles of rank 2. Loop-carried values are squeezed as well, and a batched dot with a batch
    of one becomes a plain dot. The pass runs after inlining, and after descriptors have been rewritten to pointers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonUnwrapIndices : Pass<"triton-unwrap-indices", "::mlir::ModuleOp"> {
  let summary = "replaces remainders of indices by masks if elements beyond the size are never stored";
  let description = [{
    `a + (i % n) * stride` becomes `a + i * stride` under the mask `i < n`, if everything that is computed from rows
    beyond `n` is stored only under `i < n`. Loads for dots then access blocks of tensors, which tensor maps can
    describe. The masked loads read no element that was not read before.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonRewriteTensorDescriptorToPointer : Pass<"triton-rewrite-tensor-descriptor-to-pointer", "::mlir::ModuleOp"> {
  let summary = "replaces tensor descriptors by pointers and masks";
  let description = [{
    Targets without tensor copies run this pass. A descriptor becomes its address, sizes and strides, also where
    branches and loops carry it. The pass runs after inlining, before any pass analyzes addresses. A descriptor that is
    a parameter of the kernel is an error, unless expand-arguments is set: then it becomes the parameters that Triton's
    launchers pass in its place, which are the address, sizes and strides (i64), and whether reads outside the tensor
    yield NaNs (i1).
  }];
  let options = [Option<"expandArguments", "expand-arguments", "bool", /*default=*/"false", "rewrite parameters">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonRewriteNewerOperations : Pass<"triton-rewrite-newer-operations", "::mlir::ModuleOp"> {
  let summary = "expresses operations that Triton 3.9 adds to those of 3.6 by operations of 3.6";
  let description = [{
    Atomic loads, stores and polls become read-modify-write operations. ttg.barrier, tt.approx_divf and the attribute
    `cachePolicy` become the forms that Triton 3.6 has. A tt.fp_to_fp without 8-bit floats becomes operations of arith.
    The pass runs as soon as IR has been read.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def TritonRewriteTensorPointer : Pass<"triton-rewrite-tensor-pointer", "::mlir::ModuleOp"> {
  let summary = "replaces block pointers by pointers and masks";
  let description = [{
    Triton has the same pass. It runs for all targets, after inlining and before any pass analyzes addresses. A block
    pointer becomes its address, sizes, strides and offsets, also where branches and loops carry it; a loop carries only
    the parts that it changes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonDecomposeScaledDot : Pass<"triton-decompose-scaled-dot", "::mlir::ModuleOp"> {
  let summary = "turns scaled dots into dots of bf16 or f16";
  let description = [{
    The operands of tt.dot_scaled are extended to bf16, or to f16 if one of them is f16, multiplied by their scales, and
    passed to tt.dot. Triton does this in tritongpu-decompose-scaled-blocked, for GPUs without instructions for scaled
    dots; here it happens before tiles have layouts. If the matrix unit of a target multiplies scaled numbers, the
    pipeline keeps the dots that are suited to the unit.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonPromoteProducts : Pass<"triton-promote-products", "::mlir::ModuleOp"> {
  let summary = "converts dots to operand and accumulator types that multiply-add supports";
  let description = [{
    This pass is for back ends that compute dots by FMAs in the accumulator's type, or on matrix units that accumulate
    in f32. 8-bit floats become f16, which represents all their values. A 16-bit accumulator becomes f32, and the result
    is rounded once.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonReorderBroadcast : Pass<"triton-reorder-broadcast", "::mlir::ModuleOp"> {
  let summary = "moves elementwise operations before broadcasts and splats";
  let description = [{
    An elementwise operation on splats, or on tiles that are all broadcast in the same way, computes the same elements
    many times. The pass applies the operation to the sources of the broadcasts instead, which computes each element
    once, and broadcasts the result.
  }];
}

def TritonForwardStores : Pass<"triton-forward-stores", "::mlir::ModuleOp"> {
  let summary = "forwards stored values to later loads";
  let description = [{
    Consider a load through the same pointers as an earlier store, under a mask that implies the store's mask. It
    becomes the stored value, unless an operation in between may write there. As a result, kernels that one kernel calls
    one after the other (tt::call) pass their results in registers. Two lanes of a store never write the same element,
    since that would be a race. Values that memory would have rounded stay rounded: the results are those of the
    separate kernels, bit for bit. Stores through an argument marked tt.temporary are erased if the argument has no
    other use. The pass runs after canonicalization, and runs CSE itself if there is something to forward. It does not
    change a kernel that loads nothing it has stored. Triton has no such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonLoopInvariantCodeMotion : Pass<"triton-licm", "::mlir::ModuleOp"> {
  let summary = "hoists invariant code out of loops, including loads";
  let description = [{
    In addition to pure operations, loads are hoisted out of loops that only read, under the condition that the loop has
    an iteration. The pass runs after canonicalization.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonSplitLoops : Pass<"triton-split-loops", "::mlir::ModuleOp"> {
  let summary = "splits off the iterations that need no mask";
  let description = [{
    This is index-set splitting. A mask compares affine functions of the induction variable and of positions in tiles,
    such as `m >= from + n`, `from + n < length`, or the ends of a window. Interval arithmetic finds the iterations in
    which the mask has the same value for all elements: the first iterations, the last ones, or some in the middle.
    These iterations get a loop without selects and without masks on loads; the loops before and after it keep the
    masks. The iterations and their order do not change. A comparison that is constant in all iterations is folded.

    The pass applies to innermost loops that have one or two dots and select elements of a tile by a mask, unless the
    source has already split the loop. It also applies to loops for which tt.split (tt::range(...).split()) requests it.
    `tt.split = false` disables it, and marks loops that have been split. All parts keep the attributes of the loop. The
    pass runs after loop-invariant code motion, so that conditions compare scalars from outside the loop. Triton has no
    such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonHoistScales : Pass<"triton-hoist-scales", "::mlir::ModuleOp"> {
  let summary = "moves a positive factor out of a maximum";
  let description = [{
    max(x * s) becomes max(x) * s, which has the same bits if s is positive and finite: a constant, an argument with the
    attribute `tt.positive`, or a product or quotient of such values. In a softmax, exp2(x * s - max) then takes one FMA
    per element. The pass runs after loops have been split, so that no mask is left between the product and the maximum.
    Triton has no such pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonLoopUnroll : Pass<"triton-loop-unroll", "::mlir::ModuleOp"> {
  let summary = "unrolls loops";
  let description = [{
    A loop is unrolled `tt.loop_unroll_factor` times, unless its step is unknown. The remaining iterations run in an
    epilogue loop, which is not pipelined. The pass runs last on TTIR; the cleanup that follows also simplifies the
    copies.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TritonGPUGlobalScratchMemoryAllocation : Pass<"tritongpu-global-scratch-memory-allocation", "::mlir::ModuleOp"> {
  let summary = "allocates per-program scratch space in global memory";
  let description = [{
    As in Triton, a kernel with ttg.global_scratch_alloc gets one more argument after all others: the memory for all
    programs of the grid. The part of one program is ttg.global_scratch_memory_size bytes long. The pass runs after
    inlining, before any pass analyzes pointers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilecc::tt::TTDialect"];
}

def TritonGPUPlanCTA : Pass<"tritongpu-plan-cta", "::mlir::ModuleOp"> {
  let summary = "distributes every tile over the thread blocks of a cluster";
  let description = [{
    If several thread blocks run one program, this pass converts the program to the code of one block. Tiles become
    parts of tiles, ranges and indices begin at the block's part, and blocks exchange the elements that others need
    (ttng.redistribute). Dots are distributed over the rows and columns of their results, and reductions and scans over
    the axes that they do not combine; the distributions of all other tiles follow from these. The pass runs on TTIR
    after inlining, so later passes see the code of one block. It also runs on TTGIR in which encodings specify the part
    of each block (CGALayout, as in Triton): it then uses these distributions, and the program has ttg.num-ctas blocks.
  }];
  let options = [Option<"numCTAs", "num-ctas", "int32_t", /*default=*/"1", "thread blocks of a program">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilecc::ttng::TTNGDialect"];
}

def TritonGPUDivideTiles : Pass<"tritongpu-divide-tiles", "::mlir::ModuleOp"> {
  let summary = "makes each program compute a part of the result of a kernel's dots";
  let description = [{
    This pass exists for tests: tcc creates variants of kernels with the same functions (clusters/DivideTiles.h). A
    launch then runs `parts` programs, a power of two, in place of one; each computes a part of the result of the
    kernel's only dot. With `chains`, each program computes some of the rows of dots of which one depends on the other,
    as in attention. With `first-rows=N`, the kernel computes only the first N rows, for launches in which no other rows
    are stored; arguments with tt.divisibility are assumed not to be negative. The pass runs on TTIR after inlining, and
    reports an error for kernels that cannot be divided.
  }];
  let options = [Option<"parts", "parts", "uint32_t", /*default=*/"2", "programs that run instead of one">,
                 Option<"chains", "chains", "bool", /*default=*/"false", "divide the rows of chains of dots">,
                 Option<"firstRows", "first-rows", "int64_t", /*default=*/"0", "compute only so many first rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilecc::ttng::TTNGDialect"];
}

//===--- TTIR to TTGIR --------------------------------------------------------------------------------------------===//

def ConvertTritonToTritonGPU : Pass<"convert-triton-to-tritongpu", "::mlir::ModuleOp"> {
  let summary = "gives every tile a layout";
  let description = [{
    Every tile gets the default blocked layout of its shape: each thread has one element, and the last axis is the
    fastest. Operations that relate the layouts of operands and results (expand_dims, broadcast, reduce, dot) get
    convert_layout operations around them. The layouts are correct but not fast; the passes after this one improve them.
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
    The axis along which the pointers are contiguous becomes the fastest one. Along this axis, a thread gets as many
    adjacent elements as fit in a 128-bit access and as the alignment allows. Layout conversions around the access keep
    the layouts of all other operations.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPURemoveLayoutConversions : Pass<"tritongpu-remove-layout-conversions", "::mlir::ModuleOp"> {
  let summary = "removes layout conversions by computing values in the layout that their users need";
  let description = [{
    The pass works in two directions. Forward: values that are computed from an anchor (an access, a dot) take its
    layout. Backward: the source of each remaining conversion is recomputed in the wanted layout, also through loops and
    branches, if that costs less than the conversion, as for pointers, masks and constants. Otherwise the conversion
    moves to where it converts less: above an extension or a broadcast, into one branch of a conditional, or out of a
    loop. The pass runs after every pass that introduces conversions.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUOptimizeThreadLocality : Pass<"tritongpu-optimize-thread-locality", "::mlir::ModuleOp"> {
  let summary = "reduces once after a loop instead of in each iteration";
  let description = [{
    If a loop accumulates sum(x, axis), or another reduction of one tile, each thread keeps a partial result instead,
    and the exchange between threads moves after the loop. The pass runs when layouts are final, because they decide
    whether a reduction needs shuffles or shared memory at all.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUF32DotTC : Pass<"tritongpu-F32DotTC", "::mlir::ModuleOp"> {
  let summary = "computes dots of f32 from dots of shorter types";
  let description = [{
    For inputPrecision = tf32x3, bf16x3 and bf16x6, this pass splits both operands into sums of numbers of the shorter
    type, and adds up the dots of these parts. It runs before the passes that choose how dots are computed.
  }];
  let options = [Option<"emuTF32", "emu-tf32", "bool", /*default=*/"true", "also tf32x3; bf16 is always included">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonGPUOptimizeDotOperands : Pass<"tritongpu-optimize-dot-operands", "::mlir::ModuleOp"> {
  let summary = "performs elementwise operations on operands after they are loaded from shared memory";
  let description = [{
    A conversion to an operand of a dot on a matrix unit is hoisted above elementwise operations, up to the tiles that
    they read, if that does not convert more bits. Loaded tiles then go to shared memory unchanged, so that they can be
    copied there asynchronously.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUCombineTensorSelectAndIf : Pass<"tritongpu-combine-tensor-select-and-if", "::mlir::ModuleOp"> {
  let summary = "turns a select of tiles into a result of the scf.if after it";
  let description = [{
    A select of tiles before an scf.if on the same condition becomes another result of the scf.if, provided that the
    select's result is only used after the scf.if. Since the branch is taken anyway, this saves one instruction per
    element. The pass runs before loops are scheduled, because selects and branches both count as work of the iteration.
  }];
}

def TritonGPUReduceDataDuplication : Pass<"tritongpu-reduce-data-duplication", "::mlir::ModuleOp"> {
  let summary = "stores operands of matrix units to shared memory once for all warps";
  let description = [{
    Some conversions to operands of dots on matrix units go through shared memory. Each becomes a store to a tile in
    shared memory, which is swizzled for the loads that follow, and a load from the tile. The pass runs when conversions
    are final. It does not change conversions within a thread or warp.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUReorderInstructions : Pass<"tritongpu-reorder-instructions", "::mlir::ModuleOp"> {
  let summary = "sinks conversions to their users, and hoists loads above waits";
  let description = [{
    A conversion to an operand of a dot, or to more registers than its source has, sinks to its first user, which
    shortens its live range. A load is hoisted above an earlier operation in which threads wait for each other (a
    reduction, a conversion through shared memory), as far as registers allow, so that the wait hides its latency. The
    pass runs when layouts are final.
  }];
}

def TritonGPUReduceRegisterPressure : Pass<"tritongpu-reduce-register-pressure", "::mlir::ModuleOp"> {
  let summary = "loads tiles from shared memory at their use if registers are scarce";
  let description = [{
    If the live tiles at some point of a block need more registers than a thread has, loads from shared memory sink to
    their first use, but not past a write to the same memory. If the left operand of a warp-group dot is in registers,
    the dot is waited for before the next one starts. The pass runs when loads have their final positions, before
    barriers are inserted.
  }];
}

def TritonGPUAssignLatencies : Pass<"tritongpu-assign-latencies", "::mlir::ModuleOp"> {
  let summary = "decides which loads of a loop start iterations before their use";
  let description = [{
    Loads that feed dots on matrix units, and loads that compute the addresses of such loads, get the attribute
    `tt.latency`: the number of stages minus one, divided among loads that depend on each other. If the source sets the
    number of stages of a loop without dots (`tt.num_stages`), all loads of that loop get a latency. Loads of less than
    4 bytes at once, loads whose addresses cannot be computed ahead, and loads that a store or barrier of the loop
    orders get none. If no load of a loop gets a latency, the attribute `tt.not_pipelined` of the loop has the reason,
    which -Rtile=pipelines prints, until tritongpu-pipeline removes it.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">,
                 Option<"maxStages", "max-stages", "int32_t", /*default=*/"1000", "also of loops that request more">];
}

def TritonGPUFitStages : Pass<"tritongpu-fit-stages", "::mlir::ModuleOp"> {
  let summary = "pipelines loops with as many stages as fit in shared memory";
  let description = [{
    Runs the target's loop passes (GpuBackend::buildLoopPasses) on a copy, up to the point where the use of shared
    memory is final, with the requested number of stages. If a function then needs more shared memory than the target
    has, the pass warns and starts over with one stage less, and so on. With one stage, loops are not pipelined; if even
    that does not fit, the lowering reports an error.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect", "::mlir::scf::SCFDialect"];
}

def TritonGPUSplitRunningSums : Pass<"tritongpu-split-running-sums", "::mlir::ModuleOp"> {
  let summary = "keeps per-thread partial sums in loops with a running sum";
  let description = [{
    In a loop, acc = acc * a + sum(x) becomes a sum within each thread, if acc has no other use in the loop. The partial
    sums of the threads are added after the loop.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect", "::mlir::arith::ArithDialect"];
}

def TritonGPUScheduleLoops : Pass<"tritongpu-schedule-loops", "::mlir::ModuleOp"> {
  let summary = "assigns each operation of a loop to a stage";
  let description = [{
    Converts latencies to `loop.stage` and `loop.cluster`. A load gets the stage that precedes its user's by its
    latency; everything else is in the last stage, `tt.scheduled_max_stage`.
  }];
}

def TritonGPUPipeline : Pass<"tritongpu-pipeline", "::mlir::ModuleOp"> {
  let summary = "software-pipelines scheduled loops";
  let description = [{
    Loads that feed operands of matrix units become asynchronous copies to shared memory, into one slot more than there
    are iterations between a copy and its use. On targets without asynchronous copies, they become loads to registers at
    the beginning of an iteration, and stores to shared memory at the end of the iteration before their use. The results
    of other loads are kept in registers. Loops may have any trip count.
  }];
  let options = [Option<"hasMoreSlots", "more-slots", "bool", "true", "tiles that pass through registers may have two "
                        "slots, which saves a barrier">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect", "::mlir::ub::UBDialect"];
}

def TritonGPUOutlinePartitions : Pass<"tritongpu-outline-partitions", "::mlir::ModuleOp"> {
  let summary = "turns partitions into functions";
  let description = [{
    ttg.warp_specialize is replaced by ttg.start_partitions, the operations of the default region, and
    ttg.join_partitions. The pass runs first in the lowering, because later passes process functions, each of which is
    executed by one set of warps.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUStageDotOperands : Pass<"tritongpu-stage-dot-operands", "::mlir::ModuleOp"> {
  let summary = "leaves operands of dots in shared memory";
  let description = [{
    Consider a dot that is computed by multiply and add, and whose operands are converted through shared memory. It then
    reads the operands from shared memory step by step, instead of holding every element in a register. The conversions
    of both operands, and extensions after them, are folded into the dot. The pass runs after the passes that work on
    conversions, just before shared memory is allocated.
  }];
}

def TritonGPUCheckReplicas : Pass<"tritongpu-check-replicas", "::mlir::ModuleOp"> {
  let summary = "makes the emulator compare the copies of replicated values";
  let description = [{
    Inserts ttg.compare_replicas on the operands of operations that access memory, exchange elements, broadcast a value,
    or branch. The pass runs only if requested (-fcheck-replicas). It is the last one before structured control flow is
    lowered to branches.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonInsertRecords : Pass<"triton-insert-records", "::mlir::ModuleOp"> {
  let summary = "records when loops, dots, waits and partitions begin and end";
  let description = [{
    Puts tt.record operations around loops, dots, waits (for copies, dots or barriers) and partitions. There are none
    where the assembler should be free to reorder instructions: around asynchronous dots, waits for dots that overlap
    with arithmetic, and ttng.take_turn. The pass runs only if requested (-fprofile-tile): on TTGIR after loops have
    been pipelined, or on TTIR for the CPU.
  }];
  let dependentDialects = ["::tilecc::tt::TTDialect"];
}

def TritonGPULowerControlFlow : Pass<"tritongpu-lower-control-flow", "::mlir::ModuleOp"> {
  let summary = "lowers loops and conditionals to branches";
  let description = [{
    The pass does the same as convert-scf-to-cf, except inside the combiners of reductions. A combiner must stay a
    single block until the lowering clones it to where it is used; its control flow is lowered then.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

def AllocateSharedMemory : Pass<"allocate-shared-memory", "::mlir::ModuleOp"> {
  let summary = "places tiles and scratch space in shared memory";
  let description = [{
    Adds allocation.offset to every allocation and to every operation that needs scratch space, and ttg.shared, the
    total number of bytes, to the module. Buffers that are never live at the same time may overlap. However, if there is
    no barrier between the accesses to two buffers, overlapping them would require one. Such buffers are kept apart in
    loops while the total is at most 32 KiB, or at most what is needed anyway; elsewhere, while it is at most 16 bytes
    per thread. If a single conversion outside loops makes a kernel need more than 64 bytes per thread, it is done in
    two rounds.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonGPUMembar : Pass<"tritongpu-membar", "::mlir::ModuleOp"> {
  let summary = "inserts the barriers that shared memory needs";
  let description = [{
    Inserts a barrier between two accesses of different threads to the same memory, if one of them is a write and there
    is no barrier yet. The memory may be scratch space, tiles, tiles that asynchronous copies write (after the wait for
    them), or global memory that several threads load and one stores. Barriers that operations contain count. The pass
    needs unstructured control flow and allocated shared memory.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect", "::mlir::gpu::GPUDialect"];
}

//===--- TTGIR to LLVM --------------------------------------------------------------------------------------------===//

def ConvertTritonGPUToLLVM : Pass<"convert-triton-gpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lowers TTGIR to the LLVM dialect, as the code of one thread";
  let description = [{
    Every tile is replaced by the scalars of the tile that one thread holds. The pass needs unstructured control flow,
    allocated shared memory and barriers. It first verifies that layouts fit together, so that invalid IR from other
    sources is rejected with a location.
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
    Drops the names of variables, and calls from or to unknown locations, both of which occur in Triton's IR. MLIR's
    ensure-debug-info-scope-on-llvm-func, which runs next, expects a file at the end of every call site.
  }];
}

def TritonLoopAwareCSE : Pass<"triton-loop-aware-cse", "::mlir::ModuleOp"> {
  let summary = "eliminates common subexpressions, including equal loop-carried values";
  let description = [{
    Merges loop-carried values that are equal. Canonicalization of the loop then removes the duplicate. Triton has the
    same pass.
  }];
}

//===--- to look at -----------------------------------------------------------------------------------------------===//

def TestPrintAlignment : Pass<"test-print-alignment", "::mlir::ModuleOp"> {
  let summary = "reports what AxisInfo knows about every result, in remarks";
  let description = [{
    Triton's pass of this name does the same. Tests of Triton and of tcc use it.
  }];
}

def TestPrintAllocation : Pass<"test-print-allocation", "::mlir::ModuleOp"> {
  let summary = "reports the address and size of each buffer in shared memory, in remarks";
}

def TestPrintAlias : Pass<"test-print-alias", "::mlir::ModuleOp"> {
  let summary = "reports which allocations each tile in shared memory may alias, in remarks";
}

def TestPrintMembar : Pass<"test-print-membar", "::mlir::ModuleOp"> {
  let summary = "allocates shared memory and inserts barriers";
  let description = "Control flow is lowered first. The module shows the result.";
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

#endif // TILECC_PASSES
