//===-- BulkReduce.cpp -----------------------------------------------------------------------------------------===//
#include "emulator/isa/BulkReduce.h"
#include "emulator/isa/Operators.h"

using namespace tilecc::emu;
using namespace tilecc::emu::operators;

namespace {

// Atomic, because several host threads may run blocks.
template <class T, class F> void reduce(std::byte *to, const std::byte *from, uint32_t bytes) {
  for (uint32_t at = 0; at < bytes; at += sizeof(T)) {
    auto *target = reinterpret_cast<Bits<T> *>(to + at);
    T operand;
    std::memcpy(&operand, from + at, sizeof(T));
    Bits<T> was = __atomic_load_n(target, __ATOMIC_SEQ_CST), wanted;
    do
      wanted = std::bit_cast<Bits<T>>(static_cast<T>(F{}(std::bit_cast<T>(was), operand)));
    while (!__atomic_compare_exchange_n(target, &was, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  }
}

template <class F> BulkReduce ofIntegers(Type type) {
  switch (type) {
  case Type::u32: return &reduce<u32, F>;
  case Type::s32: return &reduce<s32, F>;
  case Type::u64: return &reduce<u64, F>;
  case Type::s64: return &reduce<s64, F>;
  default: return nullptr;
  }
}

template <class F> BulkReduce ofHalves(Type type) {
  return type == Type::f16 ? &reduce<f16, F> : type == Type::bf16 ? &reduce<bf16, F> : ofIntegers<F>(type);
}

template <class F> BulkReduce ofBits(Type type) {
  return type == Type::b32 || type == Type::u32 || type == Type::s32   ? &reduce<u32, F>
         : type == Type::b64 || type == Type::u64 || type == Type::s64 ? &reduce<u64, F>
                                                                       : nullptr;
}

} // namespace

BulkReduce tilecc::emu::bulkReduceOf(const Match &match, Type type) {
  if (match.has("add"))
    return type == Type::f32 ? &reduce<float, Add> : type == Type::f64 ? &reduce<double, Add> : ofHalves<Add>(type);
  if (match.has("min"))
    return ofHalves<Min>(type);
  if (match.has("max"))
    return ofHalves<Max>(type);
  if (match.has("inc"))
    return type == Type::u32 ? &reduce<u32, Increment> : nullptr;
  if (match.has("dec"))
    return type == Type::u32 ? &reduce<u32, Decrement> : nullptr;
  if (match.has("and"))
    return ofBits<And>(type);
  if (match.has("or"))
    return ofBits<Or>(type);
  if (match.has("xor"))
    return ofBits<Xor>(type);
  return nullptr;
}
