//===- Passes.td - passes for NVIDIA's GPUs --------------------------------------------------------*- tablegen -*-===//
//
// PassPipelines.cpp runs these passes among those of lowering/passes and lowering/pipeliner. If Triton has such a pass,
// we use its name and argument.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_PASSES
#define TILECC_TARGETS_NVIDIA_PASSES

include "mlir/Pass/PassBase.td"

def TritonGPUAccelerateMatmul : Pass<"tritongpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "chooses how dots are computed";
  let description = [{
    Uses the target's matrix unit if it has an instruction for the types and the precision. Otherwise, the dot is
    computed by multiply and add in the accumulator's type, to which operands of narrower types are extended. Runs after
    layout conversions are settled, because otherwise a conversion could move after the extension and convert twice the
    bytes.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonNvidiaGPUAccumulateInTensorMemory : Pass<"triton-nvidia-gpu-accumulate-in-tensor-memory", "::mlir::ModuleOp"> {
  let summary = "puts accumulators of dots into tensor memory";
  let description = [{
    A `ttng.warp_group_dot` whose result has a row for each thread (`#ttg.blocked`) becomes a `ttng.tc_gen5_mma`. Its
    accumulator, its result, and the values that loops carry from one dot to the next are in tensor memory; threads load
    them to compute with them. A left operand in registers goes to tensor memory too. `ttng.warp_group_dot_wait` becomes
    a wait on a barrier on which the dot arrives. This pass leaves dots outside loops, whose results are awaited at
    once, to triton-nvidia-mma-lowering. Triton does the same in tritongpu-accelerate-matmul and in its pipeliner.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaMMALowering : Pass<"triton-nvidia-mma-lowering", "::mlir::ModuleOp"> {
  let summary = "makes dots that accumulate in tensor memory asynchronous";
  let description = [{
    A synchronous `ttng.tc_gen5_mma` becomes asynchronous. It gets its own barrier, and a wait on that barrier follows
    it. Passes that find a better position for the wait run before.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonTensorMemoryAllocation : Pass<"triton-tensor-memory-allocation", "::mlir::ModuleOp"> {
  let summary = "assigns columns of tensor memory";
  let description = [{
    Writes the column of each `ttng.tmem_alloc` (tensor_memory_col_offset). The kernel reserves the columns that it
    needs when it begins and releases them when it ends. If it needs more than a multiprocessor has, the largest
    allocation gets an error. The pass runs on a control-flow graph, before shared memory is allocated.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonGPUKeepStoresInWarps : Pass<"tritongpu-keep-stores-in-warps", "::mlir::ModuleOp"> {
  let summary = "makes every warp store its own rows of a dot's result";
  let description = [{
    In a loop around loops of warp-group dots, stores a tile that they have computed in a layout that keeps the rows of
    the result in their warps, so that the layout conversion needs no barrier of all threads. Runs after layout
    conversions are settled.
  }];
}

def TritonNvidiaGPUFenceInsertion : Pass<"triton-nvidia-gpu-fence-insertion", "::mlir::ModuleOp"> {
  let summary = "orders writes to shared memory before the matrix units that read them";
  let description = [{
    Threads write shared memory through one proxy, and matrix units read it through another. After a thread stores data
    for matrix units (tiles that are allocated or stored from registers, masked elements of a copy), it executes a
    fence, which is followed by the barrier that the tile needs anyway. Runs after all accesses to shared memory have
    been created.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonGPUPersistentPrograms : Pass<"tritongpu-persistent-programs", "::mlir::ModuleOp"> {
  let summary = "makes a block run several programs, one after the other";
  let description = [{
    Puts a loop around kernels that take tensor maps. The numbers of programs along x and the other axes that the kernel
    uses become additional arguments after the maps, which an attribute of the function counts (ttng.persistent).
    Programs whose loops depend on their index along x begin with the longest. Runs after
    triton-nvidia-gpu-use-tensor-maps, for kernels that request it, and, with `chosen`, for kernels for which it is
    known to be faster: attention whose programs along x load the same data, convolutions, and matrix multiplications
    whose accumulators leave no room for a second block. The loops of the latter two also get producer warps
    (tt.warp_specialize), and those of matrix multiplications at least four stages (tt.least_stages).
  }];
  let options = [Option<"chosen", "chosen", "bool", /*default=*/"false", "only where that is known to be faster">,
                 Option<"pipelined", "pipelined", "bool", /*default=*/"true",
                        "loops that do not specify a number of stages have more than one">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

def TritonNvidiaGPUNumberPrograms : Pass<"triton-nvidia-gpu-number-programs", "::mlir::ModuleOp"> {
  let summary = "lets launches run some of the programs of a grid";
  let description = [{
    Applies to kernels with tensor maps whose launches may be split into two (tt.numbered). The extents of the grid and
    the number of the launch's first program become arguments after all others (ttng.numbered). The second launch
    overlaps with the first (griddepcontrol). Runs before triton-nvidia-gpu-split-iterations, which uses the numbers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonGPUOrderPrograms : Pass<"tritongpu-order-programs", "::mlir::ModuleOp"> {
  let summary = "starts the longest programs of a grid first";
  let description = [{
    Applies to kernels whose loops have trip counts that grow or shrink along x, on grids of several axes. Blocks then
    run the programs of all other axes before the next index along x, the longest programs first. Programs must be
    independent of each other. Persistent kernels are not changed. Runs after tritongpu-persistent-programs, for kernels
    whose source does not specify the programs of a block.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonGPUShareBlocks : Pass<"tritongpu-share-blocks", "::mlir::ModuleOp"> {
  let summary = "makes a block run several programs that load the same data";
  let description = [{
    In kernels that take tensor maps, adjacent programs along an axis of the grid share a block if a loop of dots loads
    the same data in all of them (ttg.programs-per-block, ttg.programs-axis). The number of programs along the axis
    becomes an additional argument after the maps. Runs after triton-nvidia-gpu-use-tensor-maps, for kernels that
    request it; tritongpu-specialize-loops then loads for all programs.
  }];
  let options = [Option<"numPrograms", "num-programs", "int32_t", /*default=*/"1", "the programs of a block">,
                 Option<"chosen", "chosen", "bool", /*default=*/"false",
                        "the source did not request it: only where it is known to be faster, and without warnings">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

def TritonNvidiaGPULimitProducts : Pass<"triton-nvidia-gpu-limit-products", "::mlir::ModuleOp"> {
  let summary = "makes warp groups skip dots of rows that no store writes";
  let description = [{
    Adds the number of rows that are stored (`rows`) to a dot that a loop accumulates and whose result is only stored
    under masks of rows. Runs before loops are pipelined.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonNvidiaGPUSplitIterations : Pass<"triton-nvidia-gpu-split-iterations", "::mlir::ModuleOp"> {
  let summary = "lets the blocks of a cluster share the iterations of a loop that accumulates a dot";
  let description = [{
    Applies to kernels whose launches have fewer programs than the GPU has multiprocessors (tt.few_blocks). A launch may
    run each program as a cluster of blocks (ttng.max-blocks), each of which executes an equal part of the iterations.
    The first block adds up the accumulators (ttng.sum_over_blocks) and executes the rest of the kernel. If the kernel
    takes tensor maps, a launch may also run each program by several such clusters, whose accumulators are added up in
    memory (ttng.sum_over_clusters). Runs before loops are pipelined.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::arith::ArithDialect"];
}

def TritonNvidiaGPUUseTensorMaps : Pass<"triton-nvidia-gpu-use-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "makes the tensor memory accelerator load operands of warp-group dots";
  let description = [{
    A tt.load with a base address and strides, masked by bounds, becomes a tt.descriptor_load through a map that is an
    argument after the kernel's own (ttng.tensor_maps), and that depends only on the row stride: the address becomes two
    of the coordinates, and the mask two more. Runs before tritongpu-fit-stages, in kernels that the runtime launches.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaOptimizeDescriptorEncoding : Pass<"triton-nvidia-optimize-descriptor-encoding", "::mlir::ModuleOp"> {
  let summary = "gives descriptors that are parameters the encoding of their blocks in shared memory";
  let description = [{
    The encoding is the one for which Triton's launchers create the tensor map. Every loaded block becomes a tile in
    shared memory; users that need it in registers load it from there. Runs before triton-nvidia-gpu-use-tensor-maps,
    which adds parameters for tensor maps that tcc's own runtime creates.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaTMALowering : Pass<"triton-nvidia-tma-lowering", "::mlir::ModuleOp"> {
  let summary = "issues and awaits in place the descriptor loads that no loop issues ahead";
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonGPUSpecializeLoops : Pass<"tritongpu-specialize-loops", "::mlir::ModuleOp"> {
  let summary = "specializes warps to load the operands of a loop's dots";
  let description = [{
    A partition of four producer warps (ttg.warp_specialize) copies operands into slots in shared memory, and the
    program's warps compute. Barriers in memory track which slots are full and which are empty. Applies to loops that
    request it (tt.warp_specialize), and to loops in programs of several warp groups in which one dot depends on
    another. Runs before tritongpu-rotate-loops.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">,
                 Option<"maxStages", "max-stages", "int32_t", /*default=*/"1000", "also of loops that request more">,
                 Option<"slotsAround", "slots-around", "int32_t", /*default=*/"1", "for loads of the loops around these: 1 or 2">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonGPURotateLoops : Pass<"tritongpu-rotate-loops", "::mlir::ModuleOp"> {
  let summary = "starts the next iteration's first dots before an iteration's last dots";
  let description = [{
    If a warp-group dot depends on another one of its iteration and is only accumulated, everything but such dots moves
    one iteration ahead: the computations between the two dots then overlap with the second dot. Applies only to loops
    that compute, load and multiply. Runs before loads are scheduled.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TritonNvidiaGPUAdvanceProducts : Pass<"triton-nvidia-gpu-advance-products", "::mlir::ModuleOp"> {
  let summary = "starts the next iteration's first dot after the last dot";
  let description = [{
    Applies if an iteration of a loop with a producer partition stores the results of its last dots: the stores then
    overlap with the next iteration's first dot. Runs after loads are pipelined, before dots are overlapped.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def TritonNvidiaGPUOverlapProducts : Pass<"triton-nvidia-gpu-overlap-products", "::mlir::ModuleOp"> {
  let summary = "waits for dots of loops only where their results are used";
  let description = [{
    Warp-group dots in loops become asynchronous, with waits (`ttng.warp_group_dot_wait`) before the first use of a
    result, before writes to their operands, and at the end of the iteration. If all of a loop's dots only accumulate,
    the dots of one iteration stay pending until those of the next iteration have started. Runs after
    tritongpu-pipeline.
  }];
  let options = [Option<"keepComputed", "keep-computed", "bool", /*default=*/"true",
                        "operands that a loop computes have slots, so that its dots may stay in flight">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

#endif
