//===- LoweringUtils.cpp - helpers of the patterns from TTGIR to scalars ------------------------------------------===//
//
// This file has the type conversion, the position of a thread, layouts as arithmetic, and the form of values in memory.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace tilecc;

TileTypeConverter::TileTypeConverter(const TargetInfo &target) {
  addConversion([](Type type) { return type; });
  addConversion([](FloatType type) -> std::optional<Type> { // see Float8.cpp
    return type.getWidth() == 8 ? std::optional<Type>(IntegerType::get(type.getContext(), 8)) : std::nullopt;
  });
  addConversion([&target](tt::PointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), target.getGlobalAddressSpace());
  });
  // A descriptor becomes the address of the 128 bytes of its tensor map, in any memory.
  addConversion([](tt::TensorDescType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext()); });
  addConversion([this](RankedTensorType type, SmallVectorImpl<Type> &registers) -> std::optional<LogicalResult> {
    if (!isa_and_nonnull<ttg::LayoutEncoding>(type.getEncoding()))
      return failure();
    registers.append(ttg::getElementsPerThread(type), convertType(type.getElementType()));
    return success();
  });
  addConversion([&target](ttg::MemDescType type, SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
    // The addresses of tiles in other memories are integers that the patterns for these memories interpret.
    if (!isa<ttg::SharedMemorySpaceAttr>(type.getMemorySpace())) {
      parts.push_back(IntegerType::get(type.getContext(), 32));
      return success();
    }
    parts.push_back(LLVM::LLVMPointerType::get(type.getContext(), target.getSharedAddressSpace()));
    parts.push_back(IntegerType::get(type.getContext(), 32));
    return success();
  });
  addConversion([](ttg::AsyncTokenType, SmallVectorImpl<Type> &) -> std::optional<LogicalResult> {
    return success(); // only passes need tokens, because the hardware counts pending operations
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

Value tilecc::constantI32(OpBuilder &builder, Location loc, int32_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Value tilecc::constantI1(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantIntOp::create(builder, loc, value, 1);
}

//===--- locations ------------------------------------------------------------------------------------------------===//

/// Moves the insertion point to the entry of the function, because values that depend only on the thread are the same
/// everywhere. If one side of a branch computed such a value, merging branches would copy the computation to the other
/// side.
static void moveToEntry(OpBuilder &builder) {
  Region *body = builder.getInsertionBlock()->getParent();
  builder.setInsertionPointToStart(&body->front());
}

ThreadPosition tilecc::getThreadPosition(OpBuilder &builder, Location loc, const TargetInfo &target) {
  OpBuilder::InsertionGuard guard(builder);
  moveToEntry(builder);
  Value thread = target.getThreadId(builder, loc);
  unsigned laneBits = llvm::Log2_32(target.facts.warpSize);
  Value lane = arith::AndIOp::create(builder, loc, thread, constantI32(builder, loc, target.facts.warpSize - 1));
  Value warp = arith::ShRUIOp::create(builder, loc, thread, constantI32(builder, loc, laneBits));
  return {lane, warp, thread, laneBits};
}

/// XORs the operands that are not null. LLVM replaces XOR by OR or ADD if the bits are disjoint.
static Value combine(OpBuilder &builder, Location loc, Value result, Value part) {
  return result && part ? arith::XOrIOp::create(builder, loc, result, part).getResult() : result ? result : part;
}

Value tilecc::applyColumns(OpBuilder &builder, Location loc, Value index, ArrayRef<uint64_t> columns) {
  // Bits that are shifted by the same distance are shifted together.
  std::map<int, uint64_t> moved;
  for (auto [bit, column] : llvm::enumerate(columns))
    for (unsigned to = 0; to < 32; ++to)
      if (column >> to & 1)
        moved[int(to) - int(bit)] |= uint64_t(1) << bit;
  Value result;
  for (auto [distance, bits] : moved) {
    Value part = arith::AndIOp::create(builder, loc, index, constantI32(builder, loc, bits));
    if (distance > 0)
      part = arith::ShLIOp::create(builder, loc, part, constantI32(builder, loc, distance));
    if (distance < 0)
      part = arith::ShRUIOp::create(builder, loc, part, constantI32(builder, loc, -distance));
    result = combine(builder, loc, result, part);
  }
  return result;
}

Value tilecc::isFirstThread(OpBuilder &builder, Location loc, const TargetInfo &target) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, getThreadPosition(builder, loc, target).thread,
                               constantI32(builder, loc, 0));
}

Value tilecc::applyLayout(OpBuilder &builder, Location loc, const LinearLayout &layout, ThreadPosition place) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(place.warp);
  // Use the thread number rather than lane and warp, because the bits of lane and warp are often shifted together.
  SmallVector<uint64_t> columns(layout.getColumns(Dim::Lane));
  assert(columns.size() <= place.laneBits && "more lanes than a warp has");
  columns.resize(place.laneBits, 0);
  llvm::append_range(columns, layout.getColumns(Dim::Warp));
  Value result = applyColumns(builder, loc, place.thread, columns);
  return result ? result : constantI32(builder, loc, 0);
}

