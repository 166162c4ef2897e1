//===- TTGAttributes.td - encodings of tiles -------------------------------------------------------*- tablegen -*-===//

#ifndef TILECC_TTG_ATTRIBUTES
#define TILECC_TTG_ATTRIBUTES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"
include "lowering/dialects/ttg/TTGDialect.td"

//===--- distributed encodings ------------------------------------------------------------------------------------===//

def TTG_LayoutEncoding : AttrInterface<"LayoutEncoding"> {
  let cppNamespace = "::tilecc::ttg";
  let description = "An encoding of a tile's type, which defines the locations of the tile's elements.";
  let methods = [
    InterfaceMethod<"Returns the map from (register, lane, warp), and block if there are several, to the "
                    "coordinates of an element of a tile of `shape`.",
                    "::tilecc::LinearLayout", "toLinearLayout", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"Returns the rank of the tiles that this can encode.", "unsigned", "getRank">,
    InterfaceMethod<"Returns the numbers of lanes of a warp and of warps of a block over which this distributes "
                    "elements.",
                    "std::pair<unsigned, unsigned>", "getThreadsAndWarps">,
    InterfaceMethod<"Returns the encoding of a block's part, if each block of a program has a part of the tile.",
                    "::mlir::Attribute", "getPartEncoding">,
  ];
}

def TTG_MatrixUnitEncoding : AttrInterface<"MatrixUnitEncoding"> {
  let cppNamespace = "::tilecc::ttg";
  let description = [{
    The encoding of a matrix unit's result. It also defines how the unit reads operands from registers: this is the
    layout of a `#ttg.dot_op` with this encoding as its parent. Passes for all targets use this interface; only the code
    that computes the dot depends on a specific encoding.
  }];
  let methods = [
    InterfaceMethod<"Returns the layout of operand `opIdx`, a tile of `shape`, with `kWidth` neighbouring elements "
                    "along the contracted axis at a time.", "::tilecc::LinearLayout", "getOperandLayout",
                    (ins "::llvm::ArrayRef<int64_t>":$shape, "unsigned":$opIdx, "unsigned":$kWidth)>,
    InterfaceMethod<"Returns the number of elements along the contracted axis that one instruction reads, for "
                    "operands with that `kWidth`.",
                    "unsigned", "getOperandDepth", (ins "unsigned":$kWidth)>,
    InterfaceMethod<"Reports an error unless the unit can read operand `opIdx` from registers in that width.",
                    "::mlir::LogicalResult",
                    "verifyOperand", (ins "unsigned":$opIdx, "unsigned":$kWidth,
                                          "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
  ];
}

class TTG_Encoding<string name, string m, list<Trait> traits = []>
    : AttrDef<TTG_Dialect, name # "Encoding", !listconcat([DeclareAttrInterfaceMethods<TTG_LayoutEncoding>,
                                                           DeclareAttrInterfaceMethods<VerifiableTensorEncoding>],
                                                          traits)> {
  let mnemonic = m;
}

