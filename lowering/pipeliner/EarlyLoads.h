//===- EarlyLoads.h - loads that start iterations before their use --------------------------------------*- C++ -*-===//
//
// The passes of software pipelining use these functions to classify loads, and to choose where their results are kept.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PIPELINER_EARLYLOADS_H
#define TILECC_LOWERING_PIPELINER_EARLYLOADS_H

#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::pipeline {

/// Returns true if `op` loads from global memory, either by threads (tt.load) or by the tensor memory accelerator
/// (tt.descriptor_load).
inline bool isLoad(mlir::Operation *op) { return mlir::isa<tt::LoadOp, tt::DescriptorLoadOp>(op); }

/// The mechanism that writes a loaded tile to its slot in shared memory.
enum class Copier {
  Threads, ///< asynchronous copies by threads, committed and awaited in groups
  TensorUnit, ///< a copy by the tensor memory accelerator, which signals a barrier in memory
  Registers, ///< a load to registers; one iteration before the use, the registers are stored to the slot
};

/// A load of a pipelined loop, and the place where its result is kept until its use.
struct EarlyLoad {
  mlir::Operation *load;
  int64_t ahead; ///< the number of iterations between the start of the load and its use
  Copier copier; ///< used if the result is kept in shared memory
  mlir::Value tiles = {}; ///< the buffer of all slots in shared memory; null if the result is kept in registers
  ttg::MemDescType tile = {}; ///< the type of one slot; null if the result is kept in registers
  unsigned contiguity = 1; ///< the number of elements that one copy may transfer
  bool isOperand = false; ///< dots read the tile directly from shared memory
  bool isReadBack = false; ///< its iteration loads the tile from shared memory to registers, in the layout of the load

  bool isTensorCopy() const { return copier == Copier::TensorUnit; }
  bool passesRegisters() const { return copier == Copier::Registers; }
  /// Returns the number of iterations that the result is kept in registers, before it is stored to its slot or used.
  int64_t getAheadInRegisters() const { return !tile ? ahead : passesRegisters() ? ahead - 1 : 0; }
  mlir::Value getResult() const { return load->getResult(0); }
};

/// Returns the mechanism with which the target copies a tile of `load` to shared memory.
Copier getCopier(mlir::Operation *load);
/// Returns true if one access is wide enough for the copier (4 bytes for an asynchronous copy), or if the load has
/// fewer than two axes, so that its result can be carried in registers.
bool isWide(mlir::Operation *load, const AxisInfoAnalysis &axisInfo);
/// Returns true if the load must not move across `op` or an operation nested in it: a barrier, an atomic access that
/// other programs may wait for, or a store that may alias. (Tensor copies are not ordered after stores.)
bool orders(mlir::Operation *op, mlir::Operation *load);
/// Returns true if no operation of the loop prevents the load from being issued in an earlier iteration.
bool mayRunAhead(mlir::scf::ForOp loop, mlir::Operation *load);
/// Returns true if a store of the kernel may write the memory that `load` reads.
bool mayBeWritten(tt::LoadOp load);
/// Returns true if `op` has no effects except on shared memory, and so does not order accesses to global memory.
bool touchesSharedMemoryAlone(mlir::Operation *op);

/// Returns true if `op` itself only reads global memory, without ordering other accesses, so that it may be executed
/// more than once. The operations in its regions are not considered.
bool onlyReadsGlobalMemory(mlir::Operation *op);
/// If the only effect of `op` is an unordered write to global memory, returns the pointer argument from which its
/// address is computed, or a null value if that argument is not known. Returns nothing for other operations.
std::optional<mlir::Value> getChangedRoot(mlir::Operation *op);
/// Returns the allocation type of a loaded tile if its only use is an allocation for warp-group dots; null otherwise.
ttg::MemDescType getAllocatedType(mlir::scf::ForOp loop, mlir::Operation *load);

/// Decides whether the tile of the load is copied to shared memory, and in which encoding. If the tile is an operand of
/// a matrix unit, the unit determines the encoding. In loops with dots, other users load the tile from shared memory in
/// the layout of the load, because tiles in registers would compete with the accumulators. If tiles pass through
/// registers anyway, only operands of matrix units are stored to shared memory.
void chooseMemory(mlir::scf::ForOp loop, EarlyLoad &early, const AxisInfoAnalysis &axisInfo);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_EARLYLOADS_H
