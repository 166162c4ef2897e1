//===- Memory.cpp - translates accesses of CUDA Tile IR through pointers ------------------------------------------===//
//
// Weak accesses become tt.load and tt.store. In Tile IR, tokens order some accesses. This translation keeps the program
// order, which orders all of them. Accesses with another memory order are atomic. A relaxed load becomes a volatile
// load, which on GPUs means relaxed at system scope. All other atomic accesses become atomic operations, which have an
// order and a scope.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Translator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilecc::tileir {

FailureOr<std::pair<tt::MemSemantic, tt::MemSyncScope>> Translator::orderOf(const Operation &op) {
  constexpr tt::MemSemantic orders[] = {tt::MemSemantic::RELAXED, tt::MemSemantic::RELAXED, tt::MemSemantic::ACQUIRE,
                                        tt::MemSemantic::RELEASE, tt::MemSemantic::ACQUIRE_RELEASE};
  constexpr tt::MemSyncScope scopes[] = {tt::MemSyncScope::CTA, tt::MemSyncScope::GPU, tt::MemSyncScope::SYSTEM};
  if (Order(op.number("order")) == Order::Weak || op.attribute("scope").kind == Attribute::None) {
    error(op) << "an atomic access has no order or no scope";
    return failure();
  }
  return std::pair(orders[op.number("order")], scopes[op.number("scope")]);
}

/// Returns true if `pointers` point to elements of the type of `value`, and `mask` has the shape of `pointers`. Either
/// of `value` and `mask` may be null.
static bool fits(Value pointers, Value value, Value mask) {
  mlir::Type pointer = getElementTypeOrSelf(pointers);
  if (!isa<tt::PointerType>(pointer) || (value && tt::getPointeeType(pointers.getType()) != value.getType()))
    return false;
  return !mask || mask.getType() == tt::getMaskType(pointers.getType());
}

FailureOr<Value> Translator::load(const Operation &op, Value pointers, Value mask, Value padding) {
  if (!mask)
    padding = {}; // of no element
  if (!fits(pointers, padding, mask)) {
    error(op) << "pointers, mask and padding do not fit";
    return failure();
  }
  auto order = Order(op.number("order"));
  if (order == Order::Weak || order == Order::Relaxed)
    return create<tt::LoadOp>(tt::getPointeeType(pointers.getType()), pointers, mask, padding, tt::CacheModifier::NONE,
                              tt::EvictionPolicy::NORMAL, order == Order::Relaxed);
  mlir::Type type = tt::getPointeeType(pointers.getType()), element = getElementTypeOrSelf(type);
  if (order != Order::Acquire || !element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 32)
    return unsupported(op, "an atomic load of this order and element type");
  mlir::Type bits = tt::withElementType(type, builder.getIntegerType(element.getIntOrFloatBitWidth()));
  mlir::Type bitPointers = tt::withElementType(pointers.getType(), tt::PointerType::get(getElementTypeOrSelf(bits)));
  auto how = orderOf(op);
  if (failed(how))
    return failure();
  if (bits != type)
    pointers = create<tt::BitcastOp>(bitPointers, pointers);
  Value loaded = create<tt::AtomicRMWOp>(bits, tt::RMWOp::OR, pointers, constantOf(bits, int64_t(0)), mask, how->first,
                                         how->second);
  if (bits != type)
    loaded = create<tt::BitcastOp>(type, loaded);
  return padding ? create<arith::SelectOp>(mask, loaded, padding) : loaded;
}

LogicalResult Translator::store(const Operation &op, Value pointers, Value value, Value mask) {
  if (!fits(pointers, value, mask))
    return error(op) << "pointers, values and mask do not fit";
  auto order = Order(op.number("order"));
  if (order == Order::Weak) {
    tt::StoreOp::create(builder, loc, pointers, value, mask, tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL);
    return success();
  }
  mlir::Type element = getElementTypeOrSelf(value);
  if ((order != Order::Relaxed && order != Order::Release) || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() < 32)
    return unsupported(op, "an atomic store of this order and element type");
  auto how = orderOf(op);
  if (failed(how))
    return failure();
  create<tt::AtomicRMWOp>(value.getType(), tt::RMWOp::XCHG, pointers, value, mask, how->first, how->second);
  return success();
}

