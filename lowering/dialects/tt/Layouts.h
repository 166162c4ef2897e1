//===- Layouts.h - layout queries on operations and encodings -------------------------------------------*- C++ -*-===//
//
// Each operation defines how the encodings of its operands and results determine each other (TTInterfaces.td), without
// knowing any specific encoding. The dialect that defines the encodings computes the derived ones (EncodingAlgebra).
// Passes call the functions below.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TT_LAYOUTS_H
#define TILECC_LOWERING_DIALECTS_TT_LAYOUTS_H

#include "lowering/layouts/LinearLayout.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace tilecc::tt {

/// The kind of work that an operation does for each element, independent of the target.
enum class Work {
  Nothing, ///< elements are constants, or are only renamed
  Instruction, ///< about one instruction
  Root, ///< a floating-point division or a root: a slower unit, or a few instructions
  Division, ///< an integer division or remainder: many instructions
  Function, ///< a transcendental function: many instructions
  Library, ///< a library function
};

/// The traits of TTInterfaces.td.
template <typename ConcreteType> class NoTiles : public mlir::OpTrait::TraitBase<ConcreteType, NoTiles> {};
template <typename ConcreteType> class SameLayout : public mlir::OpTrait::TraitBase<ConcreteType, SameLayout> {};
template <typename ConcreteType> class AnyLayout : public mlir::OpTrait::TraitBase<ConcreteType, AnyLayout> {};
template <typename ConcreteType> class NoScratch : public mlir::OpTrait::TraitBase<ConcreteType, NoScratch> {};
template <Work work> struct Takes {
  template <typename ConcreteType>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteType, Takes<work>::template Impl> {};
};

/// Returns the kind of work that `op` does for each element. It is given by the operation's trait (Takes) or, for
/// operations of arith and math, by a table.
Work getWork(mlir::Operation *op);

/// Returns true if each element of a result depends only on the operands' elements at the same position.
bool keepsElementsInPlace(mlir::Operation *op);
/// Returns true if the layouts of operands and results are independent of each other.
bool acceptsAnyLayout(mlir::Operation *op);

/// Return the encoding of `op`'s tile results if its tile operand `number` is encoded as `operand`, and the encoding of
/// that operand if the results are encoded as `result`. They return null if no encoding can be inferred: because the
/// layout was chosen for the operation itself (a load), because an element may come from any position (the source of a
/// gather), or because the given encoding does not suit the operation.
mlir::Attribute inferResultEncoding(mlir::Operation *op, mlir::Attribute operand, unsigned number = 0);
mlir::Attribute inferOperandEncoding(mlir::Operation *op, mlir::Attribute result, unsigned number = 0);

/// Reports an error if the operands of `op` have different layouts, or if a result's layout differs from the inferred
/// one.
mlir::LogicalResult verifyLayoutsAgree(mlir::Operation *op);

class DotOp;

/// Operations on encodings, implemented by the dialect that defines them.
class EncodingAlgebra : public mlir::DialectInterface::Base<EncodingAlgebra> {
public:
  explicit EncodingAlgebra(mlir::Dialect *dialect) : Base(dialect) {}

  /// Returns the encoding of a tile after `axis` is removed: threads that differ along it hold copies. Returns null if
  /// there is only one axis.
  virtual mlir::Attribute removeAxis(mlir::Attribute encoding, unsigned axis) const = 0;
  /// Returns the encoding that becomes `encoding` when `axis` is removed, or null if there is none.
  virtual mlir::Attribute insertAxis(mlir::Attribute encoding, unsigned axis) const = 0;
  /// Returns the encoding of a tile of shape `to`. Its layout is the result of `transform`, applied to the layout that
  /// `encoding` gives a tile of shape `from`.
  using Transform = llvm::function_ref<std::optional<LinearLayout>(const LinearLayout &)>;
  virtual mlir::Attribute transform(mlir::Attribute encoding, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to,
                                    Transform transform) const = 0;
  /// Returns true if each axis is distributed in order: over registers, then lanes, then warps, then registers again.
  virtual bool isInOrder(mlir::Attribute encoding) const = 0;
  /// Reports an error if the encodings of a dot's operands do not match the encoding of its result.
  virtual mlir::LogicalResult verifyDot(DotOp op) const = 0;
};

/// Returns the algebra of the dialect of `encoding`.
const EncodingAlgebra &algebraOf(mlir::Attribute encoding);

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_LAYOUTS_H
