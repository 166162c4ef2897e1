//===- DigitForms.h - indices of tiles as sums over digits ----------------------------------------------*- C++ -*-===//
//
// A kernel that traverses an image row by row computes pixel positions from one index `m` by / and %. `m % Q`, `m / Q %
// P` and `m / (P * Q)` are the digits of `m` in a mixed-radix system with the bases Q and P. The addresses and masks of
// a convolution are sums of such digits, each times a number that is uniform over the tile. This file finds these sums;
// ImageTensorMaps.cpp uses them to describe the tiles by tensor maps.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_DIGITFORMS_H
#define TILECC_LOWERING_ANALYSIS_DIGITFORMS_H

#include "lowering/analysis/LaunchCode.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <vector>

namespace tilecc::digits {

/// A constant times a product of atoms. An atom is a number that the analysis does not look into (see Atom); the atoms
/// of a product are sorted by their index.
struct Product {
  int64_t factor = 1;
  std::vector<unsigned> atoms;

  bool operator==(const Product &) const = default;
  auto operator<=>(const Product &) const = default;
  bool isOne() const { return factor == 1 && atoms.empty(); }
  Product operator*(const Product &other) const;
  /// Returns the quotient, or nothing if `divisor` does not divide this product.
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
  /// Returns the only product of the sum, or nothing if there are several.
  std::optional<Product> getProduct() const;
  void add(const Product &product);

private:
  std::map<std::vector<unsigned>, int64_t> terms; ///< without zero coefficients
};

/// A variable of a form: either the index along an axis of the tile, counted from 0, or one digit of that index, (start
/// + index) / unit % base. The last digit has no base.
struct Variable {
  unsigned axis = 0;
  bool isDigit = false;
  Sum start;
  Product unit;
  std::optional<Product> base;

  bool operator==(const Variable &) const = default;
};

/// The form of an integer, or of a pointer as the distance in elements from `pointer`. A form is a sum of variables,
/// each times a uniform number, plus a uniform number.
struct Form {
  std::vector<std::pair<Variable, Sum>> parts; ///< terms with a factor of zero are omitted
  Sum number;
  mlir::Value pointer;

  bool isNumber() const { return parts.empty() && !pointer; }
  void add(const Variable &variable, const Sum &times);
};

/// A uniform number that the analysis treats as a symbol.
struct Atom {
  enum Kind { Scalar, Divisor, Quotient, Remainder } kind;
  mlir::Value scalar; ///< of Scalar
  Sum number; ///< the dividend; for Divisor, the number that it stands for
  Product divisor; ///< of Quotient and Remainder
  int64_t divisibility = 1; ///< of Quotient and Remainder, if the requirements hold

  bool isSame(const Atom &other) const {
    return kind == other.kind && scalar == other.scalar && number == other.number && divisor == other.divisor;
  }
};

/// Computes the forms of a function's values, and the requirements under which they hold. Sums and products are assumed
/// not to overflow.
class Forms {
public:
  /// Returns the form of `value`, or nothing if `value` is not such a sum.
  std::optional<Form> get(mlir::Value value);

  /// Replaces the digits of the index along `axis`, which has `size` elements, by simpler terms. This requires that the
  /// tile begins at a multiple of `size`, and that `size` divides the base of the lowest digit and the units of all
  /// other digits. Then only the lowest digit varies within the tile. A launch checks what is not known at compile time
  /// about bases and units. Returns false if a condition does not hold, or can neither be proved nor checked.
  bool resolve(Form &form, unsigned axis, int64_t size);

  /// Returns the code with which a launch computes a uniform number.
  std::optional<LaunchCode> getLaunchCode(const Sum &sum) const;
  std::optional<LaunchCode> getLaunchCode(const Product &product) const;
  /// Returns an upper bound of `sum` that a launch can compute, or nothing if there is none. No product of `sum` may be
  /// negative.
  std::optional<Sum> getBound(const Sum &sum);
  /// Assumes from now on that `sum` is negative: the bounds of other sums need to hold only in that case. A bound that
  /// relies on such an assumption sets `boundsAreAssumed`.
  void assumeNegative(const Sum &sum);
  /// Returns true if no product of `sum` is negative, possibly under requirements that each launch must check, which
  /// are added.
  bool requireNonNegative(const Sum &sum);
  /// Adds the requirement that `code` is not negative, which each launch checks. Returns false if it is negative in all
  /// launches.
  bool require(const LaunchCode &code);
  int64_t getDivisibility(const Sum &sum) const;
  const Atom &getAtom(unsigned number) const { return atoms[number]; }

  std::vector<LaunchCode> requirements; ///< numbers that must not be negative
  bool boundsAreAssumed = false;

private:
  std::optional<Form> compute(mlir::Value value);
  bool requireNonNegative(const Product &product);
  std::optional<Sum> getKnownBound(unsigned number);
  std::optional<Sum> getAssumedBound(const Sum &sum);
  std::pair<Sum, Sum> splitByLaunch(const Sum &sum) const;
  std::optional<Form> divide(mlir::Operation *op, bool isRemainder);
  std::optional<Product> getDivisor(mlir::Value value);
  unsigned intern(const Atom &atom);
  Sum createAtom(const Atom &atom) { return Sum(Product{1, {intern(atom)}}); }
  std::optional<Sum> getBound(unsigned number);
  Sum divide(const Sum &number, const Product &divisor, bool isRemainder, int64_t divisibility = 1);
  std::optional<LaunchCode> getLaunchCode(const Atom &atom) const;
  int64_t getDivisibility(const Product &product) const;

  std::vector<Atom> atoms;
  std::vector<std::pair<Sum, Sum>> assumed; ///< sums that a launch does not know, and upper bounds of these sums
  llvm::DenseMap<mlir::Value, std::optional<Form>> known;
};

/// Emits arithmetic of one integer type at the insertion point of `builder`.
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
