//===- OwnTensorMaps.cpp - tensor maps that a kernel creates itself -----------------------------------------------===//
//
// Only tcc's launcher passes tensor maps. For other launchers, the kernel creates the maps itself, in global memory.
//
// A map depends on few arguments, usually only on distances between rows (TileTensorMaps.cpp). So all blocks of a
// launch, and most launches of a kernel, have the same maps. For each such kernel, the module contains a hash table of
// sets of maps. A block looks up its set by these arguments, and creates the set only if it is missing:
//
//     entry: number of users, whether the set is complete, arguments; the maps follow in 128 bytes each
//
// A set stays in the table until a block needs the entry for other arguments. An entry counts the blocks that use its
// set, and only a set without users is replaced. The blocks of one launch use one set, and a GPU runs at most 128
// launches at once, so a table of 256 entries always has a free entry.
//
// One thread looks up the set. If the set is missing, one warp creates it, as TensorMapPatterns.cpp describes, in
// shared memory that the kernel uses later for other purposes.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/hopper/OwnTensorMaps.h"
#include "lowering/gpu/Lowering.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilecc;

namespace {

constexpr unsigned mapBytes = 128, warpSize = 32, numEntries = 256, globalMemory = 1;
/// The size of the memory after the entries of a table, at which the maps of tensors without elements begin.
constexpr unsigned zeroBytes = 16;
constexpr uint32_t none = UINT32_MAX; ///< in place of the number of a parameter
/// The number of users of an entry while a block makes its maps.
constexpr uint32_t inMaking = 1u << 30;

class OwnMaps {
public:
  OwnMaps(Module &module, Function *kernel, Launch &launch);
  void build();

private:
  Function *removeParameters();
  void findSet(BasicBlock *found);
  void makeSet(BasicBlock *made);
  void fill(const TensorMap &map, Value *memory);
  Value *getKey(uint32_t number) { return keys[find(parameters, number) - parameters.begin()]; }
  void release(ReturnInst *end, Value *set);

  BasicBlock *createBlock(const Twine &name) { return BasicBlock::Create(context, name, function, body); }
  Value *add(Value *address, uint64_t bytes) { return builder.CreateConstGEP1_64(builder.getInt8Ty(), address, bytes); }
  Value *getMap(Value *set, size_t number) { return add(set, headerBytes + number * mapBytes); }
  Value *getMapInShared(size_t number) { return add(scratch, (number + 1) * mapBytes); }
  Value *loadSet() { return builder.CreateLoad(builder.getPtrTy(globalMemory), scratch); }
  /// This is assembly because LLVM 22 drops the memory ordering of an atomicrmw.
  Value *beginUse(Value *set) {
    return assembly(builder.getInt32Ty(), "atom.acquire.gpu.global.add.u32 $0, [$1], 1;", {set}, "=r,l");
  }
  void addToUsers(Value *set, uint32_t count, StringRef ordering) {
    assembly("red." + ordering + ".gpu.global.add.u32 [$0], " + Twine(int32_t(count)) + ";", {set}, "l");
  }
  void syncWarp() { builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {builder.getInt32(~0u)}); }
  void syncBlock() { builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {builder.getInt32(0)}); }
  Value *assembly(Type *result, const Twine &text, ArrayRef<Value *> operands, StringRef constraints) {
    SmallVector<Type *> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    auto *type = FunctionType::get(result, types, /*isVarArg=*/false);
    std::string all = (constraints + (constraints.empty() ? "" : ",") + "~{memory}").str();
    return builder.CreateCall(InlineAsm::get(type, text.str(), all, /*hasSideEffects=*/true), operands);
  }
  void assembly(const Twine &text, ArrayRef<Value *> operands, StringRef constraints) {
    assembly(builder.getVoidTy(), text, operands, constraints);
  }

  LLVMContext &context;
  Launch &launch;
  IRBuilder<> builder;
  SyncScope::ID device;
  Function *function; ///< the kernel; at first, with its former parameters
  BasicBlock *body; ///< where the kernel's own code begins
  SmallVector<unsigned> parameters; ///< the parameters on which the maps depend
  SmallVector<Value *> keys; ///< their values, as 64-bit integers
  uint64_t headerBytes, entryBytes;
  GlobalVariable *table;
  /// Shared memory for the address of the set, for a flag that says whether this block makes the set, and for maps
  /// under construction.
  GlobalVariable *scratch;
  Value *isFirstThread = nullptr;
};

} // namespace

