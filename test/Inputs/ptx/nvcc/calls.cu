// Calls: parameters and results of every size, function pointers, virtual functions, recursion, printf and assert.
#include <cassert>
#include <cstdio>

struct Small {
  char c[3];
};
struct Large {
  int a;
  double b[3];
  short c;
};

__device__ __noinline__ int addOne(int x) { return x + 1; }
__device__ __noinline__ int timesThree(int x) { return x * 3; }
__device__ __noinline__ void nothing() { __threadfence(); }
__device__ __noinline__ Small small(Small s, char c) {
  s.c[1] = s.c[0] + c;
  return s;
}
__device__ __noinline__ Large large(const Large &other, Large l, float f, bool flag) {
  l.b[1] += f + other.b[0];
  l.c = flag;
  return l;
}
__device__ __noinline__ double mixed(char c, short s, int i, long long l, float f, double d, float4 v) {
  return c + s + i + l + f + d + v.x + v.w;
}
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

typedef int (*Function)(int);
__device__ Function table[] = {addOne, timesThree, factorial};

struct Shape {
  __device__ virtual float area() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Circle : Shape {
  float r;
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3 * r * r; }
};
struct Square : Shape {
  float s;
  __device__ Square(float s) : s(s) {}
  __device__ float area() const override { return s * s; }
};

__global__ void direct(int *out, Small s, Large l, float4 v) {
  nothing();
  out[0] = addOne(out[1]);
  out[2] = small(s, 7).c[1];
  Large result = large(l, l, v.y, out[3] > 2);
  out[4] = result.b[1] + result.c + result.a;
  out[5] = mixed(s.c[0], l.c, l.a, out[6], v.z, l.b[2], v);
  out[7] = factorial(out[8]);
}

__global__ void indirect(int *out, Function f) { out[0] = table[out[1]](f(out[2])); }

__global__ void virtuals(float *out, int which) {
  Shape *shape = which ? static_cast<Shape *>(new Circle(out[0])) : new Square(out[1]);
  out[2] = shape->area();
  delete shape;
}

__global__ void prints(int n, float f, const char *text) {
  printf("plain\n");
  int written = printf("%d %5.2f %s %p %llu %c%%\n", n, f, text, text, 1ull << n, 'x');
  assert(written > 0 && "something was printed");
  if (n == 42)
    __trap();
}
