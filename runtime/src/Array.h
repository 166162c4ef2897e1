//===-- Array.h - a growing array without the C++ library ------------------------------------------------------===//
//
// The runtime uses no C++ run-time library (Support.h), so it has no std::vector.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_ARRAY_H
#define TILECC_RUNTIME_ARRAY_H

#include <stdlib.h>
#include <string.h>

namespace tilecc::rt {

// A growing array of trivially copyable elements. A zero-initialized array is empty. The owner must free it with
// clear().
template <class T> struct Array {
  T *data; // owned
  size_t size, room;

  T *begin() const { return data; }
  T *end() const { return data + size; }
  T &operator[](size_t i) const { return data[i]; }

  // Appends an element. Returns false, without any change, if there is no memory.
  bool append(const T &element) {
    if (size == room) {
      size_t larger = room ? 2 * room : 4;
      auto *grown = static_cast<T *>(realloc(static_cast<void *>(data), larger * sizeof(T)));
      if (!grown)
        return false;
      data = grown;
      room = larger;
    }
    data[size++] = element;
    return true;
  }
  bool append(const Array &other) {
    for (const T &element : other)
      if (!append(element))
        return false;
    return true;
  }
  void clear() {
    free(data);
    data = nullptr;
    size = room = 0;
  }
};

} // namespace tilecc::rt
#endif
