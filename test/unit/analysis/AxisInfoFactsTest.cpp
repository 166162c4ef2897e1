// Tests facts about contiguity, divisibility and constancy for each operation, with the cases of Triton's own test of
// its alignment analysis, in our notation. The attribute `is` of an operation states what must be known about its
// result, axis by axis: the length of runs that count up (c), the divisor of the first element of each run (d), and the
// length of runs of one value (k).
#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/Models.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilecc;

namespace {

std::string describe(const AxisInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](char name, auto get) {
    os << name;
    for (unsigned d = 0; d < info.getRank(); ++d)
      os << (d ? "x" : "") << get(d);
  };
  list('c', [&](unsigned d) { return info.getContiguity(d); });
  list('d', [&](unsigned d) { return info.getDivisibility(d); });
  list('k', [&](unsigned d) { return info.getConstancy(d); });
  if (info.getConstant())
    os << "=" << *info.getConstant();
  return text;
}

class AxisInfoFactsTest : public ::testing::Test {
protected:
  AxisInfoFactsTest() {
    DialectRegistry registry;
    registerAnalysisModels(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<tt::TTDialect, ttg::TTGDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                        cf::ControlFlowDialect, LLVM::LLVMDialect>();
  }

  void check(const std::string &body, const std::string &parameters = "") {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>("tt.func @f(" + parameters + ") {\n" + body + "\ntt.return\n}", &context);
    ASSERT_TRUE(module);
    AxisInfoAnalysis analysis(*module);
    unsigned facts = 0;
    module->walk([&](Operation *op) {
      auto expected = op->getAttrOfType<StringAttr>("is");
      if (!expected)
        return;
      ++facts;
      std::string text;
      llvm::raw_string_ostream os(text);
      op->print(os);
      EXPECT_EQ(describe(analysis.get(op->getResult(0))), expected.getValue().str()) << text;
    });
    EXPECT_GT(facts, 0u);
  }

  MLIRContext context;
};

TEST_F(AxisInfoFactsTest, Casts) {
  check(R"(
    %one = arith.constant {is = "c1d1k1=1"} 1 : i32
    %wide = arith.extsi %one {is = "c1d1k1=1"} : i32 to i64
    %tile = arith.constant {is = "c1d1k128=1"} dense<1> : tensor<128xi32>
    %wides = arith.extsi %tile {is = "c1d1k128=1"} : tensor<128xi32> to tensor<128xi64>
    %r = tt.make_range {start = 0 : i32, end = 128 : i32, is = "c128d1073741824k1"} : tensor<128xi32>
    %u = arith.extui %r {is = "c128d1073741824k1"} : tensor<128xi32> to tensor<128xi64>
    %t = arith.trunci %u {is = "c128d1073741824k1"} : tensor<128xi64> to tensor<128xi16>
    %b = arith.trunci %u {is = "c128d1073741824k1"} : tensor<128xi64> to tensor<128xi8>)");
}

TEST_F(AxisInfoFactsTest, SumsAndDifferences) {
  check(R"(
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %one = arith.constant dense<1> : tensor<128xi32>
    %many = arith.constant dense<127> : tensor<128xi32>
    %a = arith.addi %r, %one {is = "c128d1k1"} : tensor<128xi32>
    %s = arith.subi %r, %one {is = "c128d1k1"} : tensor<128xi32>
    %n = arith.subi %one, %r {is = "c1d1k1"} : tensor<128xi32>
    %k = arith.addi %one, %many {is = "c1d128k128=128"} : tensor<128xi32>)");
}

TEST_F(AxisInfoFactsTest, ProductsAndQuotients) {
  check(R"(
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %off = tt.make_range {start = 64 : i32, end = 128 : i32, is = "c64d64k1"} : tensor<64xi32>
    %one = arith.constant dense<1> : tensor<128xi32>
    %four = arith.constant dense<4> : tensor<128xi32>
    %m = arith.muli %r, %one {is = "c128d1073741824k1"} : tensor<128xi32>
    %m4 = arith.muli %r, %four {is = "c1d4k1"} : tensor<128xi32>
    %d1 = arith.divsi %r, %one {is = "c128d1073741824k1"} : tensor<128xi32>
    %d4 = arith.divsi %r, %four {is = "c1d1k4"} : tensor<128xi32>
    %u4 = arith.divui %r, %four {is = "c1d1k4"} : tensor<128xi32>
    %r4 = arith.remsi %r, %four {is = "c4d4k1"} : tensor<128xi32>
    %r1 = arith.remsi %four, %r {is = "c1d1k1"} : tensor<128xi32>)");
}

TEST_F(AxisInfoFactsTest, Shapes) {
  check(R"(
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %two = arith.constant 2 : i32
    %s = tt.splat %two {is = "c1x1d2x2k128x128=2"} : i32 -> tensor<128x128xi32>
    %row = tt.expand_dims %r {axis = 0 : i32, is = "c1x128d1x1073741824k1x1"} : tensor<128xi32> -> tensor<1x128xi32>
    %col = tt.expand_dims %r {axis = 1 : i32, is = "c128x1d1073741824x1k1x1"} : tensor<128xi32> -> tensor<128x1xi32>
    %rows = tt.broadcast %row {is = "c1x128d1x1073741824k128x1"} : tensor<1x128xi32> -> tensor<128x128xi32>
    %cols = tt.broadcast %col {is = "c128x1d1073741824x1k1x128"} : tensor<128x1xi32> -> tensor<128x128xi32>
    %t = tt.trans %rows {order = array<i32: 1, 0>, is = "c128x1d1073741824x1k1x128"} : tensor<128x128xi32> -> tensor<128x128xi32>
    %w = tt.reshape %r {is = "c1x16d1x16k1x1"} : tensor<128xi32> -> tensor<8x16xi32>
    %j = tt.join %rows, %rows {is = "c1x128x1d1x1073741824x1k128x1x1"} : tensor<128x128xi32> -> tensor<128x128x2xi32>
    %h:2 = tt.split %j {is = "c1x128d1x1073741824k128x1"} : tensor<128x128x2xi32> -> tensor<128x128xi32>)");
}

TEST_F(AxisInfoFactsTest, ComparisonsAndChoices) {
  check(R"(
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %zero = arith.constant dense<0> : tensor<128xi32>
    %eight = arith.constant dense<8> : tensor<128xi32>
    %ns = tt.splat %n {is = "c1d16k128"} : i32 -> tensor<128xi32>
    %lt = arith.cmpi slt, %r, %eight {is = "c1d1k8"} : tensor<128xi32>
    %le = arith.cmpi sle, %r, %eight {is = "c1d1k1"} : tensor<128xi32>
    %ge = arith.cmpi sge, %r, %eight {is = "c1d1k8"} : tensor<128xi32>
    %gt = arith.cmpi sgt, %r, %eight {is = "c1d1k1"} : tensor<128xi32>
    %eq = arith.cmpi eq, %r, %eight {is = "c1d1k1"} : tensor<128xi32>
    %in = arith.cmpi slt, %r, %ns {is = "c1d1k16"} : tensor<128xi32>
    %both = arith.andi %lt, %in {is = "c1d1k8"} : tensor<128xi1>
    %sel = arith.select %lt, %r, %zero {is = "c1d1k1"} : tensor<128xi1>, tensor<128xi32>
    %any = arith.select %c, %r, %r {is = "c128d1073741824k1"} : tensor<128xi32>)",
        "%n: i32 {tt.divisibility = 16 : i32}, %c: i1");
}

