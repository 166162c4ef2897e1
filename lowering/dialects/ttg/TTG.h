//===- TTG.h - the dialect of tile layouts --------------------------------------------------------------*- C++ -*-===//
//
// The encodings, types and operations are described in the .td files of this directory; start with TTGDialect.td. This
// header also declares the attributes that passes put on modules and operations, and the conversion of encodings to
// linear layouts.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TTG_H
#define TILECC_LOWERING_DIALECTS_TTG_H

#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/SharedEffects.h"
#include "lowering/layouts/LinearLayout.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tilecc {
struct AmdMatrixTile; // lowering/layouts/Encodings.h
}

#include "lowering/dialects/ttg/TTGDialect.h.inc"
#include "lowering/dialects/ttg/TTGInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/ttg/TTGAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lowering/dialects/ttg/TTGTypes.h.inc"

namespace tilecc::ttg {
/// The resource for effects on shared memory.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "<SharedMemory>"; }
};
} // namespace tilecc::ttg

#include "lowering/dialects/ttg/TTGOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "lowering/dialects/ttg/TTGOps.h.inc"

namespace tilecc::ttg {

/// Module attributes: the number of warps and of thread blocks of a program, the number of threads of a warp, the
/// target ("cuda:90"), and, after allocation, the bytes of shared memory that a launch must provide.
inline constexpr llvm::StringLiteral numWarpsAttr = "ttg.num-warps";
inline constexpr llvm::StringLiteral numCTAsAttr = "ttg.num-ctas";
/// On an access to global memory: several thread blocks of the program read the same elements, or one block writes
/// elements on behalf of several.
inline constexpr llvm::StringLiteral isSharedByBlocksAttr = "ttg.shared_by_blocks";
/// Module attributes, if several programs share a thread block: their number, and the grid axis along which these
/// programs are adjacent. Each program has its own thread numbers, barriers and shared memory; only partitions, and the
/// memory that partitions write, belong to the whole block.
inline constexpr llvm::StringLiteral programsAttr = "ttg.programs-per-block";
inline constexpr llvm::StringLiteral programsAxisAttr = "ttg.programs-axis";
/// If several programs share a thread block. On a module, after allocation: the bytes of shared memory of each program.
/// On an operation: its memory is among these bytes, so each program has its own copy.
inline constexpr llvm::StringLiteral programBytesAttr = "ttg.program-bytes";
inline constexpr llvm::StringLiteral ofProgramAttr = "ttg.of_program";
inline constexpr llvm::StringLiteral threadsPerWarpAttr = "ttg.threads-per-warp";
inline constexpr llvm::StringLiteral targetAttr = "ttg.target";
inline constexpr llvm::StringLiteral sharedAttr = "ttg.shared";
/// On a module: the bytes of static shared memory of the device functions that its kernel calls (tt.call_threads). This
/// memory precedes all other shared memory.
inline constexpr llvm::StringLiteral staticSharedAttr = "ttg.static-shared";
inline constexpr llvm::StringLiteral globalScratchSizeAttr = "ttg.global_scratch_memory_size";
inline constexpr llvm::StringLiteral globalScratchAlignmentAttr = "ttg.global_scratch_memory_alignment";
/// If a kernel has partitions: the number of all warps with which it is launched.
inline constexpr llvm::StringLiteral totalNumWarpsAttr = "ttg.total-num-warps";
/// On a partition function, which also has the number of its warps: the number of its first warp, the number of the
/// partition, and the registers that each of its threads needs.
inline constexpr llvm::StringLiteral firstWarpAttr = "ttg.first-warp";
inline constexpr llvm::StringLiteral partitionAttr = "ttg.partition";
inline constexpr llvm::StringLiteral requestedRegistersAttr = "ttg.requested-registers";
/// The layout of the shared memory through which a program starts its partitions: a number that tells the worker warps
/// what to run, and then the arguments (lowering/gpu/Partitions.cpp).
inline constexpr int64_t handOverArgumentsAt = 16, handOverArgumentBytes = 8;
/// On an operation: the offset of its scratch space in shared memory.
inline constexpr llvm::StringLiteral allocationOffsetAttr = "allocation.offset";

/// Returns an integer attribute of the module that contains `op`, or `otherwise` if there is none.
int64_t getModuleInteger(mlir::Operation *op, llvm::StringRef name, int64_t otherwise);
/// Returns the number of warps that execute `op`: those of the partition that contains `op`, or else of the module.
unsigned getNumWarps(mlir::Operation *op);
inline unsigned getProgramsPerBlock(mlir::Operation *op) { return getModuleInteger(op, programsAttr, 1); }
inline unsigned getThreadsPerWarp(mlir::Operation *op) { return getModuleInteger(op, threadsPerWarpAttr, 32); }

/// Returns the map from locations (register, lane, warp) to the elements of an encoded tile. Registers that only repeat
/// another register of the same thread are omitted, so all input bits of Dim::Register select different elements.
LinearLayout toLinearLayout(mlir::RankedTensorType type);
/// Returns the number of registers that a thread needs for an encoded tile.
unsigned getElementsPerThread(mlir::RankedTensorType type);

/// Returns the layout in which each thread of the program that contains `op` holds adjacent elements of a tile of rank
/// 1, as calls of device functions expect.
mlir::Attribute getItemsEncoding(mlir::Operation *op, mlir::RankedTensorType tile);

/// Returns the map from an offset in shared memory, in elements and without padding, to coordinates of the whole tile
/// of which `type` is a part.
LinearLayout toLinearLayout(MemDescType type);
/// Returns the position, in elements, of the element at `offset`, with padding included.
int64_t getPaddedOffset(MemDescType type, int64_t offset);
/// Returns the bytes of the elements of one tile, which is the number of bytes that a copy of it signals.
int64_t getTileBytes(MemDescType type);
/// Returns the bytes that one tile occupies, which is the distance between consecutive tiles if `type` has several.
int64_t getTileStrideInBytes(MemDescType type);

/// Reports an error if the shape or element type of a register tile differs from that of `memory`; `op` moves data
/// between them.
mlir::LogicalResult verifySameTile(mlir::Operation *op, mlir::RankedTensorType tile, MemDescType memory);
/// Reports an error if `memory` is not a valid result of `op`, an allocation that is initialized with `tile` (may be
/// null).
mlir::LogicalResult verifyAllocation(mlir::Operation *op, mlir::Value tile, MemDescType memory);

/// Returns true if some tile in `root` has a layout, which means that this is TTGIR.
bool hasLayouts(mlir::Operation *root);
/// Returns true if the layouts distribute whole tiles over the blocks of a program, or false if tiles are a block's
/// parts.
bool hasBlocks(mlir::Operation *root);
/// Verifies for every operation in `root` that tiles have layouts for the module's number of threads and warps and for
/// `blocks` blocks, and that the layouts of operands and results fit together. Reports the first violation.
mlir::LogicalResult verifyLayouts(mlir::Operation *root, unsigned blocks = 1);

} // namespace tilecc::ttg

#endif // TILECC_LOWERING_DIALECTS_TTG_H
