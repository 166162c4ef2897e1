//===-- MemoryTest.cpp - tests managed memory, pools, rows and peers --------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <string.h>
#include <string>
#include <vector>

using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}}, emulator = {{"TILECC_DEVICE", "emu:sm_90"}};

//===-- Managed memory ----------------------------------------------------------------------------------------------===//

SCENARIO(sharesManagedMemory) {
  tt::managed_buffer<float> x(1000), y(1000), sum(1000);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i, y[i] = 2 * i;
  tt::stream stream;
  x.advise(ttMemAdviseSetReadMostly, 0);
  x.prefetch(0, stream);
  tt::launch(add, 4, stream, x.data(), y.data(), sum.data(), 1000);
  sum.prefetch(ttCpuDeviceId, stream);
  stream.synchronize();
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(sum[i], 3 * i);
  float *begin = sum.begin();
  EXPECT_EQ(sum.end() - begin, 1000);
  tt::managed_buffer<float> moved(std::move(sum));
  EXPECT_EQ(moved.data(), begin);
  EXPECT_EQ(sum.data(), nullptr);

  void *plain;
  int count;
  EXPECT_EQ(ttGetDeviceCount(&count), ttSuccess);
  EXPECT_EQ(ttMalloc(&plain, 64), ttSuccess);
  EXPECT_FAILS(ttMemPrefetchAsync(plain, 64, 0, nullptr), ttErrorInvalidValue, "not managed memory");
  EXPECT_FAILS(ttMemPrefetchAsync(x.data() + 1, 4000, 0, nullptr), ttErrorInvalidValue, "not managed memory");
  EXPECT_EQ(ttMemPrefetchAsync(x.data() + 1, 3996, count - 1, nullptr), ttSuccess);
  EXPECT_FAILS(ttMemAdvise(plain, 64, ttMemAdviseSetAccessedBy, 0), ttErrorInvalidValue, "not managed memory");
  EXPECT_FAILS(ttMemAdvise(x.data(), 64, ttMemoryAdvise(7), 0), ttErrorInvalidValue, "there is no advice 7");
  EXPECT_FAILS(ttMemAdvise(x.data(), 64, ttMemAdviseSetAccessedBy, count), ttErrorInvalidDevice, "there is no device");
  EXPECT_EQ(ttFree(plain), ttSuccess);
  EXPECT_EQ(ttMallocManaged(&plain, 0), ttSuccess);
  EXPECT_EQ(plain, nullptr);
}
TEST(ManagedMemory, IsTheHostsToo) {
  run("sharesManagedMemory", cpu).expectSuccess();
  run("sharesManagedMemory", emulator).expectSuccess();
}

SCENARIO(advisesTheDriver) {
  void *memory;
  EXPECT_EQ(ttMallocManaged(&memory, 4096), ttSuccess);
  EXPECT_EQ(ttMemPrefetchAsync(memory, 4096, 1, ttStreamPerThread), ttSuccess);
  EXPECT_EQ(ttMemPrefetchAsync(memory, 4096, ttCpuDeviceId, nullptr), ttSuccess);
  EXPECT_EQ(ttMemPrefetchAsync(memory, 4096, 2, nullptr), ttSuccess); // the CPU, by its device number
  EXPECT_EQ(ttMemAdvise(memory, 100, ttMemAdviseSetPreferredLocation, 1), ttSuccess);
  EXPECT_EQ(ttFree(memory), ttSuccess);
}
TEST(ManagedMemory, IsTheDriversOnAGpu) {
  run("advisesTheDriver", {{"FAKE_CUDA_ARCHS", "90,90"}})
      .expectSuccess()
      .expectLog("cuMemAllocManaged 4096 flags 1")
      .expectLog("cuMemPrefetchAsync 4096 to 1 stream 0x2\ncuMemPrefetchAsync 4096 to -1 stream (nil)\n"
                 "cuMemPrefetchAsync 4096 to -1")
      .expectLog("cuMemAdvise 100 advice 3 device 1");
}