def TTG_BlockedEncodingAttr : TTG_Encoding<"Blocked", "blocked"> {
  let summary = "blocks of adjacent elements, distributed over threads and then warps";
  let description = [{
    In `#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>`, every
    thread holds 1x4 adjacent elements, a warp covers 2x16 such groups side by side, and a block covers 4x1 groups of a
    warp. `order` lists the axes, starting with the one that varies fastest. The pattern repeats over larger tiles and
    wraps over smaller ones. An additional `CGALayout = [[0, 1], [1, 0]]` distributes the tile over four blocks, which
    have a quarter each: for each bit of a block's rank, lowest first, it lists the number that the bit adds to the part
    number along each axis. A bit that adds only zeros selects copies.
  }];
  let parameters = (ins ArrayRefParameter<"unsigned">:$sizePerThread, ArrayRefParameter<"unsigned">:$threadsPerWarp,
                        ArrayRefParameter<"unsigned">:$warpsPerCTA, ArrayRefParameter<"unsigned">:$order,
                        "::tilecc::LinearLayout":$blocks);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<unsigned>":$sizePerThread, "::llvm::ArrayRef<unsigned>":$threadsPerWarp,
                     "::llvm::ArrayRef<unsigned>":$warpsPerCTA, "::llvm::ArrayRef<unsigned>":$order), [{
      return $_get($_ctxt, sizePerThread, threadsPerWarp, warpsPerCTA, order, ::tilecc::LinearLayout());
    }]>,
    /// Distributes threads and warps along the fastest axis first, as far as `shape` reaches.
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::llvm::ArrayRef<unsigned>":$sizePerThread,
                     "::llvm::ArrayRef<unsigned>":$order, "unsigned":$numWarps, "unsigned":$threadsPerWarp)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTG_SliceEncodingAttr : TTG_Encoding<"Slice", "slice"> {
  let summary = "another encoding with one axis removed";
  let description = [{
    A tile with this encoding expands along `dim` to a tile encoded as `parent` without moving data. Conversely, a
    reduction along `dim` of a tile encoded as `parent` yields a tile with this encoding. Threads that differ along
    `dim` hold copies.
  }];
  let parameters = (ins "unsigned":$dim, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
  let genVerifyDecl = 1;
}

def TTG_DotOperandEncodingAttr : TTG_Encoding<"DotOperand", "dot_op"> {
  let summary = "an operand of a dot whose result is encoded as `parent`";
  let description = [{
    If the parent is a blocked encoding, a thread holds every element of operand `opIdx` that its part of the result
    needs, so the whole contracted axis is in registers. If the parent is the encoding of a matrix unit, lanes hold the
    elements that the unit reads from them, `kWidth` adjacent elements along the contracted axis at a time: as many as
    fit in a 32-bit register, or more if the operand is converted to a wider type afterwards.
  }];
  let parameters = (ins "unsigned":$opIdx, "::mlir::Attribute":$parent, DefaultValuedParameter<"unsigned", "0">:$kWidth);
  let builders = [AttrBuilder<(ins "unsigned":$opIdx, "::mlir::Attribute":$parent), [{
    return $_get($_ctxt, opIdx, parent, 0);
  }]>];
  let extraClassDeclaration = [{
    /// Returns the matrix unit that takes this operand, or null if the dot is computed by multiply and add.
    MatrixUnitEncoding getMatrixUnit() const;
    /// Returns the axis of the operand that the dot contracts.
    unsigned getContractedAxis() const { return getOpIdx() == 0 ? getRank() - 1 : getRank() - 2; }
  }];
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
  let genVerifyDecl = 1;
}

def TTG_NvidiaMmaEncodingAttr : TTG_Encoding<"NvidiaMma", "nvidia_mma", [
    DeclareAttrInterfaceMethods<TTG_MatrixUnitEncoding>]> {
  let summary = "the result of a dot on matrix units";
  let description = [{
    `#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 4], instrShape = [16, 8]}>` is the layout of
    the result of mma.sync (sm_80 and later), with `warpsPerCTA` instructions side by side and the pattern repeated over
    registers. `versionMajor = 3` with `instrShape = [16, 256, 16]` is the layout of the result of wgmma (sm_90): a warp
    has 16 rows of the instruction's 256 columns, and four consecutive warps along the rows form the warp group that
    executes the instruction.
  }];
  let parameters = (ins "unsigned":$versionMajor, "unsigned":$versionMinor,
                        ArrayRefParameter<"unsigned">:$warpsPerCTA, ArrayRefParameter<"unsigned">:$instrShape,
                        "::tilecc::LinearLayout":$blocks);
  let builders = [
    AttrBuilder<(ins "unsigned":$versionMajor, "unsigned":$versionMinor, "::llvm::ArrayRef<unsigned>":$warpsPerCTA,
                     "::llvm::ArrayRef<unsigned>":$instrShape), [{
      return $_get($_ctxt, versionMajor, versionMinor, warpsPerCTA, instrShape, ::tilecc::LinearLayout());
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns true for results of wgmma, whose operands are in shared memory (the left one may be in registers).
    bool isWarpGroup() const { return getVersionMajor() == 3; }
  }];
}

def TTG_AmdMfmaEncodingAttr : TTG_Encoding<"AmdMfma", "amd_mfma", [DeclareAttrInterfaceMethods<TTG_MatrixUnitEncoding>]> {
  let summary = "the result of a dot by MFMA, the matrix instructions of CDNA";
  let description = [{
    `#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>` is the layout of
    the result of v_mfma_f32_32x32x8, with `warpsPerCTA` instructions side by side and the pattern repeated over
    registers. `version` is the version of the architecture: 2 is CDNA 2 (gfx90a). With `isTransposed`, the instruction
    computes the transposed product, so a lane has adjacent elements of a row. `elementBitWidth = 64` selects the layout
    of v_mfma_f64.
  }];
  let parameters = (ins "unsigned":$version, ArrayRefParameter<"unsigned">:$warpsPerCTA,
                        ArrayRefParameter<"unsigned">:$instrShape, "bool":$isTransposed, "unsigned":$elementBitWidth);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::tilecc::AmdMatrixTile getTile() const;
  }];
}

