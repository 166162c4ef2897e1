// AxisInfo's facts about random kernels must be true of the numbers that an interpreter computes. Kernels have index
// arithmetic of all kinds on scalars and tiles of one and two axes, pointers, loops and branches, and arguments that
// satisfy their assumptions. A failure names its seed; AXIS_INFO_SEED=n runs that kernel alone and prints it.
#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/Models.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/TypeSwitch.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tilecc;

namespace {

//===--- the interpreter --------------------------------------------------------------------------------------------===//

/// The elements of a tile, row-major, as signed numbers of the type's width; a scalar is one element. A pointer is its
/// address.
struct Tile {
  SmallVector<int64_t> shape;
  std::vector<int64_t> data;
  /// Arithmetic that leads to this value overflowed, or an index was divided by a negative number: AxisInfo.h excludes
  /// these cases.
  bool outside = false;
  /// A number wrapped around, which the language allows. Contiguity then holds only as far as divisibility.
  bool wrapped = false;
};

unsigned bitsOf(Type type) { return tt::getElementBits(getElementTypeOrSelf(type)); }
int64_t strideOf(Type type) {
  auto ptr = dyn_cast<tt::PointerType>(getElementTypeOrSelf(type));
  return ptr ? bitsOf(ptr.getPointeeType()) / 8 : 1;
}
int64_t wrapTo(unsigned bits, int64_t value) { return bits == 64 ? value : llvm::SignExtend64(uint64_t(value), bits); }
uint64_t unsignedOf(unsigned bits, int64_t value) {
  return bits == 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

class Interpreter {
public:
  /// Called for every value, each time it is computed.
  using Visitor = std::function<void(Value, const Tile &)>;

  Interpreter(std::mt19937 &random, bool wild, Visitor visit) : random(random), wild(wild), visit(std::move(visit)) {}

  /// False if an assumption did not hold: then the observed values do not count.
  bool run(tt::FuncOp func) {
    for (BlockArgument arg : func.getArguments())
      set(arg, Tile{{1}, {argument(func, arg)}});
    return runBlock(func.getBody().front()).has_value();
  }

private:
  /// A random number that the kernel's promises allow; `wild` ones come from the whole range.
  int64_t argument(tt::FuncOp func, BlockArgument arg) {
    int64_t number = wild ? int64_t(random()) : int64_t(random() % 200) - (random() % 4 ? 0 : 100);
    if (random() % 2)
      number &= -16;
    if (auto divisor = func.getArgAttrOfType<IntegerAttr>(arg.getArgNumber(), tt::divisibilityAttr))
      number = (wild ? int64_t(random()) >> 1 : int64_t(random() % 64)) * divisor.getInt();
    if (isa<tt::PointerType>(arg.getType()))
      return number & 0xfffffffff;
    int64_t value = wrapTo(bitsOf(arg.getType()), number);
    if (func.getArgAttr(arg.getArgNumber(), tt::divisibilityAttr) && value < 0)
      value = 0; // negative multiples are not promised
    return value;
  }

  void set(Value value, Tile tile) {
    visit(value, tile);
    tiles[value] = std::move(tile);
  }

  /// The values of the terminator's operands; nothing if an assumption did not hold.
  std::optional<SmallVector<Tile>> runBlock(Block &block) {
    for (Operation &op : block.without_terminator()) {
      if (isa<LLVM::AssumeOp>(op)) {
        if (!tiles[op.getOperand(0)].data[0])
          return std::nullopt;
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        if (!runLoop(loop))
          return std::nullopt;
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        const Tile &condition = tiles[branch.getCondition()];
        bool outside = condition.outside;
        auto results = runBlock(condition.data[0] ? *branch.thenBlock() : *branch.elseBlock());
        if (!results)
          return std::nullopt;
        for (auto [result, tile] : llvm::zip_equal(branch.getResults(), *results)) {
          tile.outside |= outside;
          set(result, tile);
        }
      } else {
        set(op.getResult(0), evaluate(&op));
      }
    }
    SmallVector<Tile> results;
    for (Value operand : block.getTerminator()->getOperands())
      results.push_back(tiles[operand]);
    return results;
  }

  bool runLoop(scf::ForOp loop) {
    Tile lower = tiles[loop.getLowerBound()], upper = tiles[loop.getUpperBound()], step = tiles[loop.getStep()];
    bool outside = lower.outside || upper.outside || step.outside;
    SmallVector<Tile> carried;
    for (Value init : loop.getInitArgs())
      carried.push_back(tiles[init]);
    int64_t i = lower.data[0];
    for (int round = 0; round < 4 && i < upper.data[0] && step.data[0] > 0; ++round, i += step.data[0]) {
      set(loop.getInductionVar(), Tile{{1}, {i}, outside || i != wrapTo(32, i)});
      for (auto [arg, tile] : llvm::zip_equal(loop.getRegionIterArgs(), carried))
        set(arg, tile);
      auto yielded = runBlock(*loop.getBody());
      if (!yielded)
        return false;
      carried = *yielded;
    }
    for (auto [result, tile] : llvm::zip_equal(loop.getResults(), carried))
      set(result, tile);
    return true;
  }

  Tile evaluate(Operation *op) {
    Type type = op->getResult(0).getType();
    Tile result;
    auto tile = dyn_cast<RankedTensorType>(type);
    result.shape = tile ? SmallVector<int64_t>(tile.getShape()) : SmallVector<int64_t>{1};
    int64_t count = 1;
    for (int64_t size : result.shape)
      count *= size;
    for (Value operand : op->getOperands()) {
      result.outside |= tiles[operand].outside;
      result.wrapped |= tiles[operand].wrapped;
    }
    for (int64_t i = 0; i < count; ++i)
      result.data.push_back(element(op, result, i));
    return result;
  }

  int64_t element(Operation *op, Tile &result, int64_t i) {
    unsigned bits = bitsOf(op->getResult(0).getType());
    auto in = [&](unsigned n) {
      const Tile &operand = tiles[op->getOperand(n)];
      return operand.data[operand.data.size() == 1 ? 0 : i];
    };
    auto bitsIn = [&](unsigned n) { return bitsOf(op->getOperand(n).getType()); };
    auto unsignedIn = [&](unsigned n) { return unsignedOf(bitsIn(n), in(n)); };
    // A result that may have overflowed, computed with as many bits as necessary.
    auto signedResult = [&](__int128 value) {
      int64_t narrow = wrapTo(bits, int64_t(value));
      result.outside |= narrow != value;
      result.wrapped |= narrow != value;
      return narrow;
    };
    auto cutOff = [&](int64_t value) {
      result.wrapped |= wrapTo(bits, value) != value;
      return wrapTo(bits, value);
    };
    auto divide = [&](auto compute) -> int64_t {
      int64_t a = in(0), b = in(1);
      if (b <= 0)
        result.outside = true; // undefined, or excluded
      return b == 0 || b == -1 ? 0 : compute(a, b);
    };
    auto floorDivide = [](int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
    auto shiftAmount = [&] { return unsigned(in(1)) % bits; };
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case<tt::MakeRangeOp>([&](tt::MakeRangeOp range) { return range.getStart() + i; })
        .Case<tt::GetProgramIdOp, tt::GetNumProgramsOp>([&](Operation *) { return random() % 100; })
        .Case<arith::ConstantOp>([&](arith::ConstantOp constant) {
          Attribute value = constant.getValue();
          if (auto splat = dyn_cast<SplatElementsAttr>(value))
            value = splat.getSplatValue<Attribute>();
          return cast<IntegerAttr>(value).getValue().getSExtValue();
        })
        .Case<tt::SplatOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::BitcastOp>([&](Operation *) { return in(0); })
        .Case<tt::TransOp>([&](Operation *) {
          int64_t rows = result.shape[0], columns = result.shape[1];
          return tiles[op->getOperand(0)].data[i % columns * rows + i / columns];
        })
        .Case<tt::JoinOp>([&](Operation *) { return tiles[op->getOperand(i % 2)].data[i / 2]; })
        .Case<tt::BroadcastOp>([&](Operation *) {
          const Tile &operand = tiles[op->getOperand(0)];
          int64_t row = i / result.shape[1], column = i % result.shape[1];
          return operand.data[(operand.shape[0] == 1 ? 0 : row) * operand.shape[1] +
                              (operand.shape[1] == 1 ? 0 : column)];
        })
        .Case<tt::AddPtrOp>([&](tt::AddPtrOp addptr) { return in(0) + in(1) * strideOf(addptr.getType()); })
        .Case<arith::AddIOp>([&](Operation *) { return signedResult(__int128(in(0)) + in(1)); })
        .Case<arith::SubIOp>([&](Operation *) { return signedResult(__int128(in(0)) - in(1)); })
        .Case<arith::MulIOp>([&](Operation *) { return signedResult(__int128(in(0)) * in(1)); })
        .Case<arith::ShLIOp>([&](Operation *) { return signedResult(__int128(in(0)) << shiftAmount()); })
        .Case<arith::ShRSIOp>([&](Operation *) { return in(0) >> shiftAmount(); })
        .Case<arith::ShRUIOp>([&](Operation *) { return wrapTo(bits, unsignedIn(0) >> shiftAmount()); })
        .Case<arith::AndIOp>([&](Operation *) { return in(0) & in(1); })
        .Case<arith::OrIOp>([&](Operation *) { return in(0) | in(1); })
        .Case<arith::XOrIOp>([&](Operation *) { return in(0) ^ in(1); })
        .Case<arith::MinSIOp>([&](Operation *) { return std::min(in(0), in(1)); })
        .Case<arith::MaxSIOp>([&](Operation *) { return std::max(in(0), in(1)); })
        .Case<arith::MinUIOp>([&](Operation *) { return wrapTo(bits, std::min(unsignedIn(0), unsignedIn(1))); })
        .Case<arith::MaxUIOp>([&](Operation *) { return wrapTo(bits, std::max(unsignedIn(0), unsignedIn(1))); })
        .Case<arith::DivSIOp>([&](Operation *) { return divide([](int64_t a, int64_t b) { return a / b; }); })
        .Case<arith::RemSIOp>([&](Operation *) { return divide([](int64_t a, int64_t b) { return a % b; }); })
        .Case<arith::FloorDivSIOp>([&](Operation *) { return divide(floorDivide); })
        .Case<arith::CeilDivSIOp>([&](Operation *) {
          return divide([&](int64_t a, int64_t b) { return -floorDivide(-a, b); });
        })
        .Case<arith::DivUIOp, arith::RemUIOp>([&](Operation *) {
          if (in(1) == 0) {
            result.outside = true;
            return int64_t(0);
          }
          return wrapTo(bits, isa<arith::DivUIOp>(op) ? unsignedIn(0) / unsignedIn(1) : unsignedIn(0) % unsignedIn(1));
        })
        .Case<math::AbsIOp>([&](Operation *) { return signedResult(in(0) < 0 ? -__int128(in(0)) : __int128(in(0))); })
        .Case<arith::SelectOp>([&](Operation *) { return in(0) ? in(1) : in(2); })
        .Case<arith::ExtSIOp>([&](Operation *) { return in(0); })
        .Case<arith::ExtUIOp>([&](Operation *) {
          result.wrapped |= in(0) < 0;
          return wrapTo(bits, unsignedIn(0));
        })
        .Case<arith::TruncIOp>([&](Operation *) { return cutOff(in(0)); })
        .Case<arith::CmpIOp>([&](arith::CmpIOp compare) -> int64_t {
          uint64_t x = unsignedIn(0), y = unsignedIn(1);
          switch (compare.getPredicate()) {
          case arith::CmpIPredicate::eq: return -int64_t(in(0) == in(1));
          case arith::CmpIPredicate::ne: return -int64_t(in(0) != in(1));
          case arith::CmpIPredicate::slt: return -int64_t(in(0) < in(1));
          case arith::CmpIPredicate::sle: return -int64_t(in(0) <= in(1));
          case arith::CmpIPredicate::sgt: return -int64_t(in(0) > in(1));
          case arith::CmpIPredicate::sge: return -int64_t(in(0) >= in(1));
          case arith::CmpIPredicate::ult: return -int64_t(x < y);
          case arith::CmpIPredicate::ule: return -int64_t(x <= y);
          case arith::CmpIPredicate::ugt: return -int64_t(x > y);
          case arith::CmpIPredicate::uge: return -int64_t(x >= y);
          }
          llvm_unreachable("all predicates are listed");
        })
        .Default([&](Operation *) {
          ADD_FAILURE() << "the interpreter lacks " << op->getName().getStringRef().str();
          return 0;
        });
  }

  std::mt19937 &random;
  bool wild;
  Visitor visit;
  DenseMap<Value, Tile> tiles;
};

//===--- random kernels ---------------------------------------------------------------------------------------------===//

constexpr const char *line = "tensor<16x", *column = "tensor<8x1x", *row = "tensor<1x16x", *plane = "tensor<8x16x";

/// A kernel of random index arithmetic. Values are named %v0, %v1, … and known by type while they are in scope.
class Generator {
public:
  /// `wild` kernels get arguments that overflow, and have no operation whose result would then be undefined.
  Generator(unsigned seed, bool wild) : random(seed), wild(wild) {}

  std::string make() {
    os << "tt.func @f(%a: i32 {tt.divisibility = 16 : i32}, %b: i32 {tt.divisibility = 4 : i32}, %c: i32, "
          "%d: i32, %e: i64, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i8>) {\n";
    for (const char *name : {"%a", "%b", "%c", "%d"})
      values["i32"].push_back(name);
    values["i64"].push_back("%e");
    values["!tt.ptr<f16>"].push_back("%p");
    values["!tt.ptr<i8>"].push_back("%q");
    std::string program = define("i32", "tt.get_program_id x : i32");
    if (!wild && pick(2))
      assumptions();
    scalars(6);
    int start = int(pick(4)) * 8;
    std::string lineType = tile(line, "i32");
    std::string range = define(lineType, "tt.make_range {start = " + std::to_string(start) + " : i32, end = " + std::to_string(start + 16) +
                         " : i32} : " + lineType);
    // The indices of most kernels, program * 16 + range, and the same of a number of any sign.
    std::string first = define("i32", "arith.muli " + (pick(2) ? program : "%c") + ", " + constant("i32", 16) + " : i32");
    std::string firsts = define(lineType, "tt.splat " + first + " : i32 -> " + lineType);
    define(lineType, "arith.addi " + firsts + ", " + range + " : " + lineType);
    tiles(12);
    if (pick(2))
      loop();
    if (pick(2))
      branch();
    tiles(10);
    os << "  tt.return\n}\n";
    return text;
  }

private:
  using Scope = std::map<std::string, std::vector<std::string>>;

  unsigned pick(unsigned n) { return random() % n; }
  static std::string tile(const char *shape, const std::string &element) { return shape + element + ">"; }
  bool has(const std::string &type) { return !values[type].empty(); }
  /// A value of the type; recent ones more often.
  std::string some(const std::string &type) {
    auto &known = values[type];
    if (known.empty())
      return constant(type);
    unsigned back = std::min<unsigned>(pick(known.size()), pick(known.size()));
    return known[known.size() - 1 - back];
  }
  std::string define(const std::string &type, const std::string &operation) {
    std::string name = "%v" + std::to_string(count++);
    os << "  " << name << " = " << operation << "\n";
    values[type].push_back(name);
    return name;
  }
  std::string constant(const std::string &type, int number) {
    std::string value = std::to_string(number);
    return define(type, "arith.constant " + (type[0] == 't' ? "dense<" + value + ">" : value) + " : " + type);
  }
  std::string constant(const std::string &type) {
    const int numbers[] = {0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 31, 64, -1, -4, -16, 100};
    return constant(type, numbers[pick(std::size(numbers))]);
  }

  void assumptions() {
    std::string zero = constant("i32", 0), divisor = constant("i32", 8), mask = constant("i32", 15);
    switch (pick(3)) {
    case 0: assume("slt", zero, "%d"); break;
    case 1: assume("eq", define("i32", "arith.remsi %d, " + divisor + " : i32"), zero); break;
    case 2: assume("eq", define("i32", "arith.andi %d, " + mask + " : i32"), zero); break;
    }
  }
  void assume(const std::string &predicate, const std::string &x, const std::string &y) {
    std::string condition = define("i1", "arith.cmpi " + predicate + ", " + x + ", " + y + " : i32");
    os << "  llvm.intr.assume " << condition << " : i1\n";
  }

  void scalars(int number) {
    for (int i = 0; i < number; ++i)
      arithmetic("", pick(5) ? "i32" : "i64");
  }

  /// Steps that make tiles of all shapes from the existing values.
  void tiles(int number) {
    for (int i = 0; i < number; ++i) {
      const char *shapes[] = {line, line, column, row, plane, plane};
      const char *shape = shapes[pick(std::size(shapes))];
      std::string element = pick(5) ? "i32" : pick(2) ? "i64" : "i8", type = tile(shape, element);
      switch (pick(8)) {
      case 0:
        if (has(element))
          define(type, "tt.splat " + some(element) + " : " + element + " -> " + type);
        break;
      case 1:
        if (has(tile(line, element)))
          define(tile(row, element), "tt.expand_dims " + some(tile(line, element)) + " {axis = 0 : i32} : " +
                                         tile(line, element) + " -> " + tile(row, element));
        break;
      case 2:
        if (has(tile(column, element)))
          define(tile(plane, element), "tt.broadcast " + some(tile(column, element)) + " : " + tile(column, element) +
                                           " -> " + tile(plane, element));
        break;
      case 3:
        if (has(tile(row, element)))
          define(tile(plane, element), "tt.broadcast " + some(tile(row, element)) + " : " + tile(row, element) + " -> " +
                                           tile(plane, element));
        break;
      case 4:
        pick(2) ? reshape(element) : transpose(element);
        break;
      case 5:
        pointers(shape);
        break;
      default:
        if (has(type))
          arithmetic(shape, element);
      }
    }
  }

  void reshape(const std::string &element) {
    std::pair<const char *, const char *> pairs[] = {{plane, "tensor<16x8x"}, {"tensor<16x8x", plane},
                                                     {plane, "tensor<128x"},  {"tensor<128x", plane},
                                                     {line, row},             {"tensor<16x8x", "tensor<2x8x8x"},
                                                     {line, "tensor<4x4x"},   {"tensor<4x4x", line}};
    auto [from, to] = pairs[pick(std::size(pairs))];
    if (has(tile(from, element)))
      define(tile(to, element), "tt.reshape " + some(tile(from, element)) + " : " + tile(from, element) + " -> " +
                                    tile(to, element));
  }

  void transpose(const std::string &element) {
    const char *turned = "tensor<16x8x", *pairs = "tensor<16x2x";
    if (has(tile(plane, element)))
      define(tile(turned, element), "tt.trans " + some(tile(plane, element)) + " {order = array<i32: 1, 0>} : " +
                                        tile(plane, element) + " -> " + tile(turned, element));
    if (has(tile(turned, element)))
      define(tile(plane, element), "tt.trans " + some(tile(turned, element)) + " {order = array<i32: 1, 0>} : " +
                                       tile(turned, element) + " -> " + tile(plane, element));
    if (has(tile(line, element))) {
      define(tile(pairs, element), "tt.join " + some(tile(line, element)) + ", " + some(tile(line, element)) + " : " +
                                       tile(line, element) + " -> " + tile(pairs, element));
      define(tile("tensor<32x", element), "tt.reshape " + some(tile(pairs, element)) + " : " + tile(pairs, element) +
                                              " -> " + tile("tensor<32x", element));
    }
  }

  void pointers(const char *shape) {
    std::string pointer = pick(3) ? "!tt.ptr<f16>" : "!tt.ptr<i8>", type = tile(shape, pointer);
    std::string offset = tile(shape, pick(3) ? "i32" : "i64");
    if (!has(type) || !pick(3))
      define(type, "tt.splat " + some(pointer) + " : " + pointer + " -> " + type);
    if (has(offset))
      define(type, "tt.addptr " + some(type) + ", " + some(offset) + " : " + type + ", " + offset);
    std::string other = pointer == "!tt.ptr<i8>" ? "!tt.ptr<f16>" : "!tt.ptr<i8>", otherType = tile(shape, other);
    if (!pick(4))
      define(otherType, "tt.bitcast " + some(type) + " : " + type + " -> " + otherType);
    std::string bools = tile(shape, "i1");
    if (has(bools))
      define(type, "arith.select " + some(bools) + ", " + some(type) + ", " + some(type) + " : " + bools + ", " + type);
  }

  /// One operation on values of a type: arithmetic, a comparison and what it selects, a cast.
  void arithmetic(const std::string &shape, const std::string &element) {
    auto typeOf = [&](const std::string &e) { return shape.empty() ? e : shape + e + ">"; };
    std::string type = typeOf(element), x = some(type), y = pick(3) ? some(type) : constant(type);
    const char *safe[] = {"addi", "addi", "addi", "subi",  "muli",  "andi",  "ori",   "xori",
                          "minsi", "maxsi", "minui", "maxui", "shli", "shrsi", "shrui"};
    const char *divisions[] = {"divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi"};
    unsigned which = pick(11);
    if (which == 10) { // what masks and multiples are made of
      define(type, "arith.andi " + x + ", " + constant(type, pick(2) ? (2 << pick(4)) - 1 : -(2 << pick(4))) + " : " + type);
    } else if (which < 5 || (which < 7 && wild)) {
      std::string operation = safe[pick(std::size(safe))];
      if (operation.starts_with("sh"))
        y = constant(type, pick(6));
      define(type, "arith." + operation + " " + x + ", " + y + " : " + type);
    } else if (which < 7) {
      if (pick(2))
        y = constant(type, 4 << pick(4));
      define(type, std::string("arith.") + divisions[pick(std::size(divisions))] + " " + x + ", " + y + " : " + type);
    } else if (which == 7) {
      const char *predicates[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
      std::string bools = typeOf("i1");
      std::string condition = define(bools, std::string("arith.cmpi ") + predicates[pick(std::size(predicates))] +
                                                ", " + x + ", " + y + " : " + type);
      if (pick(3) == 0) {
        const char *logic[] = {"andi", "ori", "xori"};
        condition = define(bools, std::string("arith.") + logic[pick(3)] + " " + condition + ", " + some(bools) + " : " +
                                      bools);
      }
      bool whole = !shape.empty() && has("i1") && pick(2); // one condition for all elements
      define(type, "arith.select " + (whole ? some("i1") : condition) + ", " + some(type) + ", " + some(type) + " : " +
                       (shape.empty() || whole ? "" : bools + ", ") + type);
    } else if (which == 8) {
      const char *elements[] = {"i1", "i8", "i32", "i64"};
      std::string other = elements[pick(4)];
      auto bits = [](const std::string &e) { return std::stoi(e.substr(1)); };
      if (bits(other) != bits(element))
        define(typeOf(other), std::string("arith.") + (bits(other) < bits(element) ? "trunci" : pick(2) ? "extsi" : "extui") +
                                  " " + x + " : " + type + " to " + typeOf(other));
    } else if (pick(2)) {
      define(type, "math.absi " + x + " : " + type);
    } else {
      std::string bools = typeOf("i1");
      if (has(bools))
        define(typeOf("i32"), std::string("arith.") + (pick(2) ? "extui " : "extsi ") + some(bools) + " : " + bools +
                                  " to " + typeOf("i32"));
    }
  }

  /// Values defined in a region go out of scope behind it; yielded values have the types of `carried`.
  void region(const std::vector<std::string> &carried, int number) {
    scalars(number / 2);
    tiles(number);
    std::string names, types;
    for (const std::string &type : carried) {
      names += (names.empty() ? "" : ", ") + some(type);
      types += (types.empty() ? "" : ", ") + type;
    }
    os << "  scf.yield " << names << " : " << types << "\n";
  }
  std::vector<std::string> someTypes() {
    std::vector<std::string> types;
    for (const std::string &type : {std::string("i32"), tile(line, "i32"), tile(plane, "i32"), tile(line, "!tt.ptr<f16>"),
                                    tile(plane, "!tt.ptr<f16>")})
      if (has(type) && pick(3))
        types.push_back(type);
    if (types.empty())
      types.push_back("i32");
    return types;
  }
  std::string list(const std::vector<std::string> &items) {
    std::string result;
    for (const std::string &item : items)
      result += (result.empty() ? "" : ", ") + item;
    return result;
  }
  void declareResults(const std::string &name, const std::vector<std::string> &types) {
    for (unsigned i = 0; i < types.size(); ++i)
      values[types[i]].push_back(name + "#" + std::to_string(i));
  }

  void loop() {
    std::vector<std::string> types = someTypes(), carried;
    std::string name = "%v" + std::to_string(count++), counter = "%v" + std::to_string(count++);
    std::string lower = some("i32"), upper = constant("i32", 100), step = constant("i32", 1 << pick(6));
    for (unsigned i = 0; i < types.size(); ++i)
      carried.push_back("%v" + std::to_string(count++));
    std::vector<std::string> pairs;
    for (unsigned i = 0; i < types.size(); ++i)
      pairs.push_back(carried[i] + " = " + some(types[i]));
    os << "  " << name << ":" << types.size() << " = scf.for " << counter << " = " << lower << " to " << upper << " step "
       << step << " iter_args(" << list(pairs) << ") -> (" << list(types) << ") : i32 {\n";
    Scope outer = values;
    values["i32"].push_back(counter);
    for (unsigned i = 0; i < types.size(); ++i)
      values[types[i]].push_back(carried[i]);
    if (pick(2)) // the step that pointers take in most loops
      for (unsigned i = 0; i < types.size(); ++i)
        if (StringRef(types[i]).contains("ptr")) {
          std::string offsets = types[i].substr(0, types[i].find("!")) + "i32>";
          std::string amount = constant(offsets, 8 << pick(3));
          define(types[i], "tt.addptr " + carried[i] + ", " + amount + " : " + types[i] + ", " + offsets);
        }
    region(types, 5);
    os << "  }\n";
    values = outer;
    declareResults(name, types);
  }

  void branch() {
    if (!has("i1"))
      return;
    std::vector<std::string> types = someTypes();
    std::string name = "%v" + std::to_string(count++);
    os << "  " << name << ":" << types.size() << " = scf.if " << some("i1") << " -> (" << list(types) << ") {\n";
    Scope outer = values;
    region(types, 3);
    os << "  } else {\n";
    values = outer;
    region(types, 3);
    os << "  }\n";
    values = outer;
    declareResults(name, types);
  }

  std::mt19937 random;
  bool wild;
  std::string text;
  llvm::raw_string_ostream os{text};
  Scope values;
  unsigned count = 0;
};

//===--- the comparison ---------------------------------------------------------------------------------------------===//

/// Compares the facts about one value with its elements; returns false if one does not hold.
::testing::AssertionResult holds(Value value, const AxisInfo &info, const Tile &tile) {
  auto wrong = [&](const char *what, unsigned d, int64_t i) {
    std::string text;
    llvm::raw_string_ostream os(text);
    value.print(os);
    os << ": ";
    info.print(os);
    os << "; the " << what << " of axis " << d << " does not hold at element " << i << " of";
    for (int64_t element : tile.data)
      os << " " << element;
    return ::testing::AssertionFailure() << text;
  };
  if (info.getConstant() && llvm::any_of(tile.data, [&](int64_t element) { return element != *info.getConstant(); }))
    return wrong("constant", 0, 0);
  if (info.isNonNegative() && !tile.outside && llvm::any_of(tile.data, [](int64_t element) { return element < 0; }))
    return wrong("sign", 0, 0);
  int64_t unit = strideOf(value.getType());
  for (unsigned d = 0; d < tile.shape.size(); ++d) {
    int64_t stride = 1;
    for (unsigned e = d + 1; e < tile.shape.size(); ++e)
      stride *= tile.shape[e];
    int64_t contiguity = info.getContiguity(d), divisibility = info.getDivisibility(d);
    int64_t exact = tile.wrapped ? std::min(contiguity, std::max<int64_t>(1, divisibility / unit)) : contiguity;
    for (int64_t i = 0; i < int64_t(tile.data.size()); ++i) {
      int64_t along = i / stride % tile.shape[d];
      if (along % contiguity == 0 && tile.data[i] % divisibility != 0)
        return wrong("divisibility", d, i);
      if (along % exact != 0 && tile.data[i] != tile.data[i - stride] + unit)
        return wrong("contiguity", d, i);
      if (along % info.getConstancy(d) != 0 && tile.data[i] != tile.data[i - stride])
        return wrong("constancy", d, i);
    }
  }
  return ::testing::AssertionSuccess();
}

class AxisInfoRandomTest : public ::testing::TestWithParam<bool> {};

TEST_P(AxisInfoRandomTest, HoldsForEveryElement) {
  bool wild = GetParam();
  DialectRegistry registry;
  registerAnalysisModels(registry);
  MLIRContext context(registry);
  context.loadDialect<tt::TTDialect, ttg::TTGDialect, arith::ArithDialect, scf::SCFDialect, math::MathDialect,
                      LLVM::LLVMDialect>();
  const char *only = getenv("AXIS_INFO_SEED");
  unsigned first = only ? std::stoul(only) : 0, last = only ? first + 1 : 1500;
  std::map<std::string, unsigned> contiguous, constant, divisible; // operations of which something was claimed
  unsigned checked = 0;
  for (unsigned seed = first; seed < last; ++seed) {
    std::string text = Generator(seed, wild).make();
    if (only)
      llvm::errs() << text;
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    AxisInfoAnalysis analysis(*module);
    DenseMap<Value, AxisInfo> infos;
    std::mt19937 random(seed);
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<std::pair<Value, Tile>> seen;
      Interpreter interpreter(random, wild, [&](Value value, const Tile &tile) { seen.push_back({value, tile}); });
      if (!interpreter.run(*module->getOps<tt::FuncOp>().begin()))
        continue;
      for (auto &[value, tile] : seen) {
        if (tile.outside && !wild)
          continue;
        auto [it, isNew] = infos.try_emplace(value);
        AxisInfo &info = it->second;
        if (isNew) {
          info = analysis.get(value);
          Operation *op = value.getDefiningOp();
          std::string name = op ? op->getName().getStringRef().str() : "argument";
          for (unsigned d = 0; d < info.getRank() && !info.getConstant(); ++d) {
            contiguous[name] += info.getContiguity(d) > 1;
            constant[name] += info.getConstancy(d) > 1;
            divisible[name] += info.getDivisibility(d) > 1;
          }
        }
        ASSERT_TRUE(holds(value, info, tile)) << "seed " << seed;
        ++checked;
      }
    }
  }
  if (only)
    return;
  // There are facts about many values, so the test is not empty.
  EXPECT_GT(checked, 100000u);
  for (const char *name : {"arith.addi", "arith.subi", "arith.select", "arith.andi", "arith.extsi", "arith.extui",
                           "arith.trunci", "tt.broadcast", "tt.reshape", "tt.trans", "tt.join", "tt.addptr", "scf.for", "scf.if",
                           "argument"})
    EXPECT_GT(contiguous[name], 10u) << name;
  for (const char *name : {"arith.cmpi", "arith.shrsi", "arith.shrui", "arith.andi", "arith.select", "arith.muli",
                           "tt.reshape", "tt.trans", "tt.join", "scf.for", "scf.if"})
    EXPECT_GT(constant[name], 10u) << name;
  for (const char *name : {"arith.muli", "arith.shli", "arith.minsi", "arith.ori", "tt.bitcast", "scf.for", "argument"})
    EXPECT_GT(divisible[name], 10u) << name;
  if (!wild) {
    for (const char *name : {"arith.remsi", "arith.remui"})
      EXPECT_GT(contiguous[name], 10u) << name;
    for (const char *name : {"arith.divsi", "arith.divui", "arith.floordivsi"})
      EXPECT_GT(constant[name], 10u) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Arguments, AxisInfoRandomTest, ::testing::Bool(),
                         [](const auto &info) { return info.param ? "ThatOverflow" : "ThatFit"; });

} // namespace
