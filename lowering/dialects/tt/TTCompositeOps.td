//===- TTCompositeOps.td - operations that are rewritten to simpler ones ---------------------------*- tablegen -*-===//
//
// Some operations of Triton's front end are defined in terms of simpler ones. Passes rewrite them before any other pass
// processes the kernel: block pointers (triton-rewrite-tensor-pointer), scaled dots (triton-decompose-scaled-dot), and
// the operations that Triton 3.9 adds to those of 3.6 (triton-rewrite-newer-operations). Of these, later passes see
// only the scaled dots that the target's matrix unit computes.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TT_COMPOSITE_OPS
#define TILECC_TT_COMPOSITE_OPS

include "lowering/dialects/tt/TTDescriptorOps.td"

//===--- block pointers -------------------------------------------------------------------------------------------===//

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [Pure, TT_NoTiles, SameVariadicOperandSize,
    TypesMatchWith<"base points to an element of the block", "result", "base", "::tilecc::tt::getBaseType($_self)">]> {
  let summary = "a pointer to a block of a tensor, a block pointer";
  let description = [{
    `shape` and `strides` are the sizes and strides of the tensor, in elements; `offsets` is the first element of the
    block. `order` lists the axes, starting with the one that varies fastest. It is only a hint, because the strides
    imply it.
  }];
  let arguments = (ins TT_PointerType:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
                   DenseI32ArrayAttr:$order);
  let results = (outs TT_PointerType:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TT_AdvanceOp : TT_Op<"advance", [Pure, TT_NoTiles, TypesMatchWith<"result type matches ptr type", "result", "ptr",
                                                                      "$_self">]> {
  let summary = "a block pointer moved by a number of elements along each axis";
  let arguments = (ins TT_PointerType:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_PointerType:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===--- scaled dots ----------------------------------------------------------------------------------------------===//

def TT_ScaleDotElemType : TT_Enum<"ScaleDotElemType", [
  I32EnumAttrCase<"E4M3", 0, "e4m3">, I32EnumAttrCase<"E5M2", 1, "e5m2">, I32EnumAttrCase<"E2M3", 2, "e2m3">,
  I32EnumAttrCase<"E3M2", 3, "e3m2">, I32EnumAttrCase<"E2M1", 4, "e2m1">, I32EnumAttrCase<"BF16", 5, "bf16">,
  I32EnumAttrCase<"FP16", 6, "fp16">]>;

def TT_DotScaledOp : TT_Op<"dot_scaled", [Pure, TT_AnyLayout, TT_NoScratch, AttrSizedOperandSegments,
    TypesMatchWith<"result's type matches accumulator's type", "d", "c", "$_self">]> {
  let summary = "a matrix product of microscaled numbers added to an accumulator";
  let description = [{
    `a` is MxK and `b` is KxN. 32 adjacent numbers along K share a scale, which is a power of two (e8m0: 2^(n - 127);
    255 is NaN): `a_scale` is M x K/32 and `b_scale` is N x K/32. Numbers of type e2m1 may instead share a scale of type
    e4m3 for 16 adjacent numbers (nvfp4). Two numbers of type e2m1 share a byte, the lower bits first. They are adjacent
    along K, or along the other axis if `lhs_k_pack` or `rhs_k_pack` is false. With `fastMath`, the result for a NaN
    scale is unspecified.
  }];
  let arguments = (ins RankedTensorOf<[TT_Float, I8]>:$a, RankedTensorOf<[TT_Float, I8]>:$b,
    RankedTensorOf<[TT_Float]>:$c, Optional<RankedTensorOf<[TT_Float, I8]>>:$a_scale,
    Optional<RankedTensorOf<[TT_Float, I8]>>:$b_scale, TT_ScaleDotElemType:$a_elem_type,
    TT_ScaleDotElemType:$b_elem_type, BoolAttr:$fastMath, DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
    DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs RankedTensorOf<[TT_Float]>:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
  let extraClassDeclaration = [{
    /// Returns the number of adjacent numbers along K that share a scale.
    static int64_t getNumbersPerScale(::mlir::ShapedType scales) {
      return scales.getElementType().isInteger(8) ? 32 : 16;
    }
    /// Returns the number of values of `type` that an element of an operand holds.
    static int64_t getNumbersPerElement(ScaleDotElemType type) { return type == ScaleDotElemType::E2M1 ? 2 : 1; }
  }];
  let hasVerifier = 1;
}

//===--- Triton 3.9 -----------------------------------------------------------------------------------------------===//

def TT_CachePolicyAttr : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "how an access uses caches, given by one attribute where Triton 3.6 has two";
  let parameters = (ins EnumParameter<TT_CacheModifier>:$cache_modifier,
                        EnumParameter<TT_EvictionPolicy>:$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TT_ApproxDivFOp : TT_Op<"approx_divf", [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "a fast approximate quotient; Triton 3.6 uses arith.divf for this";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($result)";
}

class TT_NewerAtomicOp<string mnemonic, list<Trait> traits = []> : TT_Op<mnemonic, [TT_AnyLayout, TT_NoScratch,
    TT_NoGlobalAccess, MemoryEffects<[MemRead, MemWrite]>] # traits>;

def TT_AtomicLoadOp : TT_NewerAtomicOp<"atomic_load"> {
  let summary = "atomically reads elements where `mask` is true";
  let arguments = (ins TT_MemSemantic:$sem, TT_MemSyncScope:$scope, TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)";
}

def TT_AtomicStoreOp : TT_NewerAtomicOp<"atomic_store", [TT_FollowsPtr<"mask", "getMaskType", 2>,
    TypesMatchWith<"value type matches ptr type", "ptr", "value", "::tilecc::tt::getPointeeType($_self)">]> {
  let summary = "atomically writes elements where `mask` is true";
  let arguments = (ins TT_MemSemantic:$sem, TT_MemSyncScope:$scope, TT_PtrLike:$ptr, TT_Type:$value,
                       Optional<TT_BoolLike>:$mask);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)";
}

def TT_AtomicPollOp : TT_NewerAtomicOp<"atomic_poll"> {
  let summary = "waits until each element has been equal to `expected`; false for elements that reached the timeout";
  let arguments = (ins TT_MemSemantic:$sem, TT_MemSyncScope:$scope, TT_PtrLike:$ptr, TT_Type:$expected,
                       Optional<I64>:$timeout);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict
    `:` type($ptr) `,` type($expected) `->` type($result)
  }];
}

#endif // TILECC_TT_COMPOSITE_OPS
