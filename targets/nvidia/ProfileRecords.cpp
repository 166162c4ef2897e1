//===- ProfileRecords.cpp - kernels that record times -------------------------------------------------------------===//
//
// A record must be cheap and must not affect the compilation of the code around it, because it may be between dots of a
// warp group that are in flight. So a record is straight-line code, and only its store depends on the thread:
//
//     mov.u32 t, %clock;  setp.lt.u32 p, place, limit;  @p st.global.v2.b32 [records + place], {t, event};
//     @p add.u32 place, place, stride;
//
// `place` is the only register that is live between records. It is an offset, because `records`, `limit` and `stride`
// are in constant memory, where they can be operands of instructions. In all threads that do not record, and if there
// is no buffer, it is not below the limit. It is a register of the whole kernel, so functions with records (partitions)
// are inlined first. If registers are scarce, one more register may make ptxas compute the rows of a tile one after the
// other instead of at the same time. In that case, `place` is in local memory. If a scope contains no other records,
// such as a wait, a single record has both times.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/ProfileRecords.h"
#include "lowering/gpu/Lowering.h"
#include "runtime/include/tilecc/profile.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace tilecc {

namespace {

constexpr unsigned globalMemory = 1, constantMemory = 4;
constexpr unsigned warpSize = 32;

/// Returns the callee's name if `instruction` is a record.
bool isRecord(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == recordStartSymbol || callee->getName() == recordEndSymbol);
}

/// Inlines the functions that have records into `kernel`.
void inlineRecords(Module &module, Function &kernel) {
  auto hasRecord = [](Function &function) {
    return any_of(function, [](BasicBlock &block) { return any_of(block, isRecord); });
  };
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (Function &function : make_early_inc_range(module)) {
      if (&function == &kernel || !hasRecord(function))
        continue;
      for (User *user : make_early_inc_range(function.users())) {
        InlineFunctionInfo info;
        if (!InlineFunction(*cast<CallBase>(user), info).isSuccess())
          reportFatalInternalError("a function with records cannot be inlined");
        isDone = false;
      }
      if (function.hasLocalLinkage())
        function.eraseFromParent();
    }
  }
}

class Recorder {
public:
  Recorder(Function &kernel, uint32_t recordingWarps, bool isScarce)
      : kernel(kernel), module(*kernel.getParent()), recordingWarps(recordingWarps), isScarce(isScarce),
        builder(module.getContext()), i32(builder.getInt32Ty()), i64(builder.getInt64Ty()),
        global(builder.getPtrTy(globalMemory)) {}

  void run() {
    SmallVector<SmallVector<CallInst *>> records; // by block
    SmallVector<ReturnInst *> returns;
    for (BasicBlock &block : kernel) {
      records.emplace_back();
      for (Instruction &instruction : block) {
        if (isRecord(instruction))
          records.back().push_back(cast<CallInst>(&instruction));
        else if (auto *end = dyn_cast<ReturnInst>(&instruction))
          returns.push_back(end);
      }
    }
    defineVariables(records);
    begin();
    for (ArrayRef<CallInst *> block : records)
      for (; !block.empty(); block = block.drop_front()) {
        const bool isWhole = block.size() > 1 && isStart(*block[0]) && !isStart(*block[1]);
        if (isWhole)
          writeWhole(*block[0], *block[1]);
        else
          write(*block[0]);
        block = block.drop_front(isWhole);
      }
    for (ReturnInst *end : returns)
      finish(*end);
  }

private:
  static bool isStart(const CallInst &record) { return record.getCalledFunction()->getName() == recordStartSymbol; }

  /// Returns the text that describes the record's scope.
  static StringRef getText(const CallInst &record) {
    auto *text = cast<GlobalVariable>(record.getArgOperand(0)->stripPointerCasts());
    return cast<ConstantDataArray>(text->getInitializer())->getAsString();
  }

  uint32_t getEvent(const CallInst &record, uint32_t kind) {
    return tilecc_profile_kinds * scopes.find(getText(record))->second + kind;
  }

  GlobalVariable *define(const Twine &name, Constant *value, unsigned space) {
    auto *variable =
        new GlobalVariable(module, value->getType(), /*isConstant=*/false, GlobalValue::ExternalLinkage, value, name,
                           nullptr, GlobalValue::NotThreadLocal, space, /*isExternallyInitialized=*/true);
    variable->setAlignment(Align(8));
    return variable;
  }

