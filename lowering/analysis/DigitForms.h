//===- DigitForms.h - indices of tiles as sums over digits ----------------------------------------------*- C++ -*-===//
//
// An index that runs through an image row by row, `m`, is taken apart by / and %. `m % Q`, `m / Q % P` and
// `m / (P * Q)` are its digits in a number system with the bases Q and P. Addresses and masks of a convolution are sums
// of such digits times numbers that are the same for the whole tile.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_DIGITFORMS_H
#define TILECC_LOWERING_ANALYSIS_DIGITFORMS_H

#include "lowering/analysis/LaunchCode.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <vector>

namespace tilecc::digits {

/// A product of atoms (by number, sorted) times a constant.
struct Product {
  int64_t factor = 1;
  std::vector<unsigned> atoms;

  bool operator==(const Product &) const = default;
  auto operator<=>(const Product &) const = default;
  bool isOne() const { return factor == 1 && atoms.empty(); }
  Product operator*(const Product &other) const;
  /// Nothing where `divisor` does not divide it.
  std::optional<Product> dividedBy(const Product &divisor) const;
};

/// A sum of products.
class Sum {
public:
  Sum() = default;
  Sum(int64_t constant) { add({constant, {}}); }
  explicit Sum(const Product &product) { add(product); }

  bool operator==(const Sum &) const = default;
  auto operator<=>(const Sum &) const = default;
  Sum operator+(const Sum &other) const;
  Sum operator-(const Sum &other) const;
  Sum operator*(const Sum &other) const;
  std::optional<Sum> dividedBy(const Product &divisor) const;
  bool isZero() const { return terms.empty(); }
  std::optional<int64_t> getConstant() const;
  llvm::SmallVector<Product> getProducts() const;
  /// The one product that it is, if it is one.
  std::optional<Product> getProduct() const;
  void add(const Product &product);

private:
  std::map<std::vector<unsigned>, int64_t> terms; ///< without zeros
};

/// A part of a form: the index along an axis of the tile, from 0 on, or a digit, (start + index) / unit % base; of the
/// last digit there is no base.
struct Variable {
  unsigned axis = 0;
  bool isDigit = false;
  Sum start;
  Product unit;
  std::optional<Product> base;

  bool operator==(const Variable &) const = default;
};

/// An integer, or a pointer (in elements from `pointer` on), of a tile or a scalar: variables times numbers, and a
/// number.
struct Form {
  std::vector<std::pair<Variable, Sum>> parts; ///< none of them times zero
  Sum number;
  mlir::Value pointer;

  bool isNumber() const { return parts.empty() && !pointer; }
  void add(const Variable &variable, const Sum &times);
};

/// One of the numbers that are not looked into.
struct Atom {
  enum Kind { Scalar, Divisor, Quotient, Remainder } kind;
  mlir::Value scalar;       ///< of Scalar
  Sum number;               ///< what is divided; what Divisor stands for
  Product divisor;          ///< of Quotient and Remainder
  int64_t divisibility = 1; ///< of Quotient and Remainder, if what has been required holds

  bool isSame(const Atom &other) const {
    return kind == other.kind && scalar == other.scalar && number == other.number && divisor == other.divisor;
  }
};

/// The forms of a function's values, and what has to hold for them. Sums and products are taken not to overflow.
class Forms {
public:
  /// Nothing where `value` is no such sum.
  std::optional<Form> get(mlir::Value value);

  /// Replaces digits of the index along `axis`, which is `size` long, by what they are if all bases are multiples of
  /// `size`, and the tile begins at one: then only the last digit differs from element to element. False where that
  /// cannot be. Requires the rest.
  bool resolve(Form &form, unsigned axis, int64_t size);

  /// A number that all elements have in common is one that a launch knows.
  std::optional<LaunchCode> getLaunchCode(const Sum &sum) const;
  std::optional<LaunchCode> getLaunchCode(const Product &product) const;
  /// A number that the launch knows and that is no less than the sum, whose products are not negative; nothing where
  /// there is none.
  std::optional<Sum> getBound(const Sum &sum);
  /// Bounds hold where the sum is negative, too. A bound that relies on that sets `boundsAreAssumed`.
  void assumeNegative(const Sum &sum);
  /// True if none of the products is negative; requires what is to be found by the launch.
  bool requireNonNegative(const Sum &sum);
  /// False if `code` is negative for all launches; otherwise each launch checks it.
  bool require(const LaunchCode &code);
  int64_t getDivisibility(const Sum &sum) const;
  const Atom &getAtom(unsigned number) const { return atoms[number]; }

  std::vector<LaunchCode> requirements; ///< numbers that must not be negative
  bool boundsAreAssumed = false;

private:
  std::optional<Form> compute(mlir::Value value);
  bool requireNonNegative(const Product &product);
  std::optional<Form> divide(mlir::Operation *op, bool isRemainder);
  std::optional<Product> getDivisor(mlir::Value value);
  unsigned intern(const Atom &atom);
  Sum createAtom(const Atom &atom) { return Sum(Product{1, {intern(atom)}}); }
  std::optional<Sum> getBound(unsigned number);
  Sum divide(const Sum &number, const Product &divisor, bool isRemainder, int64_t divisibility = 1);
  std::optional<LaunchCode> getLaunchCode(const Atom &atom) const;
  int64_t getDivisibility(const Product &product) const;

  std::vector<Atom> atoms;
  llvm::DenseMap<unsigned, Sum> assumed; ///< bounds of atoms
  llvm::DenseMap<mlir::Value, std::optional<Form>> known;
};

/// Computes numbers of a type where `builder` is.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location loc, const Forms &forms, mlir::IntegerType type)
      : builder(builder), loc(loc), forms(forms), type(type) {}
  mlir::Value create(int64_t number);
  mlir::Value create(const Sum &sum);
  mlir::Value create(const Product &product);

private:
  mlir::Value create(const Atom &atom);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Forms &forms;
  mlir::IntegerType type;
  std::map<Sum, mlir::Value> created;
};

} // namespace tilecc::digits

#endif // TILECC_LOWERING_ANALYSIS_DIGITFORMS_H
