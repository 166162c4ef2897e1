//===- WarpGroupDot.cpp - lowers warp-group dots to wgmma ---------------------------------------------------------===//
//
// With one instruction, a warp group multiplies 64 rows of the left operand by up to 256 columns of the right operand.
// The instruction reads both from shared memory through descriptors, which contain an address and describe the layout
// of the boxes of swizzled rows (PTX ISA, asynchronous warpgroup level matrix shared memory layout). A step along any
// axis adds a constant to the address. This works because boxes are aligned to the swizzle's period and the hardware
// swizzles addresses, not coordinates.
//
// The accumulator consists of registers that the instruction reads and writes. Each register is one LLVM value. The
// result of an instruction is tied to the operand of the next instruction, so no copies are made; f16 accumulators are
// packed in pairs. A wait has the accumulators for which it waits as operands and results, so that no use moves before
// the wait.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "targets/nvidia/OperandInShared.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

namespace {

StringRef nameOf(Type element) {
  return isa<Float8E4M3FNType>(element) ? "e4m3"
         : isa<Float8E5M2Type>(element) ? "e5m2"
         : element.isF16()              ? "f16"
         : element.isBF16()             ? "bf16"
         : element.isF32()              ? "tf32"
         : element.isInteger(8)         ? "s8"
                                        : "";
}

/// Emits assembly that reads and writes the registers of one accumulator in place; used for instructions and waits.
SmallVector<Value> inPlace(OpBuilder &builder, Location loc, ValueRange accumulators, StringRef before, StringRef after,
                           ValueRange others, StringRef otherConstraints) {
  Type element = accumulators[0].getType();
  std::string registers, outs, ins, constraint = element.isF32() ? "f" : "r";
  for (unsigned i = 0; i < accumulators.size(); ++i) {
    registers += (i ? ", $" : "$") + std::to_string(i);
    outs += (i ? ",=" : "=") + constraint;
    ins += "," + std::to_string(i);
  }
  SmallVector<Value> operands(others);
  llvm::append_range(operands, accumulators);
  std::string constraints = outs + otherConstraints.str() + ins + ",~{memory}";
  std::string text = before.empty() ? after.str() : (before + "{" + registers + "}" + after).str();
  Type result =
      accumulators.size() == 1
          ? element
          : LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(accumulators.size(), element));
  Value all = assembly(builder, loc, result, operands, text, constraints).getRes();
  if (accumulators.size() == 1)
    return {all};
  SmallVector<Value> values;
  for (unsigned i = 0; i < accumulators.size(); ++i)
    values.push_back(LLVM::ExtractValueOp::create(builder, loc, all, i));
  return values;
}

/// Returns the registers of an accumulator: one for each element, or for each pair of f16.
SmallVector<Value> toRegisters(OpBuilder &builder, Location loc, ValueRange accumulators) {
  return accumulators[0].getType().isF16() ? packWords(builder, loc, accumulators) : SmallVector<Value>(accumulators);
}

/// Returns the elements, of type `element`, of an accumulator in registers. This is the inverse of toRegisters().
SmallVector<Value> fromRegisters(OpBuilder &builder, Location loc, ArrayRef<Value> registers, Type element) {
  if (!element.isF16())
    return SmallVector<Value>(registers);
  SmallVector<Value> accumulators;
  for (Value pair : registers)
    llvm::append_range(
        accumulators,
        unpackVector(builder, loc, LLVM::BitcastOp::create(builder, loc, VectorType::get(2, element), pair)));
  return accumulators;
}

std::string waitText(unsigned pendings) { return "wgmma.wait_group.sync.aligned " + std::to_string(pendings) + ";"; }

SmallVector<Value> waitFor(OpBuilder &builder, Location loc, ValueRange registers, unsigned pendings) {
  return inPlace(builder, loc, registers, "", waitText(pendings), {}, "");
}

class WarpGroupDotEmitter {
public:
  WarpGroupDotEmitter(ttng::WarpGroupDotOp op, ttng::WarpGroupDotOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                      OpBuilder &builder, const TargetInfo &target)
      : op(op), adaptor(adaptor), builder(builder), target(target), loc(op.getLoc()) {}

