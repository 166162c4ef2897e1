//===- AnalysisInterfaces.td - what analyses ask of operations -------------------------------------------*- tablegen -*-//
//
// Questions whose answers are in an analysis' own terms: models of them are attached to operations from here
// (registerAnalysisModels), ours and upstream's alike. See also dialects/tt/TTInterfaces.td.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_ANALYSIS_INTERFACES
#define TILECC_ANALYSIS_INTERFACES

include "mlir/IR/OpBase.td"

def TileCC_AxisInfoRules : OpInterface<"AxisInfoRules"> {
  let cppNamespace = "::tilecc";
  let description = "What an operation does to contiguity, divisibility and constancy: see AxisInfo.h.";
  let methods = [
    InterfaceMethod<"What is known of result 0, given the same of the operands; hints on the operation are not looked at.",
                    "::tilecc::AxisInfo", "inferAxisInfo", (ins "::llvm::ArrayRef<const ::tilecc::AxisInfo *>":$operands)>,
  ];
}

#endif // TILECC_ANALYSIS_INTERFACES
