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
    InterfaceMethod<"What a thread waits for in it, before it goes on.", "::tilecc::ttg::SharedWait", "getSharedWait",
                    (ins), "", "return {};">,
    InterfaceMethod<"Whether one thread tells others in it, for all threads, that these have accessed what they were to access: who is "
                    "told may access it then.", "bool", "tellsForAllThreads", (ins), "", "return false;">,
  ];
}

#endif // TILECC_TTG_INTERFACES
