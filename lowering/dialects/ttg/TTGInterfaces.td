//===- TTGInterfaces.td - accesses of operations to shared memory ----------------------------------*- tablegen -*-===//

#ifndef TILECC_TTG_INTERFACES
#define TILECC_TTG_INTERFACES

include "mlir/IR/OpBase.td"

def TTG_SharedEffects : OpInterface<"SharedEffects"> {
  let cppNamespace = "::tilecc::ttg";
  let description = [{
    Describes which accesses to tiles in shared memory an operation makes, and for which it waits. Barrier insertion
    (tritongpu-membar) and the live ranges of buffers (lowering/analysis/Allocation) depend on this. By default, the
    accesses are those of MLIR's memory effects. An operation overrides the default only if its accesses are still
    pending after it, or if they use another proxy than the accesses of threads.
  }];
  let methods = [
    InterfaceMethod<"Adds the accesses to `effects`.", "void", "getSharedEffects",
                    (ins "::llvm::SmallVectorImpl<::tilecc::ttg::SharedEffect> &":$effects), "",
                    "::tilecc::ttg::collectSharedEffects($_op, effects);">,
    InterfaceMethod<"Returns the accesses for which a thread waits in this operation.",
                    "::tilecc::ttg::SharedWait", "getSharedWait",
                    (ins), "", "return {};">,
    InterfaceMethod<"Returns true if one thread signals for all threads that they have completed their accesses; "
                    "the receiver of the signal may then access the memory.",
                    "bool", "signalsForAllThreads", (ins), "", "return false;">,
  ];
}

#endif // TILECC_TTG_INTERFACES
