//===- Buffers.h - tiles in memory -------------------------------------------------------------------------*- C++ -*-//
//
// Tracks which tiles are in memory, allocates their scratch memory, and reads and writes their elements. Scratch memory
// is a stack: the allocations of a loop body or branch are freed when it ends (Scope). Within a block, a buffer whose
// value has no more readers is reused by the next value of that size, so a long chain of values, such as a sort, needs
// two buffers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_BUFFERS_H
#define TILECC_TARGETS_CPU_BUFFERS_H

#include "targets/cpu/EmitContext.h"

namespace tilecc::cpu {

/// A tile in memory. It is row-major, except for a part of another tile's buffer, which has strides (in elements).
struct Buffer {
  llvm::Value *ptr = nullptr;
  mlir::RankedTensorType type;
  llvm::SmallVector<int64_t, 4> strides = {};

  llvm::SmallVector<int64_t, 4> getStrides() const;
  int64_t getStride(unsigned dim) const { return getStrides()[dim]; }
};

class Buffers {
public:
  explicit Buffers(EmitContext &ctx) : ctx(ctx), b(ctx.b) {}
  Buffers(const Buffers &) = delete;

  //===--- which tiles are in memory ---===//

  /// Returns the tile's buffer, or a buffer without a pointer if the tile is not in memory.
  Buffer lookup(mlir::Value tile) const { return known.lookup(tile); }
  bool contains(mlir::Value tile) const { return known.contains(tile); }
  /// Returns true if the tile was in memory, but had no more readers, so that its buffer may have been reused.
  bool isFreed(mlir::Value tile) const { return freedAddresses.contains(lookup(tile).ptr); }
  void set(mlir::Value tile, const Buffer &buffer) { known[tile] = buffer; }
  void erase(mlir::Value tile) { known.erase(tile); }

  /// Records that the consumer of a value that has not been emitted yet requests its elements at `target`.
  void chooseDestination(mlir::Value tile, llvm::Value *target) { destinations[tile] = target; }
  /// Returns the destination for the result of an operation: the one that its consumer has requested, or a new buffer.
  Buffer destinationOf(mlir::Value tile);

  //===--- scratch memory ---===//

  /// Allocates a buffer. A tile of a few vectors gets an alloca, which becomes registers if all indices are constants.
  Buffer allocate(mlir::RankedTensorType type);
  llvm::Value *allocateBytes(uint64_t bytes);
  /// Frees the buffers that no operation after `op` reads. `op` has been emitted.
  void freeAfter(mlir::Operation *op);
  /// Returns the bytes of scratch memory that the function needs.
  uint64_t getScratchBytes() const { return size; }

  /// Frees, at the end of its lifetime, the buffers that were allocated during it.
  class Scope;

  //===--- elements ---===//

  llvm::Value *read(const Buffer &buffer, const Chunk &c);
  void write(const Buffer &buffer, const Chunk &c, llvm::Value *value);
  /// Returns the address of the chunk's first element.
  llvm::Value *addressOf(const Buffer &buffer, const Chunk &c);
  /// Loads elements through a tile of addresses, as a vector. Without a mask, all elements are loaded. If the mask is
  /// false, the element is `other`, or zero.
  llvm::Value *loadVector(llvm::Type *storage, const Lane &addresses, unsigned lanes, unsigned bytes,
                          llvm::Value *mask = nullptr, llvm::Value *other = nullptr);

private:
  struct Extent {
    uint64_t offset, bytes;
  };

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  llvm::DenseMap<mlir::Value, Buffer> known;
  llvm::DenseMap<mlir::Value, llvm::Value *> destinations;

  uint64_t top = 0, size = 0;
  llvm::SmallVector<Extent> freed; // below `top`
  llvm::DenseMap<llvm::Value *, Extent> extents; // of the results of allocateBytes
  llvm::DenseSet<llvm::Value *> freedAddresses;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<llvm::Value *>> freedAfter; // addresses
};

class Buffers::Scope {
public:
  explicit Scope(Buffers &buffers) : buffers(buffers), top(buffers.top), freed(buffers.freed) {}
  ~Scope() {
    buffers.top = top;
    buffers.freed = std::move(freed);
  }
  Scope(const Scope &) = delete;

private:
  Buffers &buffers;
  uint64_t top;
  llvm::SmallVector<Extent> freed;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_BUFFERS_H