static Value optionalValue(const Operation &op, StringRef name, ArrayRef<Value> values) {
  std::optional<ValueId> id = op.optional(name);
  return id ? values[*id] : Value();
}

LogicalResult Translator::loadPointers(const Operation &op) {
  addHints(op.attribute("hints"));
  auto loaded =
      load(op, get(op.operand("pointer")), optionalValue(op, "mask", values), optionalValue(op, "padding", values));
  return succeeded(loaded) ? setResult(op, *loaded) : failure();
}

LogicalResult Translator::storePointers(const Operation &op) {
  addHints(op.attribute("hints"));
  return store(op, get(op.operand("pointer")), get(op.operand("value")), optionalValue(op, "mask", values));
}

LogicalResult Translator::offsetPointers(const Operation &op) {
  Value pointers = get(op.operand("pointer")), offset = get(op.operand("offset"));
  if (!isa<tt::PointerType>(getElementTypeOrSelf(pointers)) || !isa<IntegerType>(getElementTypeOrSelf(offset)) ||
      shapeOf(pointers.getType()) != shapeOf(offset.getType()))
    return error(op) << "it takes pointers and integers of one shape";
  return setResult(op, create<tt::AddPtrOp>(pointers.getType(), pointers, offset));
}

//===--- atomic operations ----------------------------------------------------------------------------------------===//

FailureOr<Value> Translator::rmw(const Operation &op, Value pointers, Value value, Value mask) {
  constexpr tt::RMWOp kinds[] = {tt::RMWOp::AND, tt::RMWOp::OR,  tt::RMWOp::XOR,  tt::RMWOp::ADD,  tt::RMWOp::FADD,
                                 tt::RMWOp::MAX, tt::RMWOp::MIN, tt::RMWOp::UMAX, tt::RMWOp::UMIN, tt::RMWOp::XCHG};
  if (!fits(pointers, value, mask)) {
    error(op) << "pointers, values and mask do not fit";
    return failure();
  }
  auto how = orderOf(op);
  if (failed(how))
    return failure();
  tt::RMWOp kind = kinds[op.number("mode")];
  mlir::Type element = getElementTypeOrSelf(value);
  bool isFloat = isa<FloatType>(element), isExchange = kind == tt::RMWOp::XCHG;
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (!bits || (!isExchange && isFloat != (kind == tt::RMWOp::FADD)) ||
      (bits < 32 && !(bits == 16 && kind == tt::RMWOp::FADD)))
    return unsupported(op, "an atomic " + tt::stringifyRMWOp(kind) + " of " + typeOf(op.operand("value")).print());
  return create<tt::AtomicRMWOp>(value.getType(), kind, pointers, value, mask, how->first, how->second);
}

LogicalResult Translator::atomicRmw(const Operation &op) {
  auto old = rmw(op, get(op.operand("pointer")), get(op.operand("value")), optionalValue(op, "mask", values));
  return succeeded(old) ? setResult(op, *old) : failure();
}

