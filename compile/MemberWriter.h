//===- MemberWriter.h - writes structs of options as a sequence of numbers and text ---------------------*- C++ -*-===//
//
// Visits all members of a struct of options in order to compute something from all of them, such as a hash or a
// serialized form. A struct lists its members by forEachMember(). An optional value is preceded by whether it is
// present, and a list by its length, so that different structs never produce the same sequence.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_MEMBERWRITER_H
#define TILECC_COMPILE_MEMBERWRITER_H

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace tilecc {

/// Writes values by calling Derived::write(int64_t) and, for text, Derived::write(const std::string &).
template <typename Derived> class MemberWriter {
public:
  void operator()(const std::string &text) { self().write(text); }
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void operator()(const T &number) {
    self().write(static_cast<int64_t>(number));
  }
  template <typename T> void operator()(const std::optional<T> &value) {
    (*this)(value.has_value());
    (*this)(value.value_or(T()));
  }
  template <typename T> void operator()(const std::vector<T> &elements) {
    (*this)(elements.size());
    for (const T &element : elements)
      (*this)(element);
  }
  template <typename T>
    requires(requires(T &value, Derived &derived) { forEachMember(value, derived); })
  void operator()(const T &value) {
    forEachMember(const_cast<T &>(value), self());
  }

private:
  Derived &self() { return static_cast<Derived &>(*this); }
};

} // namespace tilecc

#endif // TILECC_COMPILE_MEMBERWRITER_H
