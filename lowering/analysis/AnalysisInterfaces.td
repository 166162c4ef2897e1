//===- AnalysisInterfaces.td - interfaces through which analyses query operations ------------------*- tablegen -*-===//
//
// The results of these interfaces are types of an analysis, so the dialects cannot implement them. The implementations
// are external models (registerAnalysisModels), for our own operations and for MLIR's. See also
// dialects/tt/TTInterfaces.td.
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
