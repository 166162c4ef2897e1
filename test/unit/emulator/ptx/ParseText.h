//===-- ParseText.h - parses pieces of PTX for the tests -------------------------------------------------------===//
#ifndef TILECC_TEST_EMULATOR_PTX_PARSETEXT_H
#define TILECC_TEST_EMULATOR_PTX_PARSETEXT_H

#include "emulator/ptx/Module.h"

#include <gtest/gtest.h>

namespace tilecc::emu::ptx {

constexpr std::string_view header = ".version 8.4\n.target sm_90a\n.address_size 64\n"; // three lines

// A module of this text, which begins on line 4.
inline std::unique_ptr<Module> parseModule(const std::string &text) {
  return parse(std::string(header) + text, "test.ptx");
}

// A module with a kernel of this body, which begins on line 5; %p0..7, %r0..7, %rd0..7 and %f0..7 are declared.
inline std::unique_ptr<Module> parseBody(const std::string &body, const std::string &before = "") {
  return parseModule(before +
                     ".entry k(.param .u64 a, .param .align 8 .b8 s[24]) { .reg .pred %p<8>; .reg .b32 %r<8>; "
                     ".reg .b64 %rd<8>; .reg .f32 %f<8>;\n" +
                     body + "\n}\n");
}

} // namespace tilecc::emu::ptx
#endif
