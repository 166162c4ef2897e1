//===- TTNGTensorMemory.td - tensor memory, and the products that accumulate there -----------------------*- tablegen -*-//
//
// Blackwell's tcgen05 (sm_100 and its family): a multiprocessor has 128 rows by 512 columns of 32 bits that hold accumulators,
// left operands and scales of matrix products. Threads only reach it by tmem_load and tmem_store. Names and textual form are
// those of Triton 3.6's `ttng` dialect.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TTNG_TENSOR_MEMORY
#define TILECC_TTNG_TENSOR_MEMORY

include "mlir/IR/AttrTypeBase.td"
include "lowering/dialects/ttng/TTNGOps.td"

//===--- encodings --------------------------------------------------------------------------------------------------===//

def TTNG_TensorMemorySpaceAttr : AttrDef<TTNG_Dialect, "TensorMemorySpace"> {
  let mnemonic = "tensor_memory";
  let summary = "the memory of a thread block that its matrix unit accumulates in";
}

class TTNG_TensorMemoryAttr<string name, string m>
    : AttrDef<TTNG_Dialect, name # "Encoding", [DeclareAttrInterfaceMethods<TTG_MemoryEncoding>]> {
  let mnemonic = m;
}

def TTNG_TensorMemoryEncodingAttr : TTNG_TensorMemoryAttr<"TensorMemory", "tensor_memory_encoding"> {
  let summary = "a matrix as products leave and take it: in blocks of rows and columns";
  let description = [{
    `#ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>`: blocks of `blockM` (64 or 128) rows, each in
    lanes, by `blockN` columns, side by side along the columns. Elements of fewer than 32 bits share columns if `colStride` is
    1. `CTASplitM` and `CTASplitN`: the thread blocks among which the matrix is divided; `twoCTAs`: they multiply as a pair.
  }];
  let parameters = (ins "unsigned":$blockM, "unsigned":$blockN, "unsigned":$colStride,
                        DefaultValuedParameter<"unsigned", "1">:$CTASplitM,
                        DefaultValuedParameter<"unsigned", "1">:$CTASplitN,
                        DefaultValuedParameter<"bool", "false">:$twoCTAs);
  let builders = [AttrBuilder<(ins "unsigned":$blockM, "unsigned":$blockN, "unsigned":$colStride), [{
    return $_get($_ctxt, blockM, blockN, colStride, 1, 1, false);
  }]>];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// (row, column) to coordinates; columns count elements.
    ::tilecc::LinearLayout toLinearLayout(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

//===--- operations -------------------------------------------------------------------------------------------------===//

def TTNG_TensorMemory : Resource<"::tilecc::ttng::TensorMemory">;

class TTNG_TensorMemoryOp<string mnemonic, list<Trait> traits = []> : TTNG_Op<mnemonic, traits> {
  let hasVerifier = 1;
}

def TTNG_TMEMAllocOp : TTNG_TensorMemoryOp<"tmem_alloc", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["isLayoutAnchor", "verifyLayouts"]>]> {
  let summary = "a place in tensor memory, with a tile in it if one is given";
  let description = [{
    `base` is the first column that the program has reserved; triton-tensor-memory-allocation adds it, and the place's column
    relative to it.
  }];
  let arguments = (ins Optional<TTG_EncodedTensor>:$src, Optional<I32>:$base);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "($src^)? (`in` $base^)? attr-dict `:` functional-type($src, results)";
}

def TTNG_TMEMLoadOp : TTNG_TensorMemoryOp<"tmem_load", [
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["isLayoutAnchor", "verifyLayouts"]>]> {
  let summary = "reads a tile from tensor memory";
  let description = "A warp reaches 32 rows, so that the result's layout has to distribute rows over warps and lanes accordingly.";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<TTNG_TensorMemory>]>:$src);
  let results = (outs TTG_EncodedTensor:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` type($result)";
}

def TTNG_TMEMStoreOp : TTNG_TensorMemoryOp<"tmem_store", [
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["isLayoutAnchor", "verifyLayouts"]>]> {
  let summary = "writes a tile to tensor memory, where `pred` holds";
  let arguments = (ins TTG_EncodedTensor:$src, Arg<TTG_MemDescType, "", [MemWrite<TTNG_TensorMemory>]>:$dst, I1:$pred);
  let assemblyFormat = "$src `,` $dst `,` $pred attr-dict `:` type($src) `->` qualified(type($dst))";
}

def TTNG_TCGen5MMAOp : TTNG_TensorMemoryOp<"tc_gen5_mma", [AttrSizedOperandSegments, TT_NoTiles,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>]> {
  let summary = "d = a * b, added to what d is if `useD` holds";
  let description = [{
    The accumulator is in tensor memory, the right operand in shared memory, the left one in either. One thread starts the
    product where `pred` holds. `is_async`: it is under way behind the operation, and arrives at each of `barriers` whose
    predicate holds once it, and all earlier products of the thread, are done. Else the operation waits for it. Products of
    one thread happen in order. `two_ctas`: two thread blocks multiply as a pair.
  }];
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d, I1:$useD, I1:$pred,
                       Variadic<TTG_MemDescType>:$barriers, Variadic<I1>:$barrier_preds, UnitAttr:$is_async,
                       UnitAttr:$two_ctas);
  let assemblyFormat = [{
    $a `,` $b `,` $d `,` $useD `,` $pred `` custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) (`,` qualified(type($barriers))^)?
  }];
}

def TTNG_TCGen5CommitOp : TTNG_TensorMemoryOp<"tc_gen5_commit", [TT_NoTiles,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TTG_SharedEffects]> {
  let summary = "has the products that the thread has started so far arrive at `barrier` when they are done";
  let description = "One thread does it, the one that starts products, where `pred` (if there is one) holds.";
  let arguments = (ins TTG_MemDescType:$barrier, Optional<I1>:$pred);
  let assemblyFormat = "$barrier (`,` $pred^)? attr-dict `:` qualified(type($barrier))";
}

def TTNG_ReserveTensorMemoryOp : TTNG_TensorMemoryOp<"reserve_tensor_memory", [TT_AnyLayout, TT_NoGlobalAccess,
    MemoryEffects<[MemWrite<TTG_SharedMemory>, MemAlloc<TTNG_TensorMemory>]>, DeclareOpInterfaceMethods<TT_UsesScratch,
    ["getScratchBytes"]>]> {
  let summary = "reserves columns of tensor memory for the thread block, and returns the address of the first";
  let description = "Waits, where other blocks of the multiprocessor have them, until they are free. All threads of the program come here.";
  let arguments = (ins I32Attr:$columns);
  let results = (outs I32:$base);
  let assemblyFormat = "attr-dict `:` type($base)";
}

def TTNG_ReleaseTensorMemoryOp : TTNG_TensorMemoryOp<"release_tensor_memory", [TT_NoTiles, TT_NoGlobalAccess,
    MemoryEffects<[MemFree<TTNG_TensorMemory>, MemWrite<TTG_SharedMemory>]>]> {
  let summary = "gives the columns back that begin at `base`; all threads of the program come here";
  let arguments = (ins I32:$base, I32Attr:$columns);
  let assemblyFormat = "$base attr-dict `:` type($base)";
}

#endif // TILECC_TTNG_TENSOR_MEMORY
