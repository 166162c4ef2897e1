//===-- Array.h - a growing array without the C++ library ------------------------------------------------------===//
#ifndef TILECC_RUNTIME_ARRAY_H
#define TILECC_RUNTIME_ARRAY_H

#include <stdlib.h>
#include <string.h>

namespace tilecc::rt {

// An array of trivially copyable elements. A zero-initialized array is empty. The owner frees it with clear().
template <class T> struct Array {
  T *data; // owned
  size_t size, room;

  T *begin() const { return data; }
  T *end() const { return data + size; }
  T &operator[](size_t i) const { return data[i]; }

  // Returns false, without any change, if out of memory.
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
