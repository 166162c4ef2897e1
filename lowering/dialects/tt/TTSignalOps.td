//===- TTSignalOps.td - programs that wait for other programs --------------------------------------*- tablegen -*-===//
//
// Triton has no such operations. They are declared apart from TTOps.td because few sources know them (SignalOps.h).
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TT_SIGNAL_OPS
#define TILECC_TT_SIGNAL_OPS

include "lowering/dialects/tt/TTOps.td"

def TT_WaitSignalOp : TT_Op<"wait_signal", [TT_LayoutRules, TT_NoScratch, MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<TT_AccessesGlobal>,
    TypesMatchWith<"value type matches ptr type", "ptr", "value", "::tilecc::tt::getPointeeType($_self)">,
    TT_FollowsPtr<"mask", "getMaskType", 2>]> {
  let summary = "waits until each signal, where `mask` is true, is at least `value`";
  let description = [{
    A signal is an i32, and "at least" is modulo 2^32: `signal - value` is not negative. Afterwards the program sees
    what was stored before any thread of the machine released that value. One thread polls each signal, and all threads
    of the program wait for it.
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$value, Optional<TT_BoolLike>:$mask);
  let assemblyFormat = "$ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)";
  let hasVerifier = 1;
}

#endif // TILECC_TT_SIGNAL_OPS
