//===- TTGInterfaces.td - what operations do to shared memory ---------------------------------------------*- tablegen -*-//

#ifndef TILECC_TTG_INTERFACES
#define TILECC_TTG_INTERFACES

include "mlir/IR/OpBase.td"

def TTG_SharedEffects : OpInterface<"SharedEffects"> {
  let cppNamespace = "::tilecc::ttg";
  let description = [{
    Accesses to tiles in shared memory, and waits. Barriers are inserted (tritongpu-membar) and buffers live
    (lowering/analysis/Allocation) by what this says. Which memory is read and written, MLIR's own memory effects say;
    an operation overrides that only where its accesses are under way behind it, or go another way than a thread's.
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
