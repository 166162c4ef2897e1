#include "harness.h"

int main(int argc, char **argv) {
  int ran = 0;
  for (auto &e : bench::entries()) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; i++)
      wanted = wanted || std::string(argv[i]) == e.name;
    if (!wanted)
      continue;
    bench::state = {};
    e.function();
    CU(cudaDeviceSynchronize());
    // The sum detects wrong values, the weighted sum detects wrong positions.
    double sum = bench::state.sum + bench::state.weighted;
    char digits[64];
    snprintf(digits, sizeof digits, "%.5g", sum);
    printf("%s %.2f %.6g\n", e.name, bench::state.microseconds, atof(digits));
    fflush(stdout);
    ran++;
  }
  if (!ran) {
    fprintf(stderr, "no such benchmark; there are:\n");
    for (auto &e : bench::entries())
      fprintf(stderr, "  %s\n", e.name);
    return 1;
  }
  return 0;
}
