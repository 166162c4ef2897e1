// What AxisInfo says of random index computations holds for the numbers that an interpreter computes.
#include "lowering/analysis/AxisInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tilecc;

namespace {

/// The elements of a tile, row-major, as signed numbers of the type's width; a scalar is one element.
struct Tile {
  SmallVector<int64_t> shape;
  std::vector<int64_t> data;
  /// A signed division met a negative dividend on the way, which the analysis takes not to happen.
  bool outside = false;
};

int64_t wrap(int64_t value, unsigned bits) {
  return bits == 1 ? value & 1 : bits == 64 ? value : int64_t(int32_t(value));
}

class Interpreter {
public:
  explicit Interpreter(ArrayRef<int64_t> arguments) : arguments(arguments) {}

  void run(tt::FuncOp func) {
    for (auto [arg, value] : llvm::zip(func.getArguments(), arguments))
      tiles[arg] = {{1}, {value}, false};
    for (Operation &op : func.getBody().front().without_terminator())
      tiles[op.getResult(0)] = evaluate(&op);
  }
  DenseMap<Value, Tile> tiles;

private:
  Tile evaluate(Operation *op) {
    Type type = op->getResult(0).getType();
    Tile result;
    auto tile = dyn_cast<RankedTensorType>(type);
    result.shape = tile ? SmallVector<int64_t>(tile.getShape()) : SmallVector<int64_t>{1};
    int64_t count = 1;
    for (int64_t size : result.shape)
      count *= size;
    for (Value operand : op->getOperands())
      result.outside |= tiles[operand].outside;
    for (int64_t i = 0; i < count; ++i)
      result.data.push_back(wrap(element(op, result, i), tt::getElementBits(getElementTypeOrSelf(type))));
    return result;
  }

  int64_t element(Operation *op, Tile &result, int64_t i) {
    auto in = [&](unsigned n) {
      const Tile &operand = tiles[op->getOperand(n)];
      return operand.data[operand.data.size() == 1 ? 0 : i];
    };
    auto unsignedIn = [&](unsigned n) { return int64_t(uint32_t(in(n))); };
    if (auto range = dyn_cast<tt::MakeRangeOp>(op))
      return range.getStart() + i;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Attribute value = constant.getValue();
      if (auto splat = dyn_cast<SplatElementsAttr>(value))
        value = splat.getSplatValue<Attribute>();
      return cast<IntegerAttr>(value).getValue().getSExtValue();
    }
    if (isa<tt::SplatOp, tt::ExpandDimsOp>(op))
      return in(0);
    if (isa<tt::BroadcastOp>(op)) {
      const Tile &operand = tiles[op->getOperand(0)];
      int64_t row = i / result.shape[1], column = i % result.shape[1];
      return operand.data[(operand.shape[0] == 1 ? 0 : row) * operand.shape[1] +
                          (operand.shape[1] == 1 ? 0 : column)];
    }
    if (isa<arith::AddIOp>(op)) return in(0) + in(1);
    if (isa<arith::SubIOp>(op)) return in(0) - in(1);
    if (isa<arith::MulIOp>(op)) return int64_t(uint64_t(in(0)) * uint64_t(in(1)));
    if (isa<arith::AndIOp>(op)) return in(0) & in(1);
    if (isa<arith::OrIOp>(op)) return in(0) | in(1);
    if (isa<arith::XOrIOp>(op)) return in(0) ^ in(1);
    if (isa<arith::ShLIOp>(op)) return in(0) << (in(1) & 31);
    if (isa<arith::ShRSIOp>(op)) return in(0) >> (in(1) & 31);
    if (isa<arith::ShRUIOp>(op)) return unsignedIn(0) >> (in(1) & 31);
    if (isa<arith::MinSIOp>(op)) return std::min(in(0), in(1));
    if (isa<arith::MaxUIOp>(op)) return std::max(unsignedIn(0), unsignedIn(1));
    if (isa<arith::DivSIOp, arith::RemSIOp>(op)) {
      result.outside |= in(0) < 0;
      if (in(1) == 0) {
        result.outside = true; // undefined
        return 0;
      }
      return isa<arith::DivSIOp>(op) ? in(0) / in(1) : in(0) % in(1);
    }
    if (isa<arith::DivUIOp, arith::RemUIOp>(op)) {
      if (in(1) == 0) {
        result.outside = true;
        return 0;
      }
      return isa<arith::DivUIOp>(op) ? unsignedIn(0) / unsignedIn(1) : unsignedIn(0) % unsignedIn(1);
    }
    if (isa<arith::SelectOp>(op)) return in(0) ? in(1) : in(2);
    if (isa<arith::ExtSIOp>(op)) return in(0);
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      switch (compare.getPredicate()) {
      case arith::CmpIPredicate::eq: return in(0) == in(1);
      case arith::CmpIPredicate::ne: return in(0) != in(1);
      case arith::CmpIPredicate::slt: return in(0) < in(1);
      case arith::CmpIPredicate::sle: return in(0) <= in(1);
      case arith::CmpIPredicate::sgt: return in(0) > in(1);
      case arith::CmpIPredicate::sge: return in(0) >= in(1);
      case arith::CmpIPredicate::ult: return unsignedIn(0) < unsignedIn(1);
      case arith::CmpIPredicate::ule: return unsignedIn(0) <= unsignedIn(1);
      case arith::CmpIPredicate::ugt: return unsignedIn(0) > unsignedIn(1);
      case arith::CmpIPredicate::uge: return unsignedIn(0) >= unsignedIn(1);
      }
    }
    ADD_FAILURE() << "the interpreter lacks " << op->getName().getStringRef().str();
    return 0;
  }

  SmallVector<int64_t> arguments;
};

