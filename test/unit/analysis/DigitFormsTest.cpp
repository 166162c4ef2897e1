// Tests forms of indices with / and %. For random arguments that satisfy the launch conditions of a form, the form must
// give the value that the operations compute, for all elements.
#include "lowering/analysis/DigitForms.h"
#include "lowering/analysis/Models.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/TTG.h"
#include "runtime/src/LaunchCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tilecc;
using namespace tilecc::digits;

namespace {

/// The values of scalars, and of an element of a tile with a known index.
struct Numbers {
  llvm::DenseMap<Value, int64_t> scalars;

  int64_t get(Value value, int64_t index) const {
    if (auto at = scalars.find(value); at != scalars.end())
      return at->second;
    Operation *op = value.getDefiningOp();
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    if (isa<tt::MakeRangeOp>(op))
      return index;
    int64_t x = get(op->getOperand(0), index);
    if (op->getNumOperands() == 1)
      return x;
    int64_t y = get(op->getOperand(1), index);
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case([&](arith::AddIOp) { return x + y; })
        .Case([&](arith::SubIOp) { return x - y; })
        .Case([&](arith::MulIOp) { return x * y; })
        .Case([&](arith::DivSIOp) { return x / y; })
        .Case([&](arith::RemSIOp) { return x % y; });
  }

  int64_t get(const Forms &forms, const Product &product) const {
    int64_t number = product.factor;
    for (unsigned atom : product.atoms)
      number *= get(forms, forms.getAtom(atom));
    return number;
  }
  int64_t get(const Forms &forms, const Atom &atom) const {
    if (atom.kind == Atom::Scalar)
      return get(atom.scalar, 0);
    int64_t number = get(forms, atom.number);
    if (atom.kind == Atom::Divisor)
      return number;
    return atom.kind == Atom::Quotient ? number / get(forms, atom.divisor) : number % get(forms, atom.divisor);
  }
  int64_t get(const Forms &forms, const Sum &sum) const {
    int64_t number = 0;
    for (const Product &product : sum.getProducts())
      number += get(forms, product);
    return number;
  }
  int64_t get(const Forms &forms, const Form &form, int64_t index) const {
    int64_t number = get(forms, form.number);
    for (auto &[variable, times] : form.parts) {
      int64_t digit = index;
      if (variable.isDigit) {
        digit = (get(forms, variable.start) + index) / get(forms, variable.unit);
        digit = variable.base ? digit % get(forms, *variable.base) : digit;
      }
      number += digit * get(forms, times);
    }
    return number;
  }
};

/// Returns the number that a launch computes with `code`; nothing if the code has no result.
std::optional<int64_t> run(const LaunchCode &code, ArrayRef<int64_t> parameters) {
  std::vector<tilecc_param> descriptions(parameters.size(), tilecc_param{sizeof(int64_t)});
  std::vector<void *> args;
  for (const int64_t &parameter : parameters)
    args.push_back(const_cast<int64_t *>(&parameter));
  tilecc_kernel kernel = {};
  kernel.params = descriptions.data();
  int64_t stack[64];
  uint32_t count = rt::runCode(kernel, code.getWords().data(), code.getWords().size(), args.data(), stack, 64);
  return count == 1 ? std::optional(stack[0]) : std::nullopt;
}

class DigitFormsTest : public ::testing::Test {
protected:
  static constexpr int64_t size = 16;

