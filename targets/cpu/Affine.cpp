//===- Affine.cpp - indices as a base and strides -----------------------------------------------------------------===//
//
// This file recognizes tiles of pointers and indices that are sums over axes, so that address tiles are never stored in
// memory.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Affine.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static unsigned pointeeBytes(Type ptrLike) {
  unsigned bits = tt::getElementBits(getElementTypeOrSelf(tt::getPointeeType(getElementTypeOrSelf(ptrLike))));
  return std::max(1u, bits / 8);
}

bool cpu::isIdentityInBounds(Operation *op) { return isa<arith::RemSIOp, arith::RemUIOp, arith::ExtUIOp>(op); }

//===--- AffineAnalysis -------------------------------------------------------------------------------------------===//

std::optional<unsigned> AffineAnalysis::varyingDims(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !isa<RankedTensorType>(tile.getType()) || isa<FloatType>(getElementTypeOrSelf(tile)))
    return std::nullopt;
  if (auto it = known.find(tile); it != known.end())
    return it->second;
  std::optional<unsigned> dims = compute(op);
  known[tile] = dims;
  return dims;
}

std::optional<unsigned> AffineAnalysis::compute(Operation *op) {
  auto dims = [&](unsigned i) { return varyingDims(op->getOperand(i)); };
  if (isa<tt::MakeRangeOp>(op))
    return 1;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue()) ? std::optional(0u) : std::nullopt;
  if (isa<tt::SplatOp>(op))
    return 0;
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    std::optional<unsigned> d = dims(0);
    unsigned below = (1u << expand.getAxis()) - 1;
    return d ? std::optional((*d & below) | ((*d & ~below) << 1)) : d;
  }
  if (isa<tt::BroadcastOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return dims(0);
  if (isa<arith::AddIOp, arith::SubIOp, tt::AddPtrOp, arith::MulIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    std::optional<unsigned> x = dims(0), y = dims(1);
    if (!x || !y || (isa<arith::MulIOp>(op) && *x && *y) || (isa<arith::RemSIOp, arith::RemUIOp>(op) && *y))
      return std::nullopt;
    return *x | *y;
  }
  return std::nullopt;
}

//===--- AffineEmitter --------------------------------------------------------------------------------------------===//

const AffineEmitter::Form &AffineEmitter::form(Value tile) {
  if (auto it = forms.find(tile); it != forms.end())
    return it->second;
  Form f = compute(tile);
  return forms[tile] = std::move(f);
}

AffineEmitter::Form AffineEmitter::compute(Value tile) {
  Operation *op = tile.getDefiningOp();
  auto type = cast<RankedTensorType>(tile.getType());
  Form f;
  f.strides.resize(type.getRank());
  if (auto rangeOp = dyn_cast<tt::MakeRangeOp>(op)) {
    f.base = b.getInt64(static_cast<int32_t>(rangeOp.getStart()));
    f.strides[0] = b.getInt64(1);
  } else if (auto splat = dyn_cast<tt::SplatOp>(op)) {
    llvm::Value *v = scalar(splat.getSrc());
    f.base = v->getType()->isPointerTy() ? b.CreatePtrToInt(v, b.getInt64Ty()) : extend(v);
  } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    f.base = b.getInt64(cast<DenseElementsAttr>(constant.getValue()).getSplatValue<APInt>().getSExtValue());
  } else if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    f = form(expand.getSrc());
    f.strides.insert(f.strides.begin() + expand.getAxis(), nullptr);
  } else if (isa<tt::BroadcastOp, arith::ExtSIOp>(op)) {
    f = form(op->getOperand(0));
  } else if (isIdentityInBounds(op)) {
    f = form(op->getOperand(0));
    Range r = range(op->getOperand(0));
    unsigned bits = getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth();
    llvm::Value *bound = isa<arith::ExtUIOp>(op)
                             ? b.getInt64(static_cast<int64_t>(llvm::APInt::getSignedMaxValue(bits).getZExtValue()))
                             : b.CreateSub(form(op->getOperand(1)).base, b.getInt64(1));
    conditions.push_back(b.CreateAnd(b.CreateICmpSGE(r.low, b.getInt64(0)),
                                     b.CreateICmpSLE(b.CreateAdd(r.low, r.span), bound), "in.bounds"));
  } else {
    Form x = form(op->getOperand(0)), y = form(op->getOperand(1));
    if (isa<arith::MulIOp>(op)) {
      if (llvm::any_of(y.strides, [](llvm::Value *s) { return s; }))
        std::swap(x, y);
      f.base = b.CreateMul(x.base, y.base);
      for (auto [to, from] : llvm::zip(f.strides, x.strides))
        to = from ? b.CreateMul(from, y.base) : nullptr;
    } else { // addi, subi, addptr
      auto operand = [&](llvm::Value *v) -> llvm::Value * {
        if (!v)
          return nullptr;
        if (isa<tt::AddPtrOp>(op))
          return b.CreateMul(v, b.getInt64(pointeeBytes(tile.getType())));
        return isa<arith::SubIOp>(op) ? b.CreateNeg(v) : v;
      };
      f.base = sum(x.base, operand(y.base));
      for (size_t d = 0; d < f.strides.size(); ++d)
        f.strides[d] = sum(x.strides[d], operand(y.strides[d]));
    }
  }
  return f;
}

