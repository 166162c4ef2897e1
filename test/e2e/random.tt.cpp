// Random numbers must be Triton's, bit for bit. Compares them with published answers of Philox, with tl.randint and
// tl.rand of Triton 3.6, and otherwise with a reference of our own, and checks the distributions.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t

#include "support/random.h"

constexpr int block = 128;

template <class Seed, class O> __tile_global__ void integers(Seed seed, const O *offsets, unsigned *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto offset = tt::load(offsets + i, mask, 0);
  auto [a, b, c, d] = tt::randint4x(seed, offset);
  tt::store(out + i, a, mask);
  tt::store(out + n + i, b, mask);
  tt::store(out + 2 * n + i, c, mask);
  tt::store(out + 3 * n + i, d, mask);
  tt::store(out + 4 * n + i, tt::randint<7>(seed, offset), mask);
}

template <class Seed, class O> __tile_global__ void numbers(Seed seed, const O *offsets, float *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto offset = tt::load(offsets + i, mask, 0);
  auto [a, b, c, d] = tt::rand4x(seed, offset);
  tt::store(out + i, a, mask);
  tt::store(out + n + i, b, mask);
  tt::store(out + 2 * n + i, c, mask);
  tt::store(out + 3 * n + i, d, mask);
  tt::store(out + 4 * n + i, tt::rand(seed, offset), mask);
  auto [e, f, g, h] = tt::randn4x(seed, offset);
  tt::store(out + 5 * n + i, e, mask);
  tt::store(out + 6 * n + i, f, mask);
  tt::store(out + 7 * n + i, g, mask);
  tt::store(out + 8 * n + i, h, mask);
  tt::store(out + 9 * n + i, tt::randn(seed, offset), mask);
}

__tile_global__ void counters(unsigned long seed, const unsigned long *c, unsigned long *out, float *uniform) {
  auto i = tt::arange<4>();
  auto [a, b, d, e] = tt::philox(seed, tt::load(c + i), tt::load(c + 4 + i), tt::load(c + 8 + i), tt::load(c + 12 + i));
  tt::store(out + i, a);
  tt::store(out + 4 + i, b);
  tt::store(out + 8 + i, d);
  tt::store(out + 12 + i, e);
  tt::store(uniform + i, tt::uint_to_uniform_float(a));
}

template <class Seed, class O> void check_stream(Seed seed, int n, O first) {
  e2e::context("seed %lld, from offset %lld on", (long long)seed, (long long)first);
  e2e::buffer<O> offsets(n, [&](int i) { return O(first + O(i)); });
  e2e::buffer<unsigned> words(5 * n);
  integers<<<tt::cdiv(n, block)>>>(seed, (const O *)offsets.data(), words.data(), n);
  words.expect([&](int i) {
    uint64_t offset = sizeof(O) == 8 ? uint64_t(offsets[i % n]) : uint32_t(offsets[i % n]);
    return i < 4 * n ? e2e::philox(uint64_t(seed), offset).word[i / n] : e2e::philox(uint64_t(seed), offset, 7).word[0];
  });
  e2e::buffer<float> reals(10 * n);
  numbers<<<tt::cdiv(n, block)>>>(seed, (const O *)offsets.data(), reals.data(), n);
  reals.expect_if([&](int i, float got) {
    uint64_t offset = sizeof(O) == 8 ? uint64_t(offsets[i % n]) : uint32_t(offsets[i % n]);
    e2e::philox_words words = e2e::philox(uint64_t(seed), offset);
    int kind = i / n;
    if (kind < 5)
      return got == e2e::philox_uniform(words.word[kind % 4]);
    return e2e::near(got, e2e::philox_normal(words, (kind - 5) % 4), {8, 1e-7}); // randn is the first of randn4x
  });
}

