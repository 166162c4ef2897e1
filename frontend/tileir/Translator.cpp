//===- Translator.cpp - translates a kernel of CUDA Tile IR to TTIR -----------------------------------------------===//
//
// This file translates types, locations, and the operations that belong to no other file, and dispatches operations.
// TileIR.cpp calls the translator for each kernel of a module.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Translator.h"
#include "lowering/dialects/tt/MessageFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include <numeric>

using namespace mlir;

namespace tilecc::tileir {

Translator::Translator(const Module &module, const Function &function, StringRef file, MLIRContext *context)
    : module(module), function(function), file(file), builder(context), loc(FileLineColLoc::get(context, file, 0, 0)),
      values(function.values.size()) {
  loc = locationOf(function.location);
}

//===--- types, values, locations ---------------------------------------------------------------------------------===//

mlir::Type Translator::convertElement(const Type &type) {
  switch (type.kind) {
  case Type::I1:
  case Type::I8:
  case Type::I16:
  case Type::I32:
  case Type::I64: return builder.getIntegerType(type.bits());
  case Type::F16: return builder.getF16Type();
  case Type::BF16: return builder.getBF16Type();
  case Type::F32:
  case Type::TF32: return builder.getF32Type();
  case Type::F64: return builder.getF64Type();
  case Type::F8E4M3FN: return Float8E4M3FNType::get(builder.getContext());
  case Type::F8E5M2: return Float8E5M2Type::get(builder.getContext());
  case Type::I4:
  case Type::F8E8M0FNU:
  case Type::F4E2M1FN:
  case Type::F8E5M3FNU: return builder.getI8Type(); // NarrowNumbers.cpp
  case Type::Pointer:
    if (type.element->bits() == 4) {
      error() << "pointers to elements of type " << type.element->print()
              << " are not supported: an element is half of a byte";
      return {};
    }
    if (mlir::Type pointee = convertElement(*type.element))
      return tt::PointerType::get(pointee);
    return {};
  default: error() << "elements of type " << type.print() << " are not supported"; return {};
  }
}

mlir::Type Translator::convert(const Type &type) {
  if (type.kind != Type::Tile) {
    error() << "a value of type " << type.print() << " is not supported here";
    return {};
  }
  mlir::Type element = convertElement(*type.element);
  if (!element)
    return {};
  int64_t elements = std::accumulate(type.shape.begin(), type.shape.end(), int64_t(1), std::multiplies<>());
  if (elements > tt::maxTileElements) {
    error() << "a tile of " << elements << " elements is not supported: there may be " << tt::maxTileElements;
    return {};
  }
  return withShape(element, type.shape);
}

/// Returns the location in the user's source. For an inlined operation, this includes the locations of the calls.
Location Translator::locationOf(uint64_t index, unsigned depth) {
  constexpr unsigned maxInlined = 64;
  const DebugLocation &place = module.locations[index];
  MLIRContext *context = builder.getContext();
  if (place.kind == DebugLocation::CallSite && depth < maxInlined)
    return CallSiteLoc::get(locationOf(place.callee, depth + 1), locationOf(place.caller, depth + 1));
  if (place.kind != DebugLocation::Place)
    return FileLineColLoc::get(context, file, 0, 0);
  SmallString<128> path(place.folder);
  llvm::sys::path::append(path, place.file);
  auto asUnsigned = [](uint64_t n) { return unsigned(std::min<uint64_t>(n, UINT32_MAX)); };
  return FileLineColLoc::get(context, path, asUnsigned(place.line), asUnsigned(place.column));
}

LogicalResult Translator::unsupported(const Operation &op, const Twine &what) {
  return error(op) << what << " is not supported";
}

LogicalResult Translator::setResult(const Operation &op, Value value) {
  const Type &type = typeOf(op.results[0]);
  mlir::Type expected = convert(type);
  if (!expected)
    return failure();
  if (!value || value.getType() != expected)
    return error(op) << "the result cannot have the type " << type.print();
  set(op.results[0], value);
  return success();
}

/// Returns true if the first result of an operation, if it has one, has to be a tile.
static bool givesTile(Op op) {
  switch (op) {
  case Op::AtomicRedViewTko:
  case Op::For:
  case Op::GdcLaunchDependentsTko:
  case Op::GdcWaitTko:
  case Op::If:
  case Op::JoinTokens:
  case Op::Loop:
  case Op::MakeGatherScatterView:
  case Op::MakePartitionView:
  case Op::MakeStridedView:
  case Op::MakeTensorView:
  case Op::MakeToken:
  case Op::MemoryFenceAliasTko:
  case Op::PrintTko:
  case Op::StorePtrTko:
  case Op::StoreViewTko: return false;
  default: return true;
  }
}

/// Checks that all operands that must be tiles have values, and that results have types that TTIR has. Tokens and views
/// have no values.
LogicalResult Translator::checkValues(const Operation &op) {
  bool passesOn =
      llvm::is_contained({Op::JoinTokens, Op::For, Op::Loop, Op::Yield, Op::Continue, Op::Break, Op::Return}, op.op());
  for (auto [spec, ids] : llvm::zip(op.spec->operands, op.operands))
    for (ValueId id : ids) {
      const Type &type = typeOf(id);
      bool mayBeToken = spec.name == "token" || (spec.name == "*" && passesOn), mayBeView = spec.name == "view";
      if ((type.kind == Type::Token) ? !mayBeToken : type.isView() ? !mayBeView : !get(id))
        return error(op) << "an operand has the type " << type.print();
      if (mayBeView ? !views.count(id) : spec.name == "token" && type.kind != Type::Token)
        return error(op) << "an operand has the type " << type.print();
    }
  for (auto [i, id] : llvm::enumerate(op.results)) {
    const Type &type = typeOf(id);
    bool mayBeOther = type.kind == Type::Token || type.isView();
    if (i == 0 && givesTile(op.op()) ? !convert(type) : !mayBeOther && !convert(type))
      return failure();
  }
  return success();
}

const Type *Translator::findNarrow(const Operation &op) const {
  auto isNarrow = [&](ValueId id) { return typeOf(id).kind == Type::Tile && typeOf(id).element->isNarrow(); };
  for (auto &ids : op.operands)
    for (ValueId id : ids)
      if (isNarrow(id))
        return &typeOf(id);
  for (ValueId id : op.results)
    if (isNarrow(id))
      return &typeOf(id);
  return nullptr;
}

Value Translator::constantOf(mlir::Type type, int64_t value) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  APInt bits(element.getWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true);
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return create<arith::ConstantOp>(DenseElementsAttr::get(tile, bits));
  return create<arith::ConstantOp>(builder.getIntegerAttr(element, bits));
}

