//===- DigitForms.cpp - indices of tiles as sums over digits ------------------------------------------------------===//
//
// This file analyzes the pointers and masks of tiles of images, so that a copy unit can load such a tile with one
// instruction.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DigitForms.h"
#include "lowering/analysis/AffineTile.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace tilecc;
using namespace tilecc::digits;

//===--- numbers --------------------------------------------------------------------------------------------------===//

Product Product::operator*(const Product &other) const {
  Product product = {factor * other.factor, atoms};
  llvm::append_range(product.atoms, other.atoms);
  llvm::sort(product.atoms);
  return product;
}

std::optional<Product> Product::dividedBy(const Product &divisor) const {
  if (divisor.factor == 0 || factor % divisor.factor != 0)
    return std::nullopt;
  Product quotient = {factor / divisor.factor, atoms};
  for (unsigned atom : divisor.atoms) {
    auto at = llvm::find(quotient.atoms, atom);
    if (at == quotient.atoms.end())
      return std::nullopt;
    quotient.atoms.erase(at);
  }
  return quotient;
}

void Sum::add(const Product &product) {
  auto at = terms.try_emplace(product.atoms, 0).first;
  at->second += product.factor;
  if (at->second == 0)
    terms.erase(at);
}

SmallVector<Product> Sum::getProducts() const {
  SmallVector<Product> products;
  for (auto &[atoms, factor] : terms)
    products.push_back({factor, atoms});
  return products;
}

Sum Sum::operator+(const Sum &other) const {
  Sum sum = *this;
  for (const Product &product : other.getProducts())
    sum.add(product);
  return sum;
}

Sum Sum::operator*(const Sum &other) const {
  Sum sum;
  for (const Product &x : getProducts())
    for (const Product &y : other.getProducts())
      sum.add(x * y);
  return sum;
}

Sum Sum::operator-(const Sum &other) const { return *this + other * Sum(-1); }

std::optional<Sum> Sum::dividedBy(const Product &divisor) const {
  Sum sum;
  for (const Product &product : getProducts()) {
    std::optional<Product> quotient = product.dividedBy(divisor);
    if (!quotient)
      return std::nullopt;
    sum.add(*quotient);
  }
  return sum;
}

std::optional<Product> Sum::getProduct() const {
  return terms.size() == 1 ? std::optional(getProducts().front()) : std::nullopt;
}

std::optional<int64_t> Sum::getConstant() const {
  if (terms.empty())
    return 0;
  std::optional<Product> product = getProduct();
  return product && product->atoms.empty() ? std::optional(product->factor) : std::nullopt;
}

void Form::add(const Variable &variable, const Sum &times) {
  auto at = llvm::find_if(parts, [&](auto &part) { return part.first == variable; });
  if (at == parts.end())
    at = parts.insert(parts.end(), {variable, Sum()});
  at->second = at->second + times;
  if (at->second.isZero())
    parts.erase(at);
}

//===--- forms ----------------------------------------------------------------------------------------------------===//

unsigned Forms::intern(const Atom &atom) {
  for (auto [number, same] : llvm::enumerate(atoms))
    if (same.isSame(atom)) {
      same.divisibility = std::max(same.divisibility, atom.divisibility);
      return number;
    }
  atoms.push_back(atom);
  return atoms.size() - 1;
}

std::optional<Form> Forms::get(Value value) {
  auto at = known.find(value);
  if (at != known.end())
    return at->second;
  std::optional<Form> form = compute(value);
  return known[value] = form;
}