def TTG_AmdWmmaEncodingAttr : TTG_Encoding<"AmdWmma", "amd_wmma", [DeclareAttrInterfaceMethods<TTG_MatrixUnitEncoding>]> {
  let summary = "the result of a dot by WMMA, the matrix instructions of RDNA";
  let description = [{
    `#ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2]}>` is the layout of the result of
    v_wmma_f32_16x16x16, with `warpsPerCTA` instructions side by side and the pattern repeated over registers. Version 1
    is RDNA 3 (gfx1100), in which each row of an operand is held whole by two lanes; version 2 is RDNA 4 (gfx1201). With
    `isTranspose`, the instruction computes the transposed product.
  }];
  let parameters = (ins "unsigned":$version, "bool":$isTranspose, ArrayRefParameter<"unsigned">:$warpsPerCTA);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::tilecc::AmdMatrixTile getTile() const;
  }];
}

def TTG_LinearEncodingAttr : TTG_Encoding<"Linear", "linear"> {
  let summary = "any distribution, given as its linear layout";
  let description = [{
    `#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>` lists,
    for each bit of the register, lane, warp and block number, the coordinates that the bit contributes. The pattern
    repeats over larger tiles.
  }];
  let parameters = (ins "::tilecc::LinearLayout":$linearLayout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===--- shared encodings -----------------------------------------------------------------------------------------===//

def TTG_MemoryEncoding : AttrInterface<"MemoryEncoding"> {
  let cppNamespace = "::tilecc::ttg";
  let description = "An encoding of a tile in some memory of the program, used in `!ttg.memdesc`.";
  let methods = [
    InterfaceMethod<"Returns the rank of the tiles that this can encode.", "unsigned", "getRank">,
    InterfaceMethod<"Reports an error unless this can encode tiles of `shape`.", "::mlir::LogicalResult", "verifyShape",
                    (ins "::llvm::ArrayRef<int64_t>":$shape,
                         "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
    InterfaceMethod<"Returns true if this is an encoding for `memorySpace`.", "bool", "isOfMemorySpace",
                    (ins "::mlir::Attribute":$memorySpace)>,
  ];
}

def TTG_SharedEncoding : AttrInterface<"SharedEncoding"> {
  let cppNamespace = "::tilecc::ttg";
  let description = "An encoding of a tile in shared memory, which defines the offset of each element.";
  let methods = [
    InterfaceMethod<"Returns the map from an offset, in elements and without padding, and block if there are "
                    "several, to the coordinates of an element of a tile of `shape`.",
                    "::tilecc::LinearLayout", "toLinearLayout", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"Returns the padding after runs of elements: each pair is a length, a power of two, and the "
                    "number of elements inserted after each run of that length.",
                    "::llvm::SmallVector<std::pair<unsigned, unsigned>>",
                    "getPaddedRuns", (ins), "", "return {};">,
    InterfaceMethod<"Returns the alignment in bytes that a tile needs.", "unsigned", "getTileAlignment", (ins), "",
                    "return 16;">,
    InterfaceMethod<"Returns the encoding with which a tile with permuted axes has the same memory contents: axis "
                    "`i` of the new tile is axis `order[i]` of this one; null if there is none.",
                    "::mlir::Attribute", "permute", (ins "::llvm::ArrayRef<int32_t>":$order)>,
    InterfaceMethod<"Returns the encoding of a block's part, if each block of a program has a part of the tile.",
                    "::mlir::Attribute", "getPartEncoding">,
  ];
}

class TTG_SharedMemoryEncoding<string name, string m, list<string> overridden = []>
    : AttrDef<TTG_Dialect, name # "Encoding", [DeclareAttrInterfaceMethods<TTG_MemoryEncoding>,
                                               DeclareAttrInterfaceMethods<TTG_SharedEncoding, overridden>]> {
  let mnemonic = m;
}

def TTG_SwizzledSharedEncodingAttr : TTG_SharedMemoryEncoding<"SwizzledShared", "swizzled_shared"> {
  let summary = "rows whose runs of elements are permuted, so that columns fall into different banks";
  let description = [{
    In `#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>`, runs of `vec` elements are
    permuted within a row: the number of a run is XORed with the number of the row (divided by `perPhase`, modulo
    `maxPhase`). If all three parameters are 1, there is no swizzle.
  }];
  let parameters = (ins "unsigned":$vec, "unsigned":$perPhase, "unsigned":$maxPhase,
                        ArrayRefParameter<"unsigned">:$order, "::tilecc::LinearLayout":$blocks);
  let builders = [
    AttrBuilder<(ins "unsigned":$vec, "unsigned":$perPhase, "unsigned":$maxPhase, "::llvm::ArrayRef<unsigned>":$order), [{
      return $_get($_ctxt, vec, perPhase, maxPhase, order, ::tilecc::LinearLayout());
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTG_PaddedSharedEncodingAttr : TTG_SharedMemoryEncoding<"PaddedShared", "padded_shared", ["getPaddedRuns"]> {
  let summary = "a linear layout with padding after every run of some length";
  let description = [{
    `#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>` has rows of 64 elements, each followed by 8 unused
    ones. If the elements are not simply in order, the braces contain their linear layout: `{offset = [[0, 1], [0, 2],
    ...], block = []}`.
  }];
  let parameters = (ins ArrayRefParameter<"unsigned">:$intervals, ArrayRefParameter<"unsigned">:$paddings,
                        "::tilecc::LinearLayout":$linearComponent);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The axes from the fastest, if elements are in order.
    std::optional<::llvm::SmallVector<unsigned>> getPlainOrder() const;
  }];
}

def TTG_SharedLinearEncodingAttr : TTG_SharedMemoryEncoding<"SharedLinear", "shared_linear", ["getTileAlignment"]> {
  let summary = "any placement, given as its linear layout";
  let description = [{
    `#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 2]]}, alignment = 16>` lists, for each bit of the offset,
    the coordinates that the bit contributes.
  }];
  let parameters = (ins "::tilecc::LinearLayout":$linearLayout, "unsigned":$layoutAlignment);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTG_NVMMASharedEncodingAttr : TTG_SharedMemoryEncoding<"NVMMAShared", "nvmma_shared", ["getTileAlignment"]> {
  let summary = "boxes of swizzled rows, as Hopper's matrix and copy units access them";
  let description = [{
    In `#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>`, the tile is divided
    into boxes whose rows are `swizzlingByteWidth` bytes long. Rows run along the last axis (or along the first axis of
    a matrix, if `transposed`). The rows of a box are contiguous, and boxes follow each other. Within a row, runs of 16
    bytes are permuted: the number of a run is XORed with the number of the row (modulo 8 for 128 bytes, half the number
    modulo 4 for 64 bytes, a quarter of it modulo 2 for 32 bytes). Width 0 means rows of 16 bytes without a swizzle. If
    a tile has more than two axes, the swizzle numbers the rows along all axes except the one along which rows run,
    starting with the last. The elements of a tile with one axis are in order.
  }];
  let parameters = (ins "unsigned":$swizzlingByteWidth, "bool":$transposed, "unsigned":$elementBitWidth,
                        DefaultValuedParameter<"unsigned", "2">:$rank, "::tilecc::LinearLayout":$blocks);
  let builders = [
    AttrBuilder<(ins "unsigned":$swizzlingByteWidth, "bool":$transposed, "unsigned":$elementBitWidth,
                     CArg<"unsigned", "2">:$rank), [{
      return $_get($_ctxt, swizzlingByteWidth, transposed, elementBitWidth, rank, ::tilecc::LinearLayout());
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Return the bytes of a row of a box, and the number of its elements.
    unsigned getRowBytes() const { return getSwizzlingByteWidth() ? getSwizzlingByteWidth() : 16; }
    unsigned getRowElements() const { return 8 * getRowBytes() / getElementBitWidth(); }
    /// Returns the axis along which rows run.
    unsigned getContiguousAxis() const { return getTransposed() ? getRank() - 2 : getRank() - 1; }
    /// Returns the encoding of a tile of `rank` axes with the same locations: a tile with fewer axes of size one.
    NVMMASharedEncodingAttr getOfRank(unsigned rank) const;
    /// Returns the encoding with the widest swizzle that fits a tile of `shape`, or null if its rows have fewer than 16
    /// bytes.
    static NVMMASharedEncodingAttr getWidest(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape,
                                             bool transposed, unsigned elementBits);
  }];
}

def TTG_SharedMemorySpaceAttr : AttrDef<TTG_Dialect, "SharedMemorySpace"> {
  let mnemonic = "shared_memory";
  let summary = "the memory that all threads of a program share";
}

#endif // TILECC_TTG_ATTRIBUTES
