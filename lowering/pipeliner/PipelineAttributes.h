//===- PipelineAttributes.h - attributes of the three passes of software pipelining ---------------------*- C++ -*-===//
//
// The passes communicate through these attributes; tests set them directly.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PASSES_PIPELINEATTRIBUTES_H
#define TILECC_LOWERING_PASSES_PIPELINEATTRIBUTES_H

#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/dialects/ttg/TTG.h"

namespace tilecc::pipeline {

using tt::numStagesAttr; // on a loop: the number of stages that the source requests
/// On a load: the number of iterations before its use at which it should be issued.
inline constexpr llvm::StringLiteral latencyAttr = "tt.latency";
/// On an operation of a scheduled loop: its stage, and its cluster, which orders the operations of an iteration.
inline constexpr llvm::StringLiteral stageAttr = "loop.stage";
inline constexpr llvm::StringLiteral clusterAttr = "loop.cluster";
/// On a scheduled loop: its last stage.
inline constexpr llvm::StringLiteral maxStageAttr = "tt.scheduled_max_stage";
/// On a loop with loads that will not be pipelined: the reason, for -Rtile=pipelines. tritongpu-pipeline removes it.
inline constexpr llvm::StringLiteral notPipelinedAttr = "tt.not_pipelined";

inline int64_t getInteger(mlir::Operation *op, llvm::StringRef name, int64_t otherwise) {
  auto attr = op->getAttrOfType<mlir::IntegerAttr>(name);
  return attr ? attr.getInt() : otherwise;
}
inline void setInteger(mlir::Operation *op, llvm::StringRef name, int64_t value) {
  op->setAttr(name, mlir::IntegerAttr::get(mlir::IntegerType::get(op->getContext(), 32), value));
}

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PASSES_PIPELINEATTRIBUTES_H