std::optional<Form> Forms::compute(Value value) {
  Form form;
  APInt number;
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_ConstantInt(&number)))
    return Form{{}, Sum(number.getSExtValue()), {}};
  if (matchPattern(value, m_Constant(&elements)))
    return elements.isSplat() ? std::optional(Form{{}, Sum(elements.getSplatValue<APInt>().getSExtValue()), {}})
                              : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (op && (isa<tt::SplatOp, tt::BroadcastOp, ttg::ConvertLayoutOp>(op) || keepsNumber(op)))
    return get(op->getOperand(0));
  if (auto same = dyn_cast_or_null<tt::BitcastOp>(op); same && same.getType() == same.getSrc().getType())
    return get(same.getSrc());
  if (auto range = dyn_cast_or_null<tt::MakeRangeOp>(op)) {
    form.number = Sum(int32_t(range.getStart()));
    if (cast<RankedTensorType>(value.getType()).getDimSize(0) > 1)
      form.add({}, 1);
    return form;
  }
  if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(op)) {
    std::optional<Form> source = get(expand.getSrc());
    for (auto &part : source ? source->parts : form.parts)
      part.first.axis += part.first.axis >= expand.getAxis();
    return source;
  }
  if (isa_and_present<arith::AddIOp, arith::SubIOp, tt::AddPtrOp>(op)) {
    std::optional<Form> x = get(op->getOperand(0)), y = get(op->getOperand(1));
    if (!x || !y)
      return std::nullopt;
    Sum sign = isa<arith::SubIOp>(op) ? -1 : 1;
    form = *x;
    form.number = form.number + y->number * sign;
    for (auto &[variable, times] : y->parts)
      form.add(variable, times * sign);
    return form;
  }
  if (isa_and_present<arith::MulIOp>(op)) {
    std::optional<Form> x = get(op->getOperand(0)), y = get(op->getOperand(1));
    if (!x || !y || !(x->isNumber() || y->isNumber()))
      return std::nullopt;
    if (!y->isNumber())
      std::swap(x, y);
    form.number = x->number * y->number;
    for (auto &[variable, times] : x->parts)
      form.add(variable, times * y->number);
    return form;
  }
  if (isa_and_present<arith::DivSIOp, arith::DivUIOp>(op))
    return divide(op, /*isRemainder=*/false);
  if (isa_and_present<arith::RemSIOp, arith::RemUIOp>(op))
    return divide(op, /*isRemainder=*/true);
  if (isa<RankedTensorType>(value.getType()))
    return std::nullopt;
  if (isa<tt::PointerType>(value.getType()))
    form.pointer = value;
  else
    form.number = createAtom({Atom::Scalar, value, {}, {}});
  return form;
}

/// Returns a divisor as a product. A sum is treated as one atom.
std::optional<Product> Forms::getDivisor(Value value) {
  Operation *op = value.getDefiningOp();
  if (op && (isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, ttg::ConvertLayoutOp>(op) || keepsNumber(op)))
    return getDivisor(op->getOperand(0));
  std::optional<Product> product;
  if (isa_and_present<arith::MulIOp>(op)) {
    std::optional<Product> x = getDivisor(op->getOperand(0)), y = getDivisor(op->getOperand(1));
    product = x && y ? std::optional(*x * *y) : std::nullopt;
  } else if (std::optional<Form> form = get(value); form && form->isNumber()) {
    product = form->number.getProduct();
    if (!product)
      product = Product{1, {intern({Atom::Divisor, {}, form->number, {}})}};
  }
  return product && product->factor > 0 ? product : std::nullopt;
}

/// Divides `number` by `divisor`, and returns the quotient or the remainder. `divisibility` is that of the remainder.
Sum Forms::divide(const Sum &number, const Product &divisor, bool isRemainder, int64_t divisibility) {
  if (std::optional<int64_t> constant = number.getConstant(); constant && divisor.atoms.empty())
    return Sum(isRemainder ? *constant % divisor.factor : *constant / divisor.factor);
  if (std::optional<Sum> quotient = number.dividedBy(divisor))
    return isRemainder ? Sum() : *quotient;
  return createAtom(
      {isRemainder ? Atom::Remainder : Atom::Quotient, {}, number, divisor, isRemainder ? divisibility : 1});
}

std::optional<Form> Forms::divide(Operation *op, bool isRemainder) {
  std::optional<Form> form = get(op->getOperand(0));
  std::optional<Product> divisor = getDivisor(op->getOperand(1));
  if (!form || form->pointer || !divisor)
    return std::nullopt;
  Form result;
  if (form->isNumber()) {
    result.number = divide(form->number, *divisor, isRemainder);
    return result;
  }
  if (divisor->isOne())
    return isRemainder ? result : *form;
  if (form->parts.size() != 1 || !(form->parts.front().second == Sum(1)))
    return std::nullopt;
  // The launch checks that divisors are positive.
  std::optional<LaunchCode> code = getLaunchCode(*divisor);
  if (!code || !require(*code - LaunchCode(1)))
    return std::nullopt;
  Variable digit = form->parts.front().first;
  if (!digit.isDigit) {
    if (!isNonNegative(op->getOperand(0)) && !requireNonNegative(form->number))
      return std::nullopt;
    digit.isDigit = true;
    digit.start = form->number;
  } else if (!form->number.isZero()) {
    return std::nullopt;
  }
  if (digit.base) {
    std::optional<Product> left = digit.base->dividedBy(*divisor);
    if (!left)
      return std::nullopt;
    if (!isRemainder && left->isOne())
      return result;
    digit.base = isRemainder ? *divisor : *left;
  } else if (isRemainder) {
    digit.base = *divisor;
  }
  if (!isRemainder)
    digit.unit = digit.unit * *divisor;
  result.add(digit, 1);
  return result;
}

