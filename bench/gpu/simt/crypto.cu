// Hashes, ciphers, checksums, big numbers and text.
#include "harness.h"

// ---- SHA-256 of (block header, nonce): looks for the least first word.
__constant__ unsigned sha_k[64];

__device__ inline unsigned ror(unsigned x, int n) { return x >> n | x << (32 - n); }

__global__ void sha256_search(const unsigned *header, unsigned long long *best, unsigned *sample, unsigned rounds) {
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x, total = gridDim.x * blockDim.x;
  unsigned long long least = ~0ull;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned nonce = round * total + tid;
    unsigned w[64];
    for (int i = 0; i < 15; i++)
      w[i] = header[i];
    w[15] = nonce;
#pragma unroll
    for (int i = 16; i < 64; i++) {
      unsigned s0 = ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3;
      unsigned s1 = ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    unsigned s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll
    for (int i = 0; i < 64; i++) {
      unsigned s1 = ror(s[4], 6) ^ ror(s[4], 11) ^ ror(s[4], 25);
      unsigned ch = (s[4] & s[5]) ^ (~s[4] & s[6]);
      unsigned t1 = s[7] + s1 + ch + sha_k[i] + w[i];
      unsigned s0 = ror(s[0], 2) ^ ror(s[0], 13) ^ ror(s[0], 22);
      unsigned maj = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
      for (int j = 7; j > 0; j--)
        s[j] = s[j - 1];
      s[4] += t1;
      s[0] = t1 + s0 + maj;
    }
    unsigned long long key = (unsigned long long)(s[0] + 0x6a09e667) << 32 | nonce;
    least = key < least ? key : least;
    if (nonce < 4096)
      sample[nonce] = s[7] + 0x5be0cd19;
  }
  atomicMin(best, least);
}

BENCH(sha256_search) {
  unsigned k[64];
  int found = 0;
  for (int p = 2; found < 64; p++) {
    bool prime = true;
    for (int d = 2; d * d <= p; d++)
      prime = prime && p % d;
    if (prime) {
      double root = cbrt((double)p);
      k[found++] = (unsigned)((root - floor(root)) * 4294967296.0);
    }
  }
  CU(cudaMemcpyToSymbol(sha_k, k, sizeof k));
  Random r(51);
  Array<unsigned> header(15, [&](size_t) { return (unsigned)r.bits(); }), sample(4096);
  Array<unsigned long long> best(1);
  time_kernel([&] { sha256_search<<<1056, 256>>>(header, best, sample, 8); },
              [&] { CU(cudaMemset(best, 0xff, 8)); });
  check(best);
  check(sample);
}

// ---- An AES-like cipher: rounds of table lookups in shared memory, bytes picked by shifts.
__global__ void aes_tables(const uint4 *in, uint4 *out, const unsigned *tables, const unsigned *keys, int rounds,
                           int n) {
  __shared__ unsigned te[4][256];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    te[i / 256][i % 256] = tables[i];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint4 v = in[i];
  unsigned s[4] = {v.x ^ keys[0], v.y ^ keys[1], v.z ^ keys[2], v.w ^ keys[3]};
  for (int r = 1; r < rounds; r++) {
    unsigned t[4];
    for (int c = 0; c < 4; c++)
      t[c] = te[0][s[c] >> 24] ^ te[1][s[(c + 1) % 4] >> 16 & 0xff] ^ te[2][s[(c + 2) % 4] >> 8 & 0xff] ^
             te[3][s[(c + 3) % 4] & 0xff] ^ keys[4 * r + c];
    for (int c = 0; c < 4; c++)
      s[c] = t[c];
  }
  uint4 o;
  unsigned *po = &o.x;
  for (int c = 0; c < 4; c++)
    po[c] = (te[2][s[c] >> 24] & 0xff000000) ^ (te[3][s[(c + 1) % 4] >> 16 & 0xff] & 0x00ff0000) ^
            (te[0][s[(c + 2) % 4] >> 8 & 0xff] & 0x0000ff00) ^ (te[1][s[(c + 3) % 4] & 0xff] & 0x000000ff) ^
            keys[4 * rounds + c];
  out[i] = o;
}

