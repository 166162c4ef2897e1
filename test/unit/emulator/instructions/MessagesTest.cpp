//===-- MessagesTest.cpp - unsupported code gives an error with its reason and place ---------------------------===//
#include "Harness.h"

#include <gtest/gtest.h>

using namespace tilecc::emu::test;

namespace {

struct Wrong {
  const char *name;
  std::string body; // line 8 of the file
  std::string message; // without the file's name
  std::string declarations = "\n"; // line 4, which must end there
};

const Wrong wrongs[] = {
    {"UnknownInstruction", "  frobnicate.b32 %r0, %r1;", "8:3: error: unknown instruction 'frobnicate.b32'"},
    {"UnknownInstructionBehindAGuard", "  @%p0 frobnicate %r0;", "8:8: error: unknown instruction 'frobnicate'"},
    {"UnknownModifiers", "  popc.u32 %r0, %r1;",
     "8:3: error: 'popc.u32' is not in the instruction table, which has\n  popc.T d:u32, a; T = b32 b64"},
    {"ModifiersThatDoNotGoTogether", "  setp.lo.f32 %p0, %r0, %r1;",
     "8:3: error: 'setp.lo.f32' is not supported by the emulator"},
    {"TwoScopes", "  atom.cta.global.gpu.cas.b16 %h0, [%d0], %h1, %h2;",
     "8:3: error: 'atom.cta.global.gpu.cas.b16' is not in the instruction table, which has"},

    {"WideSource", "  add.u32 %r0, %r1, %d0;", "8:21: error: '%d0' has 64 bits, and 'add.u32' takes 32 (.u32) here"},
    {"NarrowSource", "  add.u32 %r0, %h1, %r0;", "8:16: error: '%h1' has 16 bits, and 'add.u32' takes 32 (.u32) here"},
    {"WideDestination", "  add.u32 %d0, %r0, %r1;",
     "8:11: error: '%d0' has 64 bits, and 'add.u32' takes 32 (.u32) here"},
    {"NarrowDestination", "  ld.global.u32 %h0, [%d0];",
     "8:17: error: '%h0' has 16 bits, and 'ld.global.u32' takes 32 (.u32) here"},
    {"PredicateAsDestination", "  add.u32 %p0, %r0, %r1;",
     "8:11: error: '%p0' has 1 bit, and 'add.u32' takes 32 (.u32) here"},
    {"NoPredicateAsDestination", "  setp.eq.u32 %r0, %r1, %r2;",
     "8:15: error: '%r0' has 32 bits, and 'setp.eq.u32' takes 1 (.pred) here"},
    {"ConstantAsDestination", "  mov.u32 5, %r0;", "8:11: error: 'mov.u32' needs a register to write here"},
    {"NothingAsSource", "  add.u32 %r0, _, %r1;", "8:16: error: 'add.u32' needs a register or a constant here"},

    {"TooFewOperands", "  add.u32 %r0, %r1;", "8:3: error: the operands of 'add.u32' should be: d, a, b"},
    {"NoOperands", "  bar.sync;", "8:3: error: the operands of 'bar.sync' should be: a:b32, b:b32?"},
    {"TooManyOperands", "  neg.s32 %r0, %r1, %r2;", "8:3: error: the operands of 'neg.s32' should be: d, a"},
    {"VectorOfTheWrongSize", "  ld.global.v2.u32 {%r0, %r1, %r2, %r3}, [%d0];",
     "8:3: error: the operands of 'ld.global.v2.u32' should be: {d}, [a], c:b64?"},
    {"AnAddressWithoutBrackets", "  ld.global.u32 %r0, %d0;",
     "8:22: error: 'ld.global.u32' needs an address in brackets here"},
    {"AnAddressOf16Bits", "  ld.shared.u32 %r0, [%h0];",
     "8:23: error: an address must be in a register of 32 or 64 bits"},
    {"BranchToARegister", "  bra %r0;", "8:7: error: unknown label '%r0'"},
    {"IndexedBranchWithoutTargets", "  brx.idx %r0, p;", "8:16: error: expected the name of .branchtargets, found 'p'"},

    {"AwaitsWithoutItsLoad", "  //@ awaits.global.ge.u32 [%d0], %r0, 1;",
     "8:7: error: 'awaits' must follow the strong load of a 32-bit word, and name its address and result"},
    {"AwaitsAfterAWeakLoad", "  ld.global.u32 %r0, [%d0]; //@ awaits.global.ge.u32 [%d0], %r0, 1;",
     "8:33: error: 'awaits' must follow the strong load of a 32-bit word, and name its address and result"},
    {"AwaitsOfAnotherWord", "  ld.acquire.sys.global.u32 %r0, [%d0+4]; //@ awaits.global.ge.u32 [%d0], %r0, 1;",
     "8:47: error: 'awaits' must follow the strong load of a 32-bit word, and name its address and result"},
    {"SpecialRegister", "  mov.u32 %r0, %envreg3;",
     "8:16: error: special register '%envreg3' is not supported by the emulator"},
    {"PerformanceMonitor", "  mov.u32 %r0, %pm0;",
     "8:16: error: special register '%pm0' is not supported by the emulator"},

    {"Recursion", "  call f;", "4:31: error: recursion ('f') is not supported by the emulator",
     ".func f { .reg .pred %p; @!%p call f; }\n"},
    {"IndirectCall", "  call %d0, p;", "8:3: error: indirect calls are not supported by the emulator",
     ".func f { ret; }\n"},
    {"CallOfWhatIsElsewhere", "  call f;", "8:3: error: call of 'f', which has no body here", ".extern .func f;\n"},
    {"CallWithOtherParameters", "  call f;", "8:3: error: the call passes 0 values where the function has 1",
     ".func f(.param .b32 x) { ret; }\n"},
    {"CallThatPassesRegisters", "  call f, (%r0);",
     "8:3: error: calls that pass registers are not supported by the emulator, only .param variables",
     ".func f(.param .b32 x) { ret; }\n"},
    {"VariableOfAnotherModule", "  ret;", "4:22: error: 'elsewhere' is defined in no module",
     ".extern .global .b32 elsewhere;\n"},
};

TEST(Messages, SayWhatAndWhere) {
  for (const Wrong &wrong : wrongs) {
    std::string message = messageOf(".version 8.8\n.target sm_100a\n.address_size 64\n" + wrong.declarations +
                                    ".visible .entry test(.param .u64 source, .param .u64 target)\n{\n"
                                    "  .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>; "
                                    "p: .callprototype _ ();\n" +
                                    wrong.body + "\n  ret;\n}\n");
    // Lists of possible names are shortened.
    std::string expected = "test.ptx:" + wrong.message;
    EXPECT_EQ(expected.ends_with("which has") ? message.substr(0, expected.size()) : message, expected) << wrong.name;
  }
}

} // namespace
