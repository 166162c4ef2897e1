// Loads a library of vector_add, and runs it: load-library <library>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <tilecc/runtime.h>

int main(int, char **argv) {
  std::ifstream file(argv[1], std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  ttLibrary_t library;
  const void *kernel;
  alignas(16) float x[16] = {1, 2, 3}, y[16] = {2, 3, 4}, out[16] = {};
  float *pointers[] = {x, y, out};
  int n = 16;
  void *args[] = {&pointers[0], &pointers[1], &pointers[2], &n};
  if (ttLibraryLoadData(&library, bytes.data(), bytes.size()) || ttLibraryGetKernel(&kernel, library, "vector_add") ||
      ttLaunchKernel(kernel, {1, 1, 1}, args, nullptr)) {
    std::puts(ttGetLastErrorMessage());
    return 1;
  }
  std::printf("%g %g %g\n", out[0], out[1], out[2]);
  return ttLibraryUnload(library);
}
