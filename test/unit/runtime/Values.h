//===-- Values.h - device memory for tests of graphs --------------------------------------------------------------===//
#ifndef TILECC_TEST_VALUES_H
#define TILECC_TEST_VALUES_H

#include <tilecc/runtime.h>
#include <vector>

// n floats on the device, all with the same value.
struct Values {
  explicit Values(float value, int n = 512) : memory(n) { set(value); }
  void set(float value) {
    std::vector<float> host(memory.size(), value);
    memory.copy_from(host.data());
  }
  operator float *() const { return memory.data(); }
  // The value of all elements, or -1 if they differ.
  float value() const {
    std::vector<float> host(memory.size());
    memory.copy_to(host.data());
    for (float element : host)
      if (element != host[0])
        return -1;
    return host[0];
  }
  tt::device_buffer<float> memory;
};

inline constexpr int n = 512, programs = 2;
inline constexpr size_t bytes = n * sizeof(float);

#endif