BENCH(aes_tables) {
  int n = 1 << 21;
  Random r(52);
  auto f = [&](size_t) { return (unsigned)r.bits(); };
  Array<unsigned> in(4 * (size_t)n, f), out(4 * (size_t)n), tables(1024, f), keys(60, f);
  time_kernel([&] { aes_tables<<<n / 256, 256>>>((uint4 *)in.d, (uint4 *)out.d, tables, keys, 14, n); });
  check(out);
}

// ---- CRC-32 of chunks: bytes by a table, chunk lengths from memory.
__constant__ unsigned crc_table[256];

__global__ void crc32(const unsigned char *data, const unsigned *offsets, unsigned *crcs, int chunks) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= chunks)
    return;
  unsigned crc = 0xffffffff;
  for (unsigned at = offsets[id]; at < offsets[id + 1]; at++)
    crc = crc >> 8 ^ crc_table[(crc ^ data[at]) & 0xff];
  crcs[id] = ~crc;
}

BENCH(crc32) {
  int chunks = 65536;
  unsigned table[256];
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int b = 0; b < 8; b++)
      c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  CU(cudaMemcpyToSymbol(crc_table, table, sizeof table));
  Random r(53);
  unsigned total = 0;
  Array<unsigned> offsets(chunks + 1, [&](size_t) {
    unsigned at = total;
    total += 200 + r.below(112);
    return at;
  });
  Array<unsigned char> data(total, [&](size_t) { return (unsigned char)r.bits(); });
  Array<unsigned> crcs(chunks);
  time_kernel([&] { crc32<<<chunks / 128, 128>>>(data, offsets, crcs, chunks); });
  check(crcs);
}

// ---- Base64 decoding, 4 characters to 3 bytes, with error detection.
__device__ int sextet(unsigned char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

__global__ void base64_decode(const uchar4 *text, unsigned char *out, int *errors, size_t quads) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= quads)
    return;
  uchar4 q = text[i];
  int v[4] = {sextet(q.x), sextet(q.y), sextet(q.z), sextet(q.w)};
  unsigned bits = 0;
  bool bad = false;
  for (int k = 0; k < 4; k++) {
    bad |= v[k] < 0;
    bits = bits << 6 | (v[k] & 63);
  }
  if (bad) {
    atomicAdd(errors, 1);
    bits = 0;
  }
  out[3 * i] = bits >> 16;
  out[3 * i + 1] = bits >> 8;
  out[3 * i + 2] = bits;
}

BENCH(base64_decode) {
  size_t quads = 1 << 24;
  const char *alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Random r(54);
  Array<unsigned char> text(4 * quads, [&](size_t i) { return i % 10007 == 0 ? '?' : alphabet[r.below(64)]; });
  Array<unsigned char> out(3 * quads);
  Array<int> errors(1);
  time_kernel([&] { base64_decode<<<quads / 256, 256>>>((uchar4 *)text.d, out, errors, quads); },
              [&] { errors.zero(); });
  check(out);
  check(errors);
}

// ---- 256-bit Montgomery multiplication: 4 limbs of 64 bits, repeated squaring.
struct Big {
  uint64_t limb[4];
};

__device__ inline uint64_t mac(uint64_t a, uint64_t b, uint64_t c, uint64_t &carry) {
  uint64_t lo = a * b, hi = __umul64hi(a, b);
  lo += c;
  hi += lo < c;
  lo += carry;
  hi += lo < carry;
  carry = hi;
  return lo;
}

__device__ Big mont_mul(const Big &a, const Big &b, const Big &mod, uint64_t inv) {
  uint64_t t[6] = {};
  for (int i = 0; i < 4; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < 4; j++)
      t[j] = mac(a.limb[j], b.limb[i], t[j], carry);
    uint64_t s = t[4] + carry;
    t[5] = s < carry;
    t[4] = s;
    uint64_t m = t[0] * inv;
    carry = 0;
    mac(m, mod.limb[0], t[0], carry);
    for (int j = 1; j < 4; j++)
      t[j - 1] = mac(m, mod.limb[j], t[j], carry);
    s = t[4] + carry;
    t[3] = s;
    t[4] = t[5] + (s < carry);
  }
  Big r;
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) {
    uint64_t d = t[i] - mod.limb[i];
    uint64_t b1 = t[i] < mod.limb[i];
    r.limb[i] = d - borrow;
    borrow = b1 | (d < borrow);
  }
  if (borrow > t[4])
    for (int i = 0; i < 4; i++)
      r.limb[i] = t[i];
  return r;
}

