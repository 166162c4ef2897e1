//===- Multimem.cpp - accesses to multicast memory ----------------------------------------------------------------===//
//
// Multicast memory is accessed by multimem instructions only. Those for f32 and for halves access up to 16 bytes at
// once; there are none for a single half. Loads and stores are weak, like those of other memory: signals order them.
// Sums of halves are computed in f32.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/Multimem.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/OperationFeatures.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// The form in which an instruction accesses `elements` adjacent elements of a thread.
struct Form {
  Form(Type element, unsigned elements) : element(element), elements(elements) {
    unsigned bits = element.getIntOrFloatBitWidth();
    const bool isHalf = bits == 16; // of which there is an even number
    words = isHalf ? elements / 2 : elements;
    word = IntegerType::get(element.getContext(), isHalf ? 32 : bits);
    type = isa<IntegerType>(element) ? "u" + std::to_string(bits)
           : !isHalf                 ? "f" + std::to_string(bits)
           : element.isBF16()        ? "bf16x2"
                                     : "f16x2";
    vector = words > 1 ? ".v" + std::to_string(words) : "";
  }

  /// Returns the operands $`first` and following, in braces if there are several.
  std::string registers(unsigned first) const {
    std::string text;
    for (unsigned i = 0; i < words; ++i)
      text += (i ? ", $" : "$") + std::to_string(first + i);
    return words > 1 ? "{" + text + "}" : text;
  }

  SmallVector<Value> split(OpBuilder &builder, Location loc, ValueRange values) const {
    Value packed = packVector(builder, loc, values);
    return unpackVector(builder, loc, LLVM::BitcastOp::create(builder, loc, VectorType::get(words, word), packed));
  }
  SmallVector<Value> join(OpBuilder &builder, Location loc, ValueRange parts) const {
    Value packed = packVector(builder, loc, parts);
    return unpackVector(builder, loc,
                        LLVM::BitcastOp::create(builder, loc, VectorType::get(elements, element), packed));
  }

  Type element, word;
  unsigned elements, words;
  std::string type, vector; ///< "f16x2", ".v4"
};

template <typename OpT> struct MultimemPattern : TilePattern<OpT> {
  MultimemPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering,
                  const nvidia::Facts &facts)
      : TilePattern<OpT>(types, context, lowering), facts(facts) {}
  using Adaptor = typename TilePattern<OpT>::OneToNOpAdaptor;
  static constexpr bool isSum = std::is_same_v<OpT, tt::MultimemSumOp>;

  LogicalResult matchAndRewrite(OpT op, Adaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    if (failed(nvidia::checkOperationFeatures(op, facts)))
      return failure();
    Location loc = op.getLoc();
    auto pointers = cast<RankedTensorType>(op.getPtr().getType());
    Type element = getElementTypeOrSelf(tt::getPointeeType(pointers));
    LinearLayout layout = ttg::toLinearLayout(pointers);
    const unsigned width = getWidth(op, element), idle = isSum ? 0 : layout.getFreeBits(Dim::Register);
    if (width == 1 && element.getIntOrFloatBitWidth() == 16)
      return emitError(loc)
             << "multicast memory is accessed by pairs of 16-bit floats: their addresses must be known to "
                "be multiples of 4 bytes, and their masks to be equal (tt::multiple_of)";
    Value acts;
    if (!isSum)
      acts = isRepresentative(rewriter, loc, layout, getThreadPosition(rewriter, loc, this->target));
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < adaptor.getPtr().size(); reg += width) {
      if (reg & idle) // another register has the same element
        continue;
      Value predicate = acts;
      if (!adaptor.getMask().empty()) {
        Value mask = adaptor.getMask()[reg];
        predicate = acts ? arith::AndIOp::create(rewriter, loc, acts, mask).getResult() : mask;
      }
      Form form(element, width);
      if constexpr (isSum)
        llvm::append_range(results, sum(loc, form, adaptor.getPtr()[reg], predicate, rewriter));
      else
        write(loc, form, adaptor.getPtr()[reg], adaptor.getValue().slice(reg, width), predicate, rewriter);
    }
    if constexpr (isSum)
      rewriter.replaceOpWithMultiple(op, {results});
    else
      rewriter.eraseOp(op);
    return success();
  }

private:
  /// Returns the number of elements that an instruction accesses. There are no vectors of integers and of f64.
  unsigned getWidth(OpT op, Type element) const {
    if (!element.isF32() && !element.isF16() && !element.isBF16())
      return 1;
    unsigned width = getAccessWidth(this->lowering.axisInfo, op.getPtr(), op.getMask());
    return std::min(width, 128 / element.getIntOrFloatBitWidth());
  }

  static SmallVector<Value> sum(Location loc, const Form &form, Value ptr, Value predicate, OpBuilder &builder) {
    SmallVector<Value> operands = {ptr};
    std::string constraints;
    for (unsigned i = 0; i < form.words; ++i)
      constraints += std::string("=") + constraintOf(form.word) + ",";
    constraints += "l";
    std::string guard;
    if (predicate) {
      guard = "@$" + std::to_string(form.words + 1) + " ";
      operands.push_back(predicate);
      constraints += ",b";
      Value zero = LLVM::ConstantOp::create(builder, loc, form.word, 0);
      for (unsigned i = 0; i < form.words; ++i) {
        operands.push_back(zero);
        constraints += "," + std::to_string(i);
      }
    }
    std::string precision = form.element.getIntOrFloatBitWidth() == 16 ? ".acc::f32" : "";
    std::string text = guard + "multimem.ld_reduce.weak.global.add" + precision + form.vector + "." + form.type + " " +
                       form.registers(0) + ", [$" + std::to_string(form.words) + "];";
    SmallVector<Type> words(form.words, form.word);
    Type result = form.words == 1 ? form.word : LLVM::LLVMStructType::getLiteral(builder.getContext(), words);
    Value loaded = assembly(builder, loc, result, operands, text, constraints + ",~{memory}").getRes();
    SmallVector<Value> parts;
    for (unsigned i = 0; i < form.words; ++i)
      parts.push_back(form.words == 1 ? loaded : LLVM::ExtractValueOp::create(builder, loc, loaded, i).getResult());
    return form.join(builder, loc, parts);
  }

  static void write(Location loc, const Form &form, Value ptr, ValueRange values, Value predicate, OpBuilder &builder) {
    SmallVector<Value> operands = {ptr};
    std::string constraints = "l", guard;
    for (Value part : form.split(builder, loc, values)) {
      operands.push_back(part);
      constraints += std::string(",") + constraintOf(form.word);
    }
    if (predicate) {
      guard = "@$" + std::to_string(operands.size()) + " ";
      operands.push_back(predicate);
      constraints += ",b";
    }
    StringRef what =
        std::is_same_v<OpT, tt::MultimemAddOp> ? "multimem.red.relaxed.sys.global.add" : "multimem.st.weak.global";
    assembly(builder, loc, TypeRange(), operands,
             guard + what.str() + form.vector + "." + form.type + " [$0], " + form.registers(1) + ";",
             constraints + ",~{memory}");
  }

  const nvidia::Facts &facts;
};

} // namespace

void tilecc::populateMultimemPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                      const LoweringContext &lowering, const nvidia::Facts &facts) {
  patterns.add<MultimemPattern<tt::MultimemSumOp>, MultimemPattern<tt::MultimemStoreOp>,
               MultimemPattern<tt::MultimemAddOp>>(types, patterns.getContext(), lowering, facts);
}
