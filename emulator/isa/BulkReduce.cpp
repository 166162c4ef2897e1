//===-- BulkReduce.cpp -----------------------------------------------------------------------------------------===//
#include "emulator/isa/BulkReduce.h"
#include "emulator/isa/numerics/Arithmetic.h"
#include "emulator/isa/numerics/Compare.h"

#include <algorithm>

using namespace tilecc::emu;

namespace {

template <unsigned bytes> struct BitsOfSize;
template <> struct BitsOfSize<2> {
  using type = u16;
};
template <> struct BitsOfSize<4> {
  using type = u32;
};
template <> struct BitsOfSize<8> {
  using type = u64;
};

// Atomic, because several host threads may run blocks.
template <class T, class F> void reduce(std::byte *to, const std::byte *from, uint32_t bytes) {
  using Bits = typename BitsOfSize<sizeof(T)>::type;
  for (uint32_t at = 0; at < bytes; at += sizeof(T)) {
    auto *target = reinterpret_cast<Bits *>(to + at);
    T operand;
    std::memcpy(&operand, from + at, sizeof(T));
    Bits was = __atomic_load_n(target, __ATOMIC_SEQ_CST), wanted;
    do
      wanted = std::bit_cast<Bits>(static_cast<T>(F{}(std::bit_cast<T>(was), operand)));
    while (!__atomic_compare_exchange_n(target, &was, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  }
}

struct Add {
  template <std::integral T> T operator()(T a, T b) const { return a + b; }
  template <class T> T operator()(T a, T b) const { return tilecc::emu::add(a, b, Modifiers()); }
};
struct Min {
  template <std::integral T> T operator()(T a, T b) const { return std::min(a, b); }
  template <Half T> T operator()(T a, T b) const { return tilecc::emu::min(a, b, MinMaxModifiers()); }
};
struct Max {
  template <std::integral T> T operator()(T a, T b) const { return std::max(a, b); }
  template <Half T> T operator()(T a, T b) const { return tilecc::emu::max(a, b, MinMaxModifiers()); }
};
struct Inc {
  u32 operator()(u32 a, u32 b) const { return a >= b ? 0 : a + 1; }
};
struct Dec {
  u32 operator()(u32 a, u32 b) const { return a == 0 || a > b ? b : a - 1; }
};
struct And {
  template <class T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <class T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <class T> T operator()(T a, T b) const { return a ^ b; }
};

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
    return type == Type::u32 ? &reduce<u32, Inc> : nullptr;
  if (match.has("dec"))
    return type == Type::u32 ? &reduce<u32, Dec> : nullptr;
  if (match.has("and"))
    return ofBits<And>(type);
  if (match.has("or"))
    return ofBits<Or>(type);
  if (match.has("xor"))
    return ofBits<Xor>(type);
  return nullptr;
}