  SmallVector<Value> run() {
    if (!op.getRows())
      return multiplyAll();
    // Branch before the fence. If the instructions were predicated instead, ptxas would make each of them wait for the
    // previous one.
    auto mma = cast<ttg::NvidiaMmaEncodingAttr>(op.getD().getType().getEncoding());
    unsigned groups = getGroupsOfRows(mma);
    Value row = groups > 1 ? scaled(modulo(getWarpGroup(), groups), 64) : constantI32(builder, loc, 0);
    Value isRead = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, row, adaptor.getRows()[0]);
    auto types = llvm::to_vector(ValueRange(adaptor.getC()).getTypes());
    auto branch = scf::IfOp::create(builder, loc, types, isRead, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, multiplyAll());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, adaptor.getC());
    return llvm::to_vector_of<Value>(branch.getResults());
  }

private:
  SmallVector<Value> multiplyAll() {
    auto mma = cast<ttg::NvidiaMmaEncodingAttr>(op.getD().getType().getEncoding());
    ArrayRef<int64_t> shape = op.getD().getType().getShape();
    int64_t depth = cast<ShapedType>(op.getA().getType()).getShape()[1];
    columns = mma.getInstrShape()[1], k = mma.getInstrShape()[2];
    unsigned groups = getGroupsOfRows(mma), instructions = shape[1] / columns;
    // If an instruction is wider than a group's share of the columns, several groups compute the same columns.
    unsigned groupsOfColumns = std::min(mma.getWarpsPerCTA()[1], instructions);
    unsigned rowSteps = shape[0] / (64 * groups), columnSteps = shape[1] / (columns * groupsOfColumns);

    if (groups > 1 || groupsOfColumns > 1)
      getWarpGroup();
    OperandInShared b(builder, loc, op.getB().getType(), SharedTile(adaptor.getB()), /*alongK=*/0, MatrixUnit::Wgmma);
    std::optional<OperandInShared> a;
    if (auto memory = dyn_cast<ttg::MemDescType>(op.getA().getType()))
      a.emplace(builder, loc, memory, SharedTile(adaptor.getA()), /*alongK=*/1, MatrixUnit::Wgmma);
    Value aMoved = a && groups > 1 ? a->getDistance(modulo(group, groups), 64) : Value();
    Value bMoved;
    if (groupsOfColumns > 1) {
      unsigned allGroups = mma.getWarpsPerCTA()[0] / 4;
      Value number = arith::DivUIOp::create(builder, loc, group, constantI32(builder, loc, allGroups));
      bMoved =
          b.getDistance(groupsOfColumns < mma.getWarpsPerCTA()[1] ? modulo(number, groupsOfColumns) : number, columns);
    }

    SmallVector<Value> words;
    if (!a)
      words = packWords(builder, loc, adaptor.getA());
    // Adds the product of instructions [first, last) to `accumulators`, or overwrites `accumulators` if `begins` is
    // true.
    auto start = [&](llvm::MutableArrayRef<Value> accumulators, unsigned first, unsigned last, bool begins) {
      unsigned perInstruction = columns / 2 / (isHalf() ? 2 : 1);
      // The registers of the left operand must be written before the fence. LLVM ensures that only if they pass through
      // the fence.
      if (a)
        NVVM::WgmmaFenceAlignedOp::create(builder, loc);
      else
        words = inPlace(builder, loc, words, "", "wgmma.fence.sync.aligned;", {}, "");
      for (unsigned step = first; step < last; ++step)
        for (unsigned row = 0; row < rowSteps; ++row)
          for (unsigned column = 0; column < columnSteps; ++column) {
            Value right = b.getDescriptor(step * k, column * columns * groupsOfColumns, bMoved);
            auto part = accumulators.slice((row * columnSteps + column) * perInstruction, perInstruction);
            Value keeps = step > first ? Value() : begins ? constantI1(builder, loc, false) : getUseC();
            SmallVector<Value> after =
                a ? multiply(part, {a->getDescriptor(step * k, row * 64 * groups, aMoved), right}, "l", keeps,
                             !a->isKMajor(), !b.isKMajor())
                  : multiply(part, getLeft(words, step + row * (depth / k), right), "r,r,r,r", keeps, false,
                             !b.isKMajor());
            llvm::copy(after, part.begin());
          }
      NVVM::WgmmaGroupSyncAlignedOp::create(builder, loc);
    };

    SmallVector<Value> accumulators(adaptor.getC());
    auto poison = [&](Value sum) -> Value { return LLVM::PoisonOp::create(builder, loc, sum.getType()); };
    if (unsigned inPart = op.getPreciseDepth() / k) {
      // The hardware accumulates with reduced precision. So the instructions form only short partial sums, which are
      // then added to the accumulator in full precision.
      if (Value uses = getUseC())
        for (Value &sum : accumulators)
          sum = arith::SelectOp::create(builder, loc, uses, sum,
                                        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sum.getType())));
      for (unsigned first = 0; first < depth / k; first += inPart) {
        SmallVector<Value> part = toRegisters(builder, loc, llvm::map_to_vector(accumulators, poison)); // not read
        start(part, first, std::min<unsigned>(first + inPart, depth / k), /*begins=*/true);
        part = fromRegisters(builder, loc, waitFor(builder, loc, part, 0), accumulators[0].getType());
        for (auto [sum, more] : llvm::zip_equal(accumulators, part))
          sum = arith::AddFOp::create(builder, loc, sum, more);
      }
      return accumulators;
    }
    if (op.getUseC() && matchPattern(op.getUseC(), m_Zero()))
      accumulators = llvm::map_to_vector(accumulators, poison);
    SmallVector<Value> registers = toRegisters(builder, loc, accumulators);
    start(registers, 0, depth / k, /*begins=*/false);
    if (!op.getIsAsync())
      registers = waitFor(builder, loc, registers, 0);
    return fromRegisters(builder, loc, registers, accumulators[0].getType());
  }

  /// Returns the number of warp groups that compute different rows. If there are more groups along the rows, several
  /// groups compute the same rows.
  unsigned getGroupsOfRows(ttg::NvidiaMmaEncodingAttr mma) {
    return std::min<unsigned>(mma.getWarpsPerCTA()[0] / 4, op.getD().getType().getDimSize(0) / 64);
  }

  /// Returns true if the accumulators are f16.
  bool isHalf() { return op.getD().getType().getElementType().isF16(); }

  /// Returns the number of the thread's warp group. It is computed such that ptxas knows the number to be uniform
  /// within a warp, and computes descriptors that depend on it once per warp, in uniform registers.
  Value getWarpGroup() {
    if (group)
      return group;
    ThreadPosition position = getThreadPosition(builder, loc, target);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(position.warp);
    group = arith::ShRUIOp::create(builder, loc, position.warp, constantI32(builder, loc, 2));
    return group = target.shuffleIndex(builder, loc, group, constantI32(builder, loc, 0));
  }

  Value getUseC() { return op.getUseC() ? adaptor.getUseC()[0] : Value(); }
  Value modulo(Value value, unsigned powerOfTwo) {
    return arith::AndIOp::create(builder, loc, value, constantI32(builder, loc, powerOfTwo - 1));
  }
  Value scaled(Value index, uint64_t units) {
    return arith::MulIOp::create(builder, loc, index, constantI32(builder, loc, units));
  }

  /// Returns the operands of an instruction: the words of a slice of the left operand, and the descriptor of the right
  /// operand.
  SmallVector<Value> getLeft(ArrayRef<Value> words, unsigned slice, Value right) {
    SmallVector<Value> operands(words.slice(slice * 4, 4));
    operands.push_back(right);
    return operands;
  }

  /// Emits one instruction. `operands` are the left operand, with the constraints `left`, and the descriptor of the
  /// right operand. The instruction adds to the accumulator if `keeps` (an i1; null for true) is true, and overwrites
  /// the accumulator otherwise.
  SmallVector<Value> multiply(ValueRange accumulators, ArrayRef<Value> operands, StringRef left, Value keeps,
                              bool transposesA, bool transposesB) {
    Type element = cast<ShapedType>(op.getA().getType()).getElementType(), other = op.getB().getType().getElementType();
    bool isInteger = element.isInteger(), canTranspose = element.isF16() || element.isBF16();
    unsigned first = accumulators.size(), count = operands.size();
    std::string text = "{\n\t.reg .pred p;\n\t", constraints = ("," + left + ",l").str();
    SmallVector<Value> all(operands);
    if (keeps) {
      all.push_back(arith::ExtUIOp::create(builder, loc, builder.getI32Type(), keeps));
      constraints += ",r";
      text += "setp.ne.b32 p, $" + std::to_string(first + count) + ", 0;\n\t";
    } else {
      text += "setp.eq.b32 p, 0, 0;\n\t";
    }
    text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) + "k" + std::to_string(k) +
            (isInteger  ? ".s32."
             : isHalf() ? ".f16."
                        : ".f32.") +
            nameOf(element).str() + "." + nameOf(other).str() + " ";
    std::string after = ", ";
    if (count == 2) {
      after += "$" + std::to_string(first);
    } else {
      for (unsigned i = 0; i < 4; ++i)
        after += (i ? ", $" : "{$") + std::to_string(first + i);
      after += "}";
    }
    after += ", $" + std::to_string(first + count - 1) + ", p";
    if (!isInteger)
      after += ", 1, 1";
    if (canTranspose)
      after += (count == 2 ? (transposesA ? ", 1" : ", 0") : std::string()) + (transposesB ? ", 1" : ", 0");
    return inPlace(builder, loc, accumulators, text, after + ";\n\t}", all, constraints);
  }

  ttng::WarpGroupDotOp op;
  ttng::WarpGroupDotOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor;
  OpBuilder &builder;
  const TargetInfo &target;
  Location loc;
  Value group; ///< for getWarpGroup
  unsigned columns, k; ///< of an instruction
};