//===-- Pointers ----------------------------------------------------------------------------------------------------===//

// hostReaches: the host can access the device's memory.
static void describePointers(bool hostReaches, int device, int cpuNumber) {
  void *memory, *pinned, *managed;
  int local;
  EXPECT_EQ(ttMalloc(&memory, 64), ttSuccess);
  EXPECT_EQ(ttMallocHost(&pinned, 64), ttSuccess);
  EXPECT_EQ(ttMallocManaged(&managed, 64), ttSuccess);
  auto expect = [&](void *pointer, ttMemoryType type, int owner, void *host) {
    ttPointerAttributes attributes;
    EXPECT_EQ(ttPointerGetAttributes(&attributes, pointer), ttSuccess);
    EXPECT_EQ(attributes.type, type);
    EXPECT_EQ(attributes.device, owner);
    EXPECT_EQ(attributes.hostPointer, host);
    EXPECT_EQ(attributes.devicePointer, type == ttMemoryTypeUnregistered && !hostReaches ? nullptr : pointer);
  };
  auto inside = [](void *pointer) { return static_cast<void *>(static_cast<char *>(pointer) + 63); };
  expect(memory, ttMemoryTypeDevice, device, hostReaches ? memory : nullptr);
  expect(inside(memory), ttMemoryTypeDevice, device, hostReaches ? inside(memory) : nullptr);
  expect(inside(pinned), ttMemoryTypeHost, cpuNumber, inside(pinned));
  expect(managed, ttMemoryTypeManaged, device, managed);
  expect(&local, ttMemoryTypeUnregistered, cpuNumber, &local);
  EXPECT_EQ(ttFree(memory), ttSuccess);
  EXPECT_EQ(ttFreeHost(pinned), ttSuccess);
  EXPECT_EQ(ttFree(managed), ttSuccess);
}
SCENARIO(describesPointersOfTheCpu) { describePointers(true, 0, 0); }
SCENARIO(describesPointersOfAGpu) { describePointers(false, 0, 1); }
SCENARIO(describesPointersOfTheSecondGpu) {
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  describePointers(false, 1, 2);
}
TEST(PointerAttributes, SayWhoseMemoryItIs) {
  run("describesPointersOfTheCpu", cpu).expectSuccess();
  run("describesPointersOfAGpu", emulator).expectSuccess();
  run("describesPointersOfTheSecondGpu", {{"FAKE_CUDA_ARCHS", "90,90"}}).expectSuccess();
}

SCENARIO(registersHostMemory) {
  std::vector<char> memory(100);
  ttPointerAttributes attributes;
  EXPECT_EQ(ttHostRegister(memory.data(), memory.size()), ttSuccess);
  EXPECT_EQ(ttPointerGetAttributes(&attributes, &memory[99]), ttSuccess);
  EXPECT_EQ(attributes.type, ttMemoryTypeHost);
  EXPECT_EQ(ttHostRegister(memory.data(), memory.size()), ttErrorHostMemoryAlreadyRegistered);
  EXPECT_NE(ttFreeHost(memory.data()), ttSuccess) << "it is the program's";
  EXPECT_EQ(ttHostUnregister(memory.data()), ttSuccess);
  EXPECT_EQ(ttHostUnregister(memory.data()), ttErrorHostMemoryNotRegistered);
}
SCENARIO(cannotRegisterOnTheEmulator) {
  char memory[64];
  EXPECT_FAILS(ttHostRegister(memory, 64), ttErrorNotSupported, "the emulator");
}
TEST(HostMemory, MayBeTheProgramsOwn) {
  run("registersHostMemory", cpu).expectSuccess();
  run("cannotRegisterOnTheEmulator", emulator).expectSuccess();
}

//===-- Rows --------------------------------------------------------------------------------------------------------===//