Value Translator::constantOf(mlir::Type type, double value) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  APFloat number(value);
  bool losesInfo;
  number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return create<arith::ConstantOp>(DenseElementsAttr::get(tile, number));
  return create<arith::ConstantOp>(builder.getFloatAttr(element, number));
}

Value Translator::splat(Value scalar, ArrayRef<int64_t> shape) {
  return shape.empty() ? scalar : create<tt::SplatOp>(withShape(scalar.getType(), shape), scalar);
}

//===--- the kernel -----------------------------------------------------------------------------------------------===//

OwningOpRef<ModuleOp> Translator::translate() {
  SmallVector<mlir::Type> types;
  for (const Type *parameter : function.type->parameters) {
    mlir::Type type = convert(*parameter);
    if (type && isa<RankedTensorType>(type))
      error() << "a parameter of the kernel '" << function.name << "' has the type " << parameter->print();
    if (!type || isa<RankedTensorType>(type))
      return {};
    types.push_back(type);
  }
  if (!function.type->results.empty()) {
    error() << "the kernel '" << function.name << "' has results";
    return {};
  }
  OwningOpRef<ModuleOp> result = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(result->getBody());
  kernel = tt::FuncOp::create(builder, loc, function.name, builder.getFunctionType(types, {}));
  kernel.setPublic();
  mlir::Block *entry = &kernel.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(entry);
  for (auto [id, type] : llvm::zip(function.body.arguments, types))
    set(id, entry->addArgument(type, loc));
  findDivisors();
  for (const Attribute &ofArch : function.hints.elements)
    if (ofArch.kind == Attribute::Dictionary) {
      addHints(function.hints);
      break;
    }

  Exits exits;
  exits.onReturn = [&](ArrayRef<ValueId> ids) -> LogicalResult {
    if (!ids.empty())
      return error() << "a kernel returns no values";
    tt::ReturnOp::create(builder, loc, ValueRange());
    return success();
  };
  if (failed(translateBlock(function.body, exits)))
    return {};
  return result;
}

