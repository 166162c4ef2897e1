//===- Arithmetic.cpp - translates arithmetic of CUDA Tile IR -----------------------------------------------------===//
//
// Functions that TTIR has only for f32 and f64 are computed in f32 for narrower types, as in the C++ front end.
// Subnormal numbers are preserved even where Tile IR allows an implementation to flush them to zero.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Translator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilecc::tileir {

LogicalResult Translator::arithmetic(const Operation &op) {
  mlir::Type type = op.results.size() == 1 ? convert(typeOf(op.results[0])) : mlir::Type();
  if (!type)
    return error(op) << "it has no result that is a tile";
  for (auto &ids : op.operands)
    for (ValueId id : ids)
      if (get(id).getType() != type)
        return error(op) << "operands and result are not of one type";
  mlir::Type element = getElementTypeOrSelf(type);
  if (const Type *narrow = findNarrow(op))
    return unsupported(op, "arithmetic on elements of " + narrow->print());
  switch (op.op()) {
  case Op::Absi:
  case Op::Addi:
  case Op::Andi:
  case Op::Divi:
  case Op::Maxi:
  case Op::Mini:
  case Op::Mulhii:
  case Op::Muli:
  case Op::Negi:
  case Op::Ori:
  case Op::Remi:
  case Op::Shli:
  case Op::Shri:
  case Op::Subi:
  case Op::Xori:
    return isa<IntegerType>(element) ? integerArithmetic(op)
                                     : LogicalResult(error(op) << "the operands are not integers");
  default:
    if (!isa<FloatType>(element))
      return error(op) << "the operands are not floating-point numbers";
    return element.getIntOrFloatBitWidth() < 16 ? unsupported(op, "arithmetic on elements of 8 bits")
                                                : floatArithmetic(op);
  }
}

//===--- integers -------------------------------------------------------------------------------------------------===//

LogicalResult Translator::integerArithmetic(const Operation &op) {
  Value a = get(op.operand("a"));
  Value b = op.optional("b") ? get(op.operand("b")) : Value();
  mlir::Type type = a.getType();
  bool isSigned = op.number("sign") == unsigned(Sign::Signed);
  auto give = [&](Value value) { return setResult(op, value); };
  switch (op.op()) {
  case Op::Absi: return give(create<math::AbsIOp>(a));
  case Op::Addi: return give(create<arith::AddIOp>(a, b));
  case Op::Subi: return give(create<arith::SubIOp>(a, b));
  case Op::Muli: return give(create<arith::MulIOp>(a, b));
  case Op::Andi: return give(create<arith::AndIOp>(a, b));
  case Op::Ori: return give(create<arith::OrIOp>(a, b));
  case Op::Xori: return give(create<arith::XOrIOp>(a, b));
  case Op::Negi: return give(create<arith::SubIOp>(constantOf(type, int64_t(0)), a));
  case Op::Shli: return give(create<arith::ShLIOp>(a, b));
  case Op::Shri: return give(isSigned ? create<arith::ShRSIOp>(a, b) : create<arith::ShRUIOp>(a, b));
  case Op::Remi: return give(isSigned ? create<arith::RemSIOp>(a, b) : create<arith::RemUIOp>(a, b));
  case Op::Maxi: return give(isSigned ? create<arith::MaxSIOp>(a, b) : create<arith::MaxUIOp>(a, b));
  case Op::Mini: return give(isSigned ? create<arith::MinSIOp>(a, b) : create<arith::MinUIOp>(a, b));
  case Op::Divi: return divideIntegers(op, a, b);
  case Op::Mulhii: {
    unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (bits >= 32)
      return give(create<tt::MulhiUIOp>(a, b));
    mlir::Type wide = tt::withElementType(type, builder.getI32Type());
    Value product = create<arith::MulIOp>(create<arith::ExtUIOp>(wide, a), create<arith::ExtUIOp>(wide, b));
    return give(create<arith::TruncIOp>(type, create<arith::ShRUIOp>(product, constantOf(wide, int64_t(bits)))));
  }
  default: llvm_unreachable("the caller lists them");
  }
}

