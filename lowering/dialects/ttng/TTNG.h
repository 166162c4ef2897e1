//===- TTNG.h - the dialect of what Hopper's and Blackwell's units do ---------------------------------------*- C++ -*-//
//
// See TTNGOps.td and TTNGTensorMemory.td.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TTNG_H
#define TILECC_LOWERING_DIALECTS_TTNG_H

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/layouts/TensorMemoryAccess.h"

#include "lowering/dialects/ttng/TTNGDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/ttng/TTNGAttributes.h.inc"

namespace tilecc::ttng {
/// The resource of effects on tensor memory.
struct TensorMemory : mlir::SideEffects::Resource::Base<TensorMemory> {
  llvm::StringRef getName() final { return "<TensorMemory>"; }
};
} // namespace tilecc::ttng

#define GET_OP_CLASSES
#include "lowering/dialects/ttng/TTNGOps.h.inc"

namespace tilecc::ttng {

/// On a kernel: the tensor maps that a launch makes, each for one of the last arguments. `bytes`: of an element; `swizzle`; `sizes` and
/// `box`, in elements, and `strides`, in bytes, from the second axis on, are cuTensorMapEncodeTiled's, for a tensor that begins at
/// address 0, or at the kernel's argument number `base`, unless that is -1. The first stride counts times the kernel's argument number `parameter`, unless that is -1; the first two sizes are the
/// arguments number `limits`, unless these are -1. A map with `image_dimensions` is one of cuTensorMapEncodeIm2col, of images with so
/// many axes between the channels and the number of the image: its `box` is channels and pixels, and `code` computes what else it
/// has (tilecc/abi.h).
/// Of a tt.descriptor_reduce: the number of the argument that what it changes is reached from. Its map does not say so.
inline constexpr llvm::StringLiteral rootAttr = "ttng.root";
inline constexpr llvm::StringLiteral tensorMapsAttr = "ttng.tensor_maps";
/// Of a kernel whose blocks run several programs along x: its last argument says how many there are.
inline constexpr llvm::StringLiteral persistentAttr = "ttng.persistent";

/// On a load by such a map that begins at address 0: blocks may begin outside of the tensor, behind its last row or column.
inline constexpr llvm::StringLiteral mayBeginOutsideAttr = "ttng.may_begin_outside";

/// On a loop that programs which share a block make different iterations of; and on two others, in front of it and behind, in which a
/// program comes by iterations that only others make.
inline constexpr llvm::StringLiteral unevenAttr = "ttng.uneven";
inline constexpr llvm::StringLiteral othersIterationsAttr = "ttng.others_iterations";

/// On a module whose program has partitions and several thread blocks: where in shared memory the program's threads of one block meet
/// those of the others.
inline constexpr llvm::StringLiteral meetingPlaceAttr = "ttng.meeting_place";
inline constexpr int64_t meetingPlaceBytes = 24;

/// On a tmem_alloc: its first column, relative to the first that the program has reserved. On a module: how many columns that
/// are. The names are Triton's.
inline constexpr llvm::StringLiteral columnAttr = "tensor_memory_col_offset";
inline constexpr llvm::StringLiteral numColumnsAttr = "ttg.tensor_memory_size";

/// Whether `type` is of a tile in tensor memory.
bool isInTensorMemory(ttg::MemDescType type);
/// Columns of 32 bits that one tile of a memdesc in tensor memory takes.
unsigned getTensorMemoryColumns(ttg::MemDescType type);
/// The instructions that move `tile` from or to `memory`; nothing if there are none.
std::optional<TensorMemoryAccess> planTensorMemoryAccess(mlir::RankedTensorType tile, ttg::MemDescType memory);

/// The layout in which threads move a matrix of `shape` to tensor memory and from there: each thread has a row, or the part
/// of one that its warp has.
ttg::BlockedEncodingAttr getRowEncoding(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape, unsigned numWarps);
/// Where the matrix that `tile` has lies in tensor memory, as an accumulator or as a left operand of products.
ttg::MemDescType getTensorMemoryType(mlir::RankedTensorType tile);
/// How many columns of tensor memory the products of `region` need at the same time, if those of `block` need `more` than it
/// has now. Loops that follow each other use the same columns.
unsigned countTensorMemoryColumns(mlir::Region &region, mlir::Block *block = nullptr, unsigned more = 0);
/// Whether `dot`'s sums are in tensor memory, once triton-nvidia-gpu-accumulate-in-tensor-memory has put them there.
bool accumulatesInTensorMemory(WarpGroupDotOp dot);

/// All threads of all thread blocks of the program wait for each other; `relaxed`: what they wrote before need not be seen.
void createClusterBarrier(mlir::OpBuilder &builder, mlir::Location loc, bool relaxed = false);

} // namespace tilecc::ttng

#endif // TILECC_LOWERING_DIALECTS_TTNG_H
