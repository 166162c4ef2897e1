//===- PipelineAttributes.h - what the three passes of software pipelining tell each other -------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_PASSES_PIPELINEATTRIBUTES_H
#define TILECC_LOWERING_PASSES_PIPELINEATTRIBUTES_H

#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/dialects/ttg/TTG.h"

namespace tilecc::pipeline {

using tt::numStagesAttr; // on a loop: how many stages its author wants
/// On a load: how many iterations of the loop before its use it should start.
inline constexpr llvm::StringLiteral latencyAttr = "tt.latency";
/// On an operation of a scheduled loop: the stage it runs in, and its place among those of an iteration.
inline constexpr llvm::StringLiteral stageAttr = "loop.stage";
inline constexpr llvm::StringLiteral clusterAttr = "loop.cluster";
/// On a scheduled loop: its last stage.
inline constexpr llvm::StringLiteral maxStageAttr = "tt.scheduled_max_stage";

inline int64_t getInteger(mlir::Operation *op, llvm::StringRef name, int64_t otherwise) {
  auto attr = op->getAttrOfType<mlir::IntegerAttr>(name);
  return attr ? attr.getInt() : otherwise;
}
inline void setInteger(mlir::Operation *op, llvm::StringRef name, int64_t value) {
  op->setAttr(name, mlir::IntegerAttr::get(mlir::IntegerType::get(op->getContext(), 32), value));
}

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PASSES_PIPELINEATTRIBUTES_H
