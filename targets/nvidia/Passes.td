//===- Passes.td - passes for NVIDIA's GPUs --------------------------------------------------------*- tablegen -*-===//
//
// PassPipelines.cpp runs these passes among those of lowering/passes and lowering/pipeliner. If Triton has the same
// pass, ours has the same name on the command line.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_PASSES
#define TILECC_TARGETS_NVIDIA_PASSES

include "mlir/Pass/PassBase.td"

def TritonGPUAccelerateMatmul : Pass<"tritongpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "chooses how dots are computed";
  let description = [{
    If the target's matrix unit has an instruction for the types and the precision of a dot, the dot uses it. Otherwise,
    the dot is computed by multiply and add in the accumulator's type, to which operands of narrower types are extended.
    The pass runs after tritongpu-remove-layout-conversions, because otherwise a conversion could move after the
    extension, and convert twice the bytes.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonNvidiaGPUAccumulateInTensorMemory : Pass<"triton-nvidia-gpu-accumulate-in-tensor-memory", "::mlir::ModuleOp"> {
  let summary = "puts accumulators of dots into tensor memory";
  let description = [{
    A `ttng.warp_group_dot` becomes a `ttng.tc_gen5_mma`, if each thread holds a row of its result (`#ttg.blocked`). The
    accumulator, the result, and the values that loops carry from one dot to the next are then in tensor memory; threads
    that compute with them load them first. A left operand in registers goes to tensor memory too.
    `ttng.warp_group_dot_wait` becomes a wait on a barrier on which the dot arrives. Dots outside loops, whose results
    are awaited at once, are left to triton-nvidia-mma-lowering. Triton does the same in tritongpu-accelerate-matmul and
    in its pipeliner.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaGPUStoreByColumns : Pass<"triton-nvidia-gpu-store-by-columns", "::mlir::ModuleOp"> {
  let summary = "stores results in tensor memory a few columns at a time";
  let description = [{
    If a tile in tensor memory is only stored to global memory, after elementwise operations, the load, the operations
    and the store are divided into parts of 32 columns for each thread. So a thread needs registers for 32 columns
    instead of all. The pass runs after triton-nvidia-gpu-accumulate-in-tensor-memory.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaGPUPartitionDots : Pass<"triton-nvidia-gpu-partition-dots", "::mlir::ModuleOp"> {
  let summary = "makes a partition start the dots of a loop over tiles";
  let description = [{
    If a specialized loop in a loop over tiles only starts dots that accumulate in tensor memory, a partition of its own
    executes it. Two accumulators, used alternately, let the dots of a tile overlap with the stores of the previous
    tile. The pass runs after triton-nvidia-gpu-store-by-columns, on canonical loops, which carry no accumulators.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect", "::mlir::scf::SCFDialect"];
}

def TritonNvidiaMMALowering : Pass<"triton-nvidia-mma-lowering", "::mlir::ModuleOp"> {
  let summary = "makes dots that accumulate in tensor memory asynchronous";
  let description = [{
    Each synchronous `ttng.tc_gen5_mma` gets its own barrier, on which it arrives, and is followed by a wait on that
    barrier. The pass runs after the passes that find a better position for the wait.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonTensorMemoryAllocation : Pass<"triton-tensor-memory-allocation", "::mlir::ModuleOp"> {
  let summary = "assigns columns of tensor memory";
  let description = [{
    The pass writes the first column of each `ttng.tmem_alloc` to its attribute tensor_memory_col_offset. The kernel
    reserves the columns that it needs when it begins, and releases them when it ends. If it needs more columns than a
    multiprocessor has, an error is reported at the largest allocation. The pass runs on a control-flow graph, before
    shared memory is allocated.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonGPUKeepStoresInWarps : Pass<"tritongpu-keep-stores-in-warps", "::mlir::ModuleOp"> {
  let summary = "makes every warp store its own rows of a dot's result";
  let description = [{
    In a loop that contains loops of warp-group dots, tiles that are computed from the dots are stored in a layout that
    keeps each row in the warp that computed it. The layout conversion before the store then needs no barrier of all
    threads. The pass runs after tritongpu-remove-layout-conversions.
  }];
}

def TritonNvidiaGPUFenceInsertion : Pass<"triton-nvidia-gpu-fence-insertion", "::mlir::ModuleOp"> {
  let summary = "orders writes to shared memory before the matrix units that read them";
  let description = [{
    Threads and matrix units access shared memory through different proxies, so a matrix unit sees what a thread has
    stored only after a fence. The pass inserts this fence after a thread stores data for matrix units: tiles that are
    allocated or stored from registers, and the masked elements of a copy. The barrier that the tile needs anyway
    follows the fence. The pass runs after all accesses to shared memory have been created.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonGPUPersistentPrograms : Pass<"tritongpu-persistent-programs", "::mlir::ModuleOp"> {
  let summary = "makes a block run several programs, one after the other";
  let description = [{
    Puts a loop over programs around the body of kernels that take tensor maps. The numbers of programs along x, and
    along the other axes that the kernel uses, become additional arguments after the maps; the attribute ttng.persistent
    says how many there are. If the loops of programs depend on their index along x, the longest programs begin first.
    The pass runs after triton-nvidia-gpu-use-tensor-maps, for kernels that request it. With `chosen`, it runs for
    kernels that are known to become faster: attention whose programs along x load the same data, convolutions, and
    matrix multiplications whose accumulators leave no room for a second block. The loops of convolutions and matrix
    multiplications also get producer warps (tt.warp_specialize), and those of matrix multiplications at least four
    stages (tt.least_stages).
  }];
  let options = [Option<"chosen", "chosen", "bool", /*default=*/"false", "only where that is known to be faster">,
                 Option<"pipelined", "pipelined", "bool", /*default=*/"true",
                        "loops that do not specify a number of stages have more than one">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

def TritonNvidiaGPUNumberPrograms : Pass<"triton-nvidia-gpu-number-programs", "::mlir::ModuleOp"> {
  let summary = "lets launches run only some of the programs of a grid";
  let description = [{
    A launch of these kernels may be split into two (tt.numbered), the second of which overlaps with the first
    (triton-nvidia-gpu-overlap-launches). The kernels take tensor maps. The extents of the grid and the number of the
    launch's first program become arguments after all others (ttng.numbered). The pass runs before
    triton-nvidia-gpu-split-iterations, which uses these numbers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonNvidiaGPUOverlapLaunches : Pass<"triton-nvidia-gpu-overlap-launches", "::mlir::ModuleOp"> {
  let summary = "lets launches begin before the previous launch in their stream has ended";
  let description = [{
    A kernel waits for the previous launch before its first access to global memory (griddepcontrol.wait). It gets the
    attribute tt.waits, and the runtime launches it without waiting. If the programs of a grid are launched in two parts
    (ttng.numbered), the second part begins when all blocks of the first part are running, and ends after the first
    part. Kernels that contain such operations themselves are not changed. The pass runs on finished TTGIR, because
    earlier passes must not move accesses across the wait, and Triton's IR has no such operations.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilecc::tt::TTDialect"];
}

def TritonGPUOrderPrograms : Pass<"tritongpu-order-programs", "::mlir::ModuleOp"> {
  let summary = "starts the longest programs of a grid first";
  let description = [{
    The pass applies to kernels on grids of several axes, if the trip counts of their loops grow or shrink along x.
    Blocks then run the programs of all other axes before the next index along x, the longest programs first, so that
    short programs fill the end of the launch. Programs must be independent of each other. Persistent kernels are not
    changed. The pass runs after tritongpu-persistent-programs, for kernels whose source does not specify the number of
    programs of a block.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonGPUShareBlocks : Pass<"tritongpu-share-blocks", "::mlir::ModuleOp"> {
  let summary = "makes a block run several programs that load the same data";
  let description = [{
    In kernels that take tensor maps, programs that are adjacent along an axis of the grid share a block, if a loop of
    dots loads the same data in all of them (ttg.programs-per-block, ttg.programs-axis). The number of programs along
    this axis becomes an additional argument after the maps. The pass runs after triton-nvidia-gpu-use-tensor-maps, for
    kernels that request it. In tritongpu-specialize-loops, one partition then loads the data for all programs.
  }];
  let options = [Option<"numPrograms", "num-programs", "int32_t", /*default=*/"1", "the programs of a block">,
                 Option<"chosen", "chosen", "bool", /*default=*/"false",
                        "the source did not request it: only where it is known to be faster, and without warnings">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

def TritonNvidiaGPULimitProducts : Pass<"triton-nvidia-gpu-limit-products", "::mlir::ModuleOp"> {
  let summary = "makes warp groups skip dots of rows that no store writes";
  let description = [{
    Consider a dot that a loop accumulates, and whose result is only stored, under masks that select rows. The pass adds
    the number of rows that are stored as the operand `rows` of the dot, so that warp groups without such rows skip it.
    The pass runs before loops are pipelined.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonNvidiaGPUSplitIterations : Pass<"triton-nvidia-gpu-split-iterations", "::mlir::ModuleOp"> {
  let summary = "lets the blocks of a cluster share the iterations of a loop that accumulates a dot";
  let description = [{
    The pass applies to kernels whose launches have fewer programs than the GPU has multiprocessors (tt.few_blocks). A
    launch may then run each program as a cluster of blocks (ttng.max-blocks), each of which executes an equal share of
    the iterations. The first block adds up the accumulators (ttng.sum_over_blocks) and executes the rest of the kernel.
    If the kernel takes tensor maps, a launch may also run each program as several such clusters, whose accumulators are
    added up through global memory (ttng.sum_over_clusters). The pass runs before loops are pipelined.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::arith::ArithDialect"];
}

def TritonNvidiaGPUUseTensorMaps : Pass<"triton-nvidia-gpu-use-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "makes the tensor memory accelerator load operands of warp-group dots";
  let description = [{
    A tt.load from a base address with strides, masked by bounds, becomes a tt.descriptor_load. Its tensor map is an
    argument after the kernel's own (ttng.tensor_maps), and depends only on the row stride, so one map serves all loads
    with this stride: the address becomes two of the coordinates, and the mask two more. The pass runs before
    tritongpu-fit-stages, in kernels that the runtime launches.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaOptimizeDescriptorEncoding : Pass<"triton-nvidia-optimize-descriptor-encoding", "::mlir::ModuleOp"> {
  let summary = "chooses encodings in shared memory for the blocks of descriptor parameters";
  let description = [{
    For a descriptor that is a parameter, Triton's launchers create the tensor map, and expect the blocks to have a
    certain encoding in shared memory. The pass sets this encoding. Every loaded block becomes a tile in shared memory;
    users that need it in registers load it from there. The pass runs before triton-nvidia-gpu-use-tensor-maps, which
    adds parameters for tensor maps that tcc's own runtime creates.
  }];
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaTMALowering : Pass<"triton-nvidia-tma-lowering", "::mlir::ModuleOp"> {
  let summary = "lowers descriptor loads that are not pipelined to a copy and a wait in place";
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonGPUSpecializeLoops : Pass<"tritongpu-specialize-loops", "::mlir::ModuleOp"> {
  let summary = "specializes warps to load the operands of a loop's dots";
  let description = [{
    The pass creates a partition of four producer warps (ttg.warp_specialize), which copies operands to slots in shared
    memory, while the program's own warps compute. Barriers in memory track which slots are full and which are empty.
    The pass applies to loops that request it (tt.warp_specialize), and to loops in which one dot depends on another, if
    the program has several warp groups. It runs before tritongpu-rotate-loops.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">,
                 Option<"maxStages", "max-stages", "int32_t", /*default=*/"1000", "also of loops that request more">,
                 Option<"slotsAround", "slots-around", "int32_t", /*default=*/"1", "for loads of the loops around these: 1 or 2">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonGPURotateLoops : Pass<"tritongpu-rotate-loops", "::mlir::ModuleOp"> {
  let summary = "starts the next iteration's first dots before an iteration's last dots";
  let description = [{
    In attention, a dot depends on another dot of the same iteration, with a softmax between them. If the second dot is
    a warp-group dot that only accumulates, this pass moves everything except such dots one iteration ahead. The
    computations between the two dots then overlap with the second dot of the iteration before. The pass applies only to
    loops that compute, load and multiply. It runs before loads are scheduled.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TritonNvidiaGPUAdvanceProducts : Pass<"triton-nvidia-gpu-advance-products", "::mlir::ModuleOp"> {
  let summary = "starts the next iteration's first dot after the last dot";
  let description = [{
    The pass applies to a loop with a producer partition, if an iteration stores the results of its last dots. The
    stores then overlap with the first dot of the next iteration. The pass runs after loads are pipelined, before dots
    are overlapped.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def TritonNvidiaGPUOverlapProducts : Pass<"triton-nvidia-gpu-overlap-products", "::mlir::ModuleOp"> {
  let summary = "waits for dots of loops only where their results are used";
  let description = [{
    Warp-group dots in loops become asynchronous. Waits (`ttng.warp_group_dot_wait`) are inserted before the first use
    of a result, before writes to the operands, and at the end of the iteration. If all dots of a loop only accumulate,
    those of one iteration stay pending until those of the next iteration have started. The pass runs after
    tritongpu-pipeline.
  }];
  let options = [Option<"keepComputed", "keep-computed", "bool", /*default=*/"true",
                        "operands that a loop computes have slots, so that its dots may stay in flight">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

#endif