/// Collects the divisors that parameters are assumed to have, also through chains of assumptions. If an integer may be
/// negative, an attribute of the parameter would promise more than the assumption, so the assumption remains an
/// operation.
void Translator::findDivisors() {
  struct Known {
    uint64_t divisor = 1;
    bool isNonNegative = false;
  };
  llvm::DenseMap<ValueId, ValueId> root;
  llvm::MapVector<ValueId, Known> known;
  for (ValueId id : function.body.arguments)
    root[id] = id;
  for (const Operation &op : function.body.operations) {
    if (op.op() != Op::Assume || !root.count(op.operand("a")))
      continue;
    ValueId parameter = root[op.results[0]] = root[op.operand("a")];
    const Attribute &predicate = op.attribute("predicate");
    Known &of = known[parameter];
    if (predicate.kind == Attribute::DivisibleBy && predicate.number)
      of.divisor = std::max(of.divisor, predicate.number & -predicate.number);
    if (predicate.kind == Attribute::Bounded)
      of.isNonNegative |= predicate.low && *predicate.low >= 0;
  }
  for (auto [id, of] : known) {
    auto argument = dyn_cast_or_null<BlockArgument>(get(id));
    if (!argument || of.divisor == 1 || !(of.isNonNegative || isa<tt::PointerType>(argument.getType())))
      continue;
    kernel.setArgAttr(argument.getArgNumber(), tt::divisibilityAttr,
                      builder.getI32IntegerAttr(std::min<uint64_t>(of.divisor, 1 << 30)));
  }
}

/// Reads hints for an architecture, as in {"sm_90": {"latency": 4}}, or for all architectures, as in {"default":
/// {...}}.
void Translator::addHints(const Attribute &dictionary) {
  for (auto [arch, values] : llvm::zip(dictionary.keys, dictionary.elements)) {
    unsigned number = 0;
    if (StringRef text = arch; text.consume_front("sm_") && text.getAsInteger(10, number))
      continue;
    for (auto [key, value] : llvm::zip(values.keys, values.elements)) {
      auto kind = llvm::StringSwitch<std::optional<TargetHint::Kind>>(key)
                      .Case("num_worker_warps_per_cta", TargetHint::Warps)
                      .Case("occupancy", TargetHint::Occupancy)
                      .Case("latency", TargetHint::Latency)
                      .Case("allow_tma", TargetHint::TensorMaps)
                      .Default(std::nullopt);
      if (kind && (value.kind == Attribute::Integer || value.kind == Attribute::Boolean) && value.number <= 64)
        hints.push_back({number * 10, *kind, int(value.number)});
    }
  }
}

//===--- the dispatch ---------------------------------------------------------------------------------------------===//

