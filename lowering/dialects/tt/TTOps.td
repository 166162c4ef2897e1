//===- TTOps.td - the tile dialect, as Triton prints it --------------------------------------------*- tablegen -*-===//
//
// TTIR, the first IR of a kernel, describes the programs of a grid as operations on whole tiles. Names, operands,
// attributes and textual form are those of Triton 3.6's `tt` dialect, so that IR can be exchanged in both directions.
// Operations of Triton that tcc cannot lower are not declared, because a parse error with a location is better than a
// later failure.
//
// A tile is a ranked tensor of integers, floats or pointers whose dimensions are powers of two. In TTIR it has no
// encoding. From TTGIR on, it has an encoding, which defines the thread and register that hold each element (see the
// ttg dialect).
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TT_OPS
#define TILECC_TT_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "lowering/dialects/tt/TTInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tilecc::tt";
  let summary = "Operations of one program on tiles";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect", "::mlir::LLVM::LLVMDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

//===--- types ----------------------------------------------------------------------------------------------------===//

def TT_PointerType : TypeDef<TT_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "a pointer to elements in global memory";
  let description = [{
    `!tt.ptr<f32>` points to elements of type f32 in address space 1, the default and the only one a kernel sees.
    `!tt.ptr<tensor<64x64xf32>>` is a block pointer (tt.make_tensor_ptr).
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType, CArg<"int", "1">:$addressSpace), [{
    return $_get(pointeeType.getContext(), pointeeType, addressSpace);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let genVerifyDecl = 1;
}

def TT_Float : AnyTypeOf<[F16, BF16, F32, F64, F8E4M3FN, F8E5M2], "a floating-point type">;
def TT_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "an integer type">;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_FpIntTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_PtrTensor : RankedTensorOf<[TT_PointerType]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_PointerType]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;
def TT_BoolLike : AnyTypeOf<[I1, RankedTensorOf<[I1]>]>;
def TT_PtrLike : AnyTypeOf<[TT_PointerType, TT_PtrTensor]>;
def TT_Scalar : AnyTypeOf<[TT_Float, TT_Int, TT_PointerType]>;
def TT_Type : AnyTypeOf<[TT_Float, TT_Int, TT_PointerType, TT_Tensor]>;
def TT_FloatLike : AnyTypeOf<[TT_Float, RankedTensorOf<[TT_Float]>]>;

//===--- attributes -----------------------------------------------------------------------------------------------===//

class TT_Enum<string name, list<I32EnumAttrCase> cases> : I32EnumAttr<name, "", cases> {
  let cppNamespace = "::tilecc::tt";
}

def TT_ProgramDim : TT_Enum<"ProgramIDDim", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;
def TT_CacheModifier : TT_Enum<"CacheModifier", [
  I32EnumAttrCase<"NONE", 1, "none">, I32EnumAttrCase<"CA", 2, "ca">, I32EnumAttrCase<"CG", 3, "cg">,
  I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"CS", 5, "cs">, I32EnumAttrCase<"WT", 6, "wt">,
  I32EnumAttrCase<"CV", 7, "cv">]>;
def TT_EvictionPolicy : TT_Enum<"EvictionPolicy", [
  I32EnumAttrCase<"NORMAL", 1, "evict_normal">, I32EnumAttrCase<"EVICT_FIRST", 2, "evict_first">,
  I32EnumAttrCase<"EVICT_LAST", 3, "evict_last">]>;
def TT_InputPrecision : TT_Enum<"InputPrecision", [
  I32EnumAttrCase<"TF32", 0, "tf32">, I32EnumAttrCase<"TF32x3", 1, "tf32x3">, I32EnumAttrCase<"IEEE", 2, "ieee">,
  I32EnumAttrCase<"BF16x3", 3, "bf16x3">, I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;
def TT_PropagateNan : TT_Enum<"PropagateNan", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"ALL", 65535, "all">]>;
def TT_RoundingMode : TT_Enum<"RoundingMode", [I32EnumAttrCase<"RTZ", 0, "rtz">, I32EnumAttrCase<"RTNE", 1, "rtne">]>;
def TT_RMWOp : TT_Enum<"RMWOp", [
  I32EnumAttrCase<"AND", 1, "and">, I32EnumAttrCase<"OR", 2, "or">, I32EnumAttrCase<"XOR", 3, "xor">,
  I32EnumAttrCase<"ADD", 4, "add">, I32EnumAttrCase<"FADD", 5, "fadd">, I32EnumAttrCase<"MAX", 6, "max">,
  I32EnumAttrCase<"MIN", 7, "min">, I32EnumAttrCase<"UMAX", 8, "umax">, I32EnumAttrCase<"UMIN", 9, "umin">,
  I32EnumAttrCase<"XCHG", 10, "exch">]>;
def TT_MemSemantic : TT_Enum<"MemSemantic", [
  I32EnumAttrCase<"RELAXED", 1, "relaxed">, I32EnumAttrCase<"ACQUIRE", 2, "acquire">,
  I32EnumAttrCase<"RELEASE", 3, "release">, I32EnumAttrCase<"ACQUIRE_RELEASE", 4, "acq_rel">]>;
def TT_ThreadCallKind : TT_Enum<"ThreadCallKind", [
  I32EnumAttrCase<"ONCE", 0, "once">, I32EnumAttrCase<"ALL", 1, "all">, I32EnumAttrCase<"ITEMS", 2, "items">,
  I32EnumAttrCase<"SHARED", 3, "shared">]>;
def TT_PaddingOption : TT_Enum<"PaddingOption", [I32EnumAttrCase<"PAD_ZERO", 1, "zero">, I32EnumAttrCase<"PAD_NAN", 2, "nan">]>;
def TT_MemSyncScope : TT_Enum<"MemSyncScope", [
  I32EnumAttrCase<"GPU", 1, "gpu">, I32EnumAttrCase<"CTA", 2, "cta">, I32EnumAttrCase<"SYSTEM", 3, "sys">]>;

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, traits>;

//===--- functions ------------------------------------------------------------------------------------------------===//

def TT_FuncOp : TT_Op<"func", [AffineScope, AutomaticAllocationScope, FunctionOpInterface,
                               IsolatedFromAbove]> {
  let summary = "a kernel, or a function it calls";
  let description = [{
    A public function is a kernel: a launch executes its body once for every program of the grid. Arguments are scalars,
    pointers and structs. `tt.divisibility = 16` on an argument states that its value is a multiple of 16 and not
    negative.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                   OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                   OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                             CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs)>];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    bool isKernel() { return isPublic() && !isExternal(); }
  }];
  let hasCustomAssemblyFormat = 1;
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "ends the program, or a function it calls";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let hasVerifier = 1;
}

