// Random numbers, for seeds and offsets of every type: words and uniform numbers are Triton's, bit for bit.
// RUN: %matrix %s -o %t
// RUN: grep '^randoms ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "../e2e/support/random.h"
#include "support/matrix.h"

namespace {

// Rows of words: randint, the four of randint4x, and randint of 7 rounds; rows of numbers: rand, the four of rand4x, randn, the
// four of randn4x.
constexpr const char *names[] = {"randint", "randint4x", "randint-rounds", "rand", "rand4x", "randn", "randn4x"};
enum operation { randint, randint4x, randint_rounds, rand, rand4x, randn, randn4x };

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void randoms([[tt::no_specialize]] T seed, const T *offsets, unsigned *words, float *numbers, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  auto offset = tt::load(offsets + i, mask, T(0));
  constexpr int pitch = 4 * B;
  auto word = [&](int row, auto result) { tt::store(words + row * pitch + i, result, mask); };
  auto number = [&](int row, auto result) { tt::store(numbers + row * pitch + i, result, mask); };
  word(0, tt::randint(seed, offset));
  auto [a, b, c, d] = tt::randint4x(seed, offset);
  word(1, a), word(2, b), word(3, c), word(4, d);
  word(5, tt::randint<7>(seed, offset));
  number(0, tt::rand(seed, offset));
  auto [e, f, g, h] = tt::rand4x(seed, offset);
  number(1, e), number(2, f), number(3, g), number(4, h);
  number(5, tt::randn(seed, offset));
  auto [j, k, l, m] = tt::randn4x(seed, offset);
  number(6, j), number(7, k), number(8, l), number(9, m);
}

template <class T>
void launch(int block, int warps, matrix::form form, void (*randoms)(T, const T *, unsigned *, float *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  if (!cases.of(names, std::size(names)))
    return;
  const int n = form.n;
  const T seed = T(matrix::random_bits());
  matrix::buffer<T> offsets(n, matrix::any<T>, form.skew);
  const size_t pitch = 4 * block;
  matrix::results<unsigned> words(6, pitch, form.skew);
  matrix::results<float> numbers(10, pitch, form.skew);
  randoms<<<tt::cdiv(n, block)>>>(seed, offsets.data(), words.data(), numbers.data(), n);

  auto stream = [&](size_t at, int rounds = 10) {
    const T offset = offsets[at % pitch];
    return e2e::philox(uint64_t(seed), sizeof(T) == 8 ? uint64_t(offset) : uint32_t(offset), rounds);
  };
  auto check = [&](operation op, auto &out, int first, int rows, auto reference) {
    cases.check_rows(names[op], out, first, rows, n, reference);
  };
  auto uniform = [&](int i, int k) { return e2e::philox_uniform(stream(i).word[k]); };
  auto normal = [&](int i, int k) { return matrix::approximately{e2e::philox_normal(stream(i), k), 8, 1e-7}; };
  check(randint, words, 0, 1, [&](int i, int) { return stream(i).word[0]; });
  check(randint4x, words, 1, 4, [&](int i, int k) { return stream(i).word[k]; });
  check(randint_rounds, words, 5, 1, [&](int i, int) { return stream(i, 7).word[0]; });
  check(rand, numbers, 0, 1, uniform);
  check(rand4x, numbers, 1, 4, uniform);
  check(randn, numbers, 5, 1, normal);
  check(randn4x, numbers, 6, 4, normal);
}

matrix::family family("randoms", [] {
  matrix::for_each<matrix::integers>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    if constexpr (sizeof(T) >= 4 || I % 3 == 0) // of narrow offsets 32-bit ones are made first
      for (const matrix::form &form : matrix::forms(block, 3 * I))
        launch<T>(block, W, form, randoms<T, block, W>);
  });
});

} // namespace
