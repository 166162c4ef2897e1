//===- TTGOps.td - operations that move tiles between memories -------------------------------------*- tablegen -*-===//

#ifndef TILECC_TTG_OPS
#define TILECC_TTG_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "lowering/dialects/tt/TTOps.td"
include "lowering/dialects/ttg/TTGAttributes.td"
include "lowering/dialects/ttg/TTGInterfaces.td"
include "lowering/dialects/ttg/TTGTypes.td"

def TTG_EncodedTensor : Type<And<[CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
    CPred<"::llvm::isa_and_nonnull<::tilecc::ttg::LayoutEncoding>("
          "::llvm::cast<::mlir::RankedTensorType>($_self).getEncoding())">]>,
    "a tile with a layout", "::mlir::RankedTensorType">;

def TTG_ConvertLayoutOp : Op<TTG_Dialect, "convert_layout", [Pure, TT_AnyLayout, SameOperandsAndResultElementType,
                                                             SameOperandsAndResultShape]> {
  let summary = "the same tile in another layout";
  let arguments = (ins TTG_EncodedTensor:$src);
  let results = (outs TTG_EncodedTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TTG_Fp4ToFpOp : Op<TTG_Dialect, "fp4_to_fp", [Pure, DeclareOpInterfaceMethods<TT_LayoutTransform>]> {
  let summary = "4-bit floating-point numbers (e2m1), two to a byte, as numbers of 16 or 32 bits";
  let description = "The two numbers of a byte are adjacent along `axis`, with the one in the lower bits first.";
  let arguments = (ins TTG_EncodedTensor:$src, I32Attr:$axis);
  let results = (outs TTG_EncodedTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TTG_LocalBarrierOp : Op<TTG_Dialect, "local_barrier", [TT_NoTiles,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "waits for all threads of the program and orders their accesses to shared memory";
  let assemblyFormat = "attr-dict";
}

def TTG_BarrierOp : Op<TTG_Dialect, "barrier", [TT_NoTiles, MemoryEffects<[MemRead, MemWrite]>, TT_NoGlobalAccess]> {
  let summary = "waits for all threads; triton-rewrite-newer-operations replaces it as soon as it has been read";
  let description = [{
    Triton 3.9 prints the language's barrier as `ttg.barrier all`, and a barrier that orders accesses to shared memory
    as `ttg.barrier local`. Other kinds of memory may be named too, separated by `|`.
  }];
  let arguments = (ins UnitAttr:$localOnly);
  let hasCustomAssemblyFormat = 1;
}

def TTG_CompareReplicasOp : Op<TTG_Dialect, "compare_replicas", [MemoryEffects<[MemWrite]>, TT_AnyLayout, TT_NoScratch,
                                                                 TT_NoGlobalAccess]> {
  let summary = "makes the emulator compare the copies of a value, or of a tile's elements, that several threads hold";
  let description = "It does not become an instruction on a GPU.";
  let arguments = (ins AnyType:$src);
  let assemblyFormat = "$src attr-dict `:` type($src)";
}

//===--- tiles in shared memory -----------------------------------------------------------------------------------===//

/// Shared memory is a separate resource, because accesses to it do not depend on accesses to global memory.
def TTG_SharedMemory : Resource<"::tilecc::ttg::SharedMemory">;

class TTG_LocalMemoryOp<string mnemonic, list<Trait> traits = []> : Op<TTG_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
}

def TTG_LocalAllocOp : TTG_LocalMemoryOp<"local_alloc", [TT_AnyLayout, TTG_SharedEffects,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "allocates shared memory, and stores a tile to it if one is given";
  let description = [{
    Without `mutable`, the memory never holds anything but the given tile. The operation is then treated as pure until
    its memory has an address (allocation.offset), so it may be merged, moved and removed like arithmetic.
  }];
  let arguments = (ins Optional<TTG_EncodedTensor>:$src, OptionalAttr<I32Attr>:$alignment);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasCanonicalizeMethod = 1;
}

def TTG_LocalDeallocOp : Op<TTG_Dialect, "local_dealloc", [TT_NoTiles, TTG_SharedEffects]> {
  let summary = "ends the live range of an allocation";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemFree<TTG_SharedMemory>]>:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

def TTG_LocalLoadOp : TTG_LocalMemoryOp<"local_load", [TT_AnyLayout, TTG_SharedEffects]> {
  let summary = "reads a tile from shared memory";
  let description = "The token, if given, is the token of a wait after which the tile has arrived.";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>]>:$src, Optional<TTG_AsyncTokenType>:$token);
  let results = (outs TTG_EncodedTensor:$result);
  let assemblyFormat = "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)";
}

def TTG_LocalStoreOp : TTG_LocalMemoryOp<"local_store", [TT_AnyLayout, TTG_SharedEffects]> {
  let summary = "writes a tile to shared memory";
  let arguments = (ins TTG_EncodedTensor:$src, Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
}

class TTG_ViewOp<string mnemonic> : TTG_LocalMemoryOp<mnemonic, [Pure, TT_NoTiles, ViewLikeOpInterface]> {
  let results = (outs TTG_MemDescType:$result);
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSrc(); }
    ::mlir::Value getViewDest() { return getResult(); }
  }];
}

