//===- TTG.h - the dialect of tile layouts ------------------------------------------------------------------*- C++ -*-//
//
// See TTGDialect.td. Beside the dialect: the module attributes that TTGIR fixes, and what encodings are as linear layouts.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TTG_H
#define TILECC_LOWERING_DIALECTS_TTG_H

#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/SharedEffects.h"
#include "lowering/layouts/LinearLayout.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "lowering/dialects/ttg/TTGDialect.h.inc"
#include "lowering/dialects/ttg/TTGInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/ttg/TTGAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lowering/dialects/ttg/TTGTypes.h.inc"

namespace tilecc::ttg {
/// The resource of effects on shared memory.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "<SharedMemory>"; }
};
} // namespace tilecc::ttg

#include "lowering/dialects/ttg/TTGOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "lowering/dialects/ttg/TTGOps.h.inc"

namespace tilecc::ttg {

/// Module attributes: the shape of a program, the target ("cuda:90"), and, once it is allocated, the bytes of shared
/// memory that a launch must provide.
inline constexpr llvm::StringLiteral numWarpsAttr = "ttg.num-warps";
inline constexpr llvm::StringLiteral numCTAsAttr = "ttg.num-ctas";
/// On an access to global memory: several thread blocks of the program read the same elements, or one writes for several.
inline constexpr llvm::StringLiteral isSharedByBlocksAttr = "ttg.shared_by_blocks";
/// Where several programs share a block, side by side along an axis of the grid: how many, and which axis. All they do is each program's
/// own, its threads' numbers, barriers and shared memory, but the partitions and the memory that these are started with.
inline constexpr llvm::StringLiteral programsAttr = "ttg.programs-per-block";
inline constexpr llvm::StringLiteral programsAxisAttr = "ttg.programs-axis";
/// There, once shared memory is allocated: how many bytes each program has; on an operation, that its memory is among them.
inline constexpr llvm::StringLiteral programBytesAttr = "ttg.program-bytes";
inline constexpr llvm::StringLiteral ofProgramAttr = "ttg.of_program";
inline constexpr llvm::StringLiteral threadsPerWarpAttr = "ttg.threads-per-warp";
inline constexpr llvm::StringLiteral targetAttr = "ttg.target";
inline constexpr llvm::StringLiteral sharedAttr = "ttg.shared";
inline constexpr llvm::StringLiteral globalScratchSizeAttr = "ttg.global_scratch_memory_size";
inline constexpr llvm::StringLiteral globalScratchAlignmentAttr = "ttg.global_scratch_memory_alignment";
/// Where a kernel has partitions: all warps that it is launched with.
inline constexpr llvm::StringLiteral totalNumWarpsAttr = "ttg.total-num-warps";
/// On a function that is a partition of a kernel, beside how many warps run it: the first of them, the partition's number,
/// and how many registers a thread needs.
inline constexpr llvm::StringLiteral firstWarpAttr = "ttg.first-warp";
inline constexpr llvm::StringLiteral partitionAttr = "ttg.partition";
inline constexpr llvm::StringLiteral requestedRegistersAttr = "ttg.requested-registers";
/// Where, in the memory by which a program starts its partitions, their arguments are, behind the number of the start.
inline constexpr int64_t handOverArgumentsAt = 16, handOverArgumentBytes = 8;
/// On an operation: where its scratch space begins in shared memory.
inline constexpr llvm::StringLiteral allocationOffsetAttr = "allocation.offset";

/// An integer attribute of the module that holds `op`; `otherwise` where there is none.
int64_t getModuleInteger(mlir::Operation *op, llvm::StringRef name, int64_t otherwise);
/// The warps that run `op`: the module's, or those of the partition that it is in.
unsigned getNumWarps(mlir::Operation *op);
inline unsigned getProgramsPerBlock(mlir::Operation *op) { return getModuleInteger(op, programsAttr, 1); }
inline unsigned getThreadsPerWarp(mlir::Operation *op) { return getModuleInteger(op, threadsPerWarpAttr, 32); }

/// Where the elements of an encoded tile live. Registers that would only repeat another one of the same thread are
/// left out: input bits of Dim::Register all select different elements.
LinearLayout toLinearLayout(mlir::RankedTensorType type);
/// Registers of a thread that an encoded tile takes.
unsigned getElementsPerThread(mlir::RankedTensorType type);

/// Where the elements of a tile in shared memory lie: an offset, in elements and without padding, to coordinates of the
/// whole tile that `type` is a part of.
LinearLayout toLinearLayout(MemDescType type);
/// The position, in elements, of what would be at `offset` without padding.
int64_t getPaddedOffset(MemDescType type, int64_t offset);
/// Bytes from one whole tile to the next where `type` is several; all that one takes.
int64_t getTileStrideInBytes(MemDescType type);

/// Reports that a tile in registers and `memory`, between which `op` moves it, differ in shape or element type.
mlir::LogicalResult verifySameTile(mlir::Operation *op, mlir::RankedTensorType tile, MemDescType memory);
/// Reports what is wrong with `memory` as the place that `op` allocates, with `tile` (may be null) in it.
mlir::LogicalResult verifyAllocation(mlir::Operation *op, mlir::Value tile, MemDescType memory);

/// Whether a tile below `root` has a layout: whether this is TTGIR.
bool hasLayouts(mlir::Operation *root);
/// Whether that layout is of what the blocks of a program have between them, and not of a block's part.
bool hasBlocks(mlir::Operation *root);
/// Checks every operation below `root`: tiles have layouts, made for the module's number of threads and warps and for
/// that many blocks, and the layouts of operands and results fit together. Reports the first that does not.
mlir::LogicalResult verifyLayouts(mlir::Operation *root, unsigned blocks = 1);

} // namespace tilecc::ttg

#endif // TILECC_LOWERING_DIALECTS_TTG_H