bool Forms::resolve(Form &form, unsigned axis, int64_t size) {
  auto isMultiple = [&](const Product &product) {
    if (product.factor % size == 0)
      return true;
    std::optional<LaunchCode> code = getLaunchCode(product);
    return code && require(LaunchCode(0) - *code % LaunchCode(size));
  };
  auto parts = form.parts;
  for (auto &[digit, times] : parts) {
    if (!digit.isDigit || digit.axis != axis)
      continue;
    if (getDivisibility(digit.start) % size != 0 || (!digit.unit.isOne() && !isMultiple(digit.unit)) ||
        (digit.base && digit.unit.isOne() && !isMultiple(*digit.base)))
      return false;
    form.add(digit, times * Sum(-1));
    Sum number = divide(digit.start, digit.unit, /*isRemainder=*/false);
    if (digit.base)
      number = divide(number, *digit.base, /*isRemainder=*/true, digit.unit.isOne() ? size : 1);
    form.number = form.number + number * times;
    if (digit.unit.isOne())
      form.add({axis}, times);
  }
  return true;
}

//===--- facts about numbers --------------------------------------------------------------------------------------===//

std::optional<LaunchCode> Forms::getLaunchCode(const Atom &atom) const {
  if (atom.kind == Atom::Scalar)
    return LaunchCode::get(atom.scalar);
  std::optional<LaunchCode> number = getLaunchCode(atom.number);
  if (!number || atom.kind == Atom::Divisor)
    return number;
  std::optional<LaunchCode> divisor = getLaunchCode(atom.divisor);
  if (!divisor)
    return std::nullopt;
  return atom.kind == Atom::Quotient ? *number / *divisor : *number % *divisor;
}

std::optional<LaunchCode> Forms::getLaunchCode(const Product &product) const {
  LaunchCode code = product.factor;
  for (unsigned number : product.atoms) {
    std::optional<LaunchCode> factor = getLaunchCode(atoms[number]);
    if (!factor)
      return std::nullopt;
    code = code * *factor;
  }
  return code;
}

std::optional<LaunchCode> Forms::getLaunchCode(const Sum &sum) const {
  LaunchCode code = 0;
  for (const Product &product : sum.getProducts()) {
    std::optional<LaunchCode> term = getLaunchCode(product);
    if (!term)
      return std::nullopt;
    code = code + *term;
  }
  return code;
}

std::optional<Sum> Forms::getBound(unsigned number) {
  std::optional<Sum> bound = getKnownBound(number);
  return bound ? bound : getAssumedBound(Sum(Product{1, {number}}));
}

std::optional<Sum> Forms::getKnownBound(unsigned number) {
  const Atom atom = atoms[number];
  if (getLaunchCode(atom))
    return Sum(Product{1, {number}});
  if (atom.kind != Atom::Scalar) {
    std::optional<LaunchCode> divisor = getLaunchCode(atom.divisor);
    if (!divisor || !require(*divisor - LaunchCode(1)))
      return std::nullopt;
    if (atom.kind == Atom::Remainder)
      return Sum(atom.divisor) - Sum(atom.divisibility);
    std::optional<Sum> most = getBound(atom.number);
    return most ? std::optional(divide(*most, atom.divisor, /*isRemainder=*/false)) : std::nullopt;
  }
  auto argument = dyn_cast<BlockArgument>(atom.scalar);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (loop && argument == loop.getInductionVar() && isNonNegative(argument))
    if (std::optional<Form> end = get(loop.getUpperBound()); end && getLaunchCode(end->number)) {
      int64_t step = getDivisibility(Product{1, {number}});
      return divide(end->number - Sum(1), {step, {}}, /*isRemainder=*/false) * Sum(step);
    }
  return std::nullopt;
}

std::optional<Sum> Forms::getAssumedBound(const Sum &sum) {
  auto at = llvm::find_if(assumed, [&](auto &bound) { return bound.first == sum; });
  if (at == assumed.end())
    return std::nullopt;
  boundsAreAssumed = true;
  return at->second;
}

/// Splits `sum` into the terms that the launch can compute and the other terms.
std::pair<Sum, Sum> Forms::splitByLaunch(const Sum &sum) const {
  Sum known, varying;
  for (const Product &product : sum.getProducts())
    (getLaunchCode(product) ? known : varying).add(product);
  return {known, varying};
}

std::optional<Sum> Forms::getBound(const Sum &sum) {
  // Some terms have a bound only together: the number of a program and its part of a divided tile.
  auto [known, varying] = splitByLaunch(sum);
  if (varying.getProducts().size() > 1)
    if (std::optional<Sum> bound = getAssumedBound(varying))
      return known + *bound;
  Sum bound;
  for (const Product &product : sum.getProducts()) {
    Sum term(product.factor);
    for (unsigned number : product.atoms) {
      std::optional<Sum> factor = getBound(number);
      if (!factor)
        return std::nullopt;
      term = term * *factor;
    }
    bound = bound + term;
  }
  return bound;
}

