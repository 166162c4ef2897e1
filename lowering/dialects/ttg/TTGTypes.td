//===- TTGTypes.td - tiles in shared memory --------------------------------------------------------*- tablegen -*-===//

#ifndef TILECC_TTG_TYPES
#define TILECC_TTG_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "lowering/dialects/ttg/TTGDialect.td"

def TTG_MemDescType : TypeDef<TTG_Dialect, "MemDesc", [DeclareTypeInterfaceMethods<ShapedTypeInterface>]> {
  let mnemonic = "memdesc";
  let summary = "one or several tiles in shared memory, or part of one";
  let description = [{
    `!ttg.memdesc<3x64x64xbf16, #shared, #smem, mutable>` represents three tiles of 64x64, each with the layout
    `#shared` (the rank of the encoding is the rank of one tile). Memory that is not `mutable` is written once, when it
    is allocated. The type of a subview ends with the shape of the whole tile: `!ttg.memdesc<64x16xbf16, #shared, #smem,
    mutable, 64x64>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "::mlir::Attribute":$encoding,
                        "::mlir::Attribute":$memorySpace, "bool":$mutableMemory,
                        ArrayRefParameter<"int64_t">:$allocShape);
  let builders = [TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                      "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace,
                      CArg<"bool", "false">:$mutableMemory, CArg<"::llvm::ArrayRef<int64_t>", "{}">:$allocShape), [{
    return $_get(elementType.getContext(), shape, elementType, encoding, memorySpace, mutableMemory,
                 allocShape.empty() ? shape : allocShape);
  }]>];
  let extraClassDeclaration = [{
    /// Return the shape of one tile, and the shape of the whole tile of which it may be a part. The leading axes of
    /// `getShape()` only count tiles.
    ::llvm::ArrayRef<int64_t> getTileShape() const;
    ::llvm::ArrayRef<int64_t> getAllocTileShape() const;
    /// Returns the number of tiles.
    int64_t getNumTiles() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTG_AsyncTokenType : TypeDef<TTG_Dialect, "AsyncToken"> {
  let mnemonic = "async.token";
  let summary = "pending copies that can be waited for";
  let builderCall = "$_builder.getType<::tilecc::ttg::AsyncTokenType>()";
}

#endif // TILECC_TTG_TYPES