SCENARIO(copiesRows) {
  enum { width = 100, height = 7 };
  char from[height * width], to[height * 128];
  for (int i = 0; i < height * width; ++i)
    from[i] = i % 100;
  memset(to, 99, sizeof(to));
  void *memory;
  size_t pitch;
  EXPECT_EQ(ttMallocPitch(&memory, &pitch, width, height), ttSuccess);
  EXPECT_EQ(pitch % 256, 0u);
  tt::stream stream;
  EXPECT_EQ(ttMemset2D(memory, pitch, 1, pitch, height), ttSuccess);
  EXPECT_EQ(ttMemcpy2D(memory, pitch, from, width, width, height, ttMemcpyHostToDevice), ttSuccess);
  EXPECT_EQ(ttMemset2DAsync(static_cast<char *>(memory) + 10, pitch, 42, 5, height, stream), ttSuccess);
  EXPECT_EQ(ttMemcpy2DAsync(to, 128, memory, pitch, width, height, ttMemcpyDeviceToHost, stream), ttSuccess);
  stream.synchronize();
  for (int row = 0; row < height; ++row)
    for (int i = 0; i < 128; ++i)
      ASSERT_EQ(to[row * 128 + i], i >= width ? 99 : i >= 10 && i < 15 ? 42 : from[row * width + i]) << row << "," << i;
  EXPECT_FAILS(ttMemcpy2D(memory, width - 1, from, width, width, height, ttMemcpyDefault), ttErrorInvalidPitchValue,
               "rows of 100 bytes cannot be 99 bytes apart (the pitch of the destination)");
  EXPECT_FAILS(ttMemcpy2D(memory, pitch, from, 0, width, height, ttMemcpyDefault), ttErrorInvalidPitchValue,
               "the source");
  EXPECT_EQ(ttMemcpy2D(nullptr, 0, nullptr, 0, 0, height, ttMemcpyDefault), ttSuccess);
  EXPECT_EQ(ttFree(memory), ttSuccess);
}
TEST(Rows, AreCopiedWithoutWhatIsBetween) {
  run("copiesRows", cpu).expectSuccess();
  run("copiesRows", emulator).expectSuccess();
  run("copiesRows").expectSuccess().expectLog("cuMemAllocPitch 7 x 100 of 16").expectLog("cuMemcpy2DUnaligned 7 x 100");
}

//===-- Pools -------------------------------------------------------------------------------------------------------===//

static unsigned long long read(ttMemPool_t pool, ttMemPoolAttr attribute) {
  unsigned long long value = ~0ull;
  EXPECT_EQ(ttMemPoolGetAttribute(pool, attribute, &value), ttSuccess);
  return value;
}

