//===- Buffers.h - tiles in memory -------------------------------------------------------------------------*- C++ -*-//
//
// Records which tiles are in memory, allocates scratch memory for them, and reads and writes their elements. Scratch
// memory is a stack: the allocations of a loop body or branch are freed when it ends (Scope). Within a block, a buffer
// is reused for the next value of the same size when no operation will read its value any more. So a long chain of
// values, such as a sort, needs only two buffers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_BUFFERS_H
#define TILECC_TARGETS_CPU_BUFFERS_H

#include "targets/cpu/EmitContext.h"

namespace tilecc::cpu {

/// A tile in memory. It is row-major, unless it is a part of another tile's buffer; it then has strides, in elements.
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

  /// Returns the buffer of a tile, or a buffer without a pointer if the tile is not in memory.
  Buffer lookup(mlir::Value tile) const { return known.lookup(tile); }
  bool contains(mlir::Value tile) const { return known.contains(tile); }
  /// Returns true if the tile was in memory, but its buffer may have been reused because no operation reads the tile
  /// any more.
  bool isFreed(mlir::Value tile) const { return freedAddresses.contains(lookup(tile).ptr); }
  void set(mlir::Value tile, const Buffer &buffer) { known[tile] = buffer; }
  void erase(mlir::Value tile) { known.erase(tile); }

  /// Records that the consumer of a value, which has not been emitted yet, wants its elements at the address `target`.
  void chooseDestination(mlir::Value tile, llvm::Value *target) { destinations[tile] = target; }
  /// Returns where to store the result of an operation: where its consumer wants it, or else in a new buffer.
  Buffer destinationOf(mlir::Value tile);

  //===--- scratch memory ---===//

  /// Allocates a buffer. A tile of a few vectors gets an alloca, which LLVM turns into registers if all indices are
  /// constants.
  Buffer allocate(mlir::RankedTensorType type);
  llvm::Value *allocateBytes(uint64_t bytes);
  /// Frees the buffers that no operation after `op` reads. Called when `op` has been emitted.
  void freeAfter(mlir::Operation *op);
  /// Returns the bytes of scratch memory that the function needs.
  uint64_t getScratchBytes() const { return size; }

  /// Frees, at its end, the buffers that were allocated during its lifetime.
  class Scope;

  //===--- elements ---===//

  llvm::Value *read(const Buffer &buffer, const Chunk &c);
  void write(const Buffer &buffer, const Chunk &c, llvm::Value *value);
  /// Returns the address of the chunk's first element.
  llvm::Value *addressOf(const Buffer &buffer, const Chunk &c);
  /// Loads elements through a tile of addresses, as a vector. Elements whose mask is false are not loaded, and get the
  /// value `other`, or zero if `other` is null. Without a mask, all elements are loaded.
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
  llvm::SmallVector<Extent> freed; // free ranges of memory below `top`
  llvm::DenseMap<llvm::Value *, Extent> extents; // the memory of each result of allocateBytes
  llvm::DenseSet<llvm::Value *> freedAddresses;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<llvm::Value *>> freedAfter; // by operation
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
