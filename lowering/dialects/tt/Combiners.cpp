//===- Combiners.cpp - properties of simple combiners -------------------------------------------------------------===//
//
// Every target uses these properties of the operation that combines the elements of a reduction.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/Combiners.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

TypedAttr tt::getNeutralElement(Operation *combiner) {
  Type type = combiner->getResult(0).getType();
  Builder builder(combiner->getContext());
  auto floating = [&](auto make) -> TypedAttr {
    return builder.getFloatAttr(type, make(cast<FloatType>(type).getFloatSemantics()));
  };
  auto integer = [&](auto make) -> TypedAttr {
    return builder.getIntegerAttr(type, make(type.getIntOrFloatBitWidth()));
  };
  auto infinity = [&](bool negative) {
    return floating([&](const llvm::fltSemantics &s) { return APFloat::getInf(s, negative); });
  };
  return llvm::TypeSwitch<Operation *, TypedAttr>(combiner)
      .Case<arith::AddFOp>([&](auto) {
        return floating([](const llvm::fltSemantics &s) { return APFloat::getZero(s, /*Negative=*/true); });
      })
      .Case<arith::MulFOp>(
          [&](auto) { return floating([](const llvm::fltSemantics &s) { return APFloat::getOne(s); }); })
      // These operations ignore NaNs; the operations that propagate NaNs have no neutral element.
      .Case<arith::MaxNumFOp, arith::MinNumFOp>(
          [&](auto) { return floating([](const llvm::fltSemantics &s) { return APFloat::getNaN(s); }); })
      .Case<arith::MaximumFOp>([&](auto) { return infinity(true); })
      .Case<arith::MinimumFOp>([&](auto) { return infinity(false); })
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return integer([](unsigned bits) { return APInt(bits, 0); }); })
      .Case<arith::MulIOp>([&](auto) { return integer([](unsigned bits) { return APInt(bits, 1); }); })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return integer([](unsigned bits) { return APInt::getAllOnes(bits); }); })
      .Case<arith::MaxSIOp>([&](auto) { return integer([](unsigned bits) { return APInt::getSignedMinValue(bits); }); })
      .Case<arith::MinSIOp>([&](auto) { return integer([](unsigned bits) { return APInt::getSignedMaxValue(bits); }); })
      .Default([](Operation *) { return TypedAttr(); });
}
