//===- TTNGOps.td - operations of Hopper's units ---------------------------------------------------*- tablegen -*-===//
//
// These operations represent the units that sm_90 added: dots by warp groups from shared memory, copies of whole boxes
// by the tensor memory accelerator, and barriers that count bytes. Names and textual form are those of Triton 3.6's
// `ttng` dialect.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TTNG_OPS
#define TILECC_TTNG_OPS

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "lowering/dialects/tt/TTCompositeOps.td"
include "lowering/dialects/tt/TTDescriptorOps.td"
include "lowering/dialects/ttg/TTGOps.td"

def TTNG_Dialect : Dialect {
  let name = "ttng";
  let cppNamespace = "::tilecc::ttng";
  let summary = "Units that NVIDIA GPUs have beyond sm_89: warp-group dots, tensor copies, barriers in memory";
  let dependentDialects = ["::tilecc::ttg::TTGDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = "void addTensorMemoryAttributes();";
}

class TTNG_Op<string mnemonic, list<Trait> traits = []> : Op<TTNG_Dialect, mnemonic, traits>;

def TTNG_WarpGroupDotOp : TTNG_Op<"warp_group_dot", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["isLayoutAnchor", "verifyLayouts"]>,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects", "getSharedWait"]>,
    TypesMatchWith<"result's type matches accumulator's type", "d", "c", "$_self">]> {
  let summary = "d = a * b + c by a unit that reads operands from shared memory";
  let description = [{
    If the layout of c and d is `#ttg.nvidia_mma`, warp groups compute the dot in registers (wgmma). If each thread
    holds a row of c and d (`#ttg.blocked`), the matrix unit of Blackwell GPUs computes the dot in tensor memory:
    triton-nvidia-gpu-accumulate-in-tensor-memory replaces the operation by `tc_gen5_mma`. Earlier passes treat both
    kinds alike.

    The right operand is in shared memory, encoded as `#ttg.nvmma_shared`. The left operand is in shared memory too, or
    in registers, encoded as an operand of the result's layout. In each instruction, a warp group computes 64 rows of
    the result.

    With `isAsync`, the dot is pending until a `warp_group_dot_wait` retires it. Until then, its result may be used only
    as the accumulator of another dot, and its operands must not be written. `inputPrecision` and `maxNumImpreciseAcc`
    have the same meaning as in tt.dot. Matrix units accumulate products of 8-bit floats with reduced precision; if the
    extent along K is at least `maxNumImpreciseAcc`, the dot is computed in parts, which are added to c in full
    precision. If `useC` is false, c counts as zero. The rows of the result from `rows` on are never read: a warp group
    that has only such rows skips its dot, and d is c.

    With `aScale` and `bScale`, the operands are microscaled numbers of types `aType` and `bType`, as in tt.dot_scaled.
    This is supported only in tensor memory. The scales of the right operand have a row for each of its columns.
  }];
  let arguments = (ins AnyTypeOf<[TTG_EncodedTensor, TTG_MemDescType]>:$a, Arg<TTG_MemDescType, "", []>:$b,
    TTG_EncodedTensor:$c, Optional<I1>:$useC, Optional<I32>:$rows, Optional<TTG_EncodedTensor>:$aScale,
    Optional<TTG_EncodedTensor>:$bScale, OptionalAttr<TT_ScaleDotElemType>:$aType,
    OptionalAttr<TT_ScaleDotElemType>:$bType,
    DefaultValuedAttr<TT_InputPrecision, "::tilecc::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc,
    DefaultValuedAttr<BoolAttr, "false">:$isAsync);
  let results = (outs TTG_EncodedTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? (`rows` `(` $rows^ `)`)?
    (`scales` `(` $aScale^ `,` $bScale `)` `lhs` `=` $aType `rhs` `=` $bType)? attr-dict
    `:` type($a) `*` qualified(type($b)) (`scales` type($aScale)^ `,` type($bScale))? `->` type($d)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$d, "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$c, "::mlir::Value":$useC,
                   "::tilecc::tt::InputPrecision":$inputPrecision, "uint32_t":$maxNumImpreciseAcc), [{
      build($_builder, $_state, d, a, b, c, useC, /*rows=*/nullptr, /*aScale=*/nullptr, /*bScale=*/nullptr,
            /*aType=*/nullptr, /*bType=*/nullptr, inputPrecision, maxNumImpreciseAcc);
    }]>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the maximum number of products in a partial sum, rounded to whole instructions, before it is added to
    /// the accumulator in full precision; 0 for no limit.
    unsigned getPreciseDepth();
  }];
}

