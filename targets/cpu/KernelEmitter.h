//===- KernelEmitter.h - how a kernel becomes CPU code --------------------------------------------------*- C++ -*-===//
//
// A program of the grid runs on one thread, so a tile is not distributed over anything: it is a loop over its elements.
// Most tiles never exist in memory. An operation on tiles is a formula for an element, kept as the SSA graph that it
// is, and only a *root* (a store, a reduction, a matrix product, a value carried around a loop) makes code: a loop nest
// over the root's shape whose body evaluates the formulas that the root needs, a register's worth of neighbouring
// elements (a Chunk) at a time. Schedule.h decides which values are formulas and which get a buffer.
//
// Triton's semantics are those of whole tiles: a load has finished before a later store or barrier begins. A nest that
// loads and stores element by element may only do so if no store can hit what is still to be loaded. That is decided at
// run time by the ranges of the addresses (Affine.h); where they overlap, the loads first go to buffers. A load moves
// only towards its consumers, so it always sees the stores before it; a barrier is that and no code.
//
// Programs that are rows also get a function that runs two of them (JoinPrograms.h): it is emitted like any kernel, from IR in which
// an operation's twin is behind it, but for stores and reductions, which share a nest with their twins.
//
// The parts, each of which uses those above it:
//   EmitContext   the function, the builder, the processor, scalars that are known, LLVM's types
//   Elementwise   one operation on elements that are there
//   Buffers       tiles in memory: scratch, reading, writing
//   Evaluator     the elements of a tile value at a chunk
//   Loops         LLVM loops and branches around emitted code
//   Nests         loops over a tile: vector dimension, splitting by masks (RowMasks), versions, prefetches
//   Regions       combiners and other functions of elements
//   Roots         stores, reductions, scans, products, atomic accesses, movement, messages
//   ControlFlow   scf and cf: loops and branches that carry tiles
//   KernelEmitter the walk over the kernel's operations
// Regions and control flow have blocks in them, which the walk emits: they know it as a BlockEmitter.
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
  /// Bytes of scratch memory that the function uses.
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