LogicalResult Translator::translateSimple(const Operation &op) {
  switch (op.op()) {
  case Op::MakeToken:
  case Op::JoinTokens:
  case Op::MemoryFenceAliasTko: return success();
  case Op::Constant: return constant(op);
  case Op::Assume: return assume(op);
  case Op::PrintTko: return print(op);
  case Op::Assert:
    if (!getElementTypeOrSelf(get(op.operand("condition"))).isInteger(1))
      return error(op) << "the condition is not an i1";
    tt::AssertOp::create(builder, loc, get(op.operand("condition")), op.attribute("message").text);
    return success();
  case Op::GetTileBlockId:
  case Op::GetNumTileBlocks:
    for (unsigned axis = 0; axis < 3; ++axis) {
      Value value =
          op.op() == Op::GetTileBlockId ? create<tt::GetProgramIdOp>(axis) : create<tt::GetNumProgramsOp>(axis);
      if (convert(typeOf(op.results[axis])) != value.getType())
        return error(op) << "the results are not i32";
      set(op.results[axis], value);
    }
    return success();
  case Op::GdcWaitTko: tt::GridDependencyWaitOp::create(builder, loc); return success();
  case Op::GdcLaunchDependentsTko: tt::GridDependencyLaunchOp::create(builder, loc); return success();

  case Op::Iota: return iota(op);
  case Op::Reshape: return reshapeTile(op);
  case Op::Broadcast: return broadcastTile(op);
  case Op::Permute: return permuteTile(op);
  case Op::Cat: return concatenate(op);
  case Op::Extract: return extract(op);
  case Op::Insert: return insert(op);
  case Op::Pack:
  case Op::Unpack: return packBytes(op);

  case Op::Exti:
  case Op::Trunci:
  case Op::Itof:
  case Op::Ftoi:
  case Op::Ftof: return convertNumbers(op);
  case Op::Bitcast:
  case Op::PtrToInt:
  case Op::IntToPtr:
  case Op::PtrToPtr: return reinterpret(op);

  case Op::Cmpi:
  case Op::Cmpf: return compare(op);
  case Op::Select: return select(op);
  case Op::Fpowi: return raiseToInteger(op);
  case Op::Mmaf:
  case Op::Mmai: return multiplyMatrices(op);
  case Op::MmafScaled: return multiplyScaled(op);
  case Op::Reduce:
  case Op::Scan: return combine(op);

  case Op::Offset: return offsetPointers(op);
  case Op::LoadPtrTko: return loadPointers(op);
  case Op::StorePtrTko: return storePointers(op);
  case Op::AtomicRmwTko: return atomicRmw(op);
  case Op::AtomicCasTko: return atomicCas(op);
  case Op::GetGlobal: return getGlobal(op);

  case Op::MakeTensorView:
  case Op::MakePartitionView:
  case Op::MakeStridedView:
  case Op::MakeGatherScatterView: return makeView(op);
  case Op::GetTensorShape:
  case Op::GetIndexSpaceShape: return askView(op);
  case Op::LoadViewTko:
  case Op::StoreViewTko:
  case Op::AtomicRedViewTko: return accessView(op);

  case Op::Alloca:
  case Op::MultimemLoadReduceViewTko:
  case Op::MultimemReduceViewTko:
  case Op::MultimemStoreViewTko:
  case Op::Call: return error() << "the operation " << op.spec->name << " is not supported";
  default: return arithmetic(op);
  }
}

//===--- constants, assumptions, messages -------------------------------------------------------------------------===//

LogicalResult Translator::constant(const Operation &op) {
  mlir::Type type = convert(typeOf(op.results[0])), element = getElementTypeOrSelf(type);
  StringRef data = op.attribute("value").text;
  auto tile = dyn_cast<RankedTensorType>(type);
  int64_t count = tile ? tile.getNumElements() : 1;
  if (isa<tt::PointerType>(element))
    return unsupported(op, "a constant pointer");
  bool isTf32 = typeOf(op.results[0]).element->kind == Type::TF32; // the first 19 bits of an f32, in 3 bytes
  unsigned bits = element.getIntOrFloatBitWidth(), size = isTf32 ? 3 : std::max(bits / 8, 1u);
  bool isPacked = bits == 1 && data.size() > 1; // one byte for all elements, 00 or FF
  if (isPacked ? int64_t(data.size()) != (count + 7) / 8 : data.size() != size && int64_t(data.size()) != count * size)
    return error(op) << "a constant of " << count << " elements of " << bits << " bits has " << data.size() << " bytes";
  auto elementAt = [&](int64_t i) {
    APInt value(bits, 0);
    if (bits == 1)
      return APInt(1, isPacked ? uint8_t(data[i / 8]) >> (i % 8) & 1 : data[0] & 1);
    for (unsigned b = 0; b < size; ++b)
      value.insertBits(APInt(8, uint8_t(data[i * size + b])), 8 * b);
    return isTf32 ? value << 13 : value;
  };
  auto attributeOf = [&](const APInt &value) -> mlir::Attribute {
    if (auto number = dyn_cast<FloatType>(element))
      return builder.getFloatAttr(element, APFloat(number.getFloatSemantics(), value));
    return builder.getIntegerAttr(element, value);
  };
  SmallVector<mlir::Attribute> elements;
  for (int64_t i = 0, n = isPacked ? count : data.size() / size; i < n; ++i)
    elements.push_back(attributeOf(elementAt(i)));
  if (!tile)
    return setResult(op, create<arith::ConstantOp>(cast<TypedAttr>(elements[0])));
  if (llvm::all_equal(elements))
    return setResult(op, create<arith::ConstantOp>(cast<TypedAttr>(DenseElementsAttr::get(tile, elements[0]))));
  constexpr int64_t maxElements = 1024;
  if (count > maxElements)
    return unsupported(op, "a constant of more than " + Twine(maxElements) + " different elements");
  return setResult(op, reshape(join(elements, element), tile.getShape()));
}

