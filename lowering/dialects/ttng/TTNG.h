//===- TTNG.h - the dialect of Hopper's and Blackwell's units -------------------------------------------*- C++ -*-===//
//
// The operations are described in TTNGOps.td and TTNGTensorMemory.td. This header also declares the attributes of
// kernels and operations that need these units, and queries on tensor memory.
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

/// On a tt.descriptor_reduce: the number of the kernel argument through which the operation accesses memory. Alias
/// queries need it, because the tensor map does not say which argument its address comes from.
inline constexpr llvm::StringLiteral rootAttr = "ttng.root";
/// On a kernel: the tensor maps that a launch creates and passes as the last arguments. The fields of a map are those
/// of cuTensorMapEncodeTiled: `bytes` is the size of an element, `sizes` and `box` count elements, and `strides` count
/// bytes, from the second axis on. The tensor begins at the address in kernel argument number `base`, or at address 0
/// if `base` is -1. The first stride is multiplied by kernel argument number `parameter`, unless that is -1. The first
/// two sizes are the values of the arguments with the numbers `limits`, unless these are -1. If `image_dimensions` is
/// not 0, the launch creates the map by cuTensorMapEncodeIm2col, for images that have this number of axes between the
/// channels and the image number. The `box` of such a map consists of channels and pixels, and `code` computes the
/// other fields (tilecc/abi.h).
inline constexpr llvm::StringLiteral tensorMapsAttr = "ttng.tensor_maps";
/// On a persistent kernel, which can run its programs on any number of blocks along x: the number of axes of the grid,
/// starting with x, along which the kernel numbers its programs. Its last arguments are the numbers of programs along
/// these axes.
inline constexpr llvm::StringLiteral persistentAttr = "ttng.persistent";
/// On a kernel of which a launch may run only some consecutive programs: the number of axes, as for persistentAttr. The
/// numbers of programs are followed by one more argument, the number of the first program that the launch runs. If the
/// kernel is persistent as well, a launch always begins with the first program of the grid, and this argument is the
/// number of programs that it runs.
inline constexpr llvm::StringLiteral numberedAttr = "ttng.numbered";
/// On a persistent kernel: launches may run its blocks in pairs (clusters of two blocks that are adjacent along x). The
/// blocks of a pair load tiles that both need together. The numbers of blocks and of programs are then even.
inline constexpr llvm::StringLiteral blockPairsAttr = "ttng.block_pairs";
/// On the loop of a persistent kernel over its programs, if blocks that are adjacent along x run programs with adjacent
/// numbers at the same time. The induction variable is the number of the program.
inline constexpr llvm::StringLiteral programLoopAttr = "ttng.program_loop";
/// Returns the value of an integer attribute of a kernel, or 0 if the kernel does not have it.
inline uint32_t getNumber(mlir::Operation *kernel, llvm::StringRef name) {
  auto number = kernel->getAttrOfType<mlir::IntegerAttr>(name);
  return number ? static_cast<uint32_t>(number.getInt()) : 0;
}

/// On a numbered kernel whose programs may each run on several clusters of blocks (ttng.sum_over_clusters): the number
/// of bytes of global memory that each cluster needs. Two more arguments follow the number of the first program: the
/// number of clusters per program, and a pointer to that memory. In front of the memory, there is a counter (i32) for
/// each program, which is 0 before and after the launch.
inline constexpr llvm::StringLiteral clusterBytesAttr = "ttng.cluster_bytes";

/// Returns the number of arguments that follow the tensor maps: the numbers of programs, the number of the first
/// program, and the arguments for clusters.
inline uint32_t countProgramNumbers(mlir::Operation *kernel) {
  uint32_t numbered = getNumber(kernel, numberedAttr);
  return (numbered ? numbered + 1 : getNumber(kernel, persistentAttr)) + (kernel->hasAttr(clusterBytesAttr) ? 2 : 0);
}

/// On a load through a tensor map whose tensor begins at address 0: the loaded block may begin past the last row or
/// column of the tensor.
inline constexpr llvm::StringLiteral mayBeginOutsideAttr = "ttng.may_begin_outside";