/// Translates an integer division. Division in TTIR rounds towards zero. For another rounding direction, the quotient
/// is adjusted by one if there is a remainder.
LogicalResult Translator::divideIntegers(const Operation &op, Value a, Value b) {
  bool isSigned = op.number("sign") == unsigned(Sign::Signed);
  auto rounding = Rounding(op.number("rounding"));
  Value quotient = isSigned ? create<arith::DivSIOp>(a, b) : create<arith::DivUIOp>(a, b);
  bool up = rounding == Rounding::PositiveInf;
  if (rounding == Rounding::Zero || (rounding == Rounding::NegativeInf && !isSigned))
    return setResult(op, quotient);
  if (rounding != Rounding::NegativeInf && !up)
    return unsupported(op, "its rounding");
  mlir::Type type = a.getType();
  Value zero = constantOf(type, int64_t(0)), one = constantOf(type, int64_t(1));
  Value remainder = isSigned ? create<arith::RemSIOp>(a, b) : create<arith::RemUIOp>(a, b);
  Value moves = create<arith::CmpIOp>(arith::CmpIPredicate::ne, remainder, zero);
  if (isSigned) { // whether the exact quotient is negative
    auto sign = up ? arith::CmpIPredicate::sge : arith::CmpIPredicate::slt;
    moves = create<arith::AndIOp>(moves, create<arith::CmpIOp>(sign, create<arith::XOrIOp>(a, b), zero));
  }
  Value moved = up ? create<arith::AddIOp>(quotient, one) : create<arith::SubIOp>(quotient, one);
  return setResult(op, create<arith::SelectOp>(moves, moved, quotient));
}

//===--- floating-point numbers -----------------------------------------------------------------------------------===//

Value Translator::divide(Value a, Value b, bool exactly) {
  return exactly && getElementTypeOrSelf(a).isF32() ? create<tt::PreciseDivFOp>(a, b) : create<arith::DivFOp>(a, b);
}

/// Computes (e^x - e^-x) / 2. For small x, this difference loses its digits, so eight terms of the power series are
/// used instead.
static Value createSinh(OpBuilder &builder, Location loc, Value x, function_ref<Value(double)> number) {
  auto mul = [&](Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b).getResult(); };
  auto fma = [&](Value a, Value b, Value c) { return math::FmaOp::create(builder, loc, a, b, c).getResult(); };
  Value one = number(1), square = mul(x, x), series = fma(square, number(1.0 / 210), one);
  for (double term : {156, 110, 72, 42, 20, 6})
    series = fma(mul(square, number(1 / term)), series, one);
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  // Computes half of e^|x|, because e^|x| may overflow.
  Value half =
      math::ExpOp::create(builder, loc, arith::SubFOp::create(builder, loc, magnitude, number(0.693147180559945309)));
  Value wide = arith::SubFOp::create(builder, loc, half, arith::DivFOp::create(builder, loc, number(0.25), half));
  Value isNegative = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, number(0));
  wide =
      arith::SelectOp::create(builder, loc, isNegative, arith::SubFOp::create(builder, loc, number(-0.0), wide), wide);
  Value isSmall = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, magnitude, one);
  return arith::SelectOp::create(builder, loc, isSmall, mul(x, series), wide);
}

static Value createCosh(OpBuilder &builder, Location loc, Value x, function_ref<Value(double)> number) {
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value half =
      math::ExpOp::create(builder, loc, arith::SubFOp::create(builder, loc, magnitude, number(0.693147180559945309)));
  return arith::AddFOp::create(builder, loc, half, arith::DivFOp::create(builder, loc, number(0.25), half));
}