__global__ void montgomery(const Big *x, Big *y, Big mod, uint64_t inv, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Big base = x[i], acc = base;
  for (int s = 0; s < steps; s++) {
    acc = mont_mul(acc, acc, mod, inv);
    if (0xB504F333 >> (s & 31) & 1)
      acc = mont_mul(acc, base, mod, inv);
  }
  y[i] = acc;
}

BENCH(montgomery) {
  int n = 1 << 18;
  Random r(55);
  Big mod{{0x3c208c16d87cfd47ull, 0x97816a916871ca8dull, 0xb85045b68181585dull, 0x30644e72e131a029ull}};
  uint64_t inv = 1;
  for (int i = 0; i < 6; i++)
    inv *= 2 - mod.limb[0] * inv;
  Array<uint64_t> x(4 * (size_t)n, [&](size_t i) { return r.bits() >> (i % 4 == 3 ? 3 : 0); }), y(4 * (size_t)n);
  time_kernel([&] { montgomery<<<n / 128, 128>>>((Big *)x.d, (Big *)y.d, mod, 0 - inv, 32, n); });
  check(y);
}

// ---- UTF-8 decoding of lines: counts code points, a class of each, and malformed sequences.
__global__ void utf8_scan(const unsigned char *text, const size_t *starts, int4 *stats, int lines) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines)
    return;
  size_t at = starts[line], end = starts[line + 1];
  int ascii = 0, wide = 0, bad = 0;
  unsigned hash = 2166136261u;
  while (at < end) {
    unsigned c = text[at++];
    int more = 0;
    if (c < 0x80) {
      ascii++;
    } else if ((c & 0xe0) == 0xc0) {
      c &= 0x1f;
      more = 1;
    } else if ((c & 0xf0) == 0xe0) {
      c &= 0x0f;
      more = 2;
    } else if ((c & 0xf8) == 0xf0) {
      c &= 7;
      more = 3;
    } else {
      bad++;
      continue;
    }
    bool ok = true;
    for (int k = 0; k < more; k++) {
      if (at >= end || (text[at] & 0xc0) != 0x80) {
        ok = false;
        break;
      }
      c = c << 6 | (text[at++] & 0x3f);
    }
    if (!ok) {
      bad++;
      continue;
    }
    wide += more > 0;
    hash = (hash ^ c) * 16777619u;
  }
  stats[line] = make_int4(ascii, wide, bad, (int)(hash & 0xffff));
}

BENCH(utf8_scan) {
  int lines = 65536;
  Random r(56);
  std::vector<unsigned char> bytes;
  std::vector<size_t> at;
  for (int l = 0; l <= lines; l++) {
    at.push_back(bytes.size());
    for (int k = 60 + r.below(60); k > 0; k--) {
      uint32_t kind = r.below(20), b = (uint32_t)r.bits();
      if (kind < 14)
        bytes.push_back(32 + b % 95);
      else if (kind < 17)
        bytes.push_back(0xc2 + b % 20), bytes.push_back(0x80 | (b >> 8 & 63));
      else if (kind < 19)
        bytes.push_back(0xe1 + b % 10), bytes.push_back(0x80 | (b >> 8 & 63)), bytes.push_back(0x80 | (b >> 16 & 63));
      else
        bytes.push_back(0x80 | b % 128);
    }
  }
  Array<unsigned char> text(bytes.size(), [&](size_t i) { return bytes[i]; });
  Array<size_t> starts(at.size(), [&](size_t i) { return at[i]; });
  Array<int> stats(4 * (size_t)lines);
  time_kernel([&] { utf8_scan<<<lines / 128, 128>>>(text, starts, (int4 *)stats.d, lines); });
  check(stats);
}
