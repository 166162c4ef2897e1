//===- Translator.h - translates a kernel of CUDA Tile IR to TTIR ------------------------------------------*- C++ -*-//
//
// A single walk over the operations of a function creates TTIR; there is no MLIR dialect for Tile IR. A tile of rank 0
// becomes a scalar. Tokens are dropped: they order accesses, and the order of operations in TTIR does that already.
// Views do not become values; the translator keeps a record for each:
//
//   make_tensor_view      the base pointer, sizes and strides of a tensor
//   make_*_view           the same, and how tiles are placed in it
//
// Each operation is checked before anything is created for it, because other programs write these files, and MLIR's
// builders do not check their arguments. Translator.cpp translates types and locations, and dispatches on operations.
// ControlFlow.cpp, Arithmetic.cpp, Conversions.cpp, Shapes.cpp, Memory.cpp, Views.cpp and Combine.cpp (reductions and
// scans) translate the operations.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEIR_TRANSLATOR_H
#define TILECC_FRONTEND_TILEIR_TRANSLATOR_H

#include "frontend/tileir/Bytecode.h"
#include "compile/KernelOptions.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace tilecc::tileir {

/// A size or stride of a view: a constant, or an integer value of the kernel.
struct Extent {
  int64_t constant = 0;
  mlir::Value value; ///< null: use the constant
};

struct View {
  const Type *type = nullptr;
  mlir::Value base;
  llvm::SmallVector<Extent> shape, strides; ///< the sizes and strides of the tensor
};

/// What to create for each kind of terminator at the end of a block; null if that kind is not allowed there.
struct Exits {
  using Exit = std::function<mlir::LogicalResult(llvm::ArrayRef<ValueId>)>;
  Exit onYield, onContinue, onBreak, onReturn;
};

class Translator {
public:
  Translator(const Module &module, const Function &function, llvm::StringRef file, mlir::MLIRContext *context);

  /// Returns the kernel in a module of its own, or null after it has reported errors.
  mlir::OwningOpRef<mlir::ModuleOp> translate();

  /// The hints on loads and stores of the whole kernel. Valid after translate().
  std::vector<TargetHint> hints;

private:
  using Result = mlir::LogicalResult;
  using Values = llvm::SmallVector<mlir::Value>;

  //===--- types, values, locations -------------------------------------------------------------------------------===//
  const Type &typeOf(ValueId id) const { return *function.values[id]; }
  mlir::Type convertElement(const Type &type);
  /// Returns the TTIR type of a tile. For a type that is not a tile, or whose elements TTIR does not support, reports
  /// an error and returns null.
  mlir::Type convert(const Type &type);
  mlir::Value get(ValueId id) const { return values[id]; }
  void set(ValueId id, mlir::Value value) { values[id] = value; }
  Result setResult(const Operation &op, mlir::Value value);
  mlir::Location locationOf(uint64_t index, unsigned depth = 0);
  mlir::InFlightDiagnostic error() { return mlir::emitError(loc); }
  mlir::InFlightDiagnostic error(const Operation &op) { return error() << op.spec->name << ": "; }
  Result unsupported(const Operation &op, const llvm::Twine &what);
  Result checkValues(const Operation &op);
  /// Returns an operand or a result of the operation whose elements TTIR does not have; null if there is none.
  const Type *findNarrow(const Operation &op) const;
  void addHints(const Attribute &dictionary);

  //===--- control flow (ControlFlow.cpp) -------------------------------------------------------------------------===//
  Result translateBlock(const Block &block, const Exits &exits);
  Result translateOperation(const Operation &op, const Exits &exits);
  Result translateIf(const Operation &op, const Exits &exits);
  /// The bounds and the step of a `for`, the values that it carries, and their initial values.
  struct ForParts {
    mlir::Value low, high, step;
    llvm::SmallVector<mlir::Type> types;
    Values inits;
  };
  mlir::FailureOr<ForParts> partsOfFor(const Operation &op);
  Result translateFor(const Operation &op, const Exits &exits);
  Result translateLoop(const Operation &op, const Exits &exits);
  Result branchIf(const Operation &op, const Exits &exits);
  Result branchFor(const Operation &op, const Exits &exits);
  /// Returns the values of `ids`, except tokens, if they have the types `expected`.
  mlir::FailureOr<Values> passed(llvm::ArrayRef<ValueId> ids, mlir::TypeRange expected);
  mlir::FailureOr<llvm::SmallVector<mlir::Type>> passedTypes(llvm::ArrayRef<ValueId> ids);
  /// Assigns the values `to`, in order, to those of `ids` that are not tokens.
  void bind(llvm::ArrayRef<ValueId> ids, mlir::ValueRange to);
  mlir::Block *addBlock(mlir::TypeRange arguments);

  //===--- operations ---------------------------------------------------------------------------------------------===//
  Result translateSimple(const Operation &op);
  Result constant(const Operation &op);
  Result assume(const Operation &op);
  Result print(const Operation &op);
  void findDivisors();