/// Returns the contribution of `reg` to the packed output.
static uint64_t registerPart(const LinearLayout &layout, unsigned reg) {
  uint64_t part = 0;
  for (auto [bit, column] : llvm::enumerate(layout.getColumns(Dim::Register)))
    if (reg >> bit & 1)
      part ^= column;
  return part;
}

bool tilecc::registersAreDisjoint(const LinearLayout &layout) {
  uint64_t registers = 0, threads = 0;
  for (uint64_t column : layout.getColumns(Dim::Register))
    registers |= column;
  for (Dim dim : {Dim::Lane, Dim::Warp})
    for (uint64_t column : layout.getColumns(dim))
      threads |= column;
  return !(registers & threads);
}

Value tilecc::addRegister(OpBuilder &builder, Location loc, const LinearLayout &layout, Value base, unsigned reg) {
  uint64_t part = registerPart(layout, reg);
  if (!part)
    return base;
  Value constant = constantI32(builder, loc, part);
  if (registersAreDisjoint(layout))
    return arith::AddIOp::create(builder, loc, base, constant);
  return arith::XOrIOp::create(builder, loc, base, constant);
}

Value tilecc::isRepresentative(OpBuilder &builder, Location loc, const LinearLayout &layout, ThreadPosition place) {
  Value result;
  for (auto [dim, index] : {std::pair(Dim::Lane, place.lane), std::pair(Dim::Warp, place.warp)}) {
    uint32_t free = layout.getFreeBits(dim);
    if (!free)
      continue;
    Value copies = arith::AndIOp::create(builder, loc, index, constantI32(builder, loc, free));
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, copies, constantI32(builder, loc, 0));
    result = result ? arith::AndIOp::create(builder, loc, result, isFirst).getResult() : isFirst;
  }
  return result;
}

//===--- values in memory -----------------------------------------------------------------------------------------===//

Type tilecc::getMemoryType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  if (isa<LLVM::LLVMPointerType>(element))
    return IntegerType::get(element.getContext(), 64);
  return element;
}

Value tilecc::toMemory(OpBuilder &builder, Location loc, Value value) {
  if (value.getType().isInteger(1))
    return arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
  return value;
}

Value tilecc::fromMemory(OpBuilder &builder, Location loc, Value value, Type element) {
  if (element.isInteger(1))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 arith::ConstantIntOp::create(builder, loc, 0, 8));
  if (isa<LLVM::LLVMPointerType>(element))
    return LLVM::IntToPtrOp::create(builder, loc, element, value);
  return value;
}

/// Returns the vector whose elements are exactly `values`, in order, or null if there is none.
static Value getUnpackedVector(ValueRange values) {
  Value vector;
  for (auto [i, value] : llvm::enumerate(values)) {
    auto extract = value.getDefiningOp<LLVM::ExtractElementOp>();
    APInt position;
    if (!extract || (vector && extract.getVector() != vector) ||
        !matchPattern(extract.getPosition(), m_ConstantInt(&position)) || position != i)
      return {};
    vector = extract.getVector();
  }
  return cast<VectorType>(vector.getType()).getNumElements() == int64_t(values.size()) ? vector : Value();
}

Value tilecc::packVector(OpBuilder &builder, Location loc, ValueRange values) {
  if (Value vector = getUnpackedVector(values))
    return vector;
  Type type = values[0].getType(), i32 = builder.getI32Type();
  Value vector;
  auto insert = [&](Value value, unsigned i, unsigned count) {
    if (!vector)
      vector = LLVM::PoisonOp::create(builder, loc, VectorType::get(count, value.getType()));
    vector = LLVM::InsertElementOp::create(builder, loc, vector, value, constantI32(builder, loc, i));
  };
  if (!type.isInteger(8) || values.size() < 4) {
    for (auto [i, value] : llvm::enumerate(values))
      insert(value, i, values.size());
    return vector;
  }
  // Combine bytes as words: LLVM would shuffle vectors of bytes with undefined elements.
  for (unsigned i = 0; i < values.size(); i += 4) {
    Value word;
    for (unsigned byte = 0; byte < 4; ++byte) {
      Value part = arith::ExtUIOp::create(builder, loc, i32, values[i + byte]);
      if (byte)
        part = arith::ShLIOp::create(builder, loc, part, constantI32(builder, loc, 8 * byte));
      word = word ? arith::OrIOp::create(builder, loc, word, part).getResult() : part;
    }
    insert(word, i / 4, values.size() / 4);
  }
  return LLVM::BitcastOp::create(builder, loc, VectorType::get(values.size(), type), vector);
}