SCENARIO(allocatesInOrder) {
  tt::stream stream;
  ttMemPool_t pool, own, current;
  EXPECT_EQ(ttDeviceGetDefaultMemPool(&pool, 0), ttSuccess);
  EXPECT_EQ(ttDeviceGetMemPool(&current, 0), ttSuccess);
  EXPECT_EQ(current, pool);
  void *memory;
  {
    tt::stream_buffer<float> x(256, stream), y(256, stream);
    EXPECT_EQ(read(pool, ttMemPoolAttrUsedMemCurrent), 2048u);
    tt::check(ttMemsetAsync(x.data(), 0, x.bytes(), stream));
    tt::launch(add, 1, stream, x.data(), x.data(), y.data(), 256);
  }
  EXPECT_EQ(read(pool, ttMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(ttMemPoolSetAttribute(pool, ttMemPoolAttrReleaseThreshold, 1 << 20), ttSuccess);
  EXPECT_EQ(read(pool, ttMemPoolAttrReleaseThreshold), 1u << 20);
  EXPECT_EQ(ttMemPoolTrimTo(pool, 0), ttSuccess);

  EXPECT_EQ(ttMemPoolCreate(&own, 0), ttSuccess);
  EXPECT_EQ(ttMallocFromPoolAsync(&memory, 100, own, stream), ttSuccess);
  EXPECT_EQ(read(own, ttMemPoolAttrUsedMemCurrent), 100u);
  EXPECT_EQ(read(pool, ttMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(ttFreeAsync(memory, stream), ttSuccess);
  EXPECT_EQ(read(own, ttMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(ttDeviceSetMemPool(0, own), ttSuccess);
  EXPECT_EQ(ttMallocAsync(&memory, 64, stream), ttSuccess);
  EXPECT_EQ(read(own, ttMemPoolAttrUsedMemCurrent), 64u);
  EXPECT_EQ(ttFreeAsync(memory, stream), ttSuccess);
  EXPECT_EQ(ttDeviceSetMemPool(0, pool), ttSuccess);
  EXPECT_EQ(ttMemPoolDestroy(own), ttSuccess);
  EXPECT_NE(ttFreeAsync(&memory, stream), ttSuccess);
  EXPECT_EQ(ttMallocAsync(&memory, 0, stream), ttSuccess);
  EXPECT_EQ(memory, nullptr);
}
TEST(Pools, AllocateInTheOrderOfAStream) {
  run("allocatesInOrder", cpu).expectSuccess();
  run("allocatesInOrder", emulator).expectSuccess();
  run("allocatesInOrder").expectSuccess().expectLog("cuMemAllocAsync 1024").expectLog("cuMemPoolCreate type 1 on 1:0");
}

SCENARIO(poolsOutliveTheirHandle) {
  ttMemPool_t pool, cpuPool;
  void *memory, *other;
  EXPECT_EQ(ttMemPoolCreate(&pool, 0), ttSuccess);
  EXPECT_EQ(ttDeviceSetMemPool(0, pool), ttSuccess);
  EXPECT_EQ(ttMallocAsync(&memory, 1000, nullptr), ttSuccess);
  EXPECT_EQ(read(pool, ttMemPoolAttrUsedMemHigh), 1000u);
  EXPECT_EQ(ttMemPoolDestroy(pool), ttSuccess);
  EXPECT_EQ(ttMallocAsync(&other, 10, nullptr), ttSuccess) << "the default pool is back";
  EXPECT_EQ(ttFree(memory), ttSuccess);
  EXPECT_FAILS(ttFreeAsync(memory, nullptr), ttErrorInvalidValue, "or it has been freed");
  EXPECT_EQ(ttFreeAsync(other, nullptr), ttSuccess);
  EXPECT_EQ(ttDeviceGetDefaultMemPool(&cpuPool, ttCpuDeviceId), ttSuccess);
  EXPECT_EQ(read(cpuPool, ttMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(ttMemPoolSetAttribute(cpuPool, ttMemPoolAttrUsedMemHigh, 0), ttSuccess);
  EXPECT_EQ(read(cpuPool, ttMemPoolAttrUsedMemHigh), 0u);
  EXPECT_FAILS(ttMemPoolSetAttribute(cpuPool, ttMemPoolAttrUsedMemCurrent, 3), ttErrorInvalidValue, "cannot be set");
  EXPECT_FAILS(ttMemPoolDestroy(cpuPool), ttErrorInvalidValue, "default pool");
}
TEST(Pools, LiveAsLongAsTheirMemory) { run("poolsOutliveTheirHandle", cpu).expectSuccess(); }

SCENARIO(mixesUpPools) {
  ttMemPool_t pool;
  void *memory;
  EXPECT_EQ(ttDeviceGetDefaultMemPool(&pool, ttCpuDeviceId), ttSuccess);
  EXPECT_NE(ttMallocFromPoolAsync(&memory, 64, pool, nullptr), ttSuccess);
  EXPECT_NE(ttDeviceSetMemPool(0, pool), ttSuccess);
  EXPECT_EQ(read(pool, ttMemPoolAttrUsedMemCurrent), 0u); // whichever device is current
}
TEST(Pools, OfAnotherDeviceAreErrors) {
  run("mixesUpPools").expectSuccess().expectNoLog("cuMemAllocFromPool");
  run("mixesUpPools", emulator).expectSuccess();
}

//===-- Several devices ---------------------------------------------------------------------------------------------===//

SCENARIO(reachesPeers) {
  int can;
  void *here, *there;
  EXPECT_EQ(ttDeviceCanAccessPeer(&can, 0, 1), ttSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(ttDeviceCanAccessPeer(&can, 0, 2), ttSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(ttDeviceCanAccessPeer(&can, 3, 0), ttSuccess); // the CPU
  EXPECT_EQ(can, 0);
  EXPECT_EQ(ttMalloc(&here, 64), ttSuccess);
  EXPECT_EQ(ttDeviceEnablePeerAccess(1), ttSuccess);
  EXPECT_EQ(ttDeviceEnablePeerAccess(1), ttErrorPeerAccessAlreadyEnabled);
  EXPECT_FAILS(ttDeviceEnablePeerAccess(0), ttErrorInvalidDevice, "must be two GPUs");
  EXPECT_FAILS(ttDeviceEnablePeerAccess(3), ttErrorInvalidDevice, "must be two GPUs");
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  EXPECT_EQ(ttMalloc(&there, 64), ttSuccess);
  EXPECT_EQ(ttMemset(there, 7, 64), ttSuccess);
  EXPECT_EQ(ttMemcpyPeer(here, 0, there, 1, 64), ttSuccess);
  EXPECT_EQ(static_cast<char *>(here)[63], 7);
  EXPECT_EQ(ttMemcpyPeerAsync(there, 1, here, 0, 64, ttStreamPerThread), ttSuccess);
  EXPECT_EQ(ttMemcpyPeer(here, 4, there, 1, 64), ttErrorInvalidDevice);
  EXPECT_EQ(ttDeviceDisablePeerAccess(0), ttErrorPeerAccessNotEnabled);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  EXPECT_EQ(ttDeviceDisablePeerAccess(1), ttSuccess);
  EXPECT_EQ(ttFree(here), ttSuccess);
  EXPECT_EQ(ttFree(there), ttSuccess);
}
TEST(PeerDevices, ReachEachOther) {
  run("reachesPeers", {{"FAKE_CUDA_ARCHS", "90,90,80"}}).expectSuccess().expectLog("cuCtxEnablePeerAccess of 1 to 2");
}

SCENARIO(hasNoPeers) {
  int can = 1;
  EXPECT_EQ(ttDeviceCanAccessPeer(&can, 0, 0), ttSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(ttDeviceEnablePeerAccess(0), ttErrorInvalidDevice);
}
TEST(PeerDevices, AreGpusAlone) {
  run("hasNoPeers", cpu).expectSuccess();
  run("hasNoPeers", emulator).expectSuccess();
}

//===-- What fails leaves the rest usable ---------------------------------------------------------------------------===//

SCENARIO(everyAllocationFails) {
  void *memory = &memory;
  size_t pitch;
  ttMemPool_t pool;
  EXPECT_EQ(ttMallocManaged(&memory, 64), ttErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(ttMallocAsync(&memory, 64, nullptr), ttErrorMemoryAllocation);
  EXPECT_EQ(ttMallocPitch(&memory, &pitch, 64, 2), ttErrorMemoryAllocation);
  EXPECT_EQ(ttMemPoolCreate(&pool, 0), ttErrorMemoryAllocation);
  EXPECT_THROW(tt::managed_buffer<float>(16), tt::error);
  EXPECT_THROW(tt::pinned_buffer<float>(16), tt::error);
  EXPECT_THROW(tt::stream_buffer<float>(16, nullptr), tt::error);
  EXPECT_EQ(ttMalloc(&memory, 64), ttSuccess);
  EXPECT_EQ(ttMemset(memory, 0, 64), ttSuccess);
  EXPECT_EQ(ttFree(memory), ttSuccess);
}
TEST(OutOfMemory, LeavesTheRestUsable) {
  run("everyAllocationFails",
      {{"FAKE_CUDA_FAIL", "cuMemAllocManaged=2,cuMemAllocAsync=2,cuMemAllocPitch=2,cuMemPoolCreate=2,"
                          "cuMemHostAlloc=2"}})
      .expectSuccess();
}
