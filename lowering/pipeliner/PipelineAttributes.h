//===- PipelineAttributes.h - attributes of the three passes of software pipelining ---------------------*- C++ -*-===//
//
// Software pipelining consists of three passes: tritongpu-assign-latencies, tritongpu-schedule-loops and
// tritongpu-pipeline. Each leaves its results in these attributes for the next one; tests set them directly.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PASSES_PIPELINEATTRIBUTES_H
#define TILECC_LOWERING_PASSES_PIPELINEATTRIBUTES_H

#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/dialects/ttg/TTG.h"

namespace tilecc::pipeline {

using tt::numStagesAttr; // on a loop: the number of stages that the source requests
/// On a load: how many iterations before its use it should be issued.
inline constexpr llvm::StringLiteral latencyAttr = "tt.latency";
/// On an operation of a scheduled loop: its stage, and its cluster. The clusters give the order of operations within an
/// iteration.
inline constexpr llvm::StringLiteral stageAttr = "loop.stage";
inline constexpr llvm::StringLiteral clusterAttr = "loop.cluster";
/// On a scheduled loop: the number of its last stage.
inline constexpr llvm::StringLiteral maxStageAttr = "tt.scheduled_max_stage";
/// On a loop whose loads will not be pipelined: the reason, for -Rtile=pipelines. tritongpu-pipeline removes the
/// attribute.
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