// The results of Triton 3.6.
struct answer {
  long long seed, offset;
  uint32_t words[4];
  float number;
};
constexpr answer answers[] = {
    {0ll, 0ll, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, 0.7980929017066956f},
    {0ll, 1ll, {0xf8e4cca4, 0x5cb200db, 0xb1a574eb, 0x097eff67}, 0.055517591536045074f},
    {42ll, 0ll, {0x9ceaf053, 0x77f5493b, 0x12bf50ad, 0x5742b3d7}, 0.7740801572799683f},
    {42ll, 7ll, {0x5bbd83b1, 0x68784c85, 0x172067aa, 0x2e6b75b7}, 0.7167209386825562f},
    {42ll, 1023ll, {0x4f9cb0c5, 0x208466e3, 0xdbf5ee28, 0x7c84355c}, 0.6219692826271057f},
    {-1ll, 5ll, {0x6e5f04e2, 0xd7682c44, 0xe4108c77, 0x408274dd}, 0.862274706363678f},
    {123456789012345ll, 99ll, {0x6d881391, 0x3808e92a, 0x330c1590, 0xbeef1ea6}, 0.8557151556015015f},
    {7ll, 8589934595ll, {0x789bc8e2, 0xa13e8455, 0x4f917720, 0x69a7cc0e}, 0.9422541260719299f},
};

void check_answers() {
  for (const answer &a : answers) {
    e2e::context("the known answer of seed %lld at %lld", a.seed, a.offset);
    e2e::buffer<int64_t> offset(1, [&](int) { return a.offset; });
    e2e::buffer<unsigned> words(5);
    integers<<<1>>>(int64_t(a.seed), (const int64_t *)offset.data(), words.data(), 1);
    words.expect_if([&](int i, unsigned got) { return i == 4 || got == a.words[i]; });
    e2e::buffer<float> numbers_out(10);
    numbers<<<1>>>(int64_t(a.seed), (const int64_t *)offset.data(), numbers_out.data(), 1);
    numbers_out.expect_if([&](int i, float got) { return i != 0 || got == a.number; });
  }
  e2e::context("64-bit counters");
  e2e::buffer<unsigned long> zeros(16, [](int) { return 0ul; }), out(16);
  e2e::buffer<float> uniform(4);
  counters<<<1>>>(0ul, (const unsigned long *)zeros.data(), out.data(), uniform.data());
  constexpr unsigned long known[] = {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b};
  out.expect([&](int i) { return known[i / 4]; });
  uniform.expect([&](int) { return float(long(known[0])) * 1.0842020432385337e-19f; });
}

void check_distributions() {
  const int n = 20000;
  e2e::context("distributions");
  e2e::buffer<int> offsets(n, [](int i) { return i; });
  e2e::buffer<float> out(10 * n);
  numbers<<<tt::cdiv(n, block)>>>(int(e2e::between(0, 1 << 30)), (const int *)offsets.data(), out.data(), n);
  double sum[10] = {}, squares[10] = {};
  out.expect_if([&](int i, float x) {
    sum[i / n] += x, squares[i / n] += double(x) * x;
    return i / n < 5 ? x >= 0 && x < 1 : std::fabs(x) < 6;
  });
  for (int k = 0; k < 10; ++k) { // within 6 standard deviations of what is expected
    double mean = sum[k] / n, square = squares[k] / n;
    E2E_EXPECT(std::fabs(mean - (k < 5 ? 0.5 : 0)) < (k < 5 ? 6 * 0.289 : 6.0) / std::sqrt(n));
    E2E_EXPECT(std::fabs(square - (k < 5 ? 1.0 / 3 : 1)) < 6 * 1.5 / std::sqrt(n));
  }
}

int main() {
  return e2e::run("random", [] {
    check_answers();
    check_stream(int(e2e::random_bits()), 300, 0);
    check_stream(unsigned(e2e::random_bits()), 129, 1u << 31);
    check_stream(int64_t(e2e::random_bits()), 300, int(e2e::between(0, 1 << 30)));
    check_stream(uint64_t(e2e::random_bits()), 300, int64_t(e2e::random_bits() >> 2));
    check_stream(5, 1, -1);
    if (!std::strstr(e2e::device().name, "emu"))
      check_distributions();
  });
}
