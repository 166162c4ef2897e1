// tcgen05 of sm_100: tensor memory, products of one thread, and their barriers.
#include <cstdint>

__global__ void tensorMemory(uint64_t a, uint64_t b, unsigned description, unsigned *out) {
  __shared__ unsigned allocated;
  __shared__ uint64_t done;
  auto slot = static_cast<unsigned>(__cvta_generic_to_shared(&allocated));
  auto barrier = static_cast<unsigned>(__cvta_generic_to_shared(&done));
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(slot) : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  __syncthreads();
  unsigned base = allocated, r0, r1, r2, r3;
  if (threadIdx.x == 0) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %4, 0;\n"
        "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n"
        "tcgen05.mma.cta_group::1.kind::f16 [%0], [%0 + 32], %2, %3, {%5, %5, %5, %5}, !p;\n"
        "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%0], %1, %2, %3, [%0 + 8], [%0 + 16], p;\n"
        "}" ::"r"(base),
        "l"(a), "l"(b), "r"(description), "r"(1), "r"(0)
        : "memory");
    asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" ::"r"(base), "l"(a) : "memory");
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier)
                 : "memory");
  }
  asm volatile("tcgen05.fence::before_thread_sync;\n\ttcgen05.fence::after_thread_sync;" ::: "memory");
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];\n\ttcgen05.wait::ld.sync.aligned;"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(base)
               : "memory");
  asm volatile("tcgen05.st.sync.aligned.16x64b.x2.b32 [%0], {%1, %2};\n\ttcgen05.wait::st.sync.aligned;" ::"r"(base),
               "r"(r0), "r"(r1)
               : "memory");
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(base));
  out[threadIdx.x] = r0 + r1 + r2 + r3;
}

__global__ void narrow(const float *f, unsigned *o, float2 *pairs) {
  asm volatile("{\n"
               ".reg .b8 four;\n"
               "cvt.rn.satfinite.e2m1x2.f32 four, %1, %2;\n"
               "mov.b32 %0, {four, four, four, four};\n"
               "}"
               : "=r"(o[0])
               : "f"(f[0]), "f"(f[1]));
  asm volatile("{\n"
               ".reg .b64 a, b;\n"
               "mov.b64 a, {%2, %3};\n"
               "fma.rn.f32x2 b, a, a, a;\n"
               "mov.b64 {%0, %1}, b;\n"
               "}"
               : "=f"(pairs[0].x), "=f"(pairs[0].y)
               : "f"(f[0]), "f"(f[1]));
}