def TTG_MemDescIndexOp : TTG_ViewOp<"memdesc_index"> {
  let summary = "one of several tiles";
  let arguments = (ins TTG_MemDescType:$src, I32:$index);
  let assemblyFormat = "$src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

def TTG_MemDescSubsliceOp : TTG_ViewOp<"memdesc_subslice"> {
  let summary = "part of a tile, aligned to its own size";
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let assemblyFormat = [{
    $src `[` custom<StaticOffsets>($offsets) `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
}

def TTG_MemDescTransOp : TTG_ViewOp<"memdesc_trans"> {
  let summary = "the same tile with its axes permuted: axis `i` is axis `order[i]` of the source";
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

def TTG_MemDescReinterpretOp : TTG_ViewOp<"memdesc_reinterpret"> {
  let summary = "a tile's memory as a tile of another shape, type or layout";
  let arguments = (ins TTG_MemDescType:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

def TTG_MemDescReshapeOp : TTG_ViewOp<"memdesc_reshape"> {
  let summary = "the same elements in the same places, as a tile of another shape";
  let arguments = (ins TTG_MemDescType:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

//===--- global memory --------------------------------------------------------------------------------------------===//

def TTG_GlobalScratchAllocOp : Op<TTG_Dialect, "global_scratch_alloc", [MemoryEffects<[MemAlloc]>, TT_NoTiles,
                                                                        TT_NoGlobalAccess]> {
  let summary = "allocates global memory that belongs to the program alone";
  let description = "The launch provides the memory (tritongpu-global-scratch-memory-allocation).";
  let arguments = (ins I32Attr:$nbytes, I32Attr:$alignment);
  let results = (outs TT_PointerType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

//===--- asynchronous copies --------------------------------------------------------------------------------------===//

def TTG_AsyncCopyGlobalToLocalOp : TTG_LocalMemoryOp<"async_copy_global_to_local", [AttrSizedOperandSegments,
    TT_LayoutRules, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>,
    DeclareOpInterfaceMethods<TT_AccessesGlobal>,
    TypesMatchWith<"mask type matches ptr type", "src", "mask", "::tilecc::tt::getMaskType($_self)",
                   "($_op.getOperands().size() <= 2) || std::equal_to<>()">,
    TypesMatchWith<"other type matches ptr type", "src", "other", "::tilecc::tt::getPointeeType($_self)",
                   "($_op.getOperands().size() <= 3) || std::equal_to<>()">]> {
  let summary = "starts to copy the elements that a tile of pointers points to into shared memory";
  let description = [{
    Where `mask` is false, nothing is read, and the element is `other`, or unspecified if there is no `other`. The data
    has arrived after a wait for the group to which the copy is committed. `contiguity` is the number of adjacent
    elements along the fastest axis that are known to be contiguous, in addition to what the analysis of the pointers
    proves.
  }];
  let arguments = (ins Arg<TT_PtrTensor, "", [MemRead]>:$src,
    Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>:$result, Optional<TT_BoolLike>:$mask, Optional<TT_Type>:$other,
    DefaultValuedAttr<TT_CacheModifier, "::tilecc::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilecc::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncTokenType:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict `:` type($src) `->` type($result)
  }];
}

def TTG_AsyncCommitGroupOp : Op<TTG_Dialect, "async_commit_group", [TT_NoTiles]> {
  let summary = "commits this thread's copies since the last group as one group";
  let arguments = (ins Variadic<TTG_AsyncTokenType>:$inputTokens);
  let results = (outs TTG_AsyncTokenType:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}

def TTG_AsyncWaitOp : Op<TTG_Dialect, "async_wait", [TT_NoTiles,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "waits until all but the last `num` groups of this thread's copies are done";
  let arguments = (ins Variadic<TTG_AsyncTokenType>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncTokenType:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

#endif // TILECC_TTG_OPS
