//===- MatrixUnit.cpp - dots on a processor's matrix unit ---------------------------------------------------------===//
//
// Two by two accumulator registers stay in the unit for the whole extent of the contracted axis. Each step loads two
// registers of each operand. Registers are addressed by number, because no other code uses the unit. EmitDot.cpp calls
// this code.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/MatrixUnit.h"
#include "targets/cpu/NextOperands.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static constexpr int64_t rows = 16, rowBytes = 64; // of a register

bool cpu::isUnitDot(tt::DotOp op) {
  auto a = tileType(op.getA()), b = tileType(op.getB()), d = tileType(op.getD());
  const int last = a.getRank() - 1;
  Type element = a.getElementType(), sum = d.getElementType();
  bool isTaken = element.isBF16() ? sum.isF32() || sum.isBF16() : element.isInteger(8) && sum.isInteger(32);
  return isTaken && b.getElementType() == element && d.getDimSize(last - 1) >= rows && d.getDimSize(last) >= rows &&
         a.getDimSize(last) * element.getIntOrFloatBitWidth() / 8 >= rowBytes;
}

namespace {
class UnitEmitter : RootParts {
public:
  UnitEmitter(const RootParts &parts, tt::DotOp op, const DotShape &shape) : RootParts(parts), op(op), s(shape) {
    // Operands keep their type.
    s.compute = tileType(op.getA()).getElementType();
    s.element = ctx.registerType(s.compute);
    s.bytes = ctx.storageBytes(s.compute);
  }
  void multiply(llvm::Value *accumulator, int64_t sumBytes);

private:
  void configure();
  void call(llvm::Intrinsic::ID instruction, ArrayRef<unsigned> registers, llvm::Value *address = nullptr,
            llvm::Value *stride = nullptr);

  tt::DotOp op;
  DotShape s;
};
} // namespace

void UnitEmitter::call(llvm::Intrinsic::ID instruction, ArrayRef<unsigned> registers, llvm::Value *address,
                       llvm::Value *stride) {
  Values arguments = llvm::map_to_vector<4>(registers, [&](unsigned r) -> llvm::Value * { return b.getInt8(r); });
  if (address)
    arguments.append({address, stride});
  b.CreateIntrinsic(instruction, arguments);
}

/// Configures all registers with their maximum size.
void UnitEmitter::configure() {
  struct {
    uint8_t palette = 1, firstRow = 0, reserved[14] = {};
    uint8_t bytes[16][2] = {}; // per row, two bytes each
    uint8_t rows[16] = {};
  } configuration;
  static_assert(sizeof(configuration) == 64);
  for (unsigned r = 0; r < 8; ++r) {
    configuration.bytes[r][0] = rowBytes;
    configuration.rows[r] = rows;
  }
  auto *bytes = llvm::ConstantDataArray::getRaw({reinterpret_cast<const char *>(&configuration), sizeof(configuration)},
                                                sizeof(configuration), b.getInt8Ty());
  auto *table = new llvm::GlobalVariable(ctx.module, bytes->getType(), /*isConstant=*/true,
                                         llvm::GlobalValue::PrivateLinkage, bytes, "registers");
  table->setAlignment(llvm::Align(64));
  b.CreateIntrinsic(llvm::Intrinsic::x86_ldtilecfg, {table});
}