/// For a block that runs several programs with different bounds. unevenAttr is on the loop whose iterations differ
/// between the programs. othersIterationsAttr is on the loops before and after it, in which a program skips the
/// iterations that only other programs execute.
inline constexpr llvm::StringLiteral unevenAttr = "ttng.uneven";
inline constexpr llvm::StringLiteral othersIterationsAttr = "ttng.others_iterations";

/// On a module: the maximum number of thread blocks with which a launch may run one program. These blocks share the
/// iterations of a loop (triton-nvidia-gpu-split-iterations).
inline constexpr llvm::StringLiteral maxBlocksAttr = "ttng.max-blocks";

/// On a module, if its program has partitions and runs on several thread blocks: the offset in shared memory of the
/// barriers on which the program's threads in one block synchronize with its threads in the other blocks.
inline constexpr llvm::StringLiteral clusterBarrierAttr = "ttng.cluster_barrier";
inline constexpr int64_t clusterBarrierBytes = 24;

/// On a tmem_alloc: the first column of the allocation, relative to the first column that the program has reserved. On
/// a module: the number of columns that the program needs. The names are Triton's.
inline constexpr llvm::StringLiteral columnAttr = "tensor_memory_col_offset";
inline constexpr llvm::StringLiteral numColumnsAttr = "ttg.tensor_memory_size";

/// Returns true if `type` is a tile in tensor memory.
bool isInTensorMemory(ttg::MemDescType type);
/// Returns the number of 32-bit columns that one tile of a memdesc in tensor memory needs.
unsigned getTensorMemoryColumns(ttg::MemDescType type);
/// Returns the map from a row and a column of tensor memory to coordinates in one tile of `type`, or, if `type` is a
/// part of a tile, in the whole tile. Columns count elements.
LinearLayout getTensorMemoryLayout(ttg::MemDescType type);
/// Returns the address of an element of a tile in tensor memory, relative to the first element: the row in the upper
/// half, and the 32-bit column in the lower half.
uint32_t getTensorMemoryAddress(ttg::MemDescType type, unsigned row, unsigned column);
/// Returns the instructions that move `tile` from or to `memory`, or nothing if no instructions can.
std::optional<TensorMemoryAccess> planTensorMemoryAccess(mlir::RankedTensorType tile, ttg::MemDescType memory);

/// Returns the layout in which threads load and store a matrix of `shape` in tensor memory: each thread has a row, or
/// the part of a row that belongs to its warp.
ttg::BlockedEncodingAttr getRowEncoding(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape, unsigned numWarps);
/// Returns the type in tensor memory of the matrix `tile`, as an accumulator or as a left operand of dots.
ttg::MemDescType getTensorMemoryType(mlir::RankedTensorType tile);
/// Returns the type, including the layout, in which threads store the scales `tile` of an operand of a scaled dot. Each
/// lane has the scales of every 32nd row, because each quarter of tensor memory holds a copy of all scales.
mlir::RankedTensorType getScalesType(mlir::RankedTensorType tile, unsigned numWarps);
/// Returns the type in tensor memory of the scales `tile`.
ttg::MemDescType getTensorMemoryScalesType(mlir::RankedTensorType tile);
/// Returns the maximum number of columns of tensor memory that the dots of `region` need at the same time, assuming
/// that the dots of `block` need `more` columns than they do now. Loops that follow one another use the same columns.
unsigned countTensorMemoryColumns(mlir::Region &region, mlir::Block *block = nullptr, unsigned more = 0);
/// Returns true if triton-nvidia-gpu-accumulate-in-tensor-memory makes `dot` accumulate in tensor memory.
bool accumulatesInTensorMemory(WarpGroupDotOp dot);

/// Creates a barrier of all threads of all thread blocks of the program. After a `relaxed` barrier, earlier writes need
/// not be visible.
void createClusterBarrier(mlir::OpBuilder &builder, mlir::Location loc, bool relaxed = false);

} // namespace tilecc::ttng

#endif // TILECC_LOWERING_DIALECTS_TTNG_H
