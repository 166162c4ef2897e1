//===- InlineAsm.cpp - inline assembly and scalar functions on elements -------------------------------------------===//
//
// Inline assembly is applied to `packed_element` elements of a thread at a time. Elements narrower than 32 bits share a
// 32-bit register, as many as fit, with the first element in the low bits.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/CombinerRegion.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace tilecc;

namespace {

struct InlineAsmPattern : TilePattern<tt::ElementwiseInlineAsmOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(tt::ElementwiseInlineAsmOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned pack = op.getPackedElement(), count = 1;
    for (ValueRange operand : adaptor.getArgs())
      count = std::max<unsigned>(count, operand.size());
    SmallVector<Type> elements, words; // of the results
    for (Type type : op.getResultTypes()) {
      if (auto tile = dyn_cast<RankedTensorType>(type))
        count = std::max(count, ttg::getElementsPerThread(tile));
      elements.push_back(types.convertElement(getElementTypeOrSelf(type)));
      words.append(llvm::divideCeil(pack, perWord(elements.back(), pack)), wordType(elements.back(), pack));
    }
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    for (unsigned first = 0; first < count; first += pack) {
      SmallVector<Value> inputs;
      for (ValueRange operand : adaptor.getArgs())
        packElements(operand, first, pack, inputs, rewriter, loc);
      Type type = words.size() == 1 ? words[0] : LLVM::LLVMStructType::getLiteral(rewriter.getContext(), words);
      if (first == 0 && failed(checkConstraints(op, type, inputs)))
        return failure();
      auto assembly = LLVM::InlineAsmOp::create(
          rewriter, loc, type, inputs, op.getAsmString(), op.getConstraints(), /*has_side_effects=*/!op.getPure(),
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr::get(rewriter.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
      unsigned word = 0;
      for (auto [i, element] : llvm::enumerate(elements)) {
        for (unsigned k = 0; k < pack; k += perWord(element, pack), ++word) {
          Value value = words.size() == 1
                            ? assembly.getRes()
                            : LLVM::ExtractValueOp::create(rewriter, loc, assembly.getRes(), word).getResult();
          if (perWord(element, pack) == 1)
            results[i].push_back(value);
          else
            llvm::append_range(results[i], unpackVector(rewriter, loc, value));
        }
        results[i].resize(std::min<size_t>(results[i].size(), count));
      }
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }

private:
  /// Checks the constraints, because LLVM's parser aborts if they do not fit the operands.
  static LogicalResult checkConstraints(tt::ElementwiseInlineAsmOp op, Type result, ValueRange inputs) {
    llvm::LLVMContext context;
    LLVM::TypeToLLVMIRTranslator types(context);
    auto operands = llvm::map_to_vector(inputs, [&](Value input) { return types.translateType(input.getType()); });
    auto *type = llvm::FunctionType::get(types.translateType(result), operands, /*isVarArg=*/false);
    llvm::Error problem = llvm::InlineAsm::verify(type, op.getConstraints());
    if (!problem)
      return success();
    return op.emitOpError("has constraints '") << op.getConstraints() << "' that do not fit its " << inputs.size()
                                               << " operand registers: " << llvm::toString(std::move(problem));
  }

  /// Returns the number of elements that share a register.
  static unsigned perWord(Type element, unsigned pack) {
    unsigned bits = isa<LLVM::LLVMPointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
    return bits >= 32 ? 1 : std::min(pack, 32 / bits);
  }
  static Type wordType(Type element, unsigned pack) {
    unsigned count = perWord(element, pack);
    return count == 1 ? element : VectorType::get(count, element);
  }
  static void packElements(ValueRange operand, unsigned first, unsigned pack, SmallVectorImpl<Value> &inputs,
                           OpBuilder &builder, Location loc) {
    auto element = [&](unsigned i) { // padding after the last element is arbitrary
      return operand.size() == 1 ? operand[0] : operand[std::min<size_t>(i, operand.size() - 1)];
    };
    unsigned count = perWord(element(0).getType(), pack);
    for (unsigned k = 0; k < pack; k += count) {
      SmallVector<Value> values;
      for (unsigned j = 0; j < count; ++j)
        values.push_back(element(first + k + j));
      inputs.push_back(count == 1 ? values[0] : packVector(builder, loc, values));
    }
  }
};

/// Clones the region once for every `pack` registers.
struct MapElementwisePattern : TilePattern<tt::MapElementwiseOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::MapElementwiseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    struct Copier : Combiner {
      Copier(tt::MapElementwiseOp op, OpBuilder &builder, const TargetInfo &target)
          : Combiner(op, op.getScalarOp(), builder, target, {}) {}
      using Combiner::combine;
    } copier(op, rewriter, target);
    unsigned pack = op.getPack(), count = adaptor.getSrcs()[0].size();
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    for (unsigned first = 0; first < count; first += pack) {
      Elements args;
      for (ValueRange source : adaptor.getSrcs())
        for (unsigned k = 0; k < pack; ++k)
          args.push_back(source[std::min(first + k, count - 1)]);
      Elements values = copier.combine(args, {});
      for (unsigned i = 0; i < results.size(); ++i)
        for (unsigned k = 0; k < pack && first + k < count; ++k)
          results[i].push_back(values[i * pack + k]);
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

} // namespace

void tilecc::populateInlineAsmPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering) {
  patterns.add<InlineAsmPattern, MapElementwisePattern>(types, patterns.getContext(), lowering);
}