void UnitEmitter::multiply(llvm::Value *accumulator, int64_t sumBytes) {
  DotOperands operands(*this, op, s);
  const Rows a = operands.placeLeft(/*isReadAgain=*/true);
  llvm::Value *panels = operands.packGroups();
  const unsigned down = std::min<int64_t>(2, s.m / rows), across = std::min<int64_t>(2, s.n / rows); // per block
  const int64_t step = rowBytes / s.bytes; // elements of k per register
  const int64_t panelBytes = s.k * rows * s.bytes, products = down * across;
  const int64_t blocksDown = s.m / rows / down, blocksAcross = s.n / rows / across;
  NextOperands next(ctx, buffers, elementwise, op, blocksDown * blocksAcross, s.k / step * products);
  const bool isFloat = isa<FloatType>(s.compute);
  auto advance = [&](llvm::Value *address, llvm::Value *count, llvm::Value *bytes) {
    return b.CreateGEP(b.getInt8Ty(), address, b.CreateMul(count, bytes));
  };
  auto leftRegister = [](unsigned i) { return 4 + i; };
  auto rightRegister = [](unsigned j) { return 6 + j; };
  llvm::Value *const sumStride = ctx.index(s.n * sumBytes), *const panelStride = ctx.index(panelBytes);

  configure();
  loops.loop(s.batch, 1, [&](llvm::Value *batch) {
    llvm::Value *aBatch = advance(a.address, b.CreateMul(batch, ctx.index(s.m)), a.stride);
    llvm::Value *bBatch = advance(panels, b.CreateMul(batch, ctx.index(s.n / rows)), panelStride);
    llvm::Value *sumBatch = advance(accumulator, b.CreateMul(batch, ctx.index(s.m)), sumStride);
    loops.loop(blocksAcross, 1, [&](llvm::Value *column) {
      llvm::Value *panel = advance(bBatch, b.CreateMul(column, ctx.index(across)), panelStride);
      loops.loop(blocksDown, 1, [&](llvm::Value *row) {
        llvm::Value *firstRow = b.CreateMul(row, ctx.index(down * rows));
        llvm::Value *left = advance(aBatch, firstRow, a.stride), *corner = advance(sumBatch, firstRow, sumStride);
        corner = advance(corner, column, ctx.index(across * rows * sumBytes));
        auto eachSum = [&](llvm::Intrinsic::ID instruction) {
          for (unsigned i = 0; i < down; ++i)
            for (unsigned j = 0; j < across; ++j) {
              llvm::Value *address = advance(corner, ctx.index(i * rows), sumStride);
              address = b.CreateConstGEP1_64(b.getInt8Ty(), address, j * rows * sumBytes);
              call(instruction, {i * 2 + j}, address, sumStride);
            }
        };
        eachSum(llvm::Intrinsic::x86_tileloadd64);
        llvm::Value *block = b.CreateAdd(b.CreateMul(column, ctx.index(blocksDown)), row);
        loops.loop(ctx.index(0), ctx.index(s.k), step, next.begin(block),
                   [&](llvm::Value *k, ArrayRef<llvm::Value *> before) {
                     Values addresses(before);
                     llvm::Value *first = b.CreateUDiv(k, ctx.index(step));
                     for (unsigned i = 0; i < down; ++i) {
                       llvm::Value *address = advance(left, ctx.index(i * rows), a.stride);
                       call(llvm::Intrinsic::x86_tileloadd64, {leftRegister(i)},
                            advance(address, k, ctx.index(s.bytes)), a.stride);
                     }
                     for (unsigned j = 0; j < across; ++j) {
                       llvm::Value *address = advance(panel, ctx.index(j), panelStride);
                       call(llvm::Intrinsic::x86_tileloadd64, {rightRegister(j)},
                            advance(address, first, ctx.index(rows * rowBytes)), ctx.index(rowBytes));
                     }
                     for (unsigned i = 0; i < down; ++i)
                       for (unsigned j = 0; j < across; ++j) {
                         call(isFloat ? llvm::Intrinsic::x86_tdpbf16ps : llvm::Intrinsic::x86_tdpbssd,
                              {i * 2 + j, leftRegister(i), rightRegister(j)});
                         llvm::Value *iteration =
                             b.CreateAdd(b.CreateMul(first, ctx.index(products)), ctx.index(i * across + j));
                         addresses = next.advance(addresses, iteration);
                       }
                     return addresses;
                   });
        eachSum(llvm::Intrinsic::x86_tilestored64);
      });
    });
  });
  b.CreateIntrinsic(llvm::Intrinsic::x86_tilerelease, ArrayRef<llvm::Value *>());
}

void cpu::multiplyOnUnit(const RootParts &parts, tt::DotOp op, const DotShape &shape, llvm::Value *accumulator) {
  UnitEmitter(parts, op, shape).multiply(accumulator, shape.bytes);
}
