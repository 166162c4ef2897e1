//===- GpuFacts.h - facts about a GPU for passes ----------------------------------------------------*- C++ -*-===//
//
// Passes that run for all vendors know nothing about a GPU except these facts. Each back end has a table of them
// (nvidia/Architectures.cpp), in which the module's ttg.target selects a row.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_GPUFACTS_H
#define TILECC_TARGETS_GPUFACTS_H

#include "mlir/IR/Operation.h"
#include <algorithm>
#include <cstdint>

namespace tilecc {

/// A multiprocessor runs thread blocks, each of which runs one program or a part of one. Registers have 32 bits.
class GpuFacts {
public:
  unsigned warpSize = 32;             ///< threads that execute an instruction together
  unsigned registers = 65536;         ///< per multiprocessor
  unsigned maxThreadRegisters = 255; ///< the registers that one thread can address
  unsigned maxRaisedRegisters = 240; ///< the maximum for a thread that takes over registers of other warps
  unsigned registerUnit = 8;          ///< registers are allocated to threads in multiples of this
  unsigned threads = 2048;            ///< the threads that run on a multiprocessor at the same time
  unsigned maxWarps = 32;            ///< per thread block
  unsigned maxPartitions = 0; ///< of a kernel whose warps are specialized (ttg.warp_specialize)
  unsigned bytesInFlight =
      65536; ///< the bytes that a multiprocessor needs in flight to keep memory busy: bandwidth times latency
  bool hasAsyncCopies = true;       ///< threads copy from global to shared memory without passing through registers
  bool hasCudaCalls = true; ///< code can call CUDA's functions: libdevice, vprintf and __assertfail
  bool hasBuffers = false;  ///< global memory can be accessed at a common base plus offsets that have bounds
  bool hasMatrixLoads = true;       ///< warps load matrices from shared memory, by rows and by columns
  bool sharedBarriersOrderAll = true; ///< a barrier for shared memory also orders accesses to global memory

  /// Returns the registers of a thread if `threads` threads share a multiprocessor.
  unsigned getThreadRegisters(unsigned threads) const {
    return std::min(registers / std::max(threads, 1u) / registerUnit * registerUnit, maxThreadRegisters);
  }

  /// Returns true if a thread block can have `bytesOfSharedMemory` bytes.
  virtual bool fits(int64_t bytesOfSharedMemory) const = 0;
  /// Returns the maximum amount of shared memory of a thread block, for messages.
  virtual unsigned getMostSharedBytes() const = 0;
  /// Returns true if several thread blocks can run one program together.
  virtual bool hasClusters() const = 0;
  /// Returns true if the GPU copies blocks of tensors, described by tensor maps, in hardware.
  virtual bool hasTensorCopies() const { return false; }
  /// Returns true if a warp can store matrices to shared memory by one instruction.
  virtual bool hasMatrixStores() const { return false; }
  /// Returns the number of adjacent elements of type `element` to which one atomic instruction, without a result, can
  /// add.
  virtual unsigned getMostAdded(mlir::Type element) const = 0;

protected:
  ~GpuFacts() = default;
};

/// Returns the facts about the GPU that the module around `op` names by ttg.target, or null if it names none.
const GpuFacts *findGpuFacts(mlir::Operation *op);

/// Returns the same facts, or those of a typical GPU if the module names none. It is for passes that need only an
/// estimate.
const GpuFacts &getGpuFacts(mlir::Operation *op);

} // namespace tilecc

#endif // TILECC_TARGETS_GPUFACTS_H
