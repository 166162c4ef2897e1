//===- GlobalAccess.h - accesses to global memory -------------------------------------------------------*- C++ -*-===//
//
// Passes query any operation that accesses global memory through this description, instead of listing such operations.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_DIALECTS_TT_GLOBALACCESS_H
#define TILECC_LOWERING_DIALECTS_TT_GLOBALACCESS_H

#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace tilecc::tt {

/// Describes the accesses of one operation to global memory: one element through each of its pointers.
struct GlobalAccess {
  mlir::Value pointers; ///< a pointer, or a tile of pointers
  mlir::Value mask; ///< elements are accessed only where it is true; null: all elements
  bool isRead, isWrite;
  /// Simple as in LLVM: neither volatile nor atomic, so it may be moved, widened, merged or removed.
  bool isSimple = true;

  bool isOfTile() const { return mlir::isa<mlir::RankedTensorType>(pointers.getType()); }
};

/// Returns the access of `op`, or nothing if it does not access global memory through pointers.
std::optional<GlobalAccess> getGlobalAccess(mlir::Operation *op);

template <typename ConcreteType>
class NoGlobalAccess : public mlir::OpTrait::TraitBase<ConcreteType, NoGlobalAccess> {};
template <typename ConcreteType>
class MayAccessGlobal : public mlir::OpTrait::TraitBase<ConcreteType, MayAccessGlobal> {};
template <typename ConcreteType>
class AccessesTensor : public mlir::OpTrait::TraitBase<ConcreteType, AccessesTensor> {};

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_GLOBALACCESS_H
