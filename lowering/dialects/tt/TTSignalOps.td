//===- TTSignalOps.td - programs of several GPUs --------------------------------------------------*- tablegen -*-===//
//
// Operations of programs that wait for other programs, and that access the memories of several GPUs at once. Triton has
// no such operations. They are declared apart from TTOps.td because few sources know them (SignalOps.h).
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

//===--- multicast memory -----------------------------------------------------------------------------------------===//
// A multicast address stands for one address in the memory of each of several GPUs. No other operation can access it.

class TT_MultimemOp<string mnemonic, list<Trait> traits> : TT_Op<mnemonic, [TT_NoScratch,
    MemoryEffects<[MemRead, MemWrite]>, DeclareOpInterfaceMethods<TT_AccessesGlobal>] # traits> {
  let hasVerifier = 1;
}

def TT_MultimemSumOp : TT_MultimemOp<"multimem_sum", [
    DeclareOpInterfaceMethods<TT_LayoutRules, ["inferOperandEncoding", "isLayoutAnchor"]>,
    TypesMatchWith<"result type matches ptr type", "ptr", "result", "::tilecc::tt::getPointeeType($_self)">,
    TT_FollowsPtr<"mask", "getMaskType", 1>]> {
  let summary = "the sums of the elements that multicast addresses stand for; zero where `mask` is false";
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$ptr (`,` $mask^)? attr-dict `:` type($ptr)";
}

class TT_MultimemWriteOp<string mnemonic> : TT_MultimemOp<mnemonic, [TT_LayoutRules,
    TypesMatchWith<"value type matches ptr type", "ptr", "value", "::tilecc::tt::getPointeeType($_self)">,
    TT_FollowsPtr<"mask", "getMaskType", 2>]> {
  let arguments = (ins TT_PtrLike:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask);
  let assemblyFormat = "$ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)";
}
def TT_MultimemStoreOp : TT_MultimemWriteOp<"multimem_store"> {
  let summary = "writes all elements that multicast addresses stand for, where `mask` is true";
}
def TT_MultimemAddOp : TT_MultimemWriteOp<"multimem_add"> {
  let summary = "atomically adds to all elements that multicast addresses stand for, where `mask` is true";
}

#endif // TILECC_TT_SIGNAL_OPS
