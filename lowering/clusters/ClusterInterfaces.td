//===- ClusterInterfaces.td - distribution rules of operations -------------------------------------*- tablegen -*-===//
//
// An operation states by this interface how its operands and results are distributed over the blocks of a cluster. The
// implementations are external models (registerDistributionModels). An operation needs no model if its traits say that
// it keeps elements in place (Elementwise, ConstantLike, SameLayout) or has no tile in registers (NoTiles). An
// operation with neither such traits nor a model makes OperationAnswersTest fail, and tritongpu-plan-cta rejects it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_CLUSTER_INTERFACES
#define TILECC_CLUSTER_INTERFACES

include "mlir/IR/OpBase.td"

def TileCC_DistributionRules : OpInterface<"DistributionRules"> {
  let cppNamespace = "::tilecc";
  let description = [{
    The rules by which the distributions of operands and results over the thread blocks of a program determine each
    other (Distribution.h). Callers use tilecc::getOperandDistributions() and tilecc::getResultDistribution(), which
    also handle the traits.
  }];
  let methods = [
    InterfaceMethod<"Returns how the operands must be distributed so that each block can compute its part of the "
                    "results, distributed as `result`, from its own parts; nothing if blocks would need parts of "
                    "others.",
                    "std::optional<::llvm::SmallVector<::tilecc::Distribution>>", "getOperandDistributions",
                    (ins "const ::tilecc::Distribution &":$result)>,
    InterfaceMethod<"Returns how the results are distributed if operand `number` is distributed as `operand`, by "
                    "the same rule; nothing if that does not determine it.",
                    "std::optional<::tilecc::Distribution>", "getResultDistribution",
                    (ins "unsigned":$number, "const ::tilecc::Distribution &":$operand)>,
  ];
}

#endif // TILECC_CLUSTER_INTERFACES
