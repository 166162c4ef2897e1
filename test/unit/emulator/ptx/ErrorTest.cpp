//===-- ErrorTest.cpp - tests the messages of errors in PTX ----------------------------------------------------===//
#include "ParseText.h"

using namespace tilecc::emu::ptx;

namespace {

struct Case {
  const char *text, *message; // line:column: text
};

// The message in the same format.
template <class Parse> std::string errorOf(Parse parse) {
  try {
    parse();
  } catch (const Error &error) {
    std::string words = error.what(), start = "test.ptx:" + std::to_string(error.where.line) + ":" +
                                              std::to_string(error.where.column) + ": error: ";
    EXPECT_EQ(words.substr(0, start.size()), start);
    return std::to_string(error.where.line) + ":" + std::to_string(error.where.column) + ": " +
           words.substr(start.size());
  }
  return "no error";
}

TEST(ErrorTest, Bodies) { // the text begins on line 5
  const Case cases[] = {
      {"add.s32 %r0, %r1, %r99;", "5:19: undeclared register '%r99'"},
      {"add.s32 %r0, %r1, x;", "5:19: undeclared name 'x'"},
      {"st.global.b32 [%rx], 1;", "5:16: undeclared register '%rx'"},
      {"@%q exit;", "5:2: undeclared register '%q'"},
      {"@%r1 exit;", "5:2: the guard '%r1' is no predicate"},
      {"@!%p1 { exit; }", "5:7: expected an instruction after the guard, found '{'"},
      {"@%p1", "6:1: expected an instruction after the guard, found '}'"},
      {"add.s32 %r0, %r1, %r2\nsub.s32 %r0, %r1, %r2;", "6:1: expected ';' after the instruction, found 'sub'"},
      {"ret\n.loc 1 2 3", "6:1: expected ';' after the instruction, found '.loc'"},
      {"mov.b32 %r0, ;", "5:14: expected an operand, found ';'"},
      {"mov.b32 , %r0;", "5:9: expected an operand, found ','"},
      {"mov.b32 %r0 %r1;", "5:13: expected ';' after the instruction, found '%r1'"},
      {"mov.b32 %r0, 12abc;", "5:14: bad literal '12abc'"},
      {"mov.b32 %r0, 089;", "5:14: bad literal '089'"},
      {"mov.b32 %r0, 0b102;", "5:14: bad literal '0b102'"},
      {"mov.b32 %r0, 0x;", "5:14: bad literal '0x'"},
      {"mov.b32 %r0, 0x10u;", "5:14: bad literal '0x10u'"},
      {"mov.b32 %r0, 0f3F80000;", "5:14: bad literal: 0f wants 8 hex digits"},
      {"mov.b32 %r0, 0f3F8000001;", "5:14: bad literal: 0f wants 8 hex digits"},
      {"mov.b32 %r0, 18446744073709551616;", "5:14: the literal '18446744073709551616' does not fit in 64 bits"},
      {"mov.f64 %rd0, 1e999;", "5:15: the literal '1e999' does not fit in 64 bits"},
      {"mov.b32 %r0, 1.5e;", "5:14: bad literal '1.5e'"},
      {"mov.b32 %r0, 1 / (2 - 2);", "5:16: division by zero in a constant expression"},
      {"mov.b32 %r0, 7 % 0;", "5:16: division by zero in a constant expression"},
      {"mov.b32 %r0, 1 + 1.5;", "5:16: '+' has an integer on one side and a floating point value on the other"},
      {"mov.b32 %r0, 1.5 << 1.0;", "5:18: '<<' wants integers"},
      {"mov.b32 %r0, ~1.5;", "5:14: '~' wants integers"},
      {"mov.b32 %r0, (.u64)1.5;", "5:15: '.u64' wants integers"},
      {"mov.b32 %r0, 1 ? 2.0 : 3.0;", "5:16: '?' wants integers"},
      {"mov.b32 %r0, -0f3F800000;", "5:14: '-' cannot be applied to a 0f or 0d literal"},
      {"mov.b32 %r0, 0f3F800000 + 1.0;", "5:25: '+' cannot be applied to a 0f or 0d literal"},
      {"mov.b32 %r0, (1;", "5:16: expected ')' of the constant expression, found ';'"},
      {"mov.b32 %r0, 1 ? 2;", "5:19: expected ':' of the conditional expression, found ';'"},
      {"mov.b32 %r0, 1 +;", "5:17: expected a constant, found ';'"},
      {"mov.b32 %r0, -%r1;", "5:15: expected a constant, found '%r1'"},
      {"mov.b32 %r0, !%f;", "5:15: undeclared register '%f'"},
      {"mov.b32 %r0, !%tid.x;", "5:14: expected a predicate after '!'"},
      {"mov.b32 %r0, !%r1;", "5:14: expected a predicate after '!'"},
      {"mov.b32 %r0, %r1.b0;", "5:17: '%r1' has no component '.b0'"},
      {"vadd.u32.u32.u32 %r0, %r1.b8, %r2;", "5:26: '%r1' has no component '.b8'"},
      {"mov.b32 %r0, %r1 + 4;", "5:18: expected ';' after the instruction, found '+'"},
      {"mov.b32 %r0, %tid.v;", "5:18: '%tid' has no component '.v'"},
      {"mov.b32 %r0, %r1.x;", "5:17: '%r1' has no component '.x'"},
      {"mov.b32 %r0, %lane;", "5:14: undeclared register '%lane'"},
      {"mov.b32 %r0, #1;", "5:14: stray character '#'"},
      {"mov.b32 %r0, 'a';", "5:14: stray character '''"},
      {"mov.b32 {}, %r0;", "5:10: expected an operand, found '}'"},
      {"mov.b32 {%r1, {%r2}}, %r0;", "5:15: expected an operand, found '{'"},
      {"mov.b32 {%r1, %r2, %r0;", "5:23: expected '}' after the elements of the vector, found ';'"},
      {"mov.b32 %r0, \"text\";", "5:14: expected an operand, found a string"},
      {"ld.b32 %r0, [%rd0;", "5:18: expected ']' after the address, found ';'"},
      {"ld.b32 %r0, [];", "5:14: expected an operand, found ']'"},
      {"ld.b32 %r0, [%rd0+%rd1];", "5:19: expected a constant, found '%rd1'"},
      {"ld.b32 %r0, [%rd0-4];", "5:18: expected ']' after the address, found '-'"},
      {"ld.b32 %r0, [%rd0+1.5];", "5:19: expected an integer as the offset"},
      {"ld.b32 %r0, [1.5];", "5:14: expected an address"},
      {"ld.b32 %r0, [_];", "5:14: expected an address"},
      {"ld.b32 %r0, [!%p1];", "5:14: expected an address"},
      {"shfl.b32 %r0|3, %r1;", "5:14: expected a register after '|'"},
      {"shfl.b32 %r0|, %r1;", "5:14: expected an operand, found ','"},
      {"bra nowhere;", "5:5: unknown label 'nowhere'"},
      {"bra %r1;", "5:5: unknown label '%r1'"},
      {"bra ;", "5:5: expected a label, found ';'"},
      {"bra 5;", "5:5: expected a label, found '5'"},
      {"{ here: } bra here;", "5:15: unknown label 'here'"},
      {"here: ret; here: ret;", "5:12: 'here' is already declared on line 5"},
      {"%r1: ret;", "5:1: '%r1' is already declared on line 4"},
      {"here: ret; .reg .b32 here;", "5:22: 'here' is already declared on line 5"},
      {"bra table; table: .branchtargets here; here:", "5:5: expected the label of an instruction, found 'table'"},
      {"brx.idx %r1, here; here:", "5:14: expected the name of .branchtargets, found 'here'"},
      {"brx.idx %r1, nothing;", "5:14: undeclared name 'nothing'"},
      {".branchtargets here; here:", "5:1: '.branchtargets' wants a label before it"},
      {"t: .branchtargets here, there; here:", "5:25: unknown label 'there'"},
      {"t: .branchtargets 5;", "5:19: expected a label, found '5'"},
      {"call missing;", "5:6: undeclared name 'missing'"},
      {"call k, (%r0;", "5:13: expected ')' after the list, found ';'"},
      {"call %rd0, (), here; here:", "5:16: expected the name of a .callprototype or .calltargets, found 'here'"},
      {"p: .calltargets a;", "5:17: expected a declared function, and 'a' is none"},
      {"p: .callprototype (.reg .b32 _) _ ();", "5:20: parameters in registers are not supported: .param is"},
      {".callprototype _ ();", "5:1: '.callprototype' wants a label before it"},
      {".reg .foo %x;", "5:6: expected the type of a register, found '.foo'"},
      {".reg %x;", "5:6: expected the type of a register, found '%x'"},
      {".reg .b32 5;", "5:11: expected the name of a register, found '5'"},
      {".reg .b32 _;", "5:11: expected the name of a register, found '_'"},
      {".reg .b32 %x", "6:1: expected ';' after the registers, found '}'"},
      {".reg .b32 %x<;", "5:14: expected the number of registers, found ';'"},
      {".reg .b32 %x<3;", "5:15: expected '>' after the number of registers, found ';'"},
      {".reg .b32 %x<-1>;", "5:14: expected the number of registers, found '-'"},
      {".reg .b32 %x<2000000>;", "5:11: more than 1048576 registers in 'k'"},
      {".reg .b32 %r5;", "5:11: '%r5' is already declared on line 4"},
      {".reg .b32 %x, %x;", "5:15: '%x' is already declared on line 5"},
      {".reg .b32 %x1; .reg .b32 %x<3>;", "5:26: '%x1' is already declared on line 5"},
      {".reg .b32 %p;\n.reg .b32 %p<2>;", "6:11: '%p0' is already declared on line 4"},
      {".reg .v3 .b32 %x;", "5:6: expected the type of a register, found '.v3'"},
      {".reg .b32 a;", "5:11: 'a' is already declared on line 4"},
      {".shared .b32 %r1;", "5:14: '%r1' is already declared on line 4"},
      {".shared .b32 x; .shared .f32 x;", "5:30: 'x' is already declared on line 5"},
      {".shared .b32 x[];", "5:14: 'x' has an open size, which is only for .extern variables of the module"},
      {".shared .b32 x = 5;", "5:16: only .global and .const variables have an initial value"},
      {".shared .pred x;", "5:9: expected the type of a variable, found '.pred'"},
      {".shared x;", "5:9: expected the type of a variable, found 'x'"},
      {".shared .b32 .f32 x;", "5:14: expected a name, found a second type '.f32'"},
      {".local .align 3 .b8 x[4];", "5:15: an alignment is a power of two, found '3'"},
      {".local .align x .b8 x[4];", "5:15: expected an alignment, found 'x'"},
      {".local .b8 x[0];", "5:13: the size of 'x' is not between 1 element and 2^40 bytes"},
      {".local .b8 x[9999999999999999];", "5:13: the size of 'x' is not between 1 element and 2^40 bytes"},
      {".local .b8 x[-1];", "5:14: expected the number of elements, found '-'"},
      {".local .b8 x[4;", "5:15: expected ']' after the number of elements, found ';'"},
      {".local .b8 x[2][];", "5:16: only the first dimension of 'x' can be open"},
      {".local .b8 x[1][1][1][1][1][1][1][1][1];", "5:37: 'x' has more than 8 dimensions"},
      {".local .b8 x[4]", "6:1: expected ';' after the variable, found '}'"},
      {".extern .shared .b8 x[];", "5:1: unsupported directive '.extern'"},
      {".visible .b8 x;", "5:1: unsupported directive '.visible'"},
      {".maxntid 5;", "5:1: unsupported directive '.maxntid'"},
      {".loc 1 2\n ret;", "6:2: expected a column, found 'ret'"},
      {".loc 1 2 3, inlined 1 2 3", "5:13: expected 'function_name' or 'inlined_at', found 'inlined'"},
      {".loc 1 2 3, function_name", "6:1: expected the label of a function's name, found '}'"},
      {".pragma nounroll;", "5:9: expected a string after '.pragma', found 'nounroll'"},
      {".pragma \"nounroll\"", "6:1: expected ';' after '.pragma', found '}'"},
      {"/* never closed", "5:1: unterminated comment: there is no */"},
      {".pragma \"never closed;\n", "5:9: unterminated string: there is no '\"' on this line"},
      {";", "5:1: expected an instruction, a label, a directive or '}', found ';'"},
      {"5;", "5:1: expected an instruction, a label, a directive or '}', found '5'"},
      {"ret; } }", "5:8: expected a directive, found '}'"},
      {"{", "7:1: expected '}' of the body of 'k' on line 4, found the end of the file"},
      {"ret; /", "5:6: expected an instruction, a label, a directive or '}', found '/'"},
      {"ret; \x01", "5:6: stray character with the code 0x01"},
      {"ret; \xe9", "5:6: stray character with the code 0xE9"},
      {"ret; . x", "5:6: expected a name after '.'"},
  };
  for (const auto &[text, message] : cases)
    EXPECT_EQ(errorOf([text = std::string(text)] { parseBody(text); }), message) << text;
}

TEST(ErrorTest, Modules) { // the text begins on line 4
  const Case cases[] = {
      {".version 8.0", "4:1: unsupported directive '.version'"},
      {".foo", "4:1: unsupported directive '.foo'"},
      {".entry", "4:7: expected the name of a kernel, found the end of the file"},
      {".entry 5() { }", "4:8: expected the name of a kernel, found '5'"},
      {".entry k(", "4:10: expected '.param', found the end of the file"},
      {".entry k(.b32 x) { }", "4:10: expected '.param', found '.b32'"},
      {".entry k(.param x) { }", "4:17: expected the type of a variable, found 'x'"},
      {".entry k(.param .b32) { }", "4:21: expected the name of a variable, found ')'"},
      {".entry k(.param .b32 x .param .b32 y) { }", "4:24: expected ')' after the parameters, found '.param'"},
      {".entry k(.param .b8 x[]) { }", "4:17: the parameter 'x' has no size"},
      {".entry k(.param .b32 x, .param .b32 x) { }", "4:37: 'x' is already declared on line 4"},
      {".entry k() ret;", "4:12: expected ';' or '{' after the head of 'k', found 'ret'"},
      {".entry k() .foo { }", "4:12: unsupported directive '.foo' in the head of a function"},
      {".func f()\n.func g() { }", "5:1: unsupported directive '.func' in the head of a function"},
      {".entry k() .reqntid { }", "4:21: expected a number, found '{'"},
      {".entry k() .reqntid 1, 2, 3, 4 { }", "4:30: expected at most three numbers, found '4'"},
      {".entry k() .reqntid 5000000000 { }", "4:21: a number is at most 4294967295, found '5000000000'"},
      {".entry k() { ret;", "4:18: expected '}' of the body of 'k' on line 4, found the end of the file"},
      {".entry k() { } .entry k() { }", "4:23: 'k' is already defined on line 4"},
      {".func k(); .entry k() { }", "4:19: 'k' is declared as another kind of function on line 4"},
      {".func f(.reg .b32 x);", "4:9: parameters in registers are not supported: .param is"},
      {".extern .func f() { }", "4:15: 'f' is .extern and cannot have a body"},
      {".func f() .attribute(x", "4:11: unterminated '.attribute': there is no ')'"},
      {".global .b32 f; .func f();", "4:23: 'f' is already declared, as a variable, on line 4"},
      {".func f(); .global .b32 f;", "4:25: 'f' is already declared, as a function, on line 4"},
      {".global .b32 x; .global .b32 x;", "4:30: 'x' is already defined on line 4"},
      {".extern .global .b32 x; .extern .const .b32 x;", "4:45: 'x' is declared in another space on line 4"},
      {".global .texref t;", "4:9: textures, samplers and surfaces are not supported ('.texref')"},
      {".local .b32 x;", "4:1: '.local' variables are declared in functions"},
      {".param .b32 x;", "4:1: unsupported directive '.param'"},
      {".global .b32 x", "4:15: expected ';' after the variable, found the end of the file"},
      {".global .b32 x[];", "4:14: 'x' has an open size: it needs an initial value or .extern"},
      {".extern .global .b32 x = 5;",
       "4:24: only .global and .const variables that are defined here have an initial value"},
      {".shared .b32 x = 5;", "4:16: only .global and .const variables that are defined here have an initial value"},
      {".global .b32 x[2] = 5;", "4:21: expected '{' before the initial values, found '5'"},
      {".global .b32 x[2] = {1, 2, 3};", "4:28: more initial values than 'x' has room for"},
      {".global .b32 x[2][2] = {1, 2, 3, 4};", "4:25: expected '{' before the initial values, found '1'"},
      {".global .b32 x[2] = {{1}, {2}};", "4:22: expected a constant, found '{'"},
      {".global .b32 x = {1};", "4:18: expected a constant, found '{'"},
      {".global .b32 x[2] = {};", "4:22: expected a constant, found '}'"},
      {".global .b32 x[2] = {1, };", "4:25: expected a constant, found '}'"},
      {".global .b32 x[2] = {1", "4:23: expected '}' after the initial values, found the end of the file"},
      {".global .f16 x = 1.5;", "4:18: a floating point value cannot be the initial value of a .f16"},
      {".global .f32 x = 1;", "4:18: an integer cannot be the initial value of a .f32"},
      {".global .u32 x = 1.5;", "4:18: a floating point value cannot be the initial value of a .u32"},
      {".global .u64 x = y;", "4:18: undeclared name 'y'"},
      {".global .u64 x = generic(y);", "4:26: undeclared name 'y'"},
      {".global .u64 x = generic(x+8);", "4:27: expected ')' after the address, found '+'"},
      {".global .b8 y; .global .b64 x = y;", "4:33: an address cannot be the initial value of a .b64"},
      {".global .b8 y; .global .u8 x = y;", "4:32: an address cannot be the initial value of a .u8"},
      {".global .b8 y; .global .u8 x = 0xFFF(y);", "4:38: a mask takes one byte of an address, for a variable of .u8"},
      {".global .b8 y; .global .u32 x = 0xFF(y);", "4:38: a mask takes one byte of an address, for a variable of .u8"},
      {".global .b8 y; .global .u8 x = 0xFF(5);", "4:37: expected the name of a variable or function, found '5'"},
      {".global .b8 y; .global .u8 x = 0xFF(y;", "4:38: expected ')' after the address, found ';'"},
      {".global .b8 y; .global .u64 x = y-8;", "4:34: expected ';' after the variable, found '-'"},
      {".alias a, b;", "4:8: expected a declared function, and 'a' is none"},
      {".func a(); .alias a, b;", "4:22: expected a function, and 'b' is none"},
      {".func a(); .func b(); .alias a, b;", "4:33: 'b' is not defined before its alias"},
      {".func a(); .func b() { } .alias b, a;", "4:33: 'b' is defined and cannot be an alias"},
      {".func a(); .func b() { } .alias a b;", "4:35: expected ',' after the name of the alias, found 'b'"},
      {".file \"a.cu\"", "4:7: expected the number of a file, found a string"},
      {".file 99999 \"a.cu\"", "4:7: the number of a file is at most 65536, found '99999'"},
      {".file 1 a.cu", "4:9: expected the name of a file, as a string, found 'a'"},
      {".file 1 \"a.cu\", x", "4:17: expected the time of the file, found 'x'"},
      {".section", "4:9: expected the name of a section, found the end of the file"},
      {".section .debug_info 5", "4:22: expected '{' after the name of the section, found '5'"},
      {".section .debug_info {", "4:10: unterminated '.section': there is no '}'"},
      {".nv_intermediate_source_section { .source_begin x", "4:35: '.source_begin' is not followed by '.source_end'"},
      {".nv_intermediate_source_section {",
       "4:33: unterminated '.nv_intermediate_source_section': there is no '}'"},
      {".pragma \"a\"", "4:12: expected ';' after '.pragma', found the end of the file"},
      {".loc 1 2 3", "4:1: unsupported directive '.loc'"},
      {"ret;", "4:1: expected a directive, found 'ret'"},
      {"}", "4:1: expected a directive, found '}'"},
      {";", "4:1: expected a directive, found ';'"},
  };
  for (const auto &[text, message] : cases)
    EXPECT_EQ(errorOf([text = std::string(text)] { parseModule(text); }), message) << text;
}

TEST(ErrorTest, Headers) {
  const Case cases[] = {
      {"", "1:1: expected '.version', with which a PTX file begins, found the end of the file"},
      {".target sm_90", "1:1: expected '.version', with which a PTX file begins, found '.target'"},
      {".version 8 .target sm_90", "1:10: expected the version of PTX, such as 8.4, found '8'"},
      {".version 8. .target sm_90", "1:10: expected the version of PTX, such as 8.4, found '8.'"},
      {".version x.y", "1:10: expected the version of PTX, such as 8.4, found 'x'"},
      {".version 8.0", "1:13: expected '.target' after '.version', found the end of the file"},
      {".version 8.0 .target 90", "1:22: expected a target, such as sm_90, found '90'"},
      {".version 8.0 .target sm_90 .address_size 32", "1:42: only addresses of 64 bits are supported"},
      {".version 8.0 .target sm_90,", "1:28: expected an option of '.target', found the end of the file"},
      {"ELF", "1:1: expected '.version', with which a PTX file begins, found 'ELF'"},
  };
  for (const auto &[text, message] : cases)
    EXPECT_EQ(errorOf([text = std::string(text)] { parse(text, "test.ptx"); }), message) << text;
}

// Code that no compiler writes, but a damaged file may contain: an error must end parsing long before the stack or the
// memory is exhausted.
TEST(ErrorTest, Limits) {
  auto times = [](int count, const std::string &text) {
    std::string all;
    for (int i = 0; i < count; ++i)
      all += text;
    return all;
  };
  EXPECT_EQ(errorOf([&] { parseBody(times(100000, "{")); }), "5:200: blocks are nested deeper than 200");
  parseBody(times(199, "{") + times(199, "}"));
  EXPECT_EQ(errorOf([&] { parseBody("mov.b32 %r0, " + times(100000, "(") + "1;"); }),
            "5:114: the constant expression is nested deeper than 100");
  EXPECT_EQ(errorOf([&] { parseBody("mov.b32 %r0, " + times(100000, "-") + "1;"); }),
            "5:114: the constant expression is nested deeper than 100");
  EXPECT_EQ(errorOf([&] { parseBody("mov.b32 %r0, " + times(100000, "1?1:") + "1;"); }),
            "5:412: the constant expression is nested deeper than 100");
  parseBody("mov.b32 %r0, " + times(100000, "1+") + "1;");
  parseBody("mov.b32 %r0, " + times(90, "(") + "1" + times(90, ")") + ";");
  EXPECT_EQ(errorOf([&] { parseModule(".global .b8 x" + times(100000, "[1]") + ";"); }),
            "4:38: 'x' has more than 8 dimensions");
  EXPECT_EQ(errorOf([&] { parseModule(".global .b8 x[2] = " + times(100000, "{") + ";"); }),
            "4:21: expected a constant, found '{'");
  EXPECT_EQ(errorOf([&] { parseModule(".global .b8 x[2][1000000000] = {{1}, {2}};"); }),
            "4:39: the initial value is larger than 2^27 bytes");
  EXPECT_EQ(errorOf([&] { parseBody(".reg .v4 .b32 x<300000>;"); }), "5:15: more than 1048576 registers in 'k'");
  EXPECT_EQ(errorOf([&] { parseBody("mov.b32 %r0, " + times(1000, "long") + ";"); }),
            "5:14: undeclared name '" + times(20, "long") + "...'");
}

} // namespace