  Result arithmetic(const Operation &op); // Arithmetic.cpp
  Result floatArithmetic(const Operation &op);
  Result integerArithmetic(const Operation &op);
  Result compare(const Operation &op);
  Result select(const Operation &op);
  Result divideIntegers(const Operation &op, mlir::Value a, mlir::Value b);
  Result raiseToInteger(const Operation &op);
  Result multiplyMatrices(const Operation &op);
  Result multiplyScaled(const Operation &op);
  mlir::Value divide(mlir::Value a, mlir::Value b, bool exactly);

  Result convertNumbers(const Operation &op); // Conversions.cpp
  Result convertIntegers(const Operation &op, mlir::Value value, mlir::Type type);
  Result reinterpret(const Operation &op);
  mlir::Value toFloat(mlir::Value value, mlir::Type element);
  mlir::Value toInteger(mlir::Value value, mlir::Type type, bool isSigned, bool saturates);
  mlir::Value roundToTf32(mlir::Value value);
  mlir::Value cutToTf32(const Operation &op, mlir::Value value, Rounding rounding);

  mlir::Value decodeNarrow(mlir::Value bits, Type::Kind kind); // NarrowNumbers.cpp
  mlir::FailureOr<mlir::Value> encodeNarrow(const Operation &op, mlir::Value value, Type::Kind kind, Rounding rounding);
  mlir::Value extendInt4(mlir::Value value, bool isSigned);
  mlir::Value narrowFloat(mlir::Value value, mlir::Type element, Rounding rounding);
  mlir::Value toFloatRounded(mlir::Value value, mlir::Type element, Rounding rounding);
  Result roundedArithmetic(const Operation &op, Values in, Rounding rounding);

  Result reshapeTile(const Operation &op); // Shapes.cpp
  Result broadcastTile(const Operation &op);
  Result permuteTile(const Operation &op);
  Result concatenate(const Operation &op);
  Result extract(const Operation &op);
  Result insert(const Operation &op);
  Result packBytes(const Operation &op);
  Result iota(const Operation &op);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int32_t> order);
  /// Returns the tile base, base + 1, ... along `axis` of `shape`. By default, base is 0.
  mlir::Value rangeAlong(unsigned axis, llvm::ArrayRef<int64_t> shape, mlir::Value base = {});
  mlir::Value join(llvm::ArrayRef<mlir::Attribute> elements, mlir::Type element);

  Result loadPointers(const Operation &op); // Memory.cpp
  Result storePointers(const Operation &op);
  Result atomicRmw(const Operation &op);
  Result atomicCas(const Operation &op);
  Result offsetPointers(const Operation &op);
  Result getGlobal(const Operation &op);
  /// Creates a load or a store with the memory order and the scope of the operation. `mask` and `padding` may be null.
  mlir::FailureOr<mlir::Value> load(const Operation &op, mlir::Value pointers, mlir::Value mask, mlir::Value padding);
  Result store(const Operation &op, mlir::Value pointers, mlir::Value value, mlir::Value mask);
  mlir::FailureOr<mlir::Value> rmw(const Operation &op, mlir::Value pointers, mlir::Value value, mlir::Value mask);
  mlir::FailureOr<std::pair<tt::MemSemantic, tt::MemSyncScope>> orderOf(const Operation &op);

  Result makeView(const Operation &op); // Views.cpp
  Result askView(const Operation &op);
  Result accessView(const Operation &op);
  mlir::Value extentAs(const Extent &extent, mlir::Type type);
  mlir::FailureOr<std::pair<mlir::Value, mlir::Value>> address(const Operation &op, const View &view);
  mlir::FailureOr<mlir::Value> paddingOf(const Operation &op, const View &view, mlir::Type tile);

  Result combine(const Operation &op); // Combine.cpp

  //===--- helpers ------------------------------------------------------------------------------------------------===//
  template <class OpTy, class... Args> mlir::Value create(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...)->getResult(0);
  }
  /// Returns a constant of `type`: a scalar, or a tile with equal elements.
  mlir::Value constantOf(mlir::Type type, int64_t value);
  mlir::Value constantOf(mlir::Type type, double value);
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);

  const Module &module;
  const Function &function;
  llvm::StringRef file;
  mlir::OpBuilder builder;
  mlir::Location loc;
  tt::FuncOp kernel;
  std::vector<mlir::Value> values; ///< null for a token or a view
  llvm::DenseMap<ValueId, View> views;
  bool inElements = false; ///< inside the region of a reduction or scan, which computes on scalars
};

/// Returns the shape of a tile; empty for a scalar.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Type type) {
  auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tile ? tile.getShape() : llvm::ArrayRef<int64_t>();
}
/// Returns the type with the given element type and shape. An empty shape means a scalar.
inline mlir::Type withShape(mlir::Type element, llvm::ArrayRef<int64_t> shape) {
  return shape.empty() ? element : mlir::RankedTensorType::get(shape, element);
}

} // namespace tilecc::tileir

#endif // TILECC_FRONTEND_TILEIR_TRANSLATOR_H
