//===- AnalysisInterfaces.td - interfaces through which analyses query operations ------------------*- tablegen -*-===//
//
// Their results are in an analysis' own terms. The implementations are external models (registerAnalysisModels), for
// our operations and MLIR's alike. See also dialects/tt/TTInterfaces.td.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_ANALYSIS_INTERFACES
#define TILECC_ANALYSIS_INTERFACES

include "mlir/IR/OpBase.td"

def TileCC_AxisInfoRules : OpInterface<"AxisInfoRules"> {
  let cppNamespace = "::tilecc";
  let description = "How an operation transforms contiguity, divisibility and constancy: see AxisInfo.h.";
  let methods = [
    InterfaceMethod<"Returns the facts about result 0, given those about the operands. Ignores hints on the "
                    "operation.",
                    "::tilecc::AxisInfo",
                    "inferAxisInfo", (ins "::llvm::ArrayRef<const ::tilecc::AxisInfo *>":$operands)>,
  ];
}

#endif // TILECC_ANALYSIS_INTERFACES
