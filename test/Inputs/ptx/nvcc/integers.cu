// Integer arithmetic: wide, extended, bit fields, dot products, bytes in words.
#include <cstdint>

typedef unsigned __int128 u128;

__global__ void wide(const uint64_t *a, uint64_t *o, const u128 *p, u128 *q, const int64_t *s) {
  o[0] = a[0] * a[1], o[1] = __umul64hi(a[0], a[1]), o[2] = a[0] / a[1], o[3] = a[0] % a[1], o[4] = s[0] / s[1];
  q[0] = p[0] + p[1], q[1] = p[0] - p[1], q[2] = p[0] * p[1], q[3] = p[0] >> a[2], q[4] = p[0] << a[3];
  o[5] = p[0] < p[1], o[6] = static_cast<uint64_t>(p[0] / p[1]), q[5] = static_cast<u128>(a[0]) * a[1];
}

__global__ void carries(const unsigned *a, unsigned *o) {
  asm volatile("{\n"
               ".reg .u32 t<4>;\n"
               "add.cc.u32 t0, %4, %6;\n"
               "addc.cc.u32 t1, %5, %7;\n"
               "addc.u32 t2, 0, 0;\n"
               "sub.cc.u32 %0, t0, %6;\n"
               "subc.cc.u32 %1, t1, %7;\n"
               "subc.u32 %2, t2, 0;\n"
               "mad.lo.cc.u32 t3, %4, %5, %6;\n"
               "madc.hi.u32 %3, %4, %5, t3;\n"
               "}"
               : "=r"(o[0]), "=r"(o[1]), "=r"(o[2]), "=r"(o[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]));
}

__global__ void bits(const unsigned *a, const uint64_t *w, unsigned *o, uint64_t *v) {
  o[0] = __popc(a[0]), o[1] = __popcll(w[0]), o[2] = __clz(a[0]), o[3] = __clzll(w[0]), o[4] = __ffs(a[0]);
  o[5] = __ffsll(w[0]), o[6] = __brev(a[0]), v[0] = __brevll(w[0]), o[7] = __byte_perm(a[0], a[1], 0x5140);
  o[8] = __funnelshift_l(a[0], a[1], a[2]), o[9] = __funnelshift_rc(a[0], a[1], a[2]);
  o[10] = (a[0] >> 5) & 0x3F, o[11] = static_cast<int>(a[1]) << 3 >> 9, o[12] = (a[0] & a[1]) | (~a[2] & a[3]);
  o[13] = a[0] << (a[1] & 31) | a[0] >> (32 - (a[1] & 31));
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(o[14]) : "r"(a[0]), "r"(a[1]));
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(o[15]) : "r"(a[0]), "r"(a[1]), "r"(a[2]));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(o[16]) : "r"(a[0]));
  asm("fns.b32 %0, %1, 3, 2;" : "=r"(o[17]) : "r"(a[0]));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(o[18]) : "r"(a[0]), "r"(a[1]));
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(o[19]) : "r"(a[0]), "r"(a[1]));
}

__global__ void products(const int *a, const unsigned *u, int *o) {
  o[0] = __dp4a(a[0], a[1], a[2]), o[1] = __dp4a(u[0], u[1], u[2]), o[2] = __dp2a_lo(a[0], a[1], a[2]);
  o[3] = __dp2a_hi(u[0], u[1], u[2]), o[4] = __mulhi(a[0], a[1]), o[5] = __mul24(a[0], a[1]),
  o[6] = __sad(a[0], a[1], u[0]);
  o[7] = __hadd(a[0], a[1]), o[8] = __rhadd(a[0], a[1]), o[9] = a[0] / a[1] + a[0] % 7,
  o[10] = __usad(u[0], u[1], u[2]);
}

__global__ void packed(const unsigned *a, unsigned *o) {
  o[0] = __vadd4(a[0], a[1]), o[1] = __vabsdiffu4(a[0], a[1]), o[2] = __vcmpeq4(a[0], a[1]),
  o[3] = __vmaxs2(a[0], a[1]);
  o[4] = __vavgu4(a[0], a[1]), o[5] = __vsads2(a[0], a[1]), o[6] = __viaddmax_s32_relu(a[0], a[1], a[2]);
  asm("vadd.u32.u32.u32.sat %0, %1.b1, %2.h0;" : "=r"(o[7]) : "r"(a[0]), "r"(a[1]));
}

__global__ void small(const int8_t *a, const uint16_t *b, int8_t *o, uint16_t *p, short *s) {
  o[0] = a[0] + a[1], o[1] = a[0] * a[1], o[2] = a[0] >> 1, p[0] = b[0] * b[1], p[1] = b[0] / b[1], s[0] = s[1] % s[2];
  p[2] = b[0] < b[1] ? b[2] : b[3], s[3] = max(s[4], s[5]), o[3] = -a[3], o[4] = abs(a[4]);
}
