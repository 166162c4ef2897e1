//===- KernelEmitter.h - emits CPU code for a kernel ----------------------------------------------------*- C++ -*-===//
//
// A program of the grid runs on one thread, so a tile is not distributed: it is a loop over its elements. Most tiles
// never exist in memory. An operation on tiles is a formula for one element and stays in the SSA graph. Only a *root*
// (a store, a reduction, a dot, a value carried around a loop) emits code: a loop nest over the root's shape. Its body
// evaluates the formulas that the root needs, one vector register of adjacent elements (a Chunk) at a time. Schedule.h
// decides which values are formulas and which get a buffer.
//
// Triton defines operations on whole tiles: a load finishes before a later store or barrier begins. A nest may load and
// store element by element only if no store can overwrite an element that is still to be loaded. This is checked at run
// time from the address ranges (Affine.h); if they overlap, the loads first go to buffers. A load moves only towards
// its consumers, so it always sees earlier stores. A barrier only limits this motion and emits no code.
//
// Kernels whose programs are rows also get a function that runs two programs (JoinPrograms.h). It is emitted like any
// kernel, from IR in which each operation is followed by its twin. Stores and reductions share a nest with their twins.
//
// The parts; each uses those above it:
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
// Regions and control flow contain blocks. They emit them through the BlockEmitter interface, which KernelEmitter
// implements.
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

  /// Emits debug information for the function too. Call before run().
  void addDebugInfo(llvm::StringRef folder, DebugDetail detail) {
    ctx.debug.emplace(*ctx.fn, func, folder, detail, ctx.b);
  }
  /// Enables access checks. Call before run(); `checks` must outlive it.
  void addChecks(const AccessChecks &checks) { ctx.checks = &checks; }
  /// Emits the function; fails after a diagnostic.
  mlir::LogicalResult run();
  /// For a function of two programs: sets the single-program function that handles launches that are too large. Call
  /// before run().
  void setFunctionOfOne(llvm::Function *function) { functionOfOne = function; }
  llvm::Function *getFunction() const { return ctx.fn; }
  /// Returns the bytes of scratch memory that the function uses.
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
