//===- TTNGTensorMemory.td - tensor memory, and the dots that accumulate there ---------------------*- tablegen -*-===//
//
// Tensor memory belongs to the matrix unit of Blackwell GPUs (tcgen05, sm_100 and its family). It has 128 rows by 512
// columns of 32 bits per multiprocessor, and holds accumulators and left operands of dots. Threads access it only by
// tmem_load and tmem_store. Names and textual form are those of Triton 3.6's `ttng` dialect.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TTNG_TENSOR_MEMORY
#define TILECC_TTNG_TENSOR_MEMORY

include "mlir/IR/AttrTypeBase.td"
include "lowering/dialects/tt/TTCompositeOps.td"
include "lowering/dialects/ttng/TTNGOps.td"

//===--- encodings ------------------------------------------------------------------------------------------------===//

def TTNG_TensorMemorySpaceAttr : AttrDef<TTNG_Dialect, "TensorMemorySpace"> {
  let mnemonic = "tensor_memory";
  let summary = "the memory in which the matrix unit accumulates";
}

class TTNG_TensorMemoryAttr<string name, string m>
    : AttrDef<TTNG_Dialect, name # "Encoding", [DeclareAttrInterfaceMethods<TTG_MemoryEncoding>]> {
  let mnemonic = m;
}

