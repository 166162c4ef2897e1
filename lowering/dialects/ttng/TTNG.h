//===- TTNG.h - the dialect of Hopper's and Blackwell's units -------------------------------------------*- C++ -*-===//
//
// See TTNGOps.td and TTNGTensorMemory.td.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TTNG_H
#define TILECC_LOWERING_DIALECTS_TTNG_H

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/layouts/TensorMemoryAccess.h"

#include "lowering/dialects/ttng/TTNGDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/ttng/TTNGAttributes.h.inc"

namespace tilecc::ttng {
/// The resource for effects on tensor memory.
struct TensorMemory : mlir::SideEffects::Resource::Base<TensorMemory> {
  llvm::StringRef getName() final { return "<TensorMemory>"; }
};
} // namespace tilecc::ttng

#include "lowering/dialects/ttng/TTNGOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "lowering/dialects/ttng/TTNGOps.h.inc"

namespace tilecc::ttng {

/// On a tt.descriptor_reduce (rootAttr): the number of the argument through which it accesses memory, because its map
/// does not tell. On a kernel (tensorMapsAttr): the tensor maps that a launch creates, one for each of the last
/// arguments. Their fields have the meaning of cuTensorMapEncodeTiled: `bytes` is the size of an element; `swizzle`;
/// `sizes` and `box` are in elements; `strides`, from the second axis on, are in bytes. The tensor begins at kernel
/// argument number `base`, or at address 0 if that is -1. The first stride is multiplied by kernel argument number
/// `parameter`, unless that is -1. The first two sizes are the arguments with the numbers `limits`, unless these are
/// -1. A map with `image_dimensions` is created by cuTensorMapEncodeIm2col, for images with that many axes between the
/// channels and the image number. Its `box` consists of channels and pixels, and `code` computes its other fields
/// (tilecc/abi.h).
inline constexpr llvm::StringLiteral rootAttr = "ttng.root";
inline constexpr llvm::StringLiteral tensorMapsAttr = "ttng.tensor_maps";
/// On a kernel whose programs can run on any number of blocks along x: the number of axes of the grid, starting with x,
/// along which it numbers its programs. The same number of arguments at the end are the numbers of programs along these
/// axes.
inline constexpr llvm::StringLiteral persistentAttr = "ttng.persistent";
/// On a kernel of which a launch may run only some consecutive programs: the number of axes along which it numbers its
/// programs, with the same arguments as above. One more argument, the last one, is the number of the first of these
/// programs. If the kernel is persistent as well, the launch begins with the first program of the grid, and the last
/// argument is the number of programs that it runs.
inline constexpr llvm::StringLiteral numberedAttr = "ttng.numbered";
/// On such a kernel: launches may run its blocks in pairs (clusters of two that are adjacent along x), and the blocks
/// of a pair load tiles that both need together. The numbers of blocks and of programs are then even.
inline constexpr llvm::StringLiteral blockPairsAttr = "ttng.block_pairs";
/// On the loop of a persistent kernel in which blocks that are adjacent along x run programs with adjacent numbers: the
/// induction variable is the program's number.
inline constexpr llvm::StringLiteral programLoopAttr = "ttng.program_loop";
/// Returns the value of an integer attribute of a kernel, or 0 if the kernel does not have it.
inline uint32_t getNumber(mlir::Operation *kernel, llvm::StringRef name) {
  auto number = kernel->getAttrOfType<mlir::IntegerAttr>(name);
  return number ? static_cast<uint32_t>(number.getInt()) : 0;
}

/// On a numbered kernel whose programs may each run on several clusters of blocks (ttng.sum_over_clusters): the number
/// of bytes that each cluster needs in global memory. Two more arguments follow the first program's number: the number
/// of clusters per program, and a pointer to that memory. The memory is preceded by a counter (i32) for each program,
/// which is 0 before and after the launch.
inline constexpr llvm::StringLiteral clusterBytesAttr = "ttng.cluster_bytes";

/// Returns the number of arguments that follow the tensor maps: the numbers of programs, and the arguments that
/// clusters need.
inline uint32_t countProgramNumbers(mlir::Operation *kernel) {
  uint32_t numbered = getNumber(kernel, numberedAttr);
  return (numbered ? numbered + 1 : getNumber(kernel, persistentAttr)) + (kernel->hasAttr(clusterBytesAttr) ? 2 : 0);
}

/// On a load through such a map that begins at address 0: blocks may begin outside the tensor, past its last row or
/// column.
inline constexpr llvm::StringLiteral mayBeginOutsideAttr = "ttng.may_begin_outside";

/// unevenAttr is on a loop of which the programs of a block execute different iterations. othersIterationsAttr is on
/// the two loops before and after it, in which a program skips the iterations that only other programs execute.
inline constexpr llvm::StringLiteral unevenAttr = "ttng.uneven";
inline constexpr llvm::StringLiteral othersIterationsAttr = "ttng.others_iterations";

/// On a module: the maximum number of thread blocks with which a launch may run a program. They split the iterations of
/// a loop (triton-nvidia-gpu-split-iterations).
inline constexpr llvm::StringLiteral maxBlocksAttr = "ttng.max-blocks";

/// On a module whose program has partitions and several thread blocks: the offset in shared memory of the barriers on
/// which the program's threads in one block synchronize with those in the other blocks.
inline constexpr llvm::StringLiteral clusterBarrierAttr = "ttng.cluster_barrier";
inline constexpr int64_t clusterBarrierBytes = 24;

/// On a tmem_alloc: its first column, relative to the first column that the program has reserved. On a module: the
/// number of columns. The names are Triton's.
inline constexpr llvm::StringLiteral columnAttr = "tensor_memory_col_offset";
inline constexpr llvm::StringLiteral numColumnsAttr = "ttg.tensor_memory_size";

/// Returns true if `type` is a tile in tensor memory.
bool isInTensorMemory(ttg::MemDescType type);
/// Returns the number of 32-bit columns that one tile of a memdesc in tensor memory needs.
unsigned getTensorMemoryColumns(ttg::MemDescType type);
/// Returns the map from a row and a column of tensor memory to coordinates in a tile of `shape` that is encoded as
/// `type`. Columns count elements.
LinearLayout getTensorMemoryLayout(ttg::MemDescType type, llvm::ArrayRef<int64_t> shape);
/// Returns the instructions that move `tile` from or to `memory`, or nothing if there are none.
std::optional<TensorMemoryAccess> planTensorMemoryAccess(mlir::RankedTensorType tile, ttg::MemDescType memory);

/// Returns the layout in which threads load and store a matrix of `shape` in tensor memory: each thread has a row, or
/// the part of a row that belongs to its warp.
ttg::BlockedEncodingAttr getRowEncoding(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape, unsigned numWarps);
/// Returns the type in tensor memory of the matrix `tile`, as an accumulator or as a left operand of dots.
ttg::MemDescType getTensorMemoryType(mlir::RankedTensorType tile);
/// Returns the layout in which threads store the scales `tile` of an operand of a scaled dot: each lane has the scales
/// of every 32nd row, because each quarter of tensor memory contains all of them.
mlir::RankedTensorType getScalesType(mlir::RankedTensorType tile, unsigned numWarps);
/// Returns the type in tensor memory of the scales `tile`.
ttg::MemDescType getTensorMemoryScalesType(mlir::RankedTensorType tile);
/// Returns the maximum number of columns of tensor memory that the dots of `region` need at the same time, if those of
/// `block` need `more` columns than now. Consecutive loops use the same columns.
unsigned countTensorMemoryColumns(mlir::Region &region, mlir::Block *block = nullptr, unsigned more = 0);
/// Returns true if `dot` accumulates in tensor memory, once triton-nvidia-gpu-accumulate-in-tensor-memory has run.
bool accumulatesInTensorMemory(WarpGroupDotOp dot);

/// Creates a barrier of all threads of all thread blocks of the program. If it is `relaxed`, earlier writes need not
/// become visible.
void createClusterBarrier(mlir::OpBuilder &builder, mlir::Location loc, bool relaxed = false);

} // namespace tilecc::ttng

#endif // TILECC_LOWERING_DIALECTS_TTNG_H
