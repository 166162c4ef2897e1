//===- BuiltinsAtomic.cpp - atomic accesses ------------------------------------------------------------------------===//

#include "frontend/raise/Builtins.h"

using namespace mlir;

namespace tilecc {

/// The constants are the operation's (of atomic_rmw), the order's and the scope's numbers in TTIR.
Value createAtomicOp(OpBuilder &builder, Location loc, const BuiltinSignature &builtin, ArrayRef<Value> args) {
  auto sem = [&](unsigned i) { return static_cast<tt::MemSemantic>(builtin.constants[i]); };
  auto scope = [&](unsigned i) { return static_cast<tt::MemSyncScope>(builtin.constants[i]); };
  if (builtin.name == "atomic_rmw")
    return tt::AtomicRMWOp::create(builder, loc, args[1].getType(), static_cast<tt::RMWOp>(builtin.constants[0]),
                                   args[0], args[1], args[2], sem(1), scope(2));
  if (builtin.name == "atomic_cas")
    return tt::AtomicCASOp::create(builder, loc, args[1].getType(), args[0], args[1], args[2], sem(0), scope(1));
  return {};
}

} // namespace tilecc