LogicalResult Translator::assume(const Operation &op) {
  ValueId id = op.operand("a");
  Value value = get(id);
  if (!value)
    return error(op) << "an operand has the type " << typeOf(id).print();
  if (failed(setResult(op, value)))
    return failure();
  const Attribute &predicate = op.attribute("predicate");
  auto type = dyn_cast<IntegerType>(value.getType());
  auto argument = dyn_cast<BlockArgument>(value);
  bool isKnown = argument && argument.getOwner() == &kernel.getBody().front() &&
                 kernel.getArgAttr(argument.getArgNumber(), tt::divisibilityAttr);
  // Assumptions about tiles and pointers may be ignored: no code depends on them. Those about constants add nothing,
  // and cuTile Python writes wrong ones (the constant stride 1 of an array of one element is divisible by 4), which
  // would make the kernel undefined.
  if (!type || type.getWidth() < 8 || isKnown || matchPattern(value, m_Constant()))
    return success();
  auto assumeThat = [&](arith::CmpIPredicate predicate, Value left, int64_t right) {
    LLVM::AssumeOp::create(builder, loc, create<arith::CmpIOp>(predicate, left, constantOf(type, right)));
  };
  uint64_t divisor = predicate.number & -predicate.number;
  if (predicate.kind == Attribute::DivisibleBy && divisor > 1 && divisor < (1u << 30) &&
      llvm::isUIntN(type.getWidth() - 1, divisor))
    assumeThat(arith::CmpIPredicate::eq, create<arith::RemUIOp>(value, constantOf(type, int64_t(divisor))), 0);
  if (predicate.kind == Attribute::Bounded && predicate.low && llvm::isIntN(type.getWidth(), *predicate.low))
    assumeThat(arith::CmpIPredicate::sge, value, *predicate.low);
  if (predicate.kind == Attribute::Bounded && predicate.high && llvm::isIntN(type.getWidth(), *predicate.high))
    assumeThat(arith::CmpIPredicate::sle, value, *predicate.high);
  return success();
}

/// Translates a print. The format is that of C's printf, but its length modifiers may be wrong or missing.
LogicalResult Translator::print(const Operation &op) {
  StringRef format = op.attribute("format").text;
  Values arguments;
  SmallVector<int32_t> isSigned;
  if (const Type *narrow = findNarrow(op))
    return unsupported(op, "a value of type " + narrow->print());
  for (ValueId id : op.all("args"))
    arguments.push_back(get(id));
  if (llvm::count_if(arguments, [](Value value) { return isa<RankedTensorType>(value.getType()); }) > 1)
    return unsupported(op, "printing several tiles at a time");
  std::string adapted;
  while (!format.empty()) {
    auto [text, rest] = format.split('%');
    adapted += text;
    if (text.size() == format.size())
      break;
    format = rest;
    if (format.consume_front("%")) {
      adapted += "%%";
      continue;
    }
    StringRef options = format.take_while([](char c) { return StringRef("-+ #0123456789.").contains(c); });
    format = format.drop_front(options.size()).drop_while([](char c) { return StringRef("hljztL").contains(c); });
    if (format.empty() || isSigned.size() >= arguments.size())
      return error(op) << "the format '" << op.attribute("format").text << "' does not fit " << arguments.size()
                       << " values";
    mlir::Type element = getElementTypeOrSelf(arguments[isSigned.size()]);
    StringRef fitting = isa<FloatType>(element) ? "fFeEgGaA" : isa<IntegerType>(element) ? "diuoxXc" : "p";
    if (!fitting.contains(format[0]))
      return error(op) << "the conversion %" << format.take_front() << " is not for values of type " << element;
    bool isLong = isa<IntegerType>(element) && element.getIntOrFloatBitWidth() > 32;
    adapted += ("%" + options + (isLong ? "ll" : "") + format.take_front()).str();
    isSigned.push_back(format[0] == 'd' || format[0] == 'i');
    format = format.drop_front();
  }
  if (isSigned.size() != arguments.size())
    return error(op) << "the format '" << op.attribute("format").text << "' does not fit " << arguments.size()
                     << " values";
  auto print = tt::PrintOp::create(builder, loc, adapted, /*hex=*/false, arguments, isSigned);
  print->setDiscardableAttr(formattedAttr, builder.getUnitAttr());
  return success();
}

} // namespace tilecc::tileir