def TTNG_TensorMemoryEncodingAttr : TTNG_TensorMemoryAttr<"TensorMemory", "tensor_memory_encoding"> {
  let summary = "a matrix in tensor memory, in blocks of the size of one instruction";
  let description = [{
    In `#ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>`, the matrix is divided into blocks of
    `blockM` (64 or 128) rows and `blockN` columns. Each row of a block is in one lane. Blocks are side by side along
    the columns of tensor memory. If `colStride` is 1, elements of fewer than 32 bits share a column. `CTASplitM` and
    `CTASplitN` are the numbers of thread blocks over which the matrix is distributed along each axis. With `twoCTAs`,
    two of these thread blocks multiply as a pair.
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
}

def TTNG_TensorMemoryScalesEncodingAttr : TTNG_TensorMemoryAttr<"TensorMemoryScales", "tensor_memory_scales_encoding"> {
  let summary = "the scales of an operand of a scaled dot in tensor memory";
  let description = [{
    The tile has a row for each row of the left operand, or for each column of the right operand. A row has one byte for
    each group of elements, adjacent along K, that share a scale. Four adjacent scales of a row share a 32-bit column.
    Row `r` is in lane `r` modulo 32, with copies 32, 64 and 96 lanes further. The next 32 rows are in the next column.
  }];
  let parameters = (ins DefaultValuedParameter<"unsigned", "1">:$CTASplitM,
                        DefaultValuedParameter<"unsigned", "1">:$CTASplitN);
  let builders = [AttrBuilder<(ins), [{ return $_get($_ctxt, 1, 1); }]>];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===--- operations -----------------------------------------------------------------------------------------------===//

def TTNG_MMAv5 : OpInterface<"MMAv5OpInterface"> {
  let cppNamespace = "::tilecc::ttng";
  let description = [{
    A dot of the matrix unit of Blackwell GPUs. The accumulator is in tensor memory, the right operand in shared memory,
    and the left operand in one of the two. One thread starts the dot if `pred` holds. The dots of one thread are
    executed in order. With `is_async`, the operation does not wait: when the dot and all earlier dots of the thread are
    complete, they arrive on each of `barriers` whose predicate holds. Without `is_async`, the operation waits until the
    dot is complete. With `two_ctas`, two thread blocks multiply as a pair.
  }];
  let methods = [
    InterfaceMethod<"", "::mlir::TypedValue<::tilecc::ttg::MemDescType>", "getA">,
    InterfaceMethod<"", "::mlir::TypedValue<::tilecc::ttg::MemDescType>", "getB">,
    InterfaceMethod<"", "::mlir::TypedValue<::tilecc::ttg::MemDescType>", "getD">,
    InterfaceMethod<"", "::mlir::TypedValue<::mlir::IntegerType>", "getUseD">,
    InterfaceMethod<"", "::mlir::TypedValue<::mlir::IntegerType>", "getPred">,
    InterfaceMethod<"", "::mlir::OperandRange", "getBarriers">,
    InterfaceMethod<"", "::mlir::OperandRange", "getBarrierPreds">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getBarriersMutable">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getBarrierPredsMutable">,
    InterfaceMethod<"", "bool", "getIsAsync">,
    InterfaceMethod<"", "void", "setIsAsync", (ins "bool":$value)>,
    InterfaceMethod<"", "bool", "getTwoCtas">,
    InterfaceMethod<"Returns the operands in memory that the dot reads besides its accumulator.",
                    "::llvm::SmallVector<::mlir::OpOperand *>", "getReadOperands">,
    InterfaceMethod<"", "::mlir::OpOperand &", "getDMutable">,
  ];
}

def TTNG_TensorMemory : Resource<"::tilecc::ttng::TensorMemory">;

class TTNG_TensorMemoryOp<string mnemonic, list<Trait> traits = []> : TTNG_Op<mnemonic, traits> {
  let hasVerifier = 1;
}

def TTNG_TMEMAllocOp : TTNG_TensorMemoryOp<"tmem_alloc", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["isLayoutAnchor", "verifyLayouts"]>]> {
  let summary = "allocates tensor memory, and stores a tile to it if one is given";
  let description = [{
    `base` is the address of the first column that the program has reserved. triton-tensor-memory-allocation adds this
    operand, and an attribute with the position of the allocation relative to `base`, in columns.
  }];
  let arguments = (ins Optional<TTG_EncodedTensor>:$src, Optional<I32>:$base);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "($src^)? (`in` $base^)? attr-dict `:` functional-type($src, results)";
}

def TTNG_TMEMLoadOp : TTNG_TensorMemoryOp<"tmem_load", [
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["isLayoutAnchor", "verifyLayouts"]>]> {
  let summary = "reads a tile from tensor memory";
  let description = [{
    Warp w can access only the 32 rows that begin at row 32 * (w % 4). The layout of the result must distribute rows
    over warps and lanes accordingly.
  }];
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

def TTNG_TMEMSubSliceOp : TTNG_TensorMemoryOp<"tmem_subslice", [Pure, TT_NoTiles, ViewLikeOpInterface]> {
  let summary = "columns of a matrix in tensor memory, from column `N` on";
  let description = [{
    The type of the result ends with the shape of the whole matrix. The blocks of the encoding are no wider than the
    part: `!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x256>`.
  }];
  let arguments = (ins TTG_MemDescType:$src, I32Attr:$N);
  let results = (outs TTG_MemDescType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "int32_t":$first, "int64_t":$columns)>];
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSrc(); }
    ::mlir::Value getViewDest() { return getResult(); }
  }];
}

class TTNG_MMAv5Op<string mnemonic> : TTNG_TensorMemoryOp<mnemonic, [AttrSizedOperandSegments, TT_NoTiles, TTNG_MMAv5,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>]>;

def TTNG_TCGen5MMAOp : TTNG_MMAv5Op<"tc_gen5_mma"> {
  let summary = "d = a * b, added to d if `useD` holds";
  let description = "See MMAv5OpInterface.";
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d, I1:$useD, I1:$pred,
                       Variadic<TTG_MemDescType>:$barriers, Variadic<I1>:$barrier_preds, UnitAttr:$is_async,
                       UnitAttr:$two_ctas);
  let assemblyFormat = [{
    $a `,` $b `,` $d `,` $useD `,` $pred `` custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) (`,` qualified(type($barriers))^)?
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpOperand *> getReadOperands() { return {&getAMutable(), &getBMutable()}; }
  }];
}