/// A function of random index arithmetic on scalars, and on tiles of one and two axes.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string make() {
    os << "tt.func @f(%a: i32 {tt.divisibility = 16 : i32}, %b: i32 {tt.divisibility = 4 : i32}, %c: i32) {\n";
    for (const char *name : {"%a", "%b", "%c"})
      values["i32"].push_back(name);
    for (const char *tile : {"tensor<32xi32>", "tensor<16xi32>"}) {
      int size = tile[7] == '3' ? 32 : 16;
      int start = pick(4) * 8;
      define(tile, "tt.make_range {start = " + std::to_string(start) + " : i32, end = " + std::to_string(start + size) +
                       " : i32} : " + tile);
      for (const char *scalar : {"%a", "%b", "%c"})
        define(tile, std::string("tt.splat ") + scalar + " : i32 -> " + tile);
    }
    for (int i = 0; i < 6; ++i)
      arithmetic("i32");
    for (int i = 0; i < 10; ++i)
      arithmetic(pick(2) ? "tensor<32xi32>" : "tensor<16xi32>");
    for (int i = 0; i < 4; ++i) {
      define("tensor<32x1xi32>", "tt.expand_dims " + some("tensor<32xi32>") +
                                     " {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>");
      define("tensor<1x16xi32>", "tt.expand_dims " + some("tensor<16xi32>") +
                                     " {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>");
    }
    for (int i = 0; i < 4; ++i) {
      arithmetic("tensor<32x1xi32>");
      arithmetic("tensor<1x16xi32>");
    }
    for (int i = 0; i < 5; ++i) {
      define("tensor<32x16xi32>", "tt.broadcast " + some("tensor<32x1xi32>") +
                                      " : tensor<32x1xi32> -> tensor<32x16xi32>");
      define("tensor<32x16xi32>", "tt.broadcast " + some("tensor<1x16xi32>") +
                                      " : tensor<1x16xi32> -> tensor<32x16xi32>");
    }
    for (int i = 0; i < 10; ++i)
      arithmetic("tensor<32x16xi32>");
    os << "  tt.return\n}\n";
    return text;
  }

private:
  unsigned pick(unsigned n) { return random() % n; }
  std::string some(const std::string &type) { return values[type][pick(values[type].size())]; }
  std::string define(const std::string &type, const std::string &operation) {
    std::string name = "%v" + std::to_string(count++);
    os << "  " << name << " = " << operation << "\n";
    values[type].push_back(name);
    return name;
  }
  std::string constant(const std::string &type) {
    const int numbers[] = {0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 31, 64, -4, 1024};
    std::string number = std::to_string(numbers[pick(std::size(numbers))]);
    return define(type, "arith.constant " + (type == "i32" ? number : "dense<" + number + ">") + " : " + type);
  }
  void arithmetic(const std::string &type) {
    std::string x = some(type), y = pick(3) ? some(type) : constant(type);
    const char *operations[] = {"addi", "addi", "subi", "muli",  "divsi", "divui", "remsi", "remui",
                                "andi", "ori",  "xori", "minsi", "maxui", "shli",  "shrsi", "shrui"};
    unsigned which = pick(std::size(operations) + 2);
    if (which < std::size(operations)) {
      std::string operation = operations[which];
      if (operation.starts_with("sh"))
        y = define(type, "arith.constant " + (type == "i32" ? std::to_string(pick(6)) :
                                              "dense<" + std::to_string(pick(6)) + ">") + " : " + type);
      define(type, "arith." + operation + " " + x + ", " + y + " : " + type);
      return;
    }
    const char *predicates[] = {"eq", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
    std::string bools = type == "i32" ? "i1" : type.substr(0, type.size() - 4) + "i1>";
    std::string condition = define(bools, std::string("arith.cmpi ") + predicates[pick(std::size(predicates))] + ", " +
                                              x + ", " + y + " : " + type);
    define(type, "arith.select " + condition + ", " + some(type) + ", " + some(type) + " : " +
                     (bools == "i1" ? "" : bools + ", ") + type);
  }

  std::mt19937 random;
  std::string text;
  llvm::raw_string_ostream os{text};
  std::map<std::string, std::vector<std::string>> values;
  unsigned count = 0;
};