void Forms::assumeNegative(const Sum &sum) {
  auto [known, varying] = splitByLaunch(sum);
  const Sum most = Sum(-1) - known;
  SmallVector<Product> products = varying.getProducts();
  if (products.size() > 1)
    assumed.push_back({varying, most});
  else if (products.size() == 1 && products[0].factor > 0)
    assumed.push_back(
        {Sum(Product{1, products[0].atoms}), divide(most, {products[0].factor, {}}, /*isRemainder=*/false)});
}

bool Forms::require(const LaunchCode &code) {
  if (std::optional<int64_t> known = code.getConstant())
    return *known >= 0;
  if (!llvm::any_of(requirements, [&](const LaunchCode &same) { return same.getWords() == code.getWords(); }))
    requirements.push_back(code);
  return true;
}

bool Forms::requireNonNegative(const Product &product) {
  return product.factor >= 0 && llvm::all_of(product.atoms, [&](unsigned number) {
           const Atom atom = atoms[number];
           if (std::optional<LaunchCode> code = getLaunchCode(atom))
             return require(*code);
           if (atom.kind == Atom::Scalar)
             return isNonNegative(atom.scalar);
           std::optional<LaunchCode> divisor = getLaunchCode(atom.divisor);
           return divisor && require(*divisor - LaunchCode(1)) && requireNonNegative(atom.number);
         });
}

bool Forms::requireNonNegative(const Sum &sum) {
  return llvm::all_of(sum.getProducts(), [&](const Product &product) { return requireNonNegative(product); });
}

int64_t Forms::getDivisibility(const Product &product) const {
  constexpr int64_t most = 1 << 16;
  int64_t divisibility = product.factor;
  for (unsigned number : product.atoms) {
    const Atom &atom = atoms[number];
    int64_t own = atom.divisibility;
    if (auto argument = dyn_cast_or_null<BlockArgument>(atom.scalar)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(owner); loop && argument == loop.getInductionVar()) {
        APInt begin, step;
        if (matchPattern(loop.getLowerBound(), m_ConstantInt(&begin)) &&
            matchPattern(loop.getStep(), m_ConstantInt(&step)))
          own = std::gcd(begin.getSExtValue(), step.getSExtValue());
      } else if (auto func = dyn_cast<tt::FuncOp>(owner)) {
        if (auto promised = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), tt::divisibilityAttr))
          own = promised.getInt();
      }
    }
    divisibility = std::gcd(divisibility, most) * std::gcd(own, most);
  }
  return divisibility;
}

int64_t Forms::getDivisibility(const Sum &sum) const {
  int64_t divisibility = 0; // the divisibility of zero
  for (const Product &product : sum.getProducts())
    divisibility = std::gcd(divisibility, getDivisibility(product));
  return divisibility;
}

//===--- code -----------------------------------------------------------------------------------------------------===//

Value Emitter::create(const Atom &atom) {
  if (atom.kind == Atom::Divisor)
    return create(atom.number);
  if (atom.kind != Atom::Scalar) {
    Value number = create(atom.number), divisor = create(atom.divisor);
    return atom.kind == Atom::Quotient ? arith::DivSIOp::create(builder, loc, number, divisor).getResult()
                                       : arith::RemSIOp::create(builder, loc, number, divisor).getResult();
  }
  unsigned width = atom.scalar.getType().getIntOrFloatBitWidth();
  if (width == type.getWidth())
    return atom.scalar;
  return width < type.getWidth() ? arith::ExtSIOp::create(builder, loc, type, atom.scalar).getResult()
                                 : arith::TruncIOp::create(builder, loc, type, atom.scalar).getResult();
}

Value Emitter::create(int64_t number) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, number));
}

Value Emitter::create(const Product &product) {
  Value result;
  for (unsigned number : product.atoms) {
    Value factor = create(forms.getAtom(number));
    result = result ? arith::MulIOp::create(builder, loc, result, factor).getResult() : factor;
  }
  if (result && product.factor == 1)
    return result;
  Value constant = create(product.factor);
  return result ? arith::MulIOp::create(builder, loc, result, constant).getResult() : constant;
}

Value Emitter::create(const Sum &sum) {
  Value &result = created[sum];
  if (result)
    return result;
  for (const Product &product : sum.getProducts()) {
    Value term = create(product);
    result = result ? arith::AddIOp::create(builder, loc, result, term).getResult() : term;
  }
  if (!result)
    result = create(int64_t(0));
  return result;
}