OwnMaps::OwnMaps(Module &module, Function *kernel, Launch &launch)
    : context(module.getContext()), launch(launch), builder(context), device(context.getOrInsertSyncScopeID("device")),
      function(kernel), scratch(module.getNamedGlobal(sharedMemorySymbol)) {
  assert(scratch && "a kernel with tensor maps copies tiles to shared memory");
  for (const TensorMap &map : launch.maps) {
    assert(!map.imageDimensions && "kernels that make their maps have tt.no_images");
    for (uint32_t number : {uint32_t(map.parameter), uint32_t(map.base), map.limits[0], map.limits[1]})
      if (number != none && !is_contained(parameters, number))
        parameters.push_back(number);
  }
  headerBytes = alignTo(sizeof(uint64_t) * (1 + parameters.size()), mapBytes);
  entryBytes = headerBytes + launch.maps.size() * mapBytes;
  auto *type = ArrayType::get(builder.getInt8Ty(), numEntries * entryBytes + zeroBytes);
  table = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                             ConstantAggregateZero::get(type), kernel->getName() + "$maps", nullptr,
                             GlobalValue::NotThreadLocal, globalMemory);
  table->setAlignment(Align(mapBytes));
  launch.sharedBytes = std::max<uint32_t>(launch.sharedBytes, (launch.maps.size() + 1) * mapBytes);
}