AffineEmitter::Range AffineEmitter::range(Value tile) {
  Form f = form(tile);
  Range r{f.base, b.getInt64(0)};
  for (auto [stride, size] : llvm::zip(f.strides, cast<RankedTensorType>(tile.getType()).getShape())) {
    if (!stride || size == 1)
      continue;
    llvm::Value *last = b.CreateMul(stride, b.getInt64(size - 1));
    if (auto *known = dyn_cast<llvm::ConstantInt>(last); known && !known->isNegative()) {
      r.span = b.CreateAdd(r.span, last);
      continue;
    }
    r.low = b.CreateAdd(r.low, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, last, b.getInt64(0)));
    r.span = b.CreateAdd(r.span, b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, last, b.getFalse()));
  }
  return r;
}

llvm::Value *AffineEmitter::isUnchanged(Operation *op) {
  if (!analysis.isAffine(op->getResult(0)))
    return nullptr;
  forms.clear();
  conditions.clear();
  form(op->getResult(0));
  return b.CreateAnd(conditions);
}

llvm::Value *AffineEmitter::canAlternate(Value loadPtr, Value storePtr, bool inOrder) {
  forms.clear();
  conditions.clear();
  Range load = range(loadPtr), store = range(storePtr);
  unsigned loadBytes = pointeeBytes(loadPtr.getType()), storeBytes = pointeeBytes(storePtr.getType());
  // The ranges overlap if the store begins less than its own length before the load, or less than the load's length
  // after the load. One unsigned comparison checks both conditions.
  llvm::Value *before = b.CreateAdd(store.span, b.getInt64(storeBytes - 1));
  llvm::Value *both = b.CreateAdd(before, b.CreateAdd(load.span, b.getInt64(loadBytes)));
  llvm::Value *ok = b.CreateICmpUGE(b.CreateAdd(b.CreateSub(store.low, load.low), before), both, "disjoint");

  auto type = cast<RankedTensorType>(storePtr.getType());
  if (inOrder && loadPtr.getType() == storePtr.getType()) {
    const Form &x = form(loadPtr), &y = form(storePtr);
    llvm::Value *same = b.CreateICmpEQ(x.base, y.base);
    llvm::Value *extent = b.getInt64(storeBytes);
    for (int d = type.getRank() - 1; d >= 0; --d) {
      if (type.getDimSize(d) == 1)
        continue;
      llvm::Value *zero = b.getInt64(0);
      llvm::Value *xs = x.strides[d] ? x.strides[d] : zero, *ys = y.strides[d] ? y.strides[d] : zero;
      llvm::Value *magnitude = b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, ys, b.getFalse());
      same = b.CreateAnd(same, b.CreateAnd(b.CreateICmpEQ(xs, ys), b.CreateICmpUGE(magnitude, extent)));
      extent = b.CreateMul(magnitude, b.getInt64(type.getDimSize(d)));
    }
    ok = b.CreateOr(ok, same);
  }
  conditions.push_back(ok);
  return b.CreateAnd(conditions);
}
