//===- ClusterInterfaces.td - what the blocks of a cluster ask of operations -----------------------------*- tablegen -*-//
//
// The answers are models that are attached from here (registerDistributionModels). An operation that keeps elements in
// their places (Elementwise, ConstantLike, SameLayout) or has no tile in registers (NoTiles) has answered already.
// OperationAnswersTest fails for an operation that says nothing, and tritongpu-plan-cta refuses it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_CLUSTER_INTERFACES
#define TILECC_CLUSTER_INTERFACES

include "mlir/IR/OpBase.td"

def TileCC_DistributionRules : OpInterface<"DistributionRules"> {
  let cppNamespace = "::tilecc";
  let description = [{
    How the distributions of operands and results over the thread blocks of a program determine each other
    (Distribution.h). Ask by getOperandDistributions and getResultDistribution, which also know the traits.
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
