//===- TTOps.td - the tile dialect, as Triton prints it ------------------------------------------------*- tablegen -*-//
//
// The first IR of a kernel: programs of a grid that compute on whole tiles. Names, operands, attributes and textual form
// are those of Triton 3.6's `tt` dialect, so that IR travels in both directions. What the language does not reach yet is
// not declared: an unknown operation is a parse error with a location, which is better than one that nothing lowers.
//
// A tile is a ranked tensor of integers, floats or pointers whose dimensions are powers of two. In TTIR it has no
// encoding; from TTGIR on, its encoding says which thread and register hold which element (see the ttg dialect).
//
//===----------------------------------------------------------------------------------------------------------------===//

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

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tilecc::tt";
  let summary = "Operations of one program on tiles";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect", "::mlir::LLVM::LLVMDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

//===--- types ------------------------------------------------------------------------------------------------------===//

def TT_PointerType : TypeDef<TT_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "a pointer to elements in global memory";
  let description = [{
    `!tt.ptr<f32>` points to elements of type f32 in address space 1, the default and the only one a kernel sees.
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

//===--- attributes -------------------------------------------------------------------------------------------------===//

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

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, traits>;

//===--- functions --------------------------------------------------------------------------------------------------===//

def TT_FuncOp : TT_Op<"func", [AffineScope, AutomaticAllocationScope, FunctionOpInterface,
                               IsolatedFromAbove]> {
  let summary = "a kernel, or a function it calls";
  let description = [{
    A public function is a kernel: one launch runs its body once for every program of the grid. Arguments are scalars,
    pointers and structs; `tt.divisibility = 16` on one promises that its value is a multiple of 16, and not negative.
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

//===--- the program in its grid ------------------------------------------------------------------------------------===//

class TT_GridOp<string mnemonic> : TT_Op<mnemonic, [Pure]> {
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

//===--- creation and shape -----------------------------------------------------------------------------------------===//

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "the tile start, start + 1, ..., end - 1";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class TT_ShapeOp<string mnemonic> : TT_Op<mnemonic, [Pure, SameOperandsAndResultElementType]> {
  let results = (outs TT_Tensor:$result);
  let hasFolder = 1;
}

def TT_SplatOp : TT_ShapeOp<"splat"> {
  let summary = "a tile whose elements are all one scalar";
  let arguments = (ins TT_Scalar:$src);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure]> {
  let summary = "the element of a tile that has one";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TT_ExpandDimsOp : TT_ShapeOp<"expand_dims"> {
  let summary = "inserts a dimension of size one";
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_BroadcastOp : TT_ShapeOp<"broadcast"> {
  let summary = "repeats a tile along its dimensions of size one";
  let arguments = (ins TT_Tensor:$src);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TT_ReshapeOp : TT_ShapeOp<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===--- pointers and casts -----------------------------------------------------------------------------------------===//

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

//===--- memory -----------------------------------------------------------------------------------------------------===//

/// `other`, where it is given, has the type that `function` makes of the type of `ptr`.
class TT_FollowsPtr<string other, string function, int position>
    : TypesMatchWith<other # " type matches ptr type", "ptr", other, "::tilecc::tt::" # function # "($_self)",
                     "($_op.getOperands().size() <= " # position # ") || std::equal_to<>()">;

def TT_LoadOp : TT_Op<"load", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"result type matches ptr type", "ptr", "result", "::tilecc::tt::getPointeeType($_self)">,
    TT_FollowsPtr<"mask", "getMaskType", 1>, TT_FollowsPtr<"other", "getPointeeType", 2>]> {
  let summary = "reads the elements that a tile of pointers points to, or one element";
  let description = [{
    Where `mask` is false nothing is read and the element is `other`, or unspecified without one.
  }];
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Type>:$other,
    DefaultValuedAttr<TT_CacheModifier, "::tilecc::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilecc::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict `:` type($ptr)
  }];
  let hasCanonicalizeMethod = 1;
}

def TT_StoreOp : TT_Op<"store", [
    TypesMatchWith<"value type matches ptr type", "ptr", "value", "::tilecc::tt::getPointeeType($_self)">,
    TT_FollowsPtr<"mask", "getMaskType", 2>]> {
  let summary = "writes elements through a tile of pointers, or one element; where `mask` is false, nothing";
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite]>:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<TT_CacheModifier, "::tilecc::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilecc::tt::EvictionPolicy::NORMAL">:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict `:` type($ptr)
  }];
  let hasCanonicalizeMethod = 1;
}

//===--- arithmetic beyond arith and math ---------------------------------------------------------------------------===//

def TT_DotOp : TT_Op<"dot", [Pure, TypesMatchWith<"result's type matches accumulator's type", "d", "c", "$_self">]> {
  let summary = "a matrix product added to an accumulator: d = a * b + c";
  let description = [{
    Shapes MxK * KxN + MxN, or with one leading batch dimension. `inputPrecision` says what may become of float
    operands on matrix units; `maxNumImpreciseAcc` bounds the products summed at reduced precision for 8-bit floats.
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

def TT_ReduceOp : TT_Op<"reduce", [Pure, SameOperandsShape, SingleBlock]> {
  let summary = "combines the elements along one axis, in any order";
  let description = [{
    The region combines two sets of elements (one of each operand) into one; it must be associative and commutative. The
    results have the operands' shape less the axis; of one-dimensional operands they are scalars.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int":$axis)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::RankedTensorType> getInputTypes();
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
    /// The operation that combines two elements when the region is just that one; null otherwise.
    ::mlir::Operation *getSingleCombiner();
  }];
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [HasParent<"ReduceOp">, Pure, ReturnLike, Terminator]> {
  let summary = "the combined elements";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ClampFOp : TT_Op<"clampf", [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "x limited to [min, max]";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}

#endif // TILECC_TT_OPS
