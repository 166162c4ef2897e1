//===-- Types.h - PTX's types ----------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PTX_TYPES_H
#define TILECC_EMULATOR_PTX_TYPES_H

#include <cstdint>
#include <string_view>

namespace tilecc::emu::ptx {

// The types of instructions, registers and variables. X(name in PTX, bits, class)
// clang-format off
#define TILECC_PTX_TYPES(X)                                                                                            \
  X(pred, 1, predicate)                                                                                                \
  X(b8, 8, bits) X(b16, 16, bits) X(b32, 32, bits) X(b64, 64, bits) X(b128, 128, bits)                                 \
  X(u8, 8, unsignedInteger) X(u16, 16, unsignedInteger) X(u32, 32, unsignedInteger) X(u64, 64, unsignedInteger)        \
  X(s8, 8, signedInteger) X(s16, 16, signedInteger) X(s32, 32, signedInteger) X(s64, 64, signedInteger)                \
  X(f16, 16, floating) X(f16x2, 32, floating) X(bf16, 16, floating) X(bf16x2, 32, floating)                            \
  X(tf32, 32, floating) X(f32, 32, floating) X(f32x2, 64, floating) X(f64, 64, floating)                               \
  X(e4m3, 8, floating) X(e5m2, 8, floating) X(e4m3x2, 16, floating) X(e5m2x2, 16, floating)                            \
  X(u16x2, 32, unsignedInteger) X(s16x2, 32, signedInteger)                                                            \
  X(u8x4, 32, unsignedInteger) X(s8x4, 32, signedInteger)
// clang-format on

enum class Type : uint8_t {
  none,
#define TILECC_PTX_ENUMERATOR(name, bits, kind) name,
  TILECC_PTX_TYPES(TILECC_PTX_ENUMERATOR)
#undef TILECC_PTX_ENUMERATOR
};

enum class TypeClass : uint8_t { none, predicate, bits, unsignedInteger, signedInteger, floating };

struct TypeInfo {
  std::string_view name;
  unsigned bits = 0;
  TypeClass kind = TypeClass::none;
};

inline const TypeInfo &info(Type type) {
  static constexpr TypeInfo infos[] = {{"", 0, TypeClass::none},
#define TILECC_PTX_INFO(name, bits, kind) {#name, bits, TypeClass::kind},
                                       TILECC_PTX_TYPES(TILECC_PTX_INFO)
#undef TILECC_PTX_INFO
  };
  return infos[static_cast<unsigned>(type)];
}

// Returns Type::none if there is no type with this name ("b32", without the dot).
constexpr Type typeNamed(std::string_view name) {
#define TILECC_PTX_COMPARE(known, bits, kind)                                                                          \
  if (name == #known)                                                                                                  \
    return Type::known;
  TILECC_PTX_TYPES(TILECC_PTX_COMPARE)
#undef TILECC_PTX_COMPARE
  return Type::none;
}

} // namespace tilecc::emu::ptx
#endif