def TT_CallOp : TT_Op<"call", [CallOpInterface]> {
  let summary = "calls a function of the module";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
                   OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
  }];
}

//===--- the program in its grid ----------------------------------------------------------------------------------===//

class TT_GridOp<string mnemonic> : TT_Op<mnemonic, [Pure, TT_NoTiles]> {
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "int":$axis), [{
    build($_builder, $_state, $_builder.getI32Type(), static_cast<ProgramIDDim>(axis));
  }]>];
}

def TT_GetProgramIdOp : TT_GridOp<"get_program_id"> {
  let summary = "this program's index along one axis of the grid";
}

def TT_GetNumProgramsOp : TT_GridOp<"get_num_programs"> {
  let summary = "the grid's size along one axis";
}

//===--- creation and shape ---------------------------------------------------------------------------------------===//

def TT_MakeRangeOp : TT_Op<"make_range", [Pure, TT_SameLayout, TT_Takes<"Nothing">]> {
  let summary = "the tile start, start + 1, ..., end - 1";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class TT_ShapeOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultElementType, TT_Takes<"Nothing">], traits)> {
  let results = (outs TT_Tensor:$result);
  let hasFolder = 1;
}

def TT_SplatOp : TT_ShapeOp<"splat", [TT_SameLayout]> {
  let summary = "a tile whose elements are all one scalar";
  let arguments = (ins TT_Scalar:$src);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure, TT_SameLayout, TypesMatchWith<"result type matches element type of src", "src", "result",
                                                          "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "the element of a tile that has one";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_ExpandDimsOp : TT_ShapeOp<"expand_dims", [TT_NoScratch, DeclareOpInterfaceMethods<TT_IndexingMap>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["inferResultEncoding", "inferOperandEncoding"]>]> {
  let summary = "inserts a dimension of size one";
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_BroadcastOp : TT_ShapeOp<"broadcast", [TT_SameLayout, DeclareOpInterfaceMethods<TT_IndexingMap>]> {
  let summary = "repeats a tile along its dimensions of size one";
  let arguments = (ins TT_Tensor:$src);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_ReshapeOp : TT_ShapeOp<"reshape", [DeclareOpInterfaceMethods<TT_LayoutTransform>]> {
  let summary = "the same elements, in row-major order, as a tile of another shape";
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_TransOp : TT_ShapeOp<"trans", [DeclareOpInterfaceMethods<TT_LayoutTransform>,
                                      DeclareOpInterfaceMethods<TT_IndexingMap>]> {
  let summary = "a tile with its dimensions in another order";
  let description = "Dimension i of the result is dimension order[i] of the operand.";
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_JoinOp : TT_ShapeOp<"join", [SameTypeOperands, DeclareOpInterfaceMethods<TT_LayoutTransform>]> {
  let summary = "two tiles side by side in a new last dimension of size two";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs)>];
  let hasVerifier = 1;
}

def TT_SplitOp : TT_Op<"split", [Pure, SameOperandsAndResultElementType, TT_Takes<"Nothing">,
    DeclareOpInterfaceMethods<TT_LayoutTransform>, DeclareOpInterfaceMethods<TT_IndexingMap>, TypesMatchWith<
    "both results have one type", "outLHS", "outRHS", "$_self">]> {
  let summary = "the two tiles that lie side by side in a last dimension of size two";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let builders = [OpBuilder<(ins "::mlir::Value":$src)>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_CatOp : TT_Op<"cat", [Pure, SameOperandsAndResultElementType, SameTypeOperands,
    DeclareOpInterfaceMethods<TT_LayoutTransform>]> {
  let summary = "the elements of two tiles in one tile, in an unspecified order";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_GatherOp : TT_Op<"gather", [Pure, TT_AnyLayout,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["inferResultEncoding", "inferOperandEncoding"]>]> {
  let summary = "elements picked along one axis by a tile of indices";
  let description = [{
    For axis 0, element [i, j] of the result is element [indices[i, j], j] of the source. An index out of bounds yields
    an unspecified element of the source.
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$indices, "int":$axis)>];
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// If every index is its own position along the axis with some bits inverted, returns these bits: elements are
    /// exchanged in pairs.
    std::optional<int64_t> getExchangedBits();
  }];
}

def TT_HistogramOp : TT_Op<"histogram", [Pure, TT_AnyLayout,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["inferOperandEncoding"]>,
    TypesMatchWith<"mask type matches src type", "src", "mask", "::tilecc::tt::getMaskType($_self)",
                   "($_op.getOperands().size() <= 1) || std::equal_to<>()">]> {
  let summary = "counts the elements that equal 0, 1, 2, ... where the mask is true; all other elements are ignored";
  let arguments = (ins TT_IntTensor:$src, Optional<RankedTensorOf<[I1]>>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

//===--- pointers and casts ---------------------------------------------------------------------------------------===//

def TT_AddPtrOp : TT_Op<"addptr", [Pure, Elementwise, TypesMatchWith<"result type matches ptr type", "result", "ptr",
                                                                     "$_self">]> {
  let summary = "a pointer moved by a number of elements";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class TT_CastOp<string mnemonic> : TT_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultShape]> {
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_PtrToIntOp : TT_CastOp<"ptr_to_int"> {
  let summary = "a pointer's address";
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_IntLike:$result);
}

def TT_IntToPtrOp : TT_CastOp<"int_to_ptr"> {
  let summary = "the pointer to an address";
  let arguments = (ins TT_IntLike:$src);
  let results = (outs TT_PtrLike:$result);
}

def TT_BitcastOp : TT_CastOp<"bitcast"> {
  let summary = "the same bits as another type of the same width; also between pointer types";
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Type:$result);
  let hasVerifier = 1;
}

def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure, Elementwise, SameOperandsAndResultShape]> {
  let summary = "converts between floating-point types, one of which has 8 bits";
  let description = [{
    Conversion to an 8-bit type saturates: numbers that are too large, and infinities, become its largest finite number.
    Every NaN becomes the same NaN (0x7f), as with NVIDIA's instructions. Conversions to shorter types need a rounding
    mode; conversions to longer types must not have one.
  }];
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingMode>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

//===--- memory ---------------------------------------------------------------------------------------------------===//

/// `other`, if given, must have the type that `function` computes from the type of `ptr`.
class TT_FollowsPtr<string other, string function, int position>
    : TypesMatchWith<other # " type matches ptr type", "ptr", other, "::tilecc::tt::" # function # "($_self)",
                     "($_op.getOperands().size() <= " # position # ") || std::equal_to<>()">;

def TT_LoadOp : TT_Op<"load", [AttrSizedOperandSegments, TT_NoScratch,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<TT_AccessesGlobal>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["inferOperandEncoding", "isLayoutAnchor"]>,
    TypesMatchWith<"result type matches ptr type", "ptr", "result", "::tilecc::tt::getPointeeType($_self)">,
    TT_FollowsPtr<"mask", "getMaskType", 1>, TT_FollowsPtr<"other", "getPointeeType", 2>]> {
  let summary = "reads the elements that a pointer or a tile of pointers points to";
  let description = [{
    Where `mask` is false, nothing is read, and the result is `other`, or unspecified if there is no `other`. Through a
    block pointer, the operation reads the whole block. Along the axes in `boundaryCheck`, elements outside the tensor
    are not read, and the result is `padding`.
  }];
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Type>:$other,
    DefaultValuedAttr<TT_CacheModifier, "::tilecc::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilecc::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, OptionalAttr<TT_PaddingOption>:$padding,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict `:` type($ptr)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$ptr, "::mlir::Value":$mask, "::mlir::Value":$other,
                             CArg<"CacheModifier", "CacheModifier::NONE">:$cache,
                             CArg<"EvictionPolicy", "EvictionPolicy::NORMAL">:$evict,
                             CArg<"bool", "false">:$isVolatile), [{
    build($_builder, $_state, result, ptr, mask, other, cache, evict, isVolatile, PaddingOptionAttr(),
          ::llvm::ArrayRef<int32_t>());
  }]>];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_StoreOp : TT_Op<"store", [TT_LayoutRules, TT_NoScratch, DeclareOpInterfaceMethods<TT_AccessesGlobal>,
    TypesMatchWith<"value type matches ptr type", "ptr", "value", "::tilecc::tt::getPointeeType($_self)">,
    TT_FollowsPtr<"mask", "getMaskType", 2>]> {
  let summary = "writes elements through a pointer or a tile of pointers, where `mask` is true";
  let description = [{
    Through a block pointer, the operation writes the whole block. Along the axes in `boundaryCheck`, elements outside
    the tensor are not written.
  }];
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite]>:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<TT_CacheModifier, "::tilecc::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilecc::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict `:` type($ptr)
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

//===--- arithmetic beyond arith and math -------------------------------------------------------------------------===//

def TT_DotOp : TT_Op<"dot", [Pure, DeclareOpInterfaceMethods<TT_LayoutRules, ["isLayoutAnchor", "verifyLayouts"]>,
    TypesMatchWith<"result's type matches accumulator's type", "d", "c", "$_self">]> {
  let summary = "a matrix product added to an accumulator: d = a * b + c";
  let description = [{
    The shapes are MxK * KxN + MxN, possibly with one leading batch dimension. `inputPrecision` specifies how matrix
    units may round operands of type f32. For 8-bit floats, `maxNumImpreciseAcc` limits the number of products that are
    accumulated with reduced precision.
  }];
  let arguments = (ins TT_FpIntTensor:$a, TT_FpIntTensor:$b, TT_FpIntTensor:$c,
    DefaultValuedAttr<TT_InputPrecision, "::tilecc::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_FpIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:` type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}

//===--- operations with a region that computes on elements -------------------------------------------------------===//

/// The operation has a region whose arguments and results are scalars. The lowering clones the region into the code of
/// the operation; until then, the region may contain structured control flow.
def TT_ComputesElements : NativeOpTrait<"ComputesElements"> {
  let cppNamespace = "::tilecc::tt";
}

class TT_CombineOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, [Pure, SameOperandsShape, SingleBlock, TT_ComputesElements] # traits> {
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::RankedTensorType> getInputTypes();
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
    /// Returns the operation that combines two elements if it is the region's only one, or null otherwise.
    ::mlir::Operation *getSingleCombiner();
  }];
}

class TT_ElementReturnOp<string mnemonic, string parent>
    : TT_Op<mnemonic, [HasParent<parent>, Pure, ReturnLike, Terminator]> {
  let summary = "the elements that the region computes";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ReduceOp : TT_CombineOp<"reduce", [DeclareOpInterfaceMethods<TT_LayoutRules, ["inferResultEncoding",
                                                                                     "inferOperandEncoding"]>]> {
  let summary = "combines the elements along one axis, in any order";
  let description = [{
    The region combines two sets of elements, each with one element of every operand, into one set. It must be
    associative and commutative. The results have the operands' shape without the axis; for operands of rank 1 they are
    scalars.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int":$axis)>];
}
def TT_ReduceReturnOp : TT_ElementReturnOp<"reduce.return", "ReduceOp">;

def TT_ScanOp : TT_CombineOp<"scan", [DeclareOpInterfaceMethods<TT_LayoutRules, ["inferResultEncoding",
                                                                                 "inferOperandEncoding"]>]> {
  let summary = "combines each element with all elements before it along one axis or, in reverse, with all after it";
  let description = [{
    The region combines two sets of elements, in the direction of the scan. It must be associative. The results have the
    types of the operands.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int":$axis, "bool":$reverse)>];
}
def TT_ScanReturnOp : TT_ElementReturnOp<"scan.return", "ScanOp">;

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [SameOperandsAndResultShape, TT_SameLayout,
                                                    RecursiveMemoryEffects, TT_ComputesElements,
                                                    TT_NoGlobalAccess]> {
  let summary = "a scalar function of one element of each operand, or of `pack` neighbours";
  let description = [{
    The region may branch on the values of elements, which operations on tiles cannot. Its arguments are `pack` elements
    of the first operand, then `pack` elements of the next one, and so on; its results are ordered in the same way. In
    Triton the region may have several blocks. Our passes expect a single block, which tt-lift-control-flow creates.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region MinSizedRegion<1>:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
def TT_MapElementwiseReturnOp : TT_ElementReturnOp<"map_elementwise.return", "MapElementwiseOp">;

//===--- atomic accesses ------------------------------------------------------------------------------------------===//

class TT_AtomicOp<string mnemonic, list<Trait> traits> : TT_Op<mnemonic, [
    DeclareOpInterfaceMethods<TT_LayoutRules, ["inferOperandEncoding"]>, DeclareOpInterfaceMethods<TT_AccessesGlobal>,
    TypesMatchWith<"value type matches ptr type", "ptr", "val", "::tilecc::tt::getPointeeType($_self)">,
    TypesMatchWith<"result type matches ptr type", "ptr", "result", "::tilecc::tt::getPointeeType($_self)">] # traits> {
  let results = (outs TT_Type:$result);
  let hasVerifier = 1;
}

def TT_AtomicRMWOp : TT_AtomicOp<"atomic_rmw", [TT_FollowsPtr<"mask", "getMaskType", 2>]> {
  let summary = "atomically modifies elements and returns their old values";
  let description = [{
    Where `mask` is false, nothing is accessed, and the result is unspecified. The elements of a tile are modified in an
    unspecified order.
  }];
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, Arg<TT_PtrLike, "", [MemRead, MemWrite]>:$ptr, TT_Type:$val,
                   Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_AtomicCASOp : TT_AtomicOp<"atomic_cas", [
    TypesMatchWith<"compared type matches ptr type", "ptr", "cmp", "::tilecc::tt::getPointeeType($_self)">]> {
  let summary = "atomically replaces elements that equal `cmp`, bit for bit, and returns the old values";
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead, MemWrite]>:$ptr, TT_Type:$cmp, TT_Type:$val,
                   TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

//===--- assembly -------------------------------------------------------------------------------------------------===//

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [TT_SameLayout, TT_MayAccessGlobal,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "applies inline assembly to each element, or to `packed_element` neighbours at once";
  let description = [{
    `constraints` are those of LLVM's inline assembly. The results come first, one register each; elements that are
    narrower than a register are packed. Assembly that is not `pure` may access any global memory in any lane, so loads
    and stores are not moved across it.
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                   Variadic<TT_Type>:$args);
  let results = (outs Variadic<TT_Type>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
  let hasVerifier = 1;
}

//===--- calls of code for threads --------------------------------------------------------------------------------===//

def TT_CallThreadsOp : TT_Op<"call_threads", [TT_MayAccessGlobal, MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<TT_LayoutRules, ["inferOperandEncoding", "isLayoutAnchor", "verifyLayouts"]>]> {
  let summary = "calls a function that is compiled as the code of a single thread";
  let description = [{
    The module with the SIMT code of the source file defines `callee`; it is linked as LLVM IR. The function may do
    everything that the code of a thread can do: access any memory, wait for the other threads of the block, and
    allocate static shared memory. Before and after the call, all threads wait for each other. The program must run in
    one block, whose warps all execute the call.

    | `kind` | who calls | a tile is passed as | results |
    |---|---|---|---|
    | `once` | the first thread | (no tiles) | at most one scalar, which all threads receive |
    | `all` | every thread | (no tiles) | at most one scalar, equal in all threads |
    | `items` | every thread | a pointer to the thread's own elements, which are adjacent | the tiles, as the function leaves them |
    | `shared` | every thread | a pointer to the tile in shared memory, row-major | the tiles, as the function leaves them |

    The parameters of the function have the order of `args`: scalars are passed by value, and tiles by pointer.
    `threads` is the number of threads for which the function was written.
  }];
  let arguments = (ins TT_ThreadCallKind:$kind, StrAttr:$callee, OptionalAttr<I32Attr>:$threads,
                   Variadic<TT_Type>:$args);
  let results = (outs Variadic<TT_Type>:$result);
  let assemblyFormat = "$kind $callee `(` $args `)` attr-dict `:` functional-type($args, $result)";
  let hasVerifier = 1;
}

//===--- time -----------------------------------------------------------------------------------------------------===//

/// Nothing reads the profile. Records are therefore ordered only with each other, and not with accesses to memory.
def TT_Profile : Resource<"::tilecc::tt::Profile">;

def TT_RecordOp : TT_Op<"record", [MemoryEffects<[MemWrite<TT_Profile>]>, TT_NoTiles, TT_NoGlobalAccess]> {
  let summary = "records the time at which a scope begins or ends";
  let description = [{
    `tt.record start "name"` and `tt.record end "name"` enclose the operations that a scope measures, like Proton's
    `proton.record`. Scopes may be nested. Without -fprofile-tile, compile() removes the records. Pure operations may
    move into and out of a scope, so it measures the operations that the compiler has left in it.
  }];
  let arguments = (ins UnitAttr:$isStart, StrAttr:$name);
  let assemblyFormat = "(`start` $isStart^) : (`end`)? $name attr-dict";
}

//===--- messages -------------------------------------------------------------------------------------------------===//

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite]>, TT_AnyLayout, TT_NoScratch, TT_NoGlobalAccess]> {
  let summary = "prints the elements of each operand, one per line";
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Type>:$args, DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite]>, TT_AnyLayout, TT_NoScratch, TT_NoGlobalAccess]> {
  let summary = "ends the kernel with a message if an element of `condition` is false";
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

// These operations count as reading and writing all memory, so that no access is moved across them.
class TT_GridDependencyOp<string mnemonic>
    : TT_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>, TT_NoTiles, TT_NoGlobalAccess]> {
  let assemblyFormat = "attr-dict";
}

def TT_GridDependencyWaitOp : TT_GridDependencyOp<"grid_dependency_wait"> {
  let summary = "waits until the previous launch in the stream has ended and its writes are visible";
}

def TT_GridDependencyLaunchOp : TT_GridDependencyOp<"grid_dependency_launch"> {
  let summary = "lets the next launch in the stream begin, once all programs have executed this operation or ended";
}

def TT_ClampFOp : TT_Op<"clampf", [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "x limited to [min, max]";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}

//===--- math beyond arith and math -------------------------------------------------------------------------------===//

class TT_MathOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultType] # traits>;

def TT_PreciseSqrtOp : TT_MathOp<"precise_sqrt", [TT_Takes<"Root">]> {
  let summary = "the square root, rounded correctly";
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_MathOp<"precise_divf", [TT_Takes<"Root">]> {
  let summary = "the quotient, rounded correctly";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_MulhiUIOp : TT_MathOp<"mulhiui"> {
  let summary = "the upper half of the product of two unsigned integers";
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
  let hasFolder = 1;
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [Elementwise, TT_Takes<"Library">, TT_NoGlobalAccess,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "applies a library function to each element";
  let description = [{
    The functions are those of NVIDIA's libdevice, such as `__nv_sinf`. Triton ignores `libname` and `libpath`. For the
    functions that the language offers without a CUDA toolkit, tcc has its own formulas; these functions have the
    library name "tilecc".
  }];
  let arguments = (ins Variadic<TT_Type>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

#endif // TILECC_TT_OPS
