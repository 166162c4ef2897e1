//===- Layouts.h - how operations and encodings speak of layouts --------------------------------------------*- C++ -*-//
//
// Operations say how the encodings of their operands and results determine each other (TTInterfaces.td), without knowing
// any encoding; the dialect that has the encodings says what can be made of them (EncodingAlgebra). Passes ask the
// functions below.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TT_LAYOUTS_H
#define TILECC_LOWERING_DIALECTS_TT_LAYOUTS_H

#include "lowering/layouts/LinearLayout.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace tilecc::tt {

/// What an operation does to elements, whatever the target makes of it.
enum class Work {
  Nothing,     ///< elements come from nowhere, or from where they are under other coordinates
  Instruction, ///< about one instruction
  Root,        ///< a floating-point division or a root: a slower unit, or a few instructions
  Division,    ///< a division of integers, or a remainder: many instructions
  Function,    ///< a transcendental function: many instructions
  Library,     ///< a function of a library
};

/// The traits of TTInterfaces.td.
template <typename ConcreteType> class NoTiles : public mlir::OpTrait::TraitBase<ConcreteType, NoTiles> {};
template <typename ConcreteType> class SameLayout : public mlir::OpTrait::TraitBase<ConcreteType, SameLayout> {};
template <typename ConcreteType> class AnyLayout : public mlir::OpTrait::TraitBase<ConcreteType, AnyLayout> {};
template <typename ConcreteType> class NoScratch : public mlir::OpTrait::TraitBase<ConcreteType, NoScratch> {};
template <Work work> struct Takes {
  template <typename ConcreteType> class Impl : public mlir::OpTrait::TraitBase<ConcreteType, Takes<work>::template Impl> {};
};

/// What `op` does to elements: what its trait says, or what is known of arith's and math's operations.
Work getWork(mlir::Operation *op);

/// Whether each element of a result depends on what operands have in its place alone.
bool keepsElementsInPlace(mlir::Operation *op);
/// Whether layouts of operands and results have nothing to do with each other.
bool acceptsAnyLayout(mlir::Operation *op);

/// The encoding of `op`'s tile results when its tile operand `number` is encoded `operand`, and of that operand when its
/// results are encoded `result`. Null where no encoding follows: the layout was chosen for a reason of its own (a load's),
/// elements come from anywhere (a gather's source), or the encoding does not fit the operation.
mlir::Attribute inferResultEncoding(mlir::Operation *op, mlir::Attribute operand, unsigned number = 0);
mlir::Attribute inferOperandEncoding(mlir::Operation *op, mlir::Attribute result, unsigned number = 0);

/// Reports operands of different layouts, and results whose layout is not the one that follows from theirs.
mlir::LogicalResult verifyLayoutsAgree(mlir::Operation *op);

class DotOp;

/// What the dialect of encodings can make of one of them.
class EncodingAlgebra : public mlir::DialectInterface::Base<EncodingAlgebra> {
public:
  explicit EncodingAlgebra(mlir::Dialect *dialect) : Base(dialect) {}

  /// The encoding of what is left of a tile encoded so when `axis` is removed: threads that differ along it hold copies.
  /// Null if there is but one axis.
  virtual mlir::Attribute removeAxis(mlir::Attribute encoding, unsigned axis) const = 0;
  /// The encoding of which `encoding` is left when `axis` is removed; null if it is left of no such one.
  virtual mlir::Attribute insertAxis(mlir::Attribute encoding, unsigned axis) const = 0;
  /// The encoding of a tile of shape `to` whose layout `transform` makes of the one that `encoding` is on shape `from`.
  using Transform = llvm::function_ref<std::optional<LinearLayout>(const LinearLayout &)>;
  virtual mlir::Attribute transform(mlir::Attribute encoding, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to,
                                    Transform transform) const = 0;
  /// Whether each axis is distributed in order: first over registers, then lanes, then warps, then registers again.
  virtual bool isInOrder(mlir::Attribute encoding) const = 0;
  /// Reports operands of a product that are not encoded as its result wants them.
  virtual mlir::LogicalResult verifyProduct(DotOp op) const = 0;
};

/// That of the dialect that `encoding` is of.
const EncodingAlgebra &algebraOf(mlir::Attribute encoding);

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_LAYOUTS_H