TEST_F(AxisInfoFactsTest, Bits) {
  check(R"(
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %eight = arith.constant dense<8> : tensor<128xi32>
    %three = arith.constant dense<3> : tensor<128xi32>
    %low = arith.constant dense<7> : tensor<128xi32>
    %high = arith.constant dense<-8> : tensor<128xi32>
    %sl = arith.shli %r, %three {is = "c1d8k1"} : tensor<128xi32>
    %sr = arith.shrsi %r, %three {is = "c1d1k8"} : tensor<128xi32>
    %su = arith.shrui %r, %three {is = "c1d1k8"} : tensor<128xi32>
    %ks = arith.shli %eight, %three {is = "c1d64k128=64"} : tensor<128xi32>
    %and = arith.andi %r, %low {is = "c8d8k1"} : tensor<128xi32>
    %down = arith.andi %r, %high {is = "c1d8k8"} : tensor<128xi32>
    %or = arith.ori %eight, %low {is = "c1d1k128=15"} : tensor<128xi32>
    %max = arith.maxsi %eight, %low {is = "c1d8k128=8"} : tensor<128xi32>
    %min = arith.minsi %r, %eight {is = "c1d1k1"} : tensor<128xi32>)");
}

TEST_F(AxisInfoFactsTest, PointersAndLoads) {
  check(R"(
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %s = tt.splat %p {is = "c1d16k128"} : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %a = tt.addptr %s, %r {is = "c128d16k1"} : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %b = tt.bitcast %a {is = "c1d4k1"} : tensor<128x!tt.ptr<f32>> -> tensor<128x!tt.ptr<i8>>
    %n = tt.ptr_to_int %s {is = "c1d16k128"} : tensor<128x!tt.ptr<f32>> -> tensor<128xi64>
    %v = tt.load %s {is = "c1d1k128"} : tensor<128x!tt.ptr<f32>>
    %w = tt.load %a {is = "c1d1k1"} : tensor<128x!tt.ptr<f32>>
    %e = math.exp %v {is = "c1d1k128"} : tensor<128xf32>
    %four = arith.constant 4 : i32
    %q = tt.addptr %p, %four {is = "c1d16k1"} : !tt.ptr<f32>, i32
    %one = arith.constant 1 : i32
    %x = tt.addptr %p, %one {is = "c1d4k1"} : !tt.ptr<f32>, i32)",
        "%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}");
}