def TTNG_WarpGroupDotWaitOp : TTNG_Op<"warp_group_dot_wait", [AllTypesMatch<["inputs", "outputs"]>, TT_AnyLayout,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "waits until at most `pendings` dots are pending";
  let description = [{
    The results are the inputs after the wait: accumulators of dots, and tiles in shared memory that pending dots read.
    Being inputs of the wait keeps them live until here.
  }];
  let arguments = (ins Variadic<AnyTypeOf<[TTG_EncodedTensor, TTG_MemDescType]>>:$inputs, I32Attr:$pendings);
  let results = (outs Variadic<AnyTypeOf<[TTG_EncodedTensor, TTG_MemDescType]>>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

def TTNG_FenceAsyncSharedOp : TTNG_Op<"fence_async_shared", [TT_NoTiles]> {
  let summary = "orders this thread's accesses to shared memory before those of units that start after a later barrier";
  let description = [{
    Matrix and copy units access shared memory through a separate proxy. They see the ordinary stores of a thread only
    after the thread has executed this fence, and then a barrier.
  }];
  let arguments = (ins BoolAttr:$bCluster);
  let assemblyFormat = "attr-dict";
}

//===--- barriers in memory ---------------------------------------------------------------------------------------===//

/// Operations on an mbarrier: 8 bytes of shared memory that count arrivals, phase by phase.
class TTNG_BarrierOp<string mnemonic, list<Trait> traits = []> : TTNG_Op<mnemonic, !listconcat([TT_NoTiles,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  let hasVerifier = 1;
}

def TTNG_InitBarrierOp : TTNG_BarrierOp<"init_barrier", [TTG_SharedEffects]> {
  let summary = "initializes a barrier whose phases end after `count` arrivals";
  let description = [{
    One thread executes the operation; the others may use the barrier after a barrier of all threads. With `perBlock`, a
    phase ends after `count` arrivals for each block of the cluster.
  }];
  let arguments = (ins TTG_MemDescType:$alloc, I32Attr:$count, UnitAttr:$perBlock);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
}

def TTNG_InvalBarrierOp : TTNG_BarrierOp<"inval_barrier", [TTG_SharedEffects]> {
  let summary = "invalidates a barrier, so that its memory can be reused";
  let arguments = (ins TTG_MemDescType:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
}

def TTNG_WaitBarrierOp : TTNG_BarrierOp<"wait_barrier", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "waits until the barrier's phase of parity `phase` has ended";
  let description = [{
    Phases are numbered from 0. On a barrier that has just been initialized, a phase of parity 1 counts as ended. `deps`
    are tiles in shared memory: the accesses to them have happened after the wait, because the arrivals signal these
    accesses. With `firstWarp`, only the first warp waits, and one of its threads then copies and arrives on behalf of
    all. The other warps must not wait on a barrier that advances without them, because a warp that is two phases late
    would wait for a third one. With `allBlocks`, threads of other blocks arrive as well.
  }];
  let arguments = (ins TTG_MemDescType:$alloc, I32:$phase, Optional<I1>:$pred, Variadic<TTG_MemDescType>:$deps,
                   UnitAttr:$firstWarp, UnitAttr:$allBlocks);
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict `:` qualified(type($alloc)) (`,` type($deps)^)?
  }];
}

def TTNG_ArriveBarrierOp : TTNG_BarrierOp<"arrive_barrier", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["signalsForAllThreads"]>]> {
  let summary = "counts `count` arrivals";
  let description = [{
    One thread arrives for all threads. With `perWarp`, one thread of each warp arrives for its warp instead. `read`
    lists tiles that a thread may overwrite after it has waited for the arrival: the creator of the operation guarantees
    that these tiles have been read. Without `read`, as in Triton's IR, the arrival may cover all accesses of the
    threads so far, and tritongpu-membar inserts a barrier before it. With `byDots`, no thread arrives. Instead, the
    last preceding dot that reads one of the `read` tiles arrives when it is complete;
    triton-nvidia-gpu-accumulate-in-tensor-memory makes the barrier an operand of that dot. With `allBlocks`, the thread
    arrives on the barrier at this address in each block of the cluster.
  }];
  let arguments = (ins TTG_MemDescType:$alloc, I32Attr:$count, Optional<I1>:$pred, Variadic<TTG_MemDescType>:$read,
                   UnitAttr:$perWarp, UnitAttr:$byDots, UnitAttr:$allBlocks);
  let assemblyFormat = [{
    $alloc `,` $count (`,` $pred^)? (`read` $read^)? attr-dict `:` qualified(type($alloc)) (`,` type($read)^)?
  }];
}

