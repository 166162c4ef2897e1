//===- BuiltinsShape.cpp - creation, shape and order --------------------------------------------------------------===//

#include "frontend/raise/BuiltinsShape.h"

using namespace mlir;

namespace tilecc {

Value createShapeOp(OpBuilder &builder, Location loc, const BuiltinSignature &builtin, Type result,
                    ArrayRef<Value> args) {
  StringRef name = builtin.name;
  auto constant = [&](unsigned i) { return static_cast<int32_t>(builtin.constants[i]); };
  auto attribute = [&](unsigned i) { return builder.getI32IntegerAttr(constant(i)); };
  if (name == "make_range")
    return tt::MakeRangeOp::create(builder, loc, result, attribute(0), attribute(1));
  if (name == "splat")
    return tt::SplatOp::create(builder, loc, result, args[0]);
  if (name == "unsplat")
    return tt::UnsplatOp::create(builder, loc, result, args[0]);
  if (name == "expand_dims")
    return tt::ExpandDimsOp::create(builder, loc, result, args[0], attribute(0));
  if (name == "broadcast")
    return tt::BroadcastOp::create(builder, loc, result, args[0]);
  if (name == "reshape")
    return tt::ReshapeOp::create(builder, loc, result, args[0], /*allow_reorder=*/constant(0) != 0,
                                 /*efficient_layout=*/false);
  if (name == "trans")
    return tt::TransOp::create(builder, loc, result, args[0], llvm::to_vector_of<int32_t>(builtin.constants));
  if (name == "join")
    return tt::JoinOp::create(builder, loc, result, args[0], args[1]);
  if (name == "split") // one for each half; equal ones become one
    return tt::SplitOp::create(builder, loc, result, result, args[0])->getResult(constant(0));
  if (name == "cat")
    return tt::CatOp::create(builder, loc, result, args[0], args[1]);
  if (name == "gather")
    return tt::GatherOp::create(builder, loc, result, args[0], args[1], constant(0), /*efficient_layout=*/false);
  if (name == "histogram")
    return tt::HistogramOp::create(builder, loc, result, args[0], args.size() > 1 ? args[1] : Value());
  return {};
}

} // namespace tilecc
