//===- TTGDialect.cpp - the dialect of tile layouts: registration -------------------------------------------------===//
//
// Registers the `ttg` dialect, and defines the short names under which its encodings are printed.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

#include "lowering/dialects/ttg/TTGDialect.cpp.inc"
#include "lowering/dialects/ttg/TTGInterfaces.cpp.inc"
#include "lowering/dialects/ttg/TTGOpInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/ttg/TTGAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "lowering/dialects/ttg/TTGTypes.cpp.inc"

namespace {
/// Prints `#blocked` and similar aliases before the module, as Triton does. Slices and dot operands are printed in
/// place.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    StringRef name = llvm::TypeSwitch<Attribute, StringRef>(attr)
                         .Case<BlockedEncodingAttr>([](auto) { return "blocked"; })
                         .Case<MatrixUnitEncoding>([](auto) { return "mma"; })
                         .Case<LinearEncodingAttr>([](auto) { return "linear"; })
                         .Case<SharedEncoding>([](auto) { return "shared"; })
                         .Case<SharedMemorySpaceAttr>([](auto) { return "smem"; })
                         .Default([](auto) { return ""; });
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TTGDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lowering/dialects/ttg/TTGAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "lowering/dialects/ttg/TTGTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lowering/dialects/ttg/TTGOps.cpp.inc"
      >();
  addInterfaces<LayoutAliases>();
  addEncodingAlgebra();
  declarePromisedInterface<tt::UsesScratch, ConvertLayoutOp>();
}

Operation *TTGDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