def TTNG_AsyncCopyMbarrierArriveOp : TTNG_BarrierOp<"async_copy_mbarrier_arrive", [TTG_SharedEffects]> {
  let summary = "every thread arrives once its asynchronous copies so far are done";
  let description = [{With `noIncrement`, the count includes these arrivals; otherwise each adds one to it.}];
  let arguments = (ins TTG_MemDescType:$barrier, UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
}

def TTNG_BarrierExpectOp : TTNG_BarrierOp<"barrier_expect", [TTG_SharedEffects]> {
  let summary = "one thread arrives, and the phase additionally waits for `size` bytes of copies";
  let arguments = (ins TTG_MemDescType:$alloc, I32Attr:$size, I1:$pred);
  let assemblyFormat = "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))";
}

//===--- programs that share a block ------------------------------------------------------------------------------===//

def TTNG_ProgramInBlockOp : TTNG_Op<"program_in_block", [Pure, TT_NoTiles]> {
  let summary = "the number of this program among those that share the block (ttg.programs-per-block)";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===--- turns ----------------------------------------------------------------------------------------------------===//

/// Some programs let their warp groups issue dots one group after the other. Each warp group waits for its turn
/// (take_turn) until the previous group has passed the turn on (pass_turn). The groups may belong to one program, or to
/// the programs of a block.
class TTNG_TurnOp<string mnemonic> : TTNG_Op<mnemonic, [TT_NoTiles, MemoryEffects<[MemWrite<TTG_SharedMemory>]>]> {
  let assemblyFormat = "attr-dict";
}

def TTNG_TakeTurnOp : TTNG_TurnOp<"take_turn"> {
  let summary = "waits for this warp group's turn; with `last`, the first group takes the turn that nobody has used";
  let arguments = (ins UnitAttr:$last);
}

def TTNG_PassTurnOp : TTNG_TurnOp<"pass_turn"> {
  let summary = "passes the turn to the next warp group; with `first`, the last group passes the initial turn";
  let arguments = (ins UnitAttr:$first);
}

//===--- copies of blocks by the tensor memory accelerator --------------------------------------------------------===//

def TTNG_AsyncTMACopyGlobalToLocalOp : TTNG_Op<"async_tma_copy_global_to_local", [TT_NoTiles, TT_AccessesTensor,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>]> {
  let summary = "starts to copy a block of a tensor to shared memory";
  let description = [{
    The copy is executed if `pred` holds. One thread starts it. `coord` is the first element of the block. `barrier`
    counts the bytes that have arrived, which are always those of a whole block, even if part of the block is outside
    the tensor. If the rows of the block are pixels of images, offsets follow the coordinates (tt/ImageBlocks.h). With
    `multicast`, the block is copied to both thread blocks of a pair (ttng.block_pairs), to the same addresses, and
    counts on the barriers of both.
  }];
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$coord, TTG_MemDescType:$barrier, TTG_MemDescType:$result,
    I1:$pred, DefaultValuedAttr<TT_CacheModifier, "::tilecc::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilecc::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, UnitAttr:$multicast);
  let assemblyFormat = [{
    $desc `[` $coord `]` $result `,` $barrier `,` $pred
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict
    `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncBulkCopyGlobalToLocalOp : TTNG_Op<"async_bulk_copy_global_to_local", [TT_NoTiles, TT_AccessesTensor,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>]> {
  let summary = "starts to copy contiguous global memory to shared memory";
  let description = [{
    If `pred` holds, one thread starts a copy of as many elements as `result` has. Their size in bytes, and the address,
    must be multiples of 16. `barrier` counts the bytes that have arrived.
  }];
  let arguments = (ins TT_PointerType:$src, TTG_MemDescType:$barrier, TTG_MemDescType:$result, I1:$pred);
  let assemblyFormat = [{
    $src `to` $result `,` $barrier `,` $pred attr-dict `:` qualified(type($src)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncTMACopyLocalToGlobalOp : TTNG_Op<"async_tma_copy_local_to_global", [TT_NoTiles, TT_AccessesTensor,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>]> {
  let summary = "starts to copy a tile in shared memory to a block of a tensor";
  let description = [{
    `coord` is the first element of the block. Elements outside the tensor are not written. One thread starts the copy,
    which is a separate group for async_tma_store_wait. If threads have written to `src`, a fence (fence_async_shared)
    and a barrier must come before the copy.
  }];
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$coord, TTG_MemDescType:$src);
  let assemblyFormat = "$desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))";
  let hasVerifier = 1;
}

def TTNG_AsyncTMAReduceOp : TTNG_Op<"async_tma_reduce", [TT_NoTiles, TT_AccessesTensor,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>]> {
  let summary = "starts to combine a block of a tensor with a tile in shared memory";
  let description = [{
    The operation is like async_tma_copy_local_to_global, but combines each element of the block with the element of the
    tile by `kind`: it stores their sum, their minimum, etc. Each element is updated atomically, in an unspecified
    order.
  }];
  let arguments = (ins TT_DescriptorReduceKind:$kind, TT_TensorDescType:$desc, Variadic<I32>:$coord, TTG_MemDescType:$src);
  let assemblyFormat = "$kind `,` $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))";
  let hasVerifier = 1;
}

def TTNG_AsyncTMAStoreTileOp : TTNG_Op<"async_tma_store_tile", [TT_AnyLayout, TT_NoScratch, TT_AccessesTensor,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>]> {
  let summary = "starts to copy a register tile to a block of a tensor";
  let description = [{
    The operation is like async_tma_copy_local_to_global, but the source is a tile in registers. Threads first store its
    parts, one after another, to `slots` (TileCopy.h), which nothing else accesses. If each warp has its own rows, a
    warp does not wait for other warps, and one of its threads starts its copies; otherwise all threads wait for each
    other. Earlier copies to blocks, by this or another operation, are complete before the first copy of this one
    begins.
  }];
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$coord, TTG_EncodedTensor:$src, TTG_MemDescType:$slots);
  let assemblyFormat = [{
    $desc `[` $coord `]` $src `through` $slots attr-dict `:` qualified(type($desc)) `,` type($src) `,` qualified(type($slots))
  }];
  let hasVerifier = 1;
}

def TTNG_TMAStoreWaitOp : TTNG_Op<"async_tma_store_wait", [TT_NoTiles, MemoryEffects<[MemWrite<TTG_SharedMemory>]>,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "waits until all but the last `pendings` copies to tensors have read their sources";
  let description = [{
    The operation waits only for the copies of its own thread; other threads may overwrite the sources after a barrier.
    With `written`, it also waits until the copies have been written to global memory.
  }];
  let arguments = (ins I32Attr:$pendings, UnitAttr:$written);
  let assemblyFormat = "attr-dict";
}

//===--- tensor maps that a kernel makes --------------------------------------------------------------------------===//

def TTNG_TensormapCreateOp : TTNG_Op<"tensormap_create", [AttrSizedOperandSegments, TT_AnyLayout, TT_NoGlobalAccess,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TT_UsesScratch, ["getScratchBytes", "getScratchAlignment"]>]> {
  let summary = "writes the 128 bytes of a tensor map";
  let description = [{
    The map describes the tensor at `global_address`. Sizes, and the steps between the elements of a block, count
    elements, starting with the fastest axis. Strides count bytes, starting with the second axis. The numeric codes are
    those of PTX's tensormap.replace. One warp builds the map in shared memory. A copy through the map needs a
    tensormap_fenceproxy_acquire first.
  }];
  let arguments = (ins TT_PointerType:$desc_ptr, TT_PointerType:$global_address, Variadic<I32>:$box_dim,
    Variadic<I32>:$global_dim, Variadic<I64>:$global_stride, Variadic<I32>:$element_stride, I32Attr:$elem_type,
    I32Attr:$interleave_layout, I32Attr:$swizzle_mode, I32Attr:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,`
    `[` $element_stride `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = "static constexpr unsigned mapBytes = 128;";
}

def TTNG_TensormapFenceproxyAcquireOp : TTNG_Op<"tensormap_fenceproxy_acquire", [TT_NoTiles,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "makes later copies see the map that was written at `desc_ptr`; all threads wait for each other";
  let arguments = (ins TT_PointerType:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

def TTNG_ReinterpretTensorDescOp : TTNG_Op<"reinterpret_tensor_descriptor", [Pure, TT_NoTiles]> {
  let summary = "the tensor map at an address, as a descriptor";
  let arguments = (ins TT_PointerType:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}

//===--- clusters -------------------------------------------------------------------------------------------------===//
//
// A program may run on several thread blocks, which form a cluster. tritongpu-plan-cta assigns a part of every tile to
// each of them. After this pass, tiles are those of one block, and the operations below express how the blocks
// interact.

def TTNG_BlockRankOp : TTNG_Op<"block_rank", [Pure, TT_NoTiles]> {
  let summary = "the rank of this thread block among those that run the program";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def TTNG_BlockCountOp : TTNG_Op<"block_count", [Pure, TT_NoTiles]> {
  let summary = "the number of thread blocks that run the program";
  let description = "It is a constant (`ttg.num-ctas`), unless the launch chooses it (`ttng.max-blocks`).";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def TTNG_SumOverBlocksOp : TTNG_Op<"sum_over_blocks", [TT_AnyLayout, AllTypesMatch<["src", "result"]>,
    MemoryEffects<[MemRead, MemWrite]>, TT_NoGlobalAccess, DeclareOpInterfaceMethods<TT_UsesScratch>]> {
  let summary = "adds up the tiles of the program's blocks; afterwards only the first block continues";
  let description = [{
    The result is the sum of `src` over the blocks with a rank below `parts`, added in the order of ranks. The other
    blocks end at this operation, once the first block has all sums. All threads of the program execute the operation,
    outside of loops and branches. With `rows`, only this number of first rows of the result is valid.
  }];
  let arguments = (ins TT_Tensor:$src, I32:$parts, Optional<I32>:$rows);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `,` $parts (`rows` `(` $rows^ `)`)? attr-dict `:` type($src)";
  let hasVerifier = 1;
}

def TTNG_SumOverClustersOp : TTNG_Op<"sum_over_clusters", [TT_AnyLayout, AllTypesMatch<["src", "result"]>,
    MemoryEffects<[MemRead, MemWrite]>, TT_NoGlobalAccess, DeclareOpInterfaceMethods<TT_UsesScratch>]> {
  let summary = "adds up the tiles of the clusters that run the program; afterwards only one cluster continues";
  let description = [{
    A launch may run each program on several clusters; `clusters` is their number, and `number` identifies this one. The
    result is the sum of `src` over the clusters with a number below `used`, added in the order of their numbers. These
    clusters write their tiles to `memory`, which belongs to the launch, and increment the counter of the program. The
    cluster that finds that all others have done so reads the tiles and continues; the others end here. All threads of
    the cluster's only remaining block execute the operation, outside of loops and branches. `program` is the number of
    the program in the launch. `memory` has ttng.cluster_bytes for each cluster, and is preceded by a counter for each
    program.
  }];
  let arguments = (ins TT_Tensor:$src, I32:$program, I32:$number, I32:$used, I32:$clusters, TT_PointerType:$memory);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `,` $number `of` $used `program` $program `by` $clusters `in` $memory attr-dict `:` type($src) `,`
    type($memory)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the bytes of the registers of a block's threads: `ttng.cluster_bytes`.
    unsigned getBytesOfCluster();
  }];
}

/// A barrier of all threads of all blocks of the program, split into two operations. Names and form are Triton's.
class TTNG_ClusterBarrierOp<string mnemonic, list<Trait> traits = []> : TTNG_Op<mnemonic, !listconcat([TT_NoTiles,
    MemoryEffects<[MemRead, MemWrite]>, TT_NoGlobalAccess], traits)>;

def TTNG_ClusterArriveOp : TTNG_ClusterBarrierOp<"cluster_arrive"> {
  let summary = "arrives at the barrier of the program's blocks; unless `relaxed`, earlier writes are visible after it";
  let arguments = (ins BoolAttr:$relaxed);
  let assemblyFormat = "attr-dict";
}

def TTNG_ClusterWaitOp : TTNG_ClusterBarrierOp<"cluster_wait",
    [DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "waits until all threads of the program's blocks have arrived";
  let assemblyFormat = "attr-dict";
}

def TTNG_RedistributeOp : TTNG_Op<"redistribute", [TT_AnyLayout, SameOperandsAndResultElementType,
    MemoryEffects<[MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>, TT_NoGlobalAccess,
    DeclareOpInterfaceMethods<TT_UsesScratch>]> {
  let summary = "converts a tile of the program to another distribution over its blocks";
  let description = [{
    Operand and result are this block's part of the same tile, before and after the conversion: see
    lowering/clusters/Distribution.h. `from` and `to` have a number for each bit of the block's rank: the axis along
    which the bit selects a half, or -1 if blocks that differ in the bit have copies. -2, which is valid for operands
    only, means that only the block whose bit is 0 has a valid part. All threads of the program execute the operation.
    They write their part to shared memory, wait for all blocks, read the elements that they need from any block that
    has them, and wait again before the memory is reused. With `lasting`, the memory is not reused, so the blocks do not
    wait a second time here, but once before they end. If every block has a copy of the whole tile, each block takes its
    part from its own copy.
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$from, DenseI32ArrayAttr:$to, UnitAttr:$lasting);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src $from `to` $to attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns true if every block has a copy of the whole tile, and reads only its own copy.
    bool isWithinBlock();
  }];
}

#endif // TILECC_TTNG_OPS