SmallVector<Value> tilecc::packWords(OpBuilder &builder, Location loc, ValueRange values) {
  SmallVector<Value> words;
  unsigned perWord = 32 / values[0].getType().getIntOrFloatBitWidth();
  for (unsigned first = 0; first < values.size(); first += perWord)
    words.push_back(LLVM::BitcastOp::create(builder, loc, builder.getI32Type(),
                                            packVector(builder, loc, values.slice(first, perWord))));
  return words;
}

SmallVector<Value> tilecc::unpackVector(OpBuilder &builder, Location loc, Value vector) {
  SmallVector<Value> values;
  for (unsigned i = 0; i < cast<VectorType>(vector.getType()).getNumElements(); ++i)
    values.push_back(LLVM::ExtractElementOp::create(builder, loc, vector, constantI32(builder, loc, i)));
  return values;
}

//===--- movement -------------------------------------------------------------------------------------------------===//

Value tilecc::shuffleAnyType(OpBuilder &builder, Location loc, Value value, llvm::function_ref<Value(Value)> shuffle) {
  Type type = value.getType(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  if (isa<LLVM::LLVMPointerType>(type)) {
    Value address = LLVM::PtrToIntOp::create(builder, loc, i64, value);
    return LLVM::IntToPtrOp::create(builder, loc, type, shuffleAnyType(builder, loc, address, shuffle));
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  Value word = type == integer ? value : LLVM::BitcastOp::create(builder, loc, integer, value).getResult();
  if (bits == 64) {
    Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64);
    Value low = arith::TruncIOp::create(builder, loc, i32, word);
    Value high = arith::TruncIOp::create(builder, loc, i32, arith::ShRUIOp::create(builder, loc, word, shift));
    low = arith::ExtUIOp::create(builder, loc, i64, shuffle(low));
    high = arith::ShLIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, i64, shuffle(high)), shift);
    word = arith::OrIOp::create(builder, loc, low, high);
  } else if (bits == 32) {
    word = shuffle(word);
  } else {
    word = shuffle(arith::ExtUIOp::create(builder, loc, i32, word));
    word = arith::TruncIOp::create(builder, loc, integer, word);
  }
  return type == integer ? word : LLVM::BitcastOp::create(builder, loc, type, word).getResult();
}

SmallVector<unsigned> tilecc::findFirstCopies(RankedTensorType type, const AxisInfo &info) {
  LinearLayout layout = ttg::toLinearLayout(type);
  uint64_t varying = 0; // the bits of coordinates on which the value may depend
  unsigned shift = 0;
  for (LinearLayout::Extent extent : layout.getOuts()) {
    int64_t constancy = info.isUninitialized() ? 1 : info.getConstancy(unsigned(extent.dim) - unsigned(axis(0)));
    uint64_t size = uint64_t(1) << extent.bits;
    varying |= (size - std::min<uint64_t>(constancy, size)) << shift;
    shift += extent.bits;
  }
  DenseMap<uint64_t, unsigned> first;
  SmallVector<unsigned> copies;
  for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); ++reg)
    copies.push_back(first.try_emplace(layout.apply(uint64_t(reg)) & varying, reg).first->second);
  return copies;
}

Value tilecc::getScratch(OpBuilder &builder, Operation *op, const TargetInfo &target, unsigned offset) {
  auto ptr = LLVM::LLVMPointerType::get(builder.getContext(), target.getSharedAddressSpace());
  Location loc = op->getLoc();
  Value base = LLVM::AddressOfOp::create(builder, loc, ptr, sharedMemorySymbol);
  if (op->hasAttr(ttg::ofProgramAttr)) { // after the memory of the preceding programs of the block
    OpBuilder::InsertionGuard guard(builder);
    moveToEntry(builder);
    Value bytes = constantI32(builder, loc, ttg::getModuleInteger(op, ttg::programBytesAttr, 0));
    Value before = arith::MulIOp::create(builder, loc, target.getProgramInBlock(builder, loc), bytes);
    base = LLVM::AddressOfOp::create(builder, loc, ptr, sharedMemorySymbol);
    base = LLVM::GEPOp::create(builder, loc, ptr, builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{before});
  }
  int32_t begin = op->getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttr).getInt() + offset;
  return LLVM::GEPOp::create(builder, loc, ptr, builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{begin});
}