/// Computes the arctangent of a quotient of at most one, and maps it to the octant of (x, y).
static Value createAtan2(OpBuilder &builder, Location loc, Value y, Value x, function_ref<Value(double)> number,
                         function_ref<Value(Value, Value)> divide) {
  constexpr double pi = 3.14159265358979324;
  mlir::Type type = x.getType();
  bool isDouble = getElementTypeOrSelf(type).isF64();
  auto compare = [&](arith::CmpFPredicate p, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, p, a, b).getResult();
  };
  auto select = [&](Value c, Value a, Value b) { return arith::SelectOp::create(builder, loc, c, a, b).getResult(); };
  auto add = [&](Value a, Value b) { return arith::AddFOp::create(builder, loc, a, b).getResult(); };
  auto sub = [&](Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b).getResult(); };
  auto mul = [&](Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b).getResult(); };
  auto isNegative = [&](Value v) { // true for -0.0
    mlir::Type integer = tt::withElementType(type, builder.getIntegerType(isDouble ? 64 : 32));
    Value bits = tt::BitcastOp::create(builder, loc, integer, v);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(integer));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, bits, zero).getResult();
  };
  Value a = math::AbsFOp::create(builder, loc, x), b = math::AbsFOp::create(builder, loc, y), one = number(1);
  Value large = arith::MaximumFOp::create(builder, loc, a, b), small = arith::MinimumFOp::create(builder, loc, a, b);
  Value slope = select(compare(arith::CmpFPredicate::OEQ, large, number(0)), large, divide(small, large));
  slope = select(compare(arith::CmpFPredicate::OEQ, small, number(INFINITY)), one, slope);
  Value isSteep = compare(arith::CmpFPredicate::OGT, slope, number(0.4142135623730950)); // tan(pi / 8)
  Value t = select(isSteep, divide(sub(slope, one), add(slope, one)), slope), square = mul(t, t);
  Value minus = sub(number(-0.0), square);
  int last = isDouble ? 20 : 9;
  Value series = number(1.0 / (2 * last + 1));
  for (int n = last - 1; n >= 0; --n)
    series = math::FmaOp::create(builder, loc, minus, series, number(1.0 / (2 * n + 1)));
  Value angle = mul(t, series);
  angle = select(isSteep, add(angle, number(pi / 4)), angle);
  angle = select(compare(arith::CmpFPredicate::OGT, b, a), sub(number(pi / 2), angle), angle);
  angle = select(isNegative(x), sub(number(pi), angle), angle);
  return select(isNegative(y), sub(number(-0.0), angle), angle);
}

LogicalResult Translator::floatArithmetic(const Operation &op) {
  Values in;
  for (auto &ids : op.operands)
    for (ValueId id : ids)
      in.push_back(get(id));
  mlir::Type type = in[0].getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto rounding = Rounding(op.number("rounding"));
  bool mayBeRough = llvm::is_contained({Op::Divf, Op::Sqrt, Op::Exp, Op::Tanh}, op.op());
  if (rounding != Rounding::NearestEven &&
      !(mayBeRough && (rounding == Rounding::Approx || rounding == Rounding::Full)))
    return roundedArithmetic(op, in, rounding);
  bool exactly = rounding == Rounding::NearestEven;
  auto give = [&](Value value) { return setResult(op, value); };

  // Compute these operations in the type of the operands.
  switch (op.op()) {
  case Op::Addf: return give(create<arith::AddFOp>(in[0], in[1]));
  case Op::Subf: return give(create<arith::SubFOp>(in[0], in[1]));
  case Op::Mulf: return give(create<arith::MulFOp>(in[0], in[1]));
  case Op::Absf: return give(create<math::AbsFOp>(in[0]));
  case Op::Negf: // exact negation as in Triton's TTIR, which has no arith.negf on tiles
    return give(create<arith::SubFOp>(constantOf(type, -0.0), in[0]));
  case Op::Maxf:
    return give(op.has("nan") ? create<arith::MaximumFOp>(in[0], in[1]) : create<arith::MaxNumFOp>(in[0], in[1]));
  case Op::Minf:
    return give(op.has("nan") ? create<arith::MinimumFOp>(in[0], in[1]) : create<arith::MinNumFOp>(in[0], in[1]));
  default: break;
  }

  mlir::Type wide = bits < 32 ? tt::withElementType(type, builder.getF32Type()) : type;
  bool isDouble = bits == 64;
  if (bits < 32)
    for (Value &value : in)
      value = create<arith::ExtFOp>(wide, value);
  auto number = [&](double value) { return constantOf(wide, value); };
  auto own = [&](StringRef symbol) {
    std::string name = (symbol + (isDouble ? "" : "f")).str();
    return create<tt::ExternElementwiseOp>(wide, in, tt::ownLibrary, "", name, /*pure=*/true);
  };
  Value result;
  switch (op.op()) {
  case Op::Fma: result = create<math::FmaOp>(in[0], in[1], in[2]); break;
  case Op::Divf: result = divide(in[0], in[1], exactly); break;
  case Op::Sqrt: result = exactly && !isDouble ? create<tt::PreciseSqrtOp>(in[0]) : create<math::SqrtOp>(in[0]); break;
  case Op::Remf: result = create<arith::RemFOp>(in[0], in[1]); break;
  case Op::Ceil: result = create<math::CeilOp>(in[0]); break;
  case Op::Floor: result = create<math::FloorOp>(in[0]); break;
  case Op::Exp: result = create<math::ExpOp>(in[0]); break;
  case Op::Exp2: result = create<math::Exp2Op>(in[0]); break;
  case Op::Log: result = create<math::LogOp>(in[0]); break;
  case Op::Log2: result = create<math::Log2Op>(in[0]); break;
  case Op::Sin: result = create<math::SinOp>(in[0]); break;
  case Op::Cos: result = create<math::CosOp>(in[0]); break;
  case Op::Rsqrt: result = create<math::RsqrtOp>(in[0]); break;
  case Op::Tanh: result = own("__nv_tanh"); break;
  case Op::Pow: result = own("__nv_pow"); break;
  case Op::Tan: result = divide(create<math::SinOp>(in[0]), create<math::CosOp>(in[0]), /*exactly=*/true); break;
  case Op::Sinh: result = createSinh(builder, loc, in[0], number); break;
  case Op::Cosh: result = createCosh(builder, loc, in[0], number); break;
  case Op::Atan2:
    result = createAtan2(builder, loc, in[0], in[1], number, [&](Value a, Value b) { return divide(a, b, true); });
    break;
  default: return error() << "the operation " << op.spec->name << " is not supported";
  }
  return give(bits < 32 ? create<arith::TruncFOp>(type, result) : result);
}

