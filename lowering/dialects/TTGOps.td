//===- TTGOps.td - layouts of tiles, as Triton prints them --------------------------------------------*- tablegen -*-//
//
// TTGIR is TTIR in which every tile's type carries an encoding: which register of which thread holds which element.
// This dialect has the encodings, the operation that changes one, and the barrier. Names and textual form are those of
// Triton 3.6's `ttg` dialect. What an encoding means is its linear layout (lowering/layouts); no pass looks further.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TTG_OPS
#define TILECC_TTG_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tilecc::ttg";
  let summary = "Placement of tiles in registers and threads";
  let dependentDialects = ["::tilecc::tt::TTDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

//===--- encodings --------------------------------------------------------------------------------------------------===//

def TTG_LayoutEncoding : AttrInterface<"LayoutEncoding"> {
  let cppNamespace = "::tilecc::ttg";
  let description = "An encoding of a tile's type: where the tile's elements live.";
  let methods = [
    InterfaceMethod<"The map from (register, lane, warp) to the coordinates of an element, for a tile of `shape`.",
                    "::tilecc::LinearLayout", "toLinearLayout", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"The rank of the tiles that this can encode.", "unsigned", "getRank">,
    InterfaceMethod<"The lanes of a warp and the warps of a program that this deals elements to.",
                    "std::pair<unsigned, unsigned>", "getThreadsAndWarps">,
  ];
}

class TTG_Encoding<string name, string m>
    : AttrDef<TTG_Dialect, name # "Encoding", [DeclareAttrInterfaceMethods<TTG_LayoutEncoding>,
                                               DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = m;
}

def TTG_BlockedEncodingAttr : TTG_Encoding<"Blocked", "blocked"> {
  let summary = "blocks of neighbouring elements, dealt to threads and then to warps";
  let description = [{
    `#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>`: every
    thread holds 1x4 neighbours, a warp 2x16 of those side by side, the program 4x1 of those. `order` lists the axes
    from the one that varies fastest. The pattern repeats over larger tiles and wraps over smaller ones.
  }];
  let parameters = (ins ArrayRefParameter<"unsigned">:$sizePerThread, ArrayRefParameter<"unsigned">:$threadsPerWarp,
                        ArrayRefParameter<"unsigned">:$warpsPerCTA, ArrayRefParameter<"unsigned">:$order);
  let builders = [
    /// Deals threads and warps along the fastest axis first, as far as `shape` reaches.
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::llvm::ArrayRef<unsigned>":$sizePerThread,
                     "::llvm::ArrayRef<unsigned>":$order, "unsigned":$numWarps, "unsigned":$threadsPerWarp)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTG_SliceEncodingAttr : TTG_Encoding<"Slice", "slice"> {
  let summary = "what is left of another encoding when one axis is removed";
  let description = [{
    A tile so encoded expands along `dim` to a tile encoded `parent` without moving data; a reduction along `dim` of a
    tile encoded `parent` leaves one. Threads that differ along `dim` hold copies.
  }];
  let parameters = (ins "unsigned":$dim, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
  let genVerifyDecl = 1;
}

def TTG_DotOperandEncodingAttr : TTG_Encoding<"DotOperand", "dot_op"> {
  let summary = "an operand of a matrix product whose result is encoded `parent`";
  let description = [{
    A thread holds every element of operand `opIdx` that its part of the product needs: the contracted axis lies in
    registers, whole.
  }];
  let parameters = (ins "unsigned":$opIdx, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
  let genVerifyDecl = 1;
}

//===--- operations -------------------------------------------------------------------------------------------------===//

def TTG_EncodedTensor : Type<And<[CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
    CPred<"::llvm::isa_and_nonnull<::tilecc::ttg::LayoutEncoding>("
          "::llvm::cast<::mlir::RankedTensorType>($_self).getEncoding())">]>,
    "a tile with a layout", "::mlir::RankedTensorType">;

def TTG_ConvertLayoutOp : Op<TTG_Dialect, "convert_layout", [Pure, SameOperandsAndResultElementType,
                                                             SameOperandsAndResultShape]> {
  let summary = "the same tile, placed otherwise";
  let arguments = (ins TTG_EncodedTensor:$src);
  let results = (outs TTG_EncodedTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TTG_LocalBarrierOp : Op<TTG_Dialect, "local_barrier"> {
  let summary = "waits for all threads of the program and orders their accesses to shared memory";
  let assemblyFormat = "attr-dict";
}

#endif // TILECC_TTG_OPS