void OwnMaps::build() {
  Function *former = removeParameters();
  BasicBlock *entry = createBlock("maps.entry"), *lookUp = createBlock("maps.lookup"), *find = createBlock("maps.find"),
             *found = createBlock("maps.found"), *make = createBlock("maps.make"), *made = createBlock("maps.made"),
             *start = createBlock("maps.start");
  for (Instruction &instruction : make_early_inc_range(*body))
    if (isa<AllocaInst>(instruction)) // allocas are static only in the entry block
      instruction.moveBefore(*entry, entry->end());
  builder.SetInsertPoint(entry);
  Value *thread = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
  isFirstThread = builder.CreateICmpEQ(thread, builder.getInt32(0));
  builder.CreateCondBr(builder.CreateICmpULT(thread, builder.getInt32(warpSize)), lookUp, start);

  builder.SetInsertPoint(lookUp);
  for (unsigned number : parameters) {
    Argument *argument = function->getArg(number);
    keys.push_back(argument->getType()->isPointerTy() ? builder.CreatePtrToInt(argument, builder.getInt64Ty())
                                                      : builder.CreateSExt(argument, builder.getInt64Ty()));
  }
  builder.CreateCondBr(isFirstThread, find, found);
  builder.SetInsertPoint(find);
  findSet(found);

  builder.SetInsertPoint(found);
  syncWarp();
  Value *mustMake = builder.CreateLoad(builder.getInt32Ty(), add(scratch, sizeof(uint64_t)));
  builder.CreateCondBr(builder.CreateICmpNE(mustMake, builder.getInt32(0)), make, made);
  builder.SetInsertPoint(make);
  makeSet(made);

  builder.SetInsertPoint(made);
  Value *set = loadSet();
  for (size_t i = 0; i < launch.maps.size(); ++i)
    assembly("fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", {getMap(set, i)}, "l");
  assembly("fence.proxy.async.shared::cta;", {}, ""); // copies may write to the memory in which maps were made
  builder.CreateBr(start);

  builder.SetInsertPoint(start);
  syncBlock();
  set = loadSet();
  syncBlock();
  for (size_t i = 0; i < launch.maps.size(); ++i) {
    Argument *map = former->getArg(function->arg_size() + i);
    map->replaceAllUsesWith(builder.CreateAddrSpaceCast(getMap(set, i), map->getType()));
  }
  builder.CreateBr(body);
  former->eraseFromParent();

  SmallVector<ReturnInst *> ends;
  for (BasicBlock &block : *function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      ends.push_back(end);
  for (ReturnInst *end : ends)
    release(end, set);
}

/// Replaces the kernel by a kernel without its last parameters, which are the maps. Returns the former kernel. The code
/// still uses the parameters of the former kernel in place of the maps.
Function *OwnMaps::removeParameters() {
  Function *former = function;
  const unsigned count = former->arg_size() - launch.maps.size();
  auto *type = FunctionType::get(builder.getVoidTy(), former->getFunctionType()->params().take_front(count),
                                 /*isVarArg=*/false);
  function = Function::Create(type, former->getLinkage(), former->getAddressSpace(), "", former->getParent());
  function->copyAttributesFrom(former);
  SmallVector<AttributeSet> ofParameters;
  for (unsigned i = 0; i < count; ++i)
    ofParameters.push_back(former->getAttributes().getParamAttrs(i));
  function->setAttributes(AttributeList::get(context, former->getAttributes().getFnAttrs(),
                                             former->getAttributes().getRetAttrs(), ofParameters));
  function->copyMetadata(former, /*Offset=*/0);
  function->takeName(former);
  function->splice(function->begin(), former);
  for (Argument &argument : function->args()) {
    Argument *before = former->getArg(argument.getArgNo());
    before->replaceAllUsesWith(&argument);
    argument.takeName(before);
  }
  body = &function->getEntryBlock();
  return former;
}

/// Emits code for one thread that finds the set of maps for `keys`, registers this block as one of its users, and
/// stores to `scratch` the address of the set and a flag that says whether the block must create it. The code continues
/// at `found`.
void OwnMaps::findSet(BasicBlock *found) {
  BasicBlock *first = builder.GetInsertBlock(), *probe = createBlock("maps.probe"), *busy = createBlock("maps.busy"),
             *compare = createBlock("maps.compare"), *replace = createBlock("maps.replace"),
             *next = createBlock("maps.next"), *chosen = createBlock("maps.chosen");
  Value *hash = builder.getInt64(0);
  for (Value *key : keys)
    hash = builder.CreateMul(builder.CreateXor(hash, key), builder.getInt64(0x9e3779b97f4a7c15)); // 2^64 / golden ratio
  hash = builder.CreateLShr(hash, 64 - Log2_32(numEntries));
  builder.CreateBr(probe);

  // The arguments of a set do not change while the set has users. So this block becomes a user before it compares them.
  builder.SetInsertPoint(probe);
  PHINode *index = builder.CreatePHI(builder.getInt64Ty(), 3);
  index->addIncoming(hash, first);
  Value *set = builder.CreateGEP(builder.getInt8Ty(), table, builder.CreateMul(index, builder.getInt64(entryBytes)));
  Value *users = beginUse(set);
  builder.CreateCondBr(builder.CreateICmpUGE(users, builder.getInt32(inMaking)), busy, compare);

  builder.SetInsertPoint(busy); // another block is creating this set
  addToUsers(set, -1, "relaxed");
  index->addIncoming(index, busy);
  builder.CreateBr(probe);

  builder.SetInsertPoint(compare);
  Value *isMade = builder.CreateLoad(builder.getInt32Ty(), add(set, sizeof(uint32_t)));
  Value *fits = builder.CreateICmpNE(isMade, builder.getInt32(0));
  for (auto [number, key] : enumerate(keys)) {
    Value *known = builder.CreateLoad(builder.getInt64Ty(), add(set, sizeof(uint64_t) * (1 + number)));
    fits = builder.CreateAnd(fits, builder.CreateICmpEQ(known, key));
  }
  builder.CreateCondBr(fits, chosen, replace);

  builder.SetInsertPoint(replace);
  addToUsers(set, -1, "release"); // orders the reads above before the writes of the next block that creates this set
  Value *exchange = builder.CreateAtomicCmpXchg(set, builder.getInt32(0), builder.getInt32(inMaking), Align(4),
                                                AtomicOrdering::Acquire, AtomicOrdering::Monotonic, device);
  builder.CreateCondBr(builder.CreateExtractValue(exchange, 1), chosen, next);

  builder.SetInsertPoint(next);
  index->addIncoming(builder.CreateAnd(builder.CreateAdd(index, builder.getInt64(1)), numEntries - 1), next);
  builder.CreateBr(probe);

  builder.SetInsertPoint(chosen);
  PHINode *mustMake = builder.CreatePHI(builder.getInt32Ty(), 2);
  mustMake->addIncoming(builder.getInt32(0), compare);
  mustMake->addIncoming(builder.getInt32(1), replace);
  builder.CreateStore(set, scratch);
  builder.CreateStore(mustMake, add(scratch, sizeof(uint64_t)));
  builder.CreateBr(found);
}

/// Emits code with which the first warp creates the set whose address is in `scratch`, and continues at `made`.
void OwnMaps::makeSet(BasicBlock *made) {
  BasicBlock *filling = createBlock("maps.fill"), *filled = createBlock("maps.filled"),
             *publish = createBlock("maps.publish");
  Value *lane = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
  Value *word = builder.CreateMul(lane, builder.getInt32(sizeof(uint32_t)));
  for (size_t i = 0; i < launch.maps.size(); ++i) // fields that PTX does not name are zero
    builder.CreateStore(builder.getInt32(0), builder.CreateGEP(builder.getInt8Ty(), getMapInShared(i), word));
  syncWarp();
  builder.CreateCondBr(isFirstThread, filling, filled);

  builder.SetInsertPoint(filling);
  for (auto [i, map] : enumerate(launch.maps))
    fill(map, getMapInShared(i));
  builder.CreateBr(filled);

  builder.SetInsertPoint(filled);
  syncWarp();
  Value *set = loadSet();
  for (size_t i = 0; i < launch.maps.size(); ++i)
    assembly("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;",
             {getMap(set, i), getMapInShared(i)}, "l,r");
  syncWarp();
  builder.CreateCondBr(isFirstThread, publish, made);

  builder.SetInsertPoint(publish);
  builder.CreateStore(builder.getInt32(1), add(set, sizeof(uint32_t)));
  for (auto [number, key] : enumerate(keys))
    builder.CreateStore(key, add(set, sizeof(uint64_t) * (1 + number)));
  addToUsers(set, 1 - inMaking, "release");
  builder.CreateBr(made);
}

/// Emits code that sets the fields of a map in shared memory, which are zero before.
void OwnMaps::fill(const TensorMap &map, Value *memory) {
  auto replace = [&](const Twine &field, Value *value, std::optional<unsigned> axis = std::nullopt) {
    const bool isWide = value->getType()->isIntegerTy(64);
    assembly("tensormap.replace.tile." + field + ".shared::cta.b1024." + (isWide ? "b64" : "b32") + " [$0], " +
                 (axis ? std::to_string(*axis) + ", $1;" : "$1;"),
             {memory, value}, isWide ? "r,l" : "r,r");
  };
  auto replaceByCode = [&](const Twine &field, unsigned code) {
    assembly("tensormap.replace.tile." + field + ".shared::cta.b1024.b32 [$0], " + Twine(code) + ";", {memory}, "r");
  };
  const unsigned axes = map.sizes[2] ? TensorMap::axes : 2;
  Value *base = map.base >= 0 ? getKey(map.base) : builder.getInt64(0);
  Value *sizes[TensorMap::axes], *isEmpty = builder.getFalse();
  for (unsigned axis = 0; axis < axes; ++axis) {
    const bool isLimited = axis < std::size(map.limits) && map.limits[axis] != none;
    sizes[axis] = isLimited ? getKey(map.limits[axis]) : builder.getInt64(map.sizes[axis]);
    if (isLimited)
      isEmpty = builder.CreateOr(isEmpty, builder.CreateICmpSLE(sizes[axis], builder.getInt64(0)));
  }
  // The sizes of a map must not be 0. The map of a tensor without elements describes a single element, which is zero.
  for (Value *&size : MutableArrayRef(sizes, axes))
    size = builder.CreateSelect(isEmpty, builder.getInt64(1), size);
  Value *zero = builder.CreatePtrToInt(add(table, numEntries * entryBytes), builder.getInt64Ty());
  base = builder.CreateSelect(isEmpty, zero, base);
  replace("global_address", base);
  replaceByCode("rank", axes - 1);
  for (unsigned axis = 0; axis < axes; ++axis) {
    replace("box_dim", builder.getInt32(map.box[axis]), axis);
    replace("global_dim", builder.CreateTrunc(sizes[axis], builder.getInt32Ty()), axis);
    replace("element_stride", builder.getInt32(1), axis);
  }
  for (unsigned axis = 0; axis + 1 < axes; ++axis) {
    Value *stride = builder.getInt64(map.strides[axis]);
    const bool isFactor = axis == 0 && map.parameter >= 0;
    replace("global_stride", isFactor ? builder.CreateMul(getKey(map.parameter), stride) : stride, axis);
  }
  replaceByCode("elemtype", map.bytes == 1 ? 0 : map.bytes == 2 ? 1 : map.bytes == 4 ? 2 : 4); // u8, u16, u32, u64
  replaceByCode("interleave_layout", 0);
  replaceByCode("swizzle_mode", map.swizzle ? Log2_32(map.swizzle) - 4 : 0); // 32 bytes are 1
  replaceByCode("fill_mode", 0);
}

/// Ends this block's use of its set when all threads of the block have reached the end.
void OwnMaps::release(ReturnInst *end, Value *set) {
  BasicBlock *before = end->getParent(), *after = before->splitBasicBlock(end, "maps.end");
  before->getTerminator()->eraseFromParent();
  BasicBlock *releasing = BasicBlock::Create(context, "maps.release", function, after);
  builder.SetInsertPoint(before);
  syncBlock();
  builder.CreateCondBr(isFirstThread, releasing, after);
  builder.SetInsertPoint(releasing);
  addToUsers(set, -1, "release");
  builder.CreateBr(after);
}

void tilecc::makeOwnTensorMaps(Module &module, StringRef symbol, Launch &launch) {
  OwnMaps(module, module.getFunction(symbol), launch).build();
  launch.maps.clear();
}
