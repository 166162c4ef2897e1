// The code that check-page.py puts in front of a page's C++.
#ifndef TEST_DOCS_PAGE_H
#define TEST_DOCS_PAGE_H

#include <algorithm>
#include <tilecc/host.h>
#include <tilecc/tt.h>

#include <cstdio>
#include <numeric>
#include <string>

namespace page {

// Keeps a value, whose shape is N...; without one, a scalar.
template <int... N, class T> __tile__ void put(double *to, tt::tile<T, N...> x) {
  constexpr int size = (N * ... * 1);
  tt::store(to + tt::arange<size>(), tt::ravel(x).template to<double>());
}
template <class T> __tile__ void put(double *to, T x) { tt::store(to, double(x)); }

struct place {
  int begin, count;
};

// Runs a kernel of the page, and prints the recorded values: line, number of the value, elements.
inline void run(int line, void (*kernel)(double *, float *, int *, int), std::vector<place> places) {
  std::vector<float> counted(64);
  std::iota(counted.begin(), counted.end(), 0.0f);
  tt::buffer<float> p(counted);
  tt::buffer<int> q(64, 0);
  tt::buffer<double> results(std::max(places.empty() ? 1 : places.back().begin + places.back().count, 1), -1.0);
  tt::launch(kernel, 1, nullptr, results.data(), p.data(), q.data(), 10);
  TT_CHECK(ttDeviceSynchronize());
  auto values = results.to_vector();
  for (size_t i = 0; i < places.size(); ++i) {
    std::printf("value %d %zu", line, i);
    for (int k = 0; k < places[i].count; ++k)
      std::printf(" %.17g", values[places[i].begin + k]);
    std::printf("\n");
  }
  std::fflush(stdout);
}

} // namespace page

#endif // TEST_DOCS_PAGE_H