/// Raises a number to an integer power. Small constant powers become multiplications.
LogicalResult Translator::raiseToInteger(const Operation &op) {
  Value a = get(op.operand("a")), b = get(op.operand("b"));
  mlir::Type type = a.getType(), element = getElementTypeOrSelf(type);
  if (!isa<FloatType>(element) || !isa<IntegerType>(getElementTypeOrSelf(b)) || shapeOf(b.getType()) != shapeOf(type))
    return error(op) << "it takes a floating-point number and an integer of one shape";
  if (element.getIntOrFloatBitWidth() < 16)
    return unsupported(op, "arithmetic on elements of 8 bits");
  bool isNarrow = element.getIntOrFloatBitWidth() < 32, isDouble = element.isF64();
  mlir::Type wide = isNarrow ? tt::withElementType(type, builder.getF32Type()) : type;
  if (isNarrow)
    a = create<arith::ExtFOp>(wide, a);
  Value result = a;
  APInt power;
  if (matchPattern(b, m_ConstantInt(&power)) && power.sge(1) && power.sle(8)) {
    for (int64_t n = power.getSExtValue(); n > 1; --n)
      result = create<arith::MulFOp>(result, a);
  } else {
    Values in = {a, create<arith::SIToFPOp>(wide, b)};
    result = create<tt::ExternElementwiseOp>(wide, in, tt::ownLibrary, "", isDouble ? "__nv_pow" : "__nv_powf",
                                             /*pure=*/true);
  }
  return setResult(op, isNarrow ? create<arith::TruncFOp>(type, result) : result);
}

//===--- comparisons, selections ----------------------------------------------------------------------------------===//

