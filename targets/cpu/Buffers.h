//===- Buffers.h - tiles in memory -------------------------------------------------------------------------*- C++ -*-//
//
// Which tiles are in memory and where, the scratch memory that they take, and reading and writing their elements.
// Scratch is handed out like a stack: what a loop body or branch takes is free again after it (Scope). Within a block
// the buffer of a value goes to the next that fits when nothing reads it any more, so that a long chain of values, such
// as a sort makes, lives in two.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_BUFFERS_H
#define TILECC_TARGETS_CPU_BUFFERS_H

#include "targets/cpu/EmitContext.h"

namespace tilecc::cpu {

/// A tile in memory, row-major but for a place within another tile's buffer, which has strides (in elements).
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

  /// The tile's buffer; one without a pointer if it is not in memory.
  Buffer lookup(mlir::Value tile) const { return known.lookup(tile); }
  bool contains(mlir::Value tile) const { return known.contains(tile); }
  /// It was in memory, which may hold something else since nothing was left to read it.
  bool isFreed(mlir::Value tile) const { return freedAddresses.contains(lookup(tile).ptr); }
  void set(mlir::Value tile, const Buffer &buffer) { known[tile] = buffer; }
  void erase(mlir::Value tile) { known.erase(tile); }

  /// The consumer of a value to come wants it at `target`.
  void chooseDestination(mlir::Value tile, llvm::Value *target) { destinations[tile] = target; }
  /// Where the result of an operation goes: where its consumer wants it, or a new buffer.
  Buffer destinationOf(mlir::Value tile);

  //===--- scratch memory ---===//

  /// Of a tile that a few vectors hold it is the function's own memory, which become registers where places are constants.
  Buffer allocate(mlir::RankedTensorType type);
  llvm::Value *allocateBytes(uint64_t bytes);
  /// Frees what nothing after `op`, which has been emitted, reads.
  void freeAfter(mlir::Operation *op);
  /// Bytes of scratch that the function needs.
  uint64_t getScratchBytes() const { return size; }

  /// What is allocated while one of these lives is free after it.
  class Scope;

  //===--- elements ---===//

  llvm::Value *read(const Buffer &buffer, const Chunk &c);
  void write(const Buffer &buffer, const Chunk &c, llvm::Value *value);
  /// The address of the chunk's first element.
  llvm::Value *addressOf(const Buffer &buffer, const Chunk &c);
  /// Elements through a tile of addresses, as a vector. No mask: all; `other` where the mask is false, or zero.
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
  llvm::SmallVector<Extent> freed;               // below `top`
  llvm::DenseMap<llvm::Value *, Extent> extents; // of what allocateBytes gave
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
