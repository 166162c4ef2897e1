//===- TTGInterfaces.td - what operations do to shared memory --------------------------------------*- tablegen -*-===//

#ifndef TILECC_TTG_INTERFACES
#define TILECC_TTG_INTERFACES

include "mlir/IR/OpBase.td"

def TTG_SharedEffects : OpInterface<"SharedEffects"> {
  let cppNamespace = "::tilecc::ttg";
  let description = [{
    Accesses to tiles in shared memory, and waits. Barrier insertion (tritongpu-membar) and live ranges of buffers
    (lowering/analysis/Allocation) depend on it. By default the accesses are those of MLIR's memory effects. An
    operation overrides this only if its accesses are pending after it, or use another proxy than a thread's.
  }];
  let methods = [
    InterfaceMethod<"Adds the accesses to `effects`.", "void", "getSharedEffects",
                    (ins "::llvm::SmallVectorImpl<::tilecc::ttg::SharedEffect> &":$effects), "",
                    "::tilecc::ttg::collectSharedEffects($_op, effects);">,
    InterfaceMethod<"Returns what a thread waits for in this operation before it continues.",
                    "::tilecc::ttg::SharedWait", "getSharedWait",
                    (ins), "", "return {};">,
    InterfaceMethod<"Returns true if one thread signals for all threads that they have completed their accesses; "
                    "the receiver of the signal may then access the memory.",
                    "bool", "signalsForAllThreads", (ins), "", "return false;">,
  ];
}

#endif // TILECC_TTG_INTERFACES