def TTNG_TCGen5MMAScaledOp : TTNG_MMAv5Op<"tc_gen5_mma_scaled"> {
  let summary = "d = (a * a_scale) * (b * b_scale), added to d if `useD` holds";
  let description = [{
    See MMAv5OpInterface. The operands are microscaled numbers, as those of tt.dot_scaled: 32 adjacent numbers along K
    share a scale of type e8m0 (i8), or 16 adjacent numbers of type e2m1 share a scale of type e4m3. Two numbers of type
    e2m1, adjacent along K, share a byte, the first in the lower bits. The scales are in tensor memory; those of `b`
    have a row for each column of `b`.
  }];
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d, TTG_MemDescType:$a_scale,
                       TTG_MemDescType:$b_scale, TT_ScaleDotElemType:$a_type, TT_ScaleDotElemType:$b_type, I1:$useD,
                       I1:$pred, Variadic<TTG_MemDescType>:$barriers, Variadic<I1>:$barrier_preds, UnitAttr:$is_async,
                       UnitAttr:$two_ctas);
  let assemblyFormat = [{
    $a `,` $b `,` $d `,` $a_scale `,` $b_scale `,` $useD `,` $pred `lhs` `=` $a_type `rhs` `=` $b_type ``
    custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `,`
    qualified(type($d)) `,` qualified(type($a_scale)) `,` qualified(type($b_scale))
    (`,` qualified(type($barriers))^)?
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpOperand *> getReadOperands() {
      return {&getAMutable(), &getBMutable(), &getAScaleMutable(), &getBScaleMutable()};
    }
  }];
}

def TTNG_TMEMCopyOp : TTNG_TensorMemoryOp<"tmem_copy", [TT_NoTiles, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedEffects"]>]> {
  let summary = "copies scales from shared to tensor memory";
  let description = [{
    The thread that starts dots executes the operation. Dots that the thread starts later see the copy; dots that it has
    started before do not. A barrier on which later dots arrive also signals that the copy is complete; `barrier`, if
    given, signals only the copy.
  }];
  let arguments = (ins TTG_MemDescType:$src, TTG_MemDescType:$dst, Optional<TTG_MemDescType>:$barrier);
  let assemblyFormat = [{
    $src `,` $dst (`,` $barrier^)? attr-dict `:` qualified(type($src)) `,` qualified(type($dst))
    (`,` qualified(type($barrier))^)?
  }];
}

def TTNG_TCGen5CommitOp : TTNG_TensorMemoryOp<"tc_gen5_commit", [TT_NoTiles,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TTG_SharedEffects]> {
  let summary = "makes the dots that the thread has started arrive on `barrier` when they are complete";
  let description = "The thread that starts the dots executes it, if `pred` holds (or is absent).";
  let arguments = (ins TTG_MemDescType:$barrier, Optional<I1>:$pred);
  let assemblyFormat = "$barrier (`,` $pred^)? attr-dict `:` qualified(type($barrier))";
}

def TTNG_ReserveTensorMemoryOp : TTNG_TensorMemoryOp<"reserve_tensor_memory", [TT_AnyLayout, TT_NoGlobalAccess,
    MemoryEffects<[MemWrite<TTG_SharedMemory>, MemAlloc<TTNG_TensorMemory>]>, DeclareOpInterfaceMethods<TT_UsesScratch,
    ["getScratchBytes"]>]> {
  let summary = "reserves columns of tensor memory for the thread block, and returns the address of the first";
  let description = [{
    Waits while other thread blocks of the multiprocessor hold the columns. All threads of the program execute it.
  }];
  let arguments = (ins I32Attr:$columns);
  let results = (outs I32:$base);
  let assemblyFormat = "attr-dict `:` type($base)";
}

def TTNG_ReleaseTensorMemoryOp : TTNG_TensorMemoryOp<"release_tensor_memory", [TT_NoTiles, TT_NoGlobalAccess,
    MemoryEffects<[MemFree<TTNG_TensorMemory>, MemWrite<TTG_SharedMemory>]>]> {
  let summary = "returns the columns that begin at `base`; all threads of the program execute it";
  let arguments = (ins I32:$base, I32Attr:$columns);
  let assemblyFormat = "$base attr-dict `:` type($base)";
}

#endif // TILECC_TTNG_TENSOR_MEMORY
