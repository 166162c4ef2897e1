//===- GlobalAccess.h - accesses to global memory -----------------------------------------------------------*- C++ -*-//
#ifndef TILECC_LOWERING_DIALECTS_TT_GLOBALACCESS_H
#define TILECC_LOWERING_DIALECTS_TT_GLOBALACCESS_H

#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace tilecc::tt {

/// What an operation does to global memory: it accesses an element through each of its pointers.
struct GlobalAccess {
  mlir::Value pointers; ///< a tile of them, or one
  mlir::Value mask;     ///< where it is false nothing is accessed; null: there is none
  bool isRead, isWrite;
  /// Neither volatile nor atomic, as LLVM calls it: it may be moved, widened, merged with others or left out.
  bool isSimple = true;

  bool isOfTile() const { return mlir::isa<mlir::RankedTensorType>(pointers.getType()); }
};

/// That of `op`, whatever the operation; nothing if it accesses no global memory through pointers.
std::optional<GlobalAccess> getGlobalAccess(mlir::Operation *op);

template <typename ConcreteType>
class NoGlobalAccess : public mlir::OpTrait::TraitBase<ConcreteType, NoGlobalAccess> {};
template <typename ConcreteType>
class MayAccessGlobal : public mlir::OpTrait::TraitBase<ConcreteType, MayAccessGlobal> {};
template <typename ConcreteType>
class AccessesTensor : public mlir::OpTrait::TraitBase<ConcreteType, AccessesTensor> {};

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_GLOBALACCESS_H
