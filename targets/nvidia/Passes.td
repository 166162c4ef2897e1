//===- Passes.td - passes for NVIDIA's GPUs ---------------------------------------------------------------*- tablegen -*-//
//
// PassPipelines.cpp runs them among those of lowering/passes and lowering/pipeliner. Where Triton has such a pass, its name and argument
// are Triton's.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_PASSES
#define TILECC_TARGETS_NVIDIA_PASSES

include "mlir/Pass/PassBase.td"

def TritonGPUAccelerateMatmul : Pass<"tritongpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "chooses how products are computed";
  let description = [{
    On the target's matrix unit where it has an instruction for the types and the precision; else by multiply and add in the
    accumulator's type, to which operands of narrower types are extended.
    Runs after layout conversions have settled, since before that a conversion could move behind the extension and carry
    twice the bytes.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonNvidiaGPUAccumulateInTensorMemory : Pass<"triton-nvidia-gpu-accumulate-in-tensor-memory", "::mlir::ModuleOp"> {
  let summary = "puts sums of products in tensor memory";
  let description = [{
    A `ttng.warp_group_dot` whose result has a row for each thread (`#ttg.blocked`) becomes a `ttng.tc_gen5_mma`. What it adds to,
    what it leaves, and what loops carry from one product to the next is in tensor memory; threads load it where they
    compute with it. A left operand in registers goes to tensor memory, too. `ttng.warp_group_dot_wait` becomes a wait for a
    barrier at which the product arrives. Products outside of loops, which are waited for at once, are left to
    triton-nvidia-mma-lowering. Triton does the same in tritongpu-accelerate-matmul and in its pipeliner.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaMMALowering : Pass<"triton-nvidia-mma-lowering", "::mlir::ModuleOp"> {
  let summary = "makes products that accumulate in tensor memory asynchronous";
  let description = [{
    A `ttng.tc_gen5_mma` that is not asynchronous becomes asynchronous. It gets a barrier of its own, and a wait for that
    barrier follows it. Passes that find a better place for the wait run before.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonTensorMemoryAllocation : Pass<"triton-tensor-memory-allocation", "::mlir::ModuleOp"> {
  let summary = "assigns columns of tensor memory";
  let description = [{
    Writes the column of each `ttng.tmem_alloc` (tensor_memory_col_offset). The kernel reserves the columns that it needs
    where it begins and returns them where it ends. If it needs more than a multiprocessor has, the largest allocation
    gets an error. The pass runs on a control-flow graph, before shared memory is allocated.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonGPUKeepStoresInWarps : Pass<"tritongpu-keep-stores-in-warps", "::mlir::ModuleOp"> {
  let summary = "every warp stores what it has of a product's result";
  let description = [{
    In a loop around loops of products by warpgroups, a tile that they have made goes to memory in a layout whose warps are those of the result,
    so that its conversion needs no barrier of all threads. Runs after layout conversions have settled.
  }];
}

def TritonNvidiaGPUFenceInsertion : Pass<"triton-nvidia-gpu-fence-insertion", "::mlir::ModuleOp"> {
  let summary = "orders writes to shared memory before the matrix units that read them";
  let description = [{
    Threads write shared memory by one proxy, matrix units read it by another. Behind what a thread stores for them (tiles that
    are allocated or stored from registers, what a masked copy leaves out) comes a fence by that thread; the barrier that the tile needs anyway
    comes behind it. Runs when all accesses to shared memory are there.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonGPUPersistentPrograms : Pass<"tritongpu-persistent-programs", "::mlir::ModuleOp"> {
  let summary = "has a block run several programs along x, one after the other";
  let description = [{
    Puts a loop around kernels that take tensor maps; how many programs there are along x is one more argument, behind the maps, and
    the function says so (ttng.persistent). Runs behind triton-nvidia-gpu-use-tensor-maps, for kernels that ask for it, and, with
    `chosen`, for those where it is known to be faster: attention whose programs along x load the same, and convolutions whose
    accumulators leave no room for a second block. The loops of such convolutions also get producer warps (tt.warp_specialize).
  }];
  let options = [Option<"chosen", "chosen", "bool", /*default=*/"false", "only where that is known to be faster">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

def TritonGPUShareBlocks : Pass<"tritongpu-share-blocks", "::mlir::ModuleOp"> {
  let summary = "has a block run several programs that load the same";
  let description = [{
    In kernels that take tensor maps, neighbours along an axis of the grid share a block where a loop of products loads the same in all of
    them (ttg.programs-per-block, ttg.programs-axis); how many programs there are along it is one more argument, behind the maps.
    Runs behind triton-nvidia-gpu-use-tensor-maps, for kernels that ask for it; tritongpu-specialize-loops then loads for all.
  }];
  let options = [Option<"numPrograms", "num-programs", "int32_t", /*default=*/"1", "the programs of a block">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

def TritonNvidiaGPULimitProducts : Pass<"triton-nvidia-gpu-limit-products", "::mlir::ModuleOp"> {
  let summary = "has warpgroups leave out products of rows that no store lets through";
  let description = [{
    A product that a loop sums, and whose sums are only stored, by masks of rows, gets the number of rows that are (`rows`). Runs before
    loops are pipelined.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect"];
}

def TritonNvidiaGPUUseTensorMaps : Pass<"triton-nvidia-gpu-use-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "has the tensor memory accelerator load what warpgroups' products of loops take through pointers";
  let description = [{
    tt.load of an address and strides, masked by limits, becomes tt.descriptor_load by a map that is an argument behind the
    kernel's own (ttng.tensor_maps) and depends on the distance of rows alone: the address is two of the coordinates, and the mask
    two more. Runs before tritongpu-fit-stages, in kernels that the runtime launches.
  }];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonNvidiaTMALowering : Pass<"triton-nvidia-tma-lowering", "::mlir::ModuleOp"> {
  let summary = "loads by descriptors that no loop starts ahead are copied and waited for where they stand";
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonGPUSpecializeLoops : Pass<"tritongpu-specialize-loops", "::mlir::ModuleOp"> {
  let summary = "gives what a loop's products load to warps of its own";
  let description = [{
    A partition of four warps (ttg.warp_specialize) copies operands into slots in shared memory, and the program's warps compute;
    barriers in memory say which slots are full and which are empty. Loops that ask for it by tt.warp_specialize, and those
    of several warpgroups in which one product follows from another. Runs before tritongpu-rotate-loops.
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", /*default=*/"3", "stages of a pipelined loop">,
                 Option<"mostStages", "most-stages", "int32_t", /*default=*/"1000", "also of loops that ask for more">,
                 Option<"slotsAround", "slots-around", "int32_t", /*default=*/"1", "for what loops around these load: 1 or 2">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::tilecc::ttg::TTGDialect"];
}

def TritonGPURotateLoops : Pass<"tritongpu-rotate-loops", "::mlir::ModuleOp"> {
  let summary = "starts an iteration's first products before the last of the one before";
  let description = [{
    Where a product by warpgroups follows from another of its iteration and is only accumulated, all but such products moves one
    iteration ahead: what is computed between the two then runs beside the second. Only loops that compute, load and
    multiply. Runs before loads are scheduled.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TritonNvidiaGPUAdvanceProducts : Pass<"triton-nvidia-gpu-advance-products", "::mlir::ModuleOp"> {
  let summary = "starts an iteration's first product behind the last of the one before";
  let description = [{
    Where an iteration of a loop with a partition that loads puts into memory what its last products make: that passes beside the next
    iteration's first product. Runs when loads are pipelined, before products overlap.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def TritonNvidiaGPUOverlapProducts : Pass<"triton-nvidia-gpu-overlap-products", "::mlir::ModuleOp"> {
  let summary = "waits for products of loops only where their results are used";
  let description = [{
    Products by warpgroups in loops become asynchronous, with waits (`ttng.warp_group_dot_wait`) in front of the first use of
    a result, of writes to what is read, and of the iteration's end; where all of a loop's products only
    accumulate, one iteration's stay under way until the next one's have started. Runs behind tritongpu-pipeline.
  }];
  let options = [Option<"keepComputed", "keep-computed", "bool", /*default=*/"true",
                        "operands that a loop computes have slots, so that its products may stay under way">];
  let dependentDialects = ["::tilecc::ttng::TTNGDialect", "::mlir::scf::SCFDialect"];
}

#endif