  void defineVariables(ArrayRef<SmallVector<CallInst *>> records) {
    std::string text;
    for (const SmallVector<CallInst *> &block : records)
      for (const CallInst *record : block)
        if (scopes.insert({getText(*record), unsigned(scopes.size())}).second)
          text += getText(*record);
    auto number = [&](uint32_t value) { return builder.getInt32(value); };
    variable = define(kernel.getName() + "$profile",
                      ConstantStruct::getAnon({builder.getInt64(0), builder.getInt64(0), number(0), number(0)}),
                      constantMemory);
    static_assert(sizeof(tilecc_gpu_profile) == 24 && sizeof(tilecc_gpu_scopes) == 8);
    define(kernel.getName() + "$scopes",
           ConstantStruct::getAnon({number(scopes.size()), number(text.size()),
                                    ConstantDataArray::getString(module.getContext(), text, /*AddNull=*/false)}),
           globalMemory);
  }

  Value *at(Value *address, uint64_t offset) {
    return builder.CreateIntToPtr(builder.CreateAdd(address, builder.getInt64(offset)), global);
  }
  void store(Value *value, Value *address, uint64_t offset) {
    builder.CreateAlignedStore(value, at(address, offset), Align(value->getType()->getIntegerBitWidth() / 8));
  }

  /// Reads a member of the variable that describes the buffer.
  Value *readVariable(Type *type, uint64_t offset) {
    return builder.CreateLoad(type, builder.CreatePtrAdd(variable, builder.getInt64(offset)));
  }

  Value *readRegister(Type *type, StringRef name) {
    auto *assembly = InlineAsm::get(FunctionType::get(type, false),
                                    ("mov." + Twine(type == i64 ? "u64" : "u32") + " $0, " + name + ";").str(),
                                    type == i64 ? "=l" : "=r", /*hasSideEffects=*/true);
    return builder.CreateCall(assembly);
  }

  /// Returns the address of a part of the buffer.
  Value *getPart(Value *buffer, Value *number) {
    return builder.CreateAdd(
        builder.CreateAdd(buffer, builder.getInt64(sizeof(tilecc_profile_buffer))),
        builder.CreateMul(builder.CreateZExt(number, i64), builder.getInt64(sizeof(tilecc_profile_part))));
  }

