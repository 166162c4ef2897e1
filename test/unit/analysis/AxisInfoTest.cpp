// Tests AxisInfo's results for index computations of kernels. (AxisInfoRandomTest.cpp tests that they are true.)
#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/Models.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilecc;

namespace {

class AxisInfoTest : public ::testing::Test {
protected:
  AxisInfoTest() {
    DialectRegistry registry;
    registerAnalysisModels(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<tt::TTDialect, ttg::TTGDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                        LLVM::LLVMDialect>();
  }
  OwningOpRef<ModuleOp> parse(const std::string &text) { return parseSourceString<ModuleOp>(text, &context); }
  MLIRContext context;
};

/// The result for the value that the last operation of `body` before the return defines.
#define EXPECT_AXES(info, ...)                                                                                         \
  do {                                                                                                                 \
    std::string text;                                                                                                  \
    llvm::raw_string_ostream os(text);                                                                                 \
    (info).print(os);                                                                                                  \
    EXPECT_EQ(text, __VA_ARGS__);                                                                                      \
  } while (false)

TEST_F(AxisInfoTest, WrappedRowsStayContiguous) {
  OwningOpRef<ModuleOp> module = parse(R"(
    tt.func @f(%n: i32 {tt.divisibility = 16 : i32}) {
      %pid = tt.get_program_id x : i32
      %c = arith.constant 128 : i32
      %s = arith.muli %pid, %c : i32
      %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
      %ss = tt.splat %s : i32 -> tensor<128xi32>
      %i = arith.addi %ss, %r : tensor<128xi32>
      %ns = tt.splat %n : i32 -> tensor<128xi32>
      %w = arith.remsi %i, %ns : tensor<128xi32>
      %m = arith.cmpi slt, %i, %ns : tensor<128xi32>
      tt.return
    })");
  ASSERT_TRUE(module);
  AxisInfoAnalysis analysis(*module);
  module->walk([&](arith::AddIOp op) {
    EXPECT_AXES(analysis.get(op), "contiguity = [128], divisibility = [128], constancy = [1], not negative");
  });
  module->walk([&](arith::RemSIOp op) {
    EXPECT_AXES(analysis.get(op), "contiguity = [16], divisibility = [16], constancy = [1], not negative");
  });
  module->walk([&](arith::CmpIOp op) {
    EXPECT_AXES(analysis.get(op), "contiguity = [1], divisibility = [1], constancy = [16]");
  });
}

TEST_F(AxisInfoTest, LoopsKeepWhatEveryRoundKeeps) {
  OwningOpRef<ModuleOp> module = parse(R"(
    tt.func @f(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %odd: i32) {
      %c0 = arith.constant 0 : i32
      %c8 = arith.constant 8 : i32
      %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
      %s = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %a = tt.addptr %s, %r : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %step = arith.constant dense<64> : tensor<64xi32>
      %odds = tt.splat %odd : i32 -> tensor<64xi32>
      %l:2 = scf.for %i = %c0 to %n step %c8 iter_args(%even = %a, %uneven = %a) -> (tensor<64x!tt.ptr<f16>>, tensor<64x!tt.ptr<f16>>) : i32 {
        %e = tt.addptr %even, %step : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
        %u = tt.addptr %uneven, %odds : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
        scf.yield %e, %u : tensor<64x!tt.ptr<f16>>, tensor<64x!tt.ptr<f16>>
      }
      tt.return
    })");
  ASSERT_TRUE(module);
  AxisInfoAnalysis analysis(*module);
  module->walk([&](scf::ForOp loop) {
    EXPECT_AXES(analysis.get(loop.getInductionVar()),
                "contiguity = [1], divisibility = [8], constancy = [1], not negative");
    // Steps of 128 bytes keep the alignment of 16; steps of an unknown size keep two bytes, but the contiguity stays.
    EXPECT_EQ(analysis.getAlignedContiguity(loop.getRegionIterArg(0), 0), 8);
    EXPECT_EQ(analysis.getAlignedContiguity(loop.getRegionIterArg(1), 0), 1);
    EXPECT_EQ(analysis.get(loop.getRegionIterArg(1)).getContiguity(0), 64);
  });
}

TEST_F(AxisInfoTest, LoopsThatCarryNothingCount) {
  // The usual loop along a row.
  OwningOpRef<ModuleOp> module = parse(R"(
    tt.func @f(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
      %c0 = arith.constant 0 : i32
      %c512 = arith.constant 512 : i32
      %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
      %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
      %ns = tt.splat %n : i32 -> tensor<512xi32>
      scf.for %i = %c0 to %n step %c512 : i32 {
        %is = tt.splat %i : i32 -> tensor<512xi32>
        %o = arith.addi %is, %r : tensor<512xi32>
        %m = arith.cmpi slt, %o, %ns : tensor<512xi32>
        %a = tt.addptr %s, %o : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
        %x = tt.load %a, %m : tensor<512x!tt.ptr<f32>>
      }
      scf.for unsigned %i = %n to %c512 step %n : i32 {
      }
      tt.return
    })");
  ASSERT_TRUE(module);
  AxisInfoAnalysis analysis(*module);
  std::vector<std::string> counters;
  module->walk([&](scf::ForOp loop) {
    llvm::raw_string_ostream os(counters.emplace_back());
    analysis.get(loop.getInductionVar()).print(os);
  });
  EXPECT_EQ(counters, (std::vector<std::string>{
                          "contiguity = [1], divisibility = [512], constancy = [1], not negative",
                          "contiguity = [1], divisibility = [16], constancy = [1]"}));
  module->walk([&](tt::LoadOp load) {
    EXPECT_EQ(analysis.getAlignedContiguity(load.getPtr(), 0), 4);
    EXPECT_EQ(analysis.getMaskConstancy(load.getMask(), 0), 16);
  });
}

TEST_F(AxisInfoTest, NegativeNumbersDoNotDivideIntoGroups) {
  // -4 / 4, -3 / 4 and -2 / 4 are -1, 0 and 0.
  OwningOpRef<ModuleOp> module = parse(R"(
    tt.func @f(%x: i32) {
      %c = arith.constant 16 : i32
      %s = arith.muli %x, %c : i32
      %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
      %ss = tt.splat %s : i32 -> tensor<128xi32>
      %i = arith.addi %ss, %r : tensor<128xi32>
      %four = arith.constant dense<4> : tensor<128xi32>
      %q = arith.divsi %i, %four : tensor<128xi32>
      %m = arith.remsi %i, %four : tensor<128xi32>
      %h = arith.shrsi %i, %four : tensor<128xi32>
      %f = arith.floordivsi %i, %four : tensor<128xi32>
      tt.return
    })");
  ASSERT_TRUE(module);
  AxisInfoAnalysis analysis(*module);
  module->walk([&](arith::DivSIOp op) { EXPECT_EQ(analysis.get(op).getConstancy(0), 1); });
  module->walk([&](arith::RemSIOp op) { EXPECT_EQ(analysis.get(op).getContiguity(0), 1); });
  module->walk([&](arith::ShRSIOp op) { EXPECT_EQ(analysis.get(op).getConstancy(0), 16); });
  module->walk([&](arith::FloorDivSIOp op) { EXPECT_EQ(analysis.get(op).getConstancy(0), 4); });
}

TEST_F(AxisInfoTest, GroupedRowsOfAProductAreNotNegative) {
  // The order in which programs compute the tiles of a matrix multiplication: rows wrap around, and accesses stay wide.
  OwningOpRef<ModuleOp> module = parse(R"(
    tt.func @f(%m: i32, %n: i32 {tt.divisibility = 16 : i32}) {
      %pid = tt.get_program_id x : i32
      %c8 = arith.constant 8 : i32
      %c64 = arith.constant 64 : i32
      %in_group = arith.muli %n, %c8 : i32
      %g = arith.divsi %pid, %in_group : i32
      %first = arith.muli %g, %c8 : i32
      %left = arith.subi %m, %first : i32
      %size = arith.minsi %left, %c8 : i32
      %in = arith.remsi %pid, %in_group : i32
      %pn = arith.divsi %in, %size : i32
      %s = arith.muli %pn, %c64 : i32
      %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
      %ss = tt.splat %s : i32 -> tensor<64xi32>
      %i = arith.addi %ss, %r : tensor<64xi32>
      %ns = tt.splat %n : i32 -> tensor<64xi32>
      %w = arith.remsi %i, %ns {last} : tensor<64xi32>
      tt.return
    })");
  ASSERT_TRUE(module);
  AxisInfoAnalysis analysis(*module);
  module->walk([&](arith::RemSIOp op) {
    if (op->hasAttr("last"))
      EXPECT_AXES(analysis.get(op), "contiguity = [16], divisibility = [16], constancy = [1], not negative");
  });
}

TEST_F(AxisInfoTest, AssumptionsCount) {
  OwningOpRef<ModuleOp> module = parse(R"(
    tt.func @f(%x: i32, %y: i32, %z: i32, %b: i1) {
      %c0 = arith.constant 0 : i32
      %c8 = arith.constant 8 : i32
      %c15 = arith.constant 15 : i32
      %xr = arith.remsi %x, %c8 : i32
      %x8 = arith.cmpi eq, %xr, %c0 : i32
      %xp = arith.cmpi sgt, %x, %c0 : i32
      %both = arith.andi %x8, %xp : i1
      llvm.intr.assume %both : i1
      %yr = arith.andi %y, %c15 : i32
      %y16 = arith.cmpi eq, %yr, %c0 : i32
      llvm.intr.assume %y16 : i1
      %zr = arith.remsi %z, %c8 : i32
      %z8 = arith.cmpi eq, %zr, %c0 : i32
      scf.if %b {
        llvm.intr.assume %z8 : i1
      }
      tt.return
    })");
  ASSERT_TRUE(module);
  AxisInfoAnalysis analysis(*module);
  auto func = *module->getOps<tt::FuncOp>().begin();
  EXPECT_AXES(analysis.get(func.getArgument(0)),
              "contiguity = [1], divisibility = [8], constancy = [1], not negative");
  EXPECT_AXES(analysis.get(func.getArgument(1)), "contiguity = [1], divisibility = [16], constancy = [1]");
  // A fact that holds in one branch need not hold in the other.
  EXPECT_AXES(analysis.get(func.getArgument(2)), "contiguity = [1], divisibility = [1], constancy = [1]");
}

TEST_F(AxisInfoTest, PromisesOfTheSourceCount) {
  OwningOpRef<ModuleOp> module = parse(R"(
    tt.func @f(%x: i32) {
      %c = arith.constant 3 : i32
      %0 = arith.addi %x, %c {tt.divisibility = dense<32> : tensor<1xi32>} : i32
      tt.return
    })");
  ASSERT_TRUE(module);
  AxisInfoAnalysis analysis(*module);
  module->walk([&](arith::AddIOp op) {
    EXPECT_AXES(analysis.get(op), "contiguity = [1], divisibility = [32], constancy = [1]");
  });
}

} // namespace
