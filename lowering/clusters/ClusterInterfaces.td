//===- ClusterInterfaces.td - how operations are distributed over a cluster ------------------------*- tablegen -*-===//
//
// The implementations are external models (registerDistributionModels). An operation whose traits say that it keeps
// elements in place (Elementwise, ConstantLike, SameLayout) or that it has no tile in registers (NoTiles) needs none.
// OperationAnswersTest fails for an operation with neither, and tritongpu-plan-cta rejects it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_CLUSTER_INTERFACES
#define TILECC_CLUSTER_INTERFACES

include "mlir/IR/OpBase.td"

def TileCC_DistributionRules : OpInterface<"DistributionRules"> {
  let cppNamespace = "::tilecc";
  let description = [{
    How the distributions of operands and results over the thread blocks of a program determine each other
    (Distribution.h). Call getOperandDistributions and getResultDistribution, which also handle the traits.
  }];
  let methods = [
    InterfaceMethod<"How the operands have to be distributed for each block to compute its part of the results, distributed "
                    "as `result`, from what it has; nothing if blocks would need what others have.",
                    "std::optional<::llvm::SmallVector<::tilecc::Distribution>>", "getOperandDistributions",
                    (ins "const ::tilecc::Distribution &":$result)>,
    InterfaceMethod<"How the results are distributed if operand `number` is distributed as `operand`, by the same rule; "
                    "nothing if none follows.", "std::optional<::tilecc::Distribution>", "getResultDistribution",
                    (ins "unsigned":$number, "const ::tilecc::Distribution &":$operand)>,
  ];
}

#endif // TILECC_CLUSTER_INTERFACES