struct WarpGroupDotPattern : TilePattern<ttng::WarpGroupDotOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::WarpGroupDotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {WarpGroupDotEmitter(op, adaptor, rewriter, target).run()});
    return success();
  }
};

struct WarpGroupDotWaitPattern : TilePattern<ttng::WarpGroupDotWaitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::WarpGroupDotWaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // A single wait, tied to the first accumulator, suffices. The other accumulators are tied to empty assembly. It
    // stays after the wait, because both are volatile.
    SmallVector<SmallVector<Value>> results;
    bool hasWaited = false;
    for (auto [type, values] : llvm::zip_equal(op.getInputs().getTypes(), adaptor.getInputs())) {
      if (!isa<RankedTensorType>(type)) {
        results.emplace_back(values);
        continue;
      }
      SmallVector<Value> registers = toRegisters(rewriter, op.getLoc(), values);
      registers = hasWaited ? inPlace(rewriter, op.getLoc(), registers, "", "", {}, "")
                            : waitFor(rewriter, op.getLoc(), registers, op.getPendings());
      results.push_back(fromRegisters(rewriter, op.getLoc(), registers, values[0].getType()));
      hasWaited = true;
    }
    if (!hasWaited)
      assembly(rewriter, op.getLoc(), TypeRange(), ValueRange(), waitText(op.getPendings()), "~{memory}");
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

struct FenceAsyncSharedPattern : TilePattern<ttng::FenceAsyncSharedOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::FenceAsyncSharedOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    assembly(rewriter, op.getLoc(), TypeRange(), ValueRange(),
             op.getBCluster() ? "fence.proxy.async.shared::cluster;" : "fence.proxy.async.shared::cta;", "~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilecc::populateWarpGroupPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering) {
  patterns.add<WarpGroupDotPattern, WarpGroupDotWaitPattern, FenceAsyncSharedPattern>(types, patterns.getContext(),
                                                                                      lowering);
}