LogicalResult Translator::compare(const Operation &op) {
  Value a = get(op.operand("a")), b = get(op.operand("b"));
  mlir::Type element = getElementTypeOrSelf(a);
  bool isFloat = op.op() == Op::Cmpf;
  if (const Type *narrow = findNarrow(op))
    return unsupported(op, "a comparison of " + narrow->print());
  if (a.getType() != b.getType() || (isFloat ? !isa<FloatType>(element) : !isa<IntegerType>(element)))
    return error(op) << "the operands are not " << (isFloat ? "floating-point numbers" : "integers") << " of one type";
  unsigned predicate = op.number("predicate");
  if (isFloat) {
    if (element.getIntOrFloatBitWidth() < 16)
      return unsupported(op, "arithmetic on elements of 8 bits");
    using enum arith::CmpFPredicate;
    constexpr arith::CmpFPredicate ordered[] = {OEQ, ONE, OLT, OLE, OGT, OGE},
                                   unordered[] = {UEQ, UNE, ULT, ULE, UGT, UGE};
    bool isOrdered = op.number("ordering") == unsigned(Ordering::Ordered);
    return setResult(op, create<arith::CmpFOp>((isOrdered ? ordered : unordered)[predicate], a, b));
  }
  using enum arith::CmpIPredicate;
  constexpr arith::CmpIPredicate ofSigned[] = {eq, ne, slt, sle, sgt, sge}, ofUnsigned[] = {eq, ne, ult, ule, ugt, uge};
  bool isSigned = op.number("sign") == unsigned(Sign::Signed);
  return setResult(op, create<arith::CmpIOp>((isSigned ? ofSigned : ofUnsigned)[predicate], a, b));
}

LogicalResult Translator::select(const Operation &op) {
  Value condition = get(op.operand("condition")), a = get(op.operand("a")), b = get(op.operand("b"));
  if (a.getType() != b.getType() || !getElementTypeOrSelf(condition).isInteger(1) ||
      shapeOf(condition.getType()) != shapeOf(a.getType()))
    return error(op) << "it takes an i1 and two values of one type and shape";
  return setResult(op, create<arith::SelectOp>(condition, a, b));
}

//===--- matrices -------------------------------------------------------------------------------------------------===//

/// Translates a matrix product. In TTIR, integer products of 8-bit operands are signed. So an unsigned operand x is
/// split into the signed value x - 128 and the constant 128. The constant contributes 128 times the sum of the other
/// operand along the common dimension. This sum is computed as a product with a matrix of ones.
LogicalResult Translator::multiplyMatrices(const Operation &op) {
  Value a = get(op.operand("a")), b = get(op.operand("b")), c = get(op.operand("c"));
  ArrayRef<int64_t> m = shapeOf(a.getType()), n = shapeOf(b.getType()), sum = shapeOf(c.getType());
  size_t rank = m.size();
  bool fits = (rank == 2 || rank == 3) && n.size() == rank && sum.size() == rank && m[rank - 1] == n[rank - 2] &&
              m[rank - 2] == sum[rank - 2] && n[rank - 1] == sum[rank - 1] &&
              (rank == 2 || (m[0] == n[0] && m[0] == sum[0]));
  mlir::Type left = getElementTypeOrSelf(a), right = getElementTypeOrSelf(b), result = getElementTypeOrSelf(c);
  bool isFloat = op.op() == Op::Mmaf;
  if (!fits || findNarrow(op) || left != right ||
      !(isFloat ? isa<FloatType>(left) && isa<FloatType>(result) : left.isInteger(8) && result.isInteger(32)))
    return error(op) << "operands of types " << typeOf(op.operand("a")).print() << ", "
                     << typeOf(op.operand("b")).print() << " and " << typeOf(op.operand("c")).print();
  constexpr int32_t anyNumber = 1 << 30; // allows less exact accumulation of any number of products
  bool isTf32 = typeOf(op.operand("a")).element->kind == Type::TF32;
  auto dot = [&](Value a, Value b, Value c) {
    return create<tt::DotOp>(c.getType(), a, b, c, isTf32 ? tt::InputPrecision::TF32 : tt::InputPrecision::IEEE,
                             op.has("fast_acc") ? anyNumber : 0);
  };
  if (isFloat)
    return setResult(op, dot(a, b, c));

  bool isUnsigned[] = {op.number("sign_a") == unsigned(Sign::Unsigned),
                       op.number("sign_b") == unsigned(Sign::Unsigned)};
  mlir::Type sumType = c.getType();
  auto shift = [&](Value value) { return create<arith::XOrIOp>(value, constantOf(value.getType(), int64_t(-128))); };
  Value signedA = isUnsigned[0] ? shift(a) : a, signedB = isUnsigned[1] ? shift(b) : b;
  auto addShare = [&](Value ofOnes) {
    c = create<arith::AddIOp>(c, create<arith::MulIOp>(ofOnes, constantOf(sumType, int64_t(128))));
  };
  Value zero = isUnsigned[0] || isUnsigned[1] ? constantOf(sumType, int64_t(0)) : Value();
  if (isUnsigned[0])
    addShare(dot(constantOf(a.getType(), int64_t(1)), signedB, zero));
  if (isUnsigned[1])
    addShare(dot(signedA, constantOf(b.getType(), int64_t(1)), zero));
  if (isUnsigned[0] && isUnsigned[1])
    c = create<arith::AddIOp>(c, constantOf(sumType, m[rank - 1] * 128 * 128));
  return setResult(op, dot(signedA, signedB, c));
}