/// Compares what is claimed of one value with its elements.
void check(Value value, const AxisInfo &info, const Tile &tile) {
  unsigned bits = tt::getElementBits(getElementTypeOrSelf(value.getType()));
  auto what = [&] { // streamed into an assertion, it is called only when that fails
    std::string text;
    llvm::raw_string_ostream os(text);
    value.print(os);
    os << ": ";
    info.print(os);
    return text;
  };
  if (info.getConstant())
    for (int64_t element : tile.data)
      ASSERT_EQ(element, wrap(*info.getConstant(), bits)) << what();
  for (unsigned d = 0; d < tile.shape.size(); ++d) {
    int64_t stride = 1;
    for (unsigned e = d + 1; e < tile.shape.size(); ++e)
      stride *= tile.shape[e];
    for (int64_t i = 0; i < int64_t(tile.data.size()); ++i) {
      int64_t along = i / stride % tile.shape[d];
      if (along % info.getContiguity(d) == 0)
        ASSERT_EQ(tile.data[i] % info.getDivisibility(d), 0) << what() << " (divisibility, axis " << d << ")";
      else
        ASSERT_EQ(tile.data[i], wrap(tile.data[i - stride] + 1, bits)) << what() << " (contiguity, axis " << d << ")";
      if (along % info.getConstancy(d) != 0)
        ASSERT_EQ(tile.data[i], tile.data[i - stride]) << what() << " (constancy, axis " << d << ")";
    }
  }
}

class AxisInfoTest : public ::testing::Test {
protected:
  AxisInfoTest() { context.loadDialect<tt::TTDialect, ttg::TTGDialect, arith::ArithDialect, scf::SCFDialect>(); }
  OwningOpRef<ModuleOp> parse(const std::string &text) { return parseSourceString<ModuleOp>(text, &context); }
  MLIRContext context;
};

TEST_F(AxisInfoTest, HoldsOnRandomIndices) {
  unsigned values = 0, known = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    OwningOpRef<ModuleOp> module = parse(Generator(seed).make());
    ASSERT_TRUE(module);
    AxisInfoAnalysis analysis(*module);
    auto func = *module->getOps<tt::FuncOp>().begin();
    std::mt19937 random(seed);
    for (int trial = 0; trial < 4; ++trial) {
      Interpreter interpreter({int64_t(random() % 64) * 16, int64_t(random() % 64) * 4, int64_t(random() % 300)});
      interpreter.run(func);
      for (auto &[value, tile] : interpreter.tiles) {
        if (tile.outside)
          continue;
        AxisInfo info = analysis.get(value);
        check(value, info, tile);
        if (HasFatalFailure())
          return;
        ++values;
        for (unsigned d = 0; d < info.getRank(); ++d)
          known += info.getContiguity(d) > 1 || info.getConstancy(d) > 1 || info.getDivisibility(d) > 1;
      }
    }
  }
  // The claims are about something, and not only that nothing is known.
  EXPECT_GT(values, 20000u);
  EXPECT_GT(known, values / 3);
}

/// The analysis of the value that the last operation of `body` but the return defines.
#define EXPECT_AXES(info, ...)                                                                                         \
  do {                                                                                                                 \
    std::string text;                                                                                                  \
    llvm::raw_string_ostream os(text);                                                                                 \
    (info).print(os);                                                                                                  \
    EXPECT_EQ(text, __VA_ARGS__);                                                                                      \
  } while (false)

TEST_F(AxisInfoTest, WrappedRowsStayContiguous) {
  OwningOpRef<ModuleOp> module = parse(R"(
    tt.func @f(%n: i32 {tt.divisibility = 16 : i32}, %pid: i32) {
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
    EXPECT_AXES(analysis.get(op), "contiguity = [128], divisibility = [128], constancy = [1]");
  });
  module->walk([&](arith::RemSIOp op) {
    EXPECT_AXES(analysis.get(op), "contiguity = [16], divisibility = [16], constancy = [1]");
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
    EXPECT_AXES(analysis.get(loop.getInductionVar()), "contiguity = [1], divisibility = [8], constancy = [1]");
    // Steps of 128 bytes keep the alignment of 16; steps of who knows what keep two bytes, but neighbours stay so.
    EXPECT_EQ(analysis.getAlignedContiguity(loop.getRegionIterArg(0), 0), 8);
    EXPECT_EQ(analysis.getAlignedContiguity(loop.getRegionIterArg(1), 0), 1);
    EXPECT_EQ(analysis.get(loop.getRegionIterArg(1)).getContiguity(0), 64);
  });
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