LogicalResult Translator::atomicCas(const Operation &op) {
  Value pointers = get(op.operand("pointer")), compare = get(op.operand("compare")), value = get(op.operand("value"));
  Value mask = optionalValue(op, "mask", values);
  mlir::Type element = getElementTypeOrSelf(value);
  if (!fits(pointers, value, mask) || compare.getType() != value.getType())
    return error(op) << "pointers, values and mask do not fit";
  if (!element.isIntOrFloat() || (element.getIntOrFloatBitWidth() != 32 && element.getIntOrFloatBitWidth() != 64))
    return unsupported(op, "an exchange of " + typeOf(op.operand("value")).print());
  auto how = orderOf(op);
  if (failed(how))
    return failure();
  auto exchange = [&] {
    return create<tt::AtomicCASOp>(value.getType(), pointers, compare, value, how->first, how->second);
  };
  if (!mask)
    return setResult(op, exchange());
  // An element that the mask excludes gives what it is compared with.
  Value zero = create<arith::ConstantOp>(builder.getZeroAttr(value.getType())), any = mask, address, given = compare;
  if (isa<RankedTensorType>(mask.getType())) {
    // tt.atomic_cas has no mask. An element that the mask excludes exchanges 0 for 0 at the address of one that it
    // includes, which changes nothing.
    mlir::Type i64 = builder.getI64Type();
    Value addresses = create<tt::PtrToIntOp>(tt::withElementType(pointers.getType(), i64), pointers);
    Value none = constantOf(addresses.getType(), int64_t(0));
    address =
        reshape(create<arith::SelectOp>(mask, addresses, none), {ShapedType::getNumElements(shapeOf(mask.getType()))});
    auto greatest = tt::ReduceOp::create(builder, loc, ValueRange(address), /*axis=*/0);
    mlir::Block *body = &greatest.getCombineOp().emplaceBlock();
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(body);
      Value a = body->addArgument(i64, loc), b = body->addArgument(i64, loc);
      tt::createElementReturn(builder, loc, greatest, create<arith::MaxUIOp>(a, b));
    }
    address = greatest->getResult(0);
    any = create<arith::CmpIOp>(arith::CmpIPredicate::ne, address, constantOf(i64, int64_t(0)));
  }
  auto ifOp = scf::IfOp::create(builder, loc, value.getType(), any, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&ifOp.getThenRegion().front());
  if (address) {
    Value safe = create<tt::IntToPtrOp>(getElementTypeOrSelf(pointers), address);
    pointers = create<arith::SelectOp>(mask, pointers, splat(safe, shapeOf(pointers.getType())));
    compare = create<arith::SelectOp>(mask, compare, zero);
    value = create<arith::SelectOp>(mask, value, zero);
    Value old = exchange();
    scf::YieldOp::create(builder, loc, create<arith::SelectOp>(mask, old, given));
  } else {
    scf::YieldOp::create(builder, loc, exchange());
  }
  builder.setInsertionPointToEnd(&ifOp.getElseRegion().front());
  scf::YieldOp::create(builder, loc, given);
  return setResult(op, ifOp.getResult(0));
}

//===--- data of the module ---------------------------------------------------------------------------------------===//

/// Gets the address of a global, which becomes a variable of the LLVM dialect. All kernels of a program that have a
/// global of this name share it.
LogicalResult Translator::getGlobal(const Operation &op) {
  StringRef name = op.attribute("name").text;
  auto global = llvm::find_if(module.globals, [&](const Global &global) { return global.name == name; });
  if (global == module.globals.end())
    return error(op) << "there is no global '" << name << "'";
  mlir::Type pointer = convert(typeOf(op.results[0])), tile = convert(*global->type);
  if (!pointer || !tile)
    return failure();
  mlir::Type element = getElementTypeOrSelf(tile);
  if (pointer != tt::PointerType::get(element))
    return error(op) << "the global '" << name << "' is a " << global->type->print() << ", and its address a "
                     << typeOf(op.results[0]).print();
  const uint64_t bytes = std::max(global->type->element->bits() / 8, 1u);
  const uint64_t count = ShapedType::getNumElements(shapeOf(tile));
  if (element.isInteger(1) || global->type->element->bits() == 4)
    return unsupported(op, "a global of " + global->type->print());
  if (global->data.size() != bytes && global->data.size() != count * bytes)
    return error(op) << "the global '" << name << "' is a " << global->type->print() << " of " << global->data.size()
                     << " bytes";
  auto moduleOp = kernel->getParentOfType<ModuleOp>();
  MLIRContext *context = builder.getContext();
  constexpr unsigned globalSpace = 1;
  if (!moduleOp.lookupSymbol<LLVM::GlobalOp>(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(moduleOp.getBody());
    std::string data = global->data.str();
    while (data.size() < count * bytes)
      data += global->data;
    uint64_t alignment = std::max<uint64_t>(llvm::isPowerOf2_64(global->alignment) ? global->alignment : 0, 16);
    LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), data.size()), global->isConstant,
                           LLVM::Linkage::WeakODR, name, builder.getStringAttr(data),
                           std::min<uint64_t>(alignment, 256), globalSpace);
  }
  Value address = LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(context, globalSpace), name);
  Value number = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), address);
  return setResult(op, create<tt::IntToPtrOp>(pointer, number));
}

} // namespace tilecc::tileir
