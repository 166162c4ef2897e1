// Managed and pinned memory, pools, rows, the kinds of pointers, and host functions in streams behave alike on all
// devices.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t

#include "support/check.h"

constexpr int block = 256;

__tile_global__ void add(const int *x, int *out, int n, int amount) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  tt::store(out + i, tt::load(x + i, i < n) + amount, i < n);
}

static ttMemoryType type_of(const void *pointer) {
  ttPointerAttributes attributes;
  tt::check(ttPointerGetAttributes(&attributes, pointer));
  return attributes.type;
}

static unsigned long long used(ttMemPool_t pool) {
  unsigned long long bytes = ~0ull;
  tt::check(ttMemPoolGetAttribute(pool, ttMemPoolAttrUsedMemCurrent, &bytes));
  return bytes;
}

int main() {
  return e2e::run("device-memory", [] {
    const int n = 5 * block + 7, grid = tt::cdiv(n, block);
    int device, cpu;
    tt::check(ttGetDevice(&device));
    tt::check(ttGetDeviceCount(&cpu));
    --cpu;
    tt::stream stream;

    e2e::context("managed memory");
    {
      tt::managed_buffer<int> x(n), out(n);
      for (int i = 0; i < n; ++i)
        x[i] = i;
      x.advise(ttMemAdviseSetReadMostly, device);
      x.prefetch(device, stream);
      add<<<grid, stream>>>(x.data(), out.data(), n, 5);
      out.prefetch(cpu, stream);
      stream.synchronize();
      bool right = true;
      for (int i = 0; i < n; ++i)
        right &= out[i] == i + 5;
      E2E_EXPECT(right);
      E2E_EXPECT(type_of(&out[n - 1]) == ttMemoryTypeManaged);
    }

    e2e::context("pinned memory, and copies in a stream");
    {
      tt::pinned_buffer<int> host(n), back(n);
      tt::device_buffer<int> x(n);
      for (int i = 0; i < n; ++i)
        host[i] = 3 * i;
      x.copy_from(host.data(), stream);
      add<<<grid, stream>>>(x.data(), x.data(), n, 1);
      x.copy_to(back.data(), stream);
      static int calls;
      calls = 0;
      tt::check(ttLaunchHostFunc(stream, [](void *data) { ++*static_cast<int *>(data); }, &calls));
      stream.synchronize();
      bool right = true;
      for (int i = 0; i < n; ++i)
        right &= back[i] == 3 * i + 1;
      E2E_EXPECT(right);
      E2E_EXPECT(calls == 1);
      E2E_EXPECT(type_of(host.data()) == ttMemoryTypeHost);
      E2E_EXPECT(type_of(x.data() + n - 1) == ttMemoryTypeDevice);
      int local;
      E2E_EXPECT(type_of(&local) == ttMemoryTypeUnregistered);
    }

    e2e::context("pools");
    {
      ttMemPool_t pool;
      tt::check(ttMemPoolCreate(&pool, device));
      void *memory;
      tt::check(ttMallocFromPoolAsync(&memory, n * sizeof(int), pool, stream));
      E2E_EXPECT(used(pool) >= n * sizeof(int));
      tt::check(ttMemsetAsync(memory, 0, n * sizeof(int), stream));
      tt::stream_buffer<int> out(n, stream);
      add<<<grid, stream>>>(static_cast<int *>(memory), out.data(), n, 9);
      tt::check(ttFreeAsync(memory, stream));
      std::vector<int> host(n);
      tt::check(ttMemcpyAsync(host.data(), out.data(), out.bytes(), ttMemcpyDeviceToHost, stream));
      stream.synchronize();
      E2E_EXPECT(host == std::vector<int>(n, 9));
      E2E_EXPECT(used(pool) == 0);
      tt::check(ttMemPoolDestroy(pool));
    }

    e2e::context("peers");
    ttDeviceProp properties;
    tt::check(ttGetDeviceProperties(&properties, device));
    if ((properties.kind == ttDeviceKindCuda || properties.kind == ttDeviceKindHip) && cpu > 1 && device == 0) {
      int can;
      tt::device_buffer<int> here(n);
      here.set_bytes(0);
      tt::check(ttSetDevice(1));
      tt::device_buffer<int> there(n), out(n);
      tt::check(ttMemcpyPeer(there.data(), 1, here.data(), 0, n * sizeof(int)));
      add<<<grid>>>(there.data(), out.data(), n, 3);
      tt::check(ttDeviceCanAccessPeer(&can, 0, 1));
      tt::check(ttDeviceSynchronize());
      tt::check(ttSetDevice(0));
      std::vector<int> host(n);
      if (can) { // a kernel here reads memory there
        tt::check(ttDeviceEnablePeerAccess(1));
        add<<<grid>>>(out.data(), here.data(), n, 4);
        here.copy_to(host.data());
        E2E_EXPECT(host == std::vector<int>(n, 7));
        tt::check(ttDeviceDisablePeerAccess(1));
      }
      tt::check(ttMemcpyPeerAsync(here.data(), 0, out.data(), 1, n * sizeof(int), stream));
      stream.synchronize();
      here.copy_to(host.data());
      E2E_EXPECT(host == std::vector<int>(n, 3));
    }

    e2e::context("rows");
    {
      const int rows = 9, columns = 50;
      std::vector<int> host(rows * columns), back(rows * columns, -1);
      for (int i = 0; i < rows * columns; ++i)
        host[i] = i;
      void *memory;
      size_t pitch;
      tt::check(ttMallocPitch(&memory, &pitch, columns * sizeof(int), rows));
      tt::check(ttMemcpy2D(memory, pitch, host.data(), columns * sizeof(int), columns * sizeof(int), rows,
                           ttMemcpyHostToDevice));
      tt::check(ttMemset2DAsync(memory, pitch, 0, sizeof(int), rows, stream)); // the first column
      tt::check(ttMemcpy2DAsync(back.data(), columns * sizeof(int), memory, pitch, columns * sizeof(int), rows,
                                ttMemcpyDeviceToHost, stream));
      stream.synchronize();
      bool right = true;
      for (int i = 0; i < rows * columns; ++i)
        right &= back[i] == (i % columns ? i : 0);
      E2E_EXPECT(right);
      tt::check(ttFree(memory));
    }
  });
}
