// The reference for random numbers: Philox, and the functions that Triton computes from its words.
#ifndef TEST_E2E_SUPPORT_RANDOM_H
#define TEST_E2E_SUPPORT_RANDOM_H

#include "check.h"

namespace e2e {

struct philox_words {
  uint32_t word[4];
};
inline philox_words philox(uint64_t seed, uint64_t offset, int rounds = 10) {
  uint32_t c[4] = {uint32_t(offset), uint32_t(offset >> 32), 0, 0}, k[2] = {uint32_t(seed), uint32_t(seed >> 32)};
  for (int round = 0; round < rounds; ++round) {
    uint64_t first = uint64_t(0xD2511F53) * c[0], second = uint64_t(0xCD9E8D57) * c[2];
    uint32_t next[4] = {uint32_t(second >> 32) ^ c[1] ^ k[0], uint32_t(second), uint32_t(first >> 32) ^ c[3] ^ k[1],
                        uint32_t(first)};
    std::memcpy(c, next, sizeof c);
    k[0] += 0x9E3779B9, k[1] += 0xBB67AE85;
  }
  return {{c[0], c[1], c[2], c[3]}};
}

// Uniform in [0, 1), exactly.
inline float philox_uniform(uint32_t word) {
  int32_t x = int32_t(word);
  return float(x < 0 ? ~x : x) * 4.6566127342e-10f;
}

// The true value of number k of four with a normal distribution.
inline double philox_normal(const philox_words &words, int k) {
  float u1 = std::fmax(philox_uniform(words.word[k / 2 * 2]), 1e-7f), u2 = philox_uniform(words.word[k / 2 * 2 + 1]);
  double angle = u2 * 6.283185307179586f, radius = std::sqrt(-2 * std::log(double(u1)));
  return radius * (k % 2 ? std::sin(angle) : std::cos(angle));
}

} // namespace e2e

#endif // TEST_E2E_SUPPORT_RANDOM_H
