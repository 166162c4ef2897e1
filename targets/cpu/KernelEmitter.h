//===- KernelEmitter.h - emits CPU code for a kernel ----------------------------------------------------*- C++ -*-===//
//
// A program of the grid runs on one thread, so a tile is not distributed: it is a loop over its elements. Most tiles
// are never stored in memory. An operation on tiles is a formula for one element, and stays in the SSA graph. Only a
// *root* (a store, a reduction, a dot, a value that a loop carries) emits code: a loop nest over the shape of the root.
// The body of the nest evaluates the formulas that the root needs, one vector register of adjacent elements (a Chunk)
// at a time. Schedule.h decides which values are formulas and which get a buffer.
//
// Triton defines operations on whole tiles: a load finishes before a later store or barrier begins. A nest may load and
// store element by element only if no store can overwrite an element that is still to be loaded. The generated code
// checks the address ranges at run time (Affine.h); if they overlap, it first loads all elements into buffers. A load
// moves only towards its consumers, so it always sees the stores before it. A barrier limits this motion and emits no
// code.
//
// If each program of a kernel works on one row, the kernel also gets a function that runs two programs
// (JoinPrograms.h). It is emitted like any other function, from IR in which the operations of the first program are
// followed by their copies for the second. Stores and reductions share a nest with their copies.
//
// The parts of the emitter; each uses those above it:
//   EmitContext   the function, the builder, the target processor, known scalars, LLVM types
//   Elementwise   one operation on evaluated elements
//   Buffers       tiles in memory: scratch memory, reads, writes
//   Evaluator     the elements of a tile value at a chunk
//   Loops         LLVM loops and branches around emitted code
//   Nests         loops over a tile: vector dimension, splitting by masks (RowMasks), versions, prefetches
//   Regions       combiners and other functions of elements
//   Roots         stores, reductions, scans, dots, atomic accesses, movement, messages
//   ControlFlow   scf and cf: loops and branches that carry tiles
//   KernelEmitter the walk over the kernel's operations
// Regions and control flow contain blocks. They emit these blocks through the interface BlockEmitter, which
// KernelEmitter implements.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_KERNELEMITTER_H
#define TILECC_TARGETS_CPU_KERNELEMITTER_H

#include "targets/cpu/ControlFlow.h"
#include "targets/cpu/Roots.h"

namespace tilecc::cpu {

class KernelEmitter final : BlockEmitter {
public:
  KernelEmitter(tt::FuncOp func, const Schedule &schedule, const Isa &target, llvm::Module &module,
                llvm::StringRef symbol, bool contract);

  /// Adds debug information to the function. Must be called before run().
  void addDebugInfo(llvm::StringRef folder, DebugDetail detail) {
    ctx.debug.emplace(*ctx.fn, func, folder, detail, ctx.b);
  }
  /// Enables checks of accesses. Must be called before run(); `checks` must stay alive until run() returns.
  void addChecks(const AccessChecks &checks) { ctx.checks = &checks; }
  /// Emits the function. Fails after a diagnostic.
  mlir::LogicalResult run();
  /// For a function of two programs: sets the function of one program, which it calls for launches that are too large.
  /// Must be called before run().
  void setFunctionOfOne(llvm::Function *function) { functionOfOne = function; }
  llvm::Function *getFunction() const { return ctx.fn; }
  /// Returns the number of bytes of scratch memory that the function needs.
  uint64_t getScratchBytes() const { return buffers.getScratchBytes(); }

private:
  void emitParameters();
  void emitBlock(mlir::Block &block) override;
  void emitOp(mlir::Operation &op);
  void leaveLargeLaunches();

  tt::FuncOp func;
  EmitContext ctx;
  Elementwise elementwise;
  Buffers buffers;
  Evaluator evaluator;
  Loops loops;
  Nests nests;
  Regions regions;
  ControlFlow controlFlow;
  llvm::Function *functionOfOne = nullptr;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_KERNELEMITTER_H