TEST_F(AxisInfoFactsTest, ControlFlow) {
  check(R"(
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c128 = arith.constant 128 : i32
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %one = arith.constant dense<1> : tensor<128xi32>
    %l:2 = scf.for %i = %c16 to %n step %c128 iter_args(%x = %r, %y = %one) -> (tensor<128xi32>, tensor<128xi32>) : i32 {
      %j = arith.addi %i, %c0 {is = "c1d16k1"} : i32
      %nx = arith.addi %x, %one {is = "c128d1k1"} : tensor<128xi32>
      scf.yield %nx, %y : tensor<128xi32>, tensor<128xi32>
    }
    %k = arith.muli %l#1, %one {is = "c1d1k128=1"} : tensor<128xi32>
    scf.for %i = %c0 to %n step %c128 : i32 {
      %s = tt.splat %i {is = "c1d128k128"} : i32 -> tensor<128xi32>
      %o = arith.addi %s, %r {is = "c128d128k1"} : tensor<128xi32>
    }
    scf.for %i = %c0 to %n step %n : i32 {
      %s = tt.splat %i {is = "c1d1k128"} : i32 -> tensor<128xi32>
    }
    %b = scf.if %c -> i32 {
      scf.yield %c16 : i32
    } else {
      scf.yield %c128 : i32
    } {is = "c1d16k1"})",
        "%n: i32, %c: i1");
}

TEST_F(AxisInfoFactsTest, ATileOfRowsAndColumns) {
  // The addresses of a matrix multiplication: rows with a stride, contiguous columns.
  check(R"(
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %col = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %row = tt.expand_dims %r {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %st = tt.splat %stride : i32 -> tensor<128x1xi32>
    %rows = arith.muli %col, %st {is = "c1x1d16x16k1x1"} : tensor<128x1xi32>
    %p1 = tt.splat %p : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %a1 = tt.addptr %p1, %rows {is = "c1x1d16x16k1x1"} : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %a2 = tt.broadcast %a1 {is = "c1x1d16x16k1x128"} : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
    %c2 = tt.broadcast %row : tensor<1x128xi32> -> tensor<128x128xi32>
    %a = tt.addptr %a2, %c2 {is = "c1x128d2x16k1x1"} : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>)",
        "%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}");
}

} // namespace