  DigitFormsTest() {
    DialectRegistry registry;
    registerAnalysisModels(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<tt::TTDialect, ttg::TTGDialect, arith::ArithDialect, scf::SCFDialect>();
  }

  /// The value that the last operation of `body` before the return defines, for a tile %m = 16 * %i + 0 to 15, or for
  /// scalars.
  Value parse(const std::string &body) {
    module = parseSourceString<ModuleOp>("tt.func @f(%a: i32, %b: i32, %c: i32) {\n"
                                         "  %c0 = arith.constant 0 : i32\n  %c1 = arith.constant 1 : i32\n"
                                         "  %c16 = arith.constant 16 : i32\n  %i = tt.get_program_id x : i32\n"
                                         "  %first = arith.muli %i, %c16 : i32\n"
                                         "  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>\n"
                                         "  %firsts = tt.splat %first : i32 -> tensor<16xi32>\n"
                                         "  %m = arith.addi %firsts, %range : tensor<16xi32>\n"
                                         "  %as = tt.splat %a : i32 -> tensor<16xi32>\n"
                                         "  %bs = tt.splat %b : i32 -> tensor<16xi32>\n" +
                                             body + "\n  tt.return\n}",
                                         &context);
    if (!module)
      return {};
    function = *module->getOps<tt::FuncOp>().begin();
    return std::prev(function.getBody().front().end(), 2)->getResult(0);
  }

  /// Compares `form` with `value` for arguments that fulfil the conditions; there must be some.
  void compare(Forms &forms, const Form &form, Value value) {
    std::mt19937 random(1);
    int met = 0;
    for (int round = 0; round < 2000; ++round) {
      int64_t arguments[3], program = random() % 20;
      for (int64_t &argument : arguments)
        argument = random() % 4 ? random() % 5 * 16 : int64_t(random() % 70) - 10;
      if (llvm::any_of(forms.requirements,
                       [&](const LaunchCode &code) { return run(code, arguments).value_or(-1) < 0; }))
        continue;
      ++met;
      Numbers numbers;
      for (auto [argument, number] : llvm::zip(function.getArguments(), arguments))
        numbers.scalars[argument] = number;
      function.walk([&](tt::GetProgramIdOp op) { numbers.scalars[op] = program; });
      for (int64_t index = 0; index < size; ++index)
        ASSERT_EQ(numbers.get(forms, form, index), numbers.get(value, index))
            << "element " << index << " for " << arguments[0] << ", " << arguments[1] << ", " << arguments[2]
            << ", program " << program;
    }
    EXPECT_GT(met, 100);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  tt::FuncOp function;
};

TEST_F(DigitFormsTest, DigitsOfRows) {
  const char *bodies[] = {
      "%x = arith.remsi %m, %as : tensor<16xi32>",
      "%x = arith.divsi %m, %as : tensor<16xi32>",
      "%r = arith.divsi %m, %as : tensor<16xi32>\n %x = arith.remsi %r, %bs : tensor<16xi32>",
      "%r = arith.divsi %m, %as : tensor<16xi32>\n %x = arith.divsi %r, %bs : tensor<16xi32>",
      "%ab = arith.muli %as, %bs : tensor<16xi32>\n %r = arith.remsi %m, %ab : tensor<16xi32>\n %x = arith.divsi %r, "
      "%as : tensor<16xi32>",
      "%ab = arith.muli %as, %bs : tensor<16xi32>\n %r = arith.remsi %m, %ab : tensor<16xi32>\n %x = arith.remsi %r, "
      "%bs : tensor<16xi32>",
      "%q = arith.remsi %m, %as : tensor<16xi32>\n %p = arith.divsi %m, %as : tensor<16xi32>\n"
      "%y = arith.muli %p, %bs : tensor<16xi32>\n %x = arith.subi %y, %q : tensor<16xi32>",
  };
  for (const char *body : bodies) {
    Value value = parse(body);
    ASSERT_TRUE(value) << body;
    Forms forms;
    std::optional<Form> form = forms.get(value);
    ASSERT_TRUE(form) << body;
    EXPECT_TRUE(llvm::any_of(form->parts, [](auto &part) { return part.first.isDigit; })) << body;
    compare(forms, *form, value);
  }
}

// Columns: a tile begins at a multiple of 16, and bases are multiples, which the launch checks.
TEST_F(DigitFormsTest, TilesOfColumnsHaveOneDigitThatDiffers) {
  const char *bodies[] = {
      "%x = arith.remsi %m, %as : tensor<16xi32>",
      "%x = arith.divsi %m, %as : tensor<16xi32>",
      "%r = arith.divsi %m, %as : tensor<16xi32>\n %x = arith.remsi %r, %bs : tensor<16xi32>",
      "%r = arith.divsi %m, %as : tensor<16xi32>\n %s = arith.remsi %r, %bs : tensor<16xi32>\n"
      "%d = arith.remsi %m, %as : tensor<16xi32>\n %y = arith.muli %s, %as : tensor<16xi32>\n"
      "%x = arith.addi %y, %d : tensor<16xi32>",
  };
  for (const char *body : bodies) {
    Value value = parse(body);
    ASSERT_TRUE(value) << body;
    Forms forms;
    std::optional<Form> form = forms.get(value);
    ASSERT_TRUE(form) << body;
    ASSERT_TRUE(forms.resolve(*form, /*axis=*/0, size)) << body;
    EXPECT_FALSE(llvm::any_of(form->parts, [](auto &part) { return part.first.isDigit; })) << body;
    compare(forms, *form, value);
  }
}

TEST_F(DigitFormsTest, WhatIsNoForm) {
  const char *bodies[] = {
      "%x = arith.muli %m, %range : tensor<16xi32>",                                           // a square
      "%y = arith.addi %m, %m : tensor<16xi32>\n %x = arith.remsi %y, %as : tensor<16xi32>",   // of every other index
      "%y = arith.remsi %m, %as : tensor<16xi32>\n %x = arith.remsi %y, %bs : tensor<16xi32>", // may not divide
      "%y = arith.remsi %m, %as : tensor<16xi32>\n %z = arith.addi %y, %bs : tensor<16xi32>\n %x = arith.divsi %z, %as "
      ": tensor<16xi32>",
      "%n = arith.trunci %range : tensor<16xi32> to tensor<16xi8>\n %x = arith.extui %n : tensor<16xi8> to "
      "tensor<16xi32>",
      "%x = arith.maxsi %m, %as : tensor<16xi32>",
  };
  for (const char *body : bodies) {
    Value value = parse(body);
    ASSERT_TRUE(value) << body;
    EXPECT_FALSE(Forms().get(value)) << body;
  }
  // The tile begins at a multiple of 16, but not of 32.
  Value value = parse("%x = arith.remsi %m, %as : tensor<16xi32>");
  Forms forms;
  std::optional<Form> form = forms.get(value);
  ASSERT_TRUE(form);
  EXPECT_FALSE(forms.resolve(*form, /*axis=*/0, 2 * size));
}

TEST_F(DigitFormsTest, BoundsOfWhatMasksLetThrough) {
  Value value = parse("%y = arith.divsi %i, %a : i32\n %x = arith.remsi %y, %b : i32");
  Forms forms;
  std::optional<Form> form = forms.get(value);
  ASSERT_TRUE(form);
  std::optional<Sum> most = forms.getBound(form->number); // b - 1
  ASSERT_TRUE(most);
  int64_t arguments[] = {3, 7, 0};
  EXPECT_EQ(run(*forms.getLaunchCode(*most), arguments), 6);
  EXPECT_FALSE(forms.boundsAreAssumed);

  std::optional<Form> program = forms.get(*function.getOps<tt::GetProgramIdOp>().begin());
  EXPECT_FALSE(forms.getBound(program->number));
  forms.assumeNegative(program->number * Sum(4) - Sum(10)); // the largest that is below is 2
  most = forms.getBound(program->number);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->getConstant(), 2);
  EXPECT_TRUE(forms.boundsAreAssumed);
}

TEST_F(DigitFormsTest, LaunchesComputeFromArgumentsAlone) {
  auto compute = [&](const std::string &body) {
    std::optional<LaunchCode> code = LaunchCode::get(parse(body));
    return code ? run(*code, {17, 5, -3}) : std::nullopt;
  };
  EXPECT_EQ(compute("%y = arith.addi %a, %b : i32\n %z = arith.divsi %y, %b : i32\n %x = arith.subi %z, %c : i32"), 7);
  EXPECT_EQ(
      compute("%y = arith.extsi %a : i32 to i64\n %z = arith.extsi %b : i32 to i64\n %x = arith.remsi %y, %z : i64"),
      2);
  EXPECT_EQ(compute("%x = arith.muli %i, %a : i32"), std::nullopt);
  EXPECT_EQ(compute("%y = arith.trunci %a : i32 to i8\n %x = arith.extui %y : i8 to i32"), std::nullopt);
  EXPECT_EQ((LaunchCode(7) / LaunchCode(2) + LaunchCode(4) % LaunchCode(3)).getConstant(), 4);
  EXPECT_EQ((LaunchCode(7) / LaunchCode(0)).getConstant(), std::nullopt);
}

} // namespace
