//===- MemberWriter.h - writes structs of options as a sequence of numbers and text ---------------------*- C++ -*-===//
//
// MemberWriter computes everything that depends on all members of a struct, such as a hash or a serialized form.
// forEachMember() visits the members. Optional values and lists are preceded by their presence or their length, so that
// different structs never produce the same sequence.
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

/// Writes a value by calling Derived::write(int64_t) and, if it has text, Derived::write(const std::string &).
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