/// Translates a product of matrices with a scale for each block of elements along the common dimension. The elements
/// are multiplied by their scales as bf16, which has the range of the scales and more digits than each product.
/// NVIDIA's later GPUs have such products; this translation does not use them.
LogicalResult Translator::multiplyScaled(const Operation &op) {
  auto bf16 = builder.getBF16Type();
  Value c = get(op.operand("c"));
  ArrayRef<int64_t> sum = shapeOf(c.getType());
  size_t rank = sum.size();
  auto toBf16 = [&](ValueId id) -> Value {
    Type::Kind kind = typeOf(id).element->kind;
    if (typeOf(id).element->isNarrow() && kind != Type::I4)
      return toFloat(decodeNarrow(get(id), kind), bf16);
    bool isFloat8 = kind == Type::F8E4M3FN || kind == Type::F8E5M2;
    return isFloat8 ? toFloat(get(id), bf16) : Value();
  };
  auto scaled = [&](StringRef name, StringRef scaleName, size_t axis) -> Value {
    Value value = toBf16(op.operand(name)), scale = toBf16(op.operand(scaleName));
    if (!value || !scale || shapeOf(value.getType()).size() != rank || shapeOf(scale.getType()).size() != rank)
      return {};
    SmallVector<int64_t> shape(shapeOf(value.getType())), blocks(shapeOf(scale.getType()));
    int64_t size = shape[axis] / blocks[axis];
    SmallVector<int64_t> expected(shape);
    expected[axis] = blocks[axis];
    if (!size || ArrayRef(expected) != ArrayRef(blocks))
      return {};
    blocks.insert(blocks.begin() + axis + 1, 1);
    scale = reshape(scale, blocks);
    blocks[axis + 1] = size;
    if (size > 1)
      scale = create<tt::BroadcastOp>(withShape(bf16, blocks), scale);
    return create<arith::MulFOp>(value, reshape(scale, shape));
  };
  Value a = rank == 2 || rank == 3 ? scaled("a", "scale_a", rank - 1) : Value();
  Value b = a ? scaled("b", "scale_b", rank - 2) : Value();
  auto fits = [&] {
    ArrayRef<int64_t> m = shapeOf(a.getType()), n = shapeOf(b.getType());
    return m[rank - 1] == n[rank - 2] && m[rank - 2] == sum[rank - 2] && n[rank - 1] == sum[rank - 1] &&
           m.drop_back(2) == n.drop_back(2) && m.drop_back(2) == sum.drop_back(2);
  };
  if (!b || !fits() || !getElementTypeOrSelf(c).isF32())
    return error(op) << "operands of types " << typeOf(op.operand("a")).print() << ", "
                     << typeOf(op.operand("b")).print() << " and " << typeOf(op.operand("c")).print()
                     << " with scales of types " << typeOf(op.operand("scale_a")).print() << " and "
                     << typeOf(op.operand("scale_b")).print();
  return setResult(op, create<tt::DotOp>(c.getType(), a, b, c, tt::InputPrecision::IEEE, 0));
}

} // namespace tilecc::tileir