  /// Allocates a part of the buffer at the beginning of the kernel, if this thread records and there is a part left.
  void begin() {
    Instruction *first = &*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    builder.SetInsertPoint(first);
    place = builder.CreateAlloca(i32, nullptr, "place");
    builder.CreateStore(builder.getInt32(noPlace), place, isScarce);
    Value *thread = builder.CreateIntrinsic(i32, Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
    Value *warp = builder.CreateLShr(thread, builder.getInt32(5));
    Value *isFirst = builder.CreateIsNull(builder.CreateAnd(thread, builder.getInt32(warpSize - 1)));
    Value *records =
        builder.CreateTrunc(builder.CreateLShr(builder.getInt32(recordingWarps), warp), builder.getInt1Ty());
    Value *buffer = readVariable(i64, offsetof(tilecc_gpu_profile, buffer));
    Value *takes = builder.CreateAnd(builder.CreateAnd(isFirst, records), builder.CreateIsNotNull(buffer));

    Instruction *claims = SplitBlockAndInsertIfThen(takes, first, /*Unreachable=*/false);
    builder.SetInsertPoint(claims);
    Value *number = builder.CreateAtomicRMW(AtomicRMWInst::Add, at(buffer, offsetof(tilecc_profile_buffer, claimed)),
                                            builder.getInt32(1), MaybeAlign(4), AtomicOrdering::Monotonic);
    Value *count = builder.CreateLoad(i32, at(buffer, offsetof(tilecc_profile_buffer, part_count)));
    builder.SetInsertPoint(
        SplitBlockAndInsertIfThen(builder.CreateICmpULT(number, count), claims, /*Unreachable=*/false));
    builder.CreateStore(builder.CreateMul(number, builder.getInt32(sizeof(tilecc_profile_record))), place, isScarce);
    Value *part = getPart(buffer, number);
    store(builder.getInt64(0), part, offsetof(tilecc_profile_part, end_time));
    store(warp, part, offsetof(tilecc_profile_part, warp));
    constexpr Intrinsic::ID blockIds[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                          Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    for (auto [axis, id] : enumerate(blockIds))
      store(builder.CreateIntrinsic(i32, id, {}), part, offsetof(tilecc_profile_part, block) + 4 * axis);
    store(readRegister(i32, "%smid"), part, offsetof(tilecc_profile_part, multiprocessor));
    store(readRegister(i64, "%globaltimer"), part, offsetof(tilecc_profile_part, begin_time));
    store(readRegister(i32, "%clock"), part, offsetof(tilecc_profile_part, begin_clock));
  }

  /// Stores members of a record, beginning with the first, and moves `place` to the next record. `values` are names of
  /// registers, and numbers; $2 is `begin`.
  void write(Value *now, StringRef values, unsigned count, Value *begin) {
    std::string name = "[" + kernel.getName().str() + "$profile+";
    for (size_t at = 0; (at = name.find('$', at)) != std::string::npos; at += 2)
      name.insert(at, "$"); // one is for operands
    auto member = [&](uint64_t offset) { return name + std::to_string(offset) + "]"; };
    std::string text = "{ .reg .pred p; .reg .b32 t, limit, stride; .reg .b64 records, at; mov.u32 t, %clock; "
                       "ld.const.u32 limit, " +
                       member(offsetof(tilecc_gpu_profile, limit)) + "; ld.const.u32 stride, " +
                       member(offsetof(tilecc_gpu_profile, stride)) + "; ld.const.u64 records, " +
                       member(offsetof(tilecc_gpu_profile, records)) +
                       "; setp.lt.u32 p, $0, limit; cvt.u64.u32 at, $0; add.u64 at, at, records; @p st.global.v" +
                       std::to_string(count) + ".b32 [at], {" + values.str() + "}; @p add.u32 $0, $0, stride; }";
    auto *assembly = InlineAsm::get(FunctionType::get(i32, {i32, i32}, false), text, "=r,0,r", /*hasSideEffects=*/true);
    builder.CreateStore(builder.CreateCall(assembly, {now, begin}), place, isScarce);
  }

  void write(CallInst &record) {
    builder.SetInsertPoint(&record);
    uint32_t event = getEvent(record, isStart(record) ? tilecc_profile_begins : tilecc_profile_ends);
    write(builder.CreateLoad(i32, place, isScarce), "t, " + std::to_string(event), 2, builder.getInt32(0));
    record.eraseFromParent();
  }

  /// Writes one record for a scope.
  void writeWhole(CallInst &start, CallInst &end) {
    builder.SetInsertPoint(&start);
    Value *now = builder.CreateLoad(i32, place, isScarce);
    Value *begin = readRegister(i32, "%clock");
    builder.SetInsertPoint(&end);
    write(now, "$2, " + std::to_string(getEvent(start, tilecc_profile_whole)) + ", t, 0", 4, begin);
    start.eraseFromParent();
    end.eraseFromParent();
  }

  /// Completes the part of the buffer at the end of the kernel. The number of the part follows from `place`, so it
  /// needs no register until then.
  void finish(ReturnInst &returned) {
    builder.SetInsertPoint(&returned);
    Value *next = builder.CreateLoad(i32, place, isScarce);
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(builder.CreateICmpNE(next, builder.getInt32(noPlace)), &returned,
                                                     /*Unreachable=*/false));
    Value *offset = builder.CreateURem(next, readVariable(i32, offsetof(tilecc_gpu_profile, stride)));
    Value *part = getPart(readVariable(i64, offsetof(tilecc_gpu_profile, buffer)),
                          builder.CreateUDiv(offset, builder.getInt32(sizeof(tilecc_profile_record))));
    store(next, part, offsetof(tilecc_profile_part, next));
    store(readRegister(i32, "%clock"), part, offsetof(tilecc_profile_part, end_clock));
    store(readRegister(i64, "%globaltimer"), part, offsetof(tilecc_profile_part, end_time));
  }

  static constexpr uint32_t noPlace = ~0u; ///< beyond the limit

  Function &kernel;
  Module &module;
  uint32_t recordingWarps;
  bool isScarce; ///< `place` is in local memory (a volatile variable)
  IRBuilder<> builder;
  Type *i32, *i64, *global;
  MapVector<StringRef, unsigned> scopes; ///< their texts, which constants own
  GlobalVariable *variable = nullptr;
  AllocaInst *place = nullptr; ///< the offset of the next record
};

} // namespace

void defineProfile(Module &module, StringRef symbol, uint32_t recordingWarps, unsigned threads) {
  Function &kernel = *module.getFunction(symbol);
  inlineRecords(module, kernel);
  Function *declared[] = {module.getFunction(recordStartSymbol), module.getFunction(recordEndSymbol)};
  if (!declared[0] && !declared[1])
    return;
  constexpr unsigned fewThreads = 384; // with more threads, each has at most 128 registers
  Recorder(kernel, recordingWarps, /*isScarce=*/threads > fewThreads).run();
  for (Function *function : declared)
    if (function)
      function->eraseFromParent();
}

} // namespace tilecc
