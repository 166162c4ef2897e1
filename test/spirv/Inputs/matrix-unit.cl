// The matrix unit of Intel's GPUs in OpenCL C, from the specification of cl_intel_subgroup_matrix_multiply_accumulate for
// sub-groups of 16 work-items. A work-item passes in `a`, for each of 8 rows, one element of 16 bits or two of 8 bits:
// those with its number along the contracted axis. In `b`, it passes its column, adjacent elements in one word.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

enum { packed_int8 = 0x10, packed_float16 = 0x400, packed_bfloat16 = 0x1000 };

static float to_float(uint bits, int kind) {
  return kind & packed_float16 ? (float)as_half((ushort)bits) : as_float(bits << 16);
}

float8 __attribute__((overloadable)) unit(int depth, short8 a, int8 b, float8 c, int kind) {
  for (int row = 0; row < 8; ++row)
    for (int k = 0; k < 16; ++k) {
      uint left = sub_group_shuffle((uint)(ushort)a[row], (uint)k);
      uint right = (uint)b[k / 2] >> 16 * (k % 2) & 0xffff;
      c[row] += to_float(left, kind) * to_float(right, kind);
    }
  return c;
}

int8 __attribute__((overloadable)) unit(int depth, short8 a, int8 b, int8 c, int kind) {
  for (int row = 0; row < 8; ++row)
    for (int k = 0; k < 32; ++k) {
      uint left = sub_group_shuffle((uint)(ushort)a[row], (uint)k / 2) >> 8 * (k % 2);
      uint right = (uint)b[k / 4] >> 8 * (k % 4);
      c[row] += (int)(char)left * (int)(char)right;
    }
  return c;
}
