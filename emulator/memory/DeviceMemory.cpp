//===-- DeviceMemory.cpp - the emulated device's global memory -------------------------------------------------===//
#include "emulator/memory/DeviceMemory.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

using namespace tilecc::emu;

namespace {
// These ranges are above the addresses that ASan reserves, and below those where the system places libraries and
// stacks.
constexpr uint64_t deviceHint = 0x200000000000, hostHint = 0x240000000000;
// The distance between several devices in one process.
constexpr uint64_t nextDevice = 0x080000000000;

// The contents of uninitialized memory: 0xfff5 in every 16 bits is a NaN as f16, bf16, f32 and f64, and an implausible
// integer.
constexpr uint64_t pattern = 0xfff5fff5fff5fff5;

uint64_t physicalMemory() {
  uint64_t bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  // A container's limit may be lower. (A file with the text "max" does not parse as a number.)
  for (const char *file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    uint64_t limit;
    if (std::ifstream(file) >> limit)
      bytes = std::min(bytes, limit);
  }
  return bytes;
}

// Returns the size of one range; five of about this size are reserved.
uint64_t largestReservation() {
  uint64_t bytes = Arena::anywhere ? 1ull << 34 : 1ull << 40;
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    while (bytes > limit.rlim_cur / 16) // leave some for the program
      bytes /= 2;
  return bytes;
}
} // namespace

DeviceMemory::DeviceMemory() {
  static std::atomic<uint64_t> devices = 0;
  uint64_t offset = devices.fetch_add(1) % 8 * nextDevice;
  for (uint64_t size = largestReservation(); !host; size /= 2) {
    try {
      device = std::make_unique<Arena>(Arena::Kind::device, size, deviceHint + offset);
      host = std::make_unique<Arena>(Arena::Kind::host, size, hostHint + offset);
    } catch (const std::bad_alloc &) {
      device.reset();
      if (size <= 1 << 24)
        throw;
    }
  }
  first = device->begin();
  reserved = device->reserved();
  distance = reinterpret_cast<uint64_t>(device->bytes(first)) - first;
  // The other half is for the program itself and for the checker's records.
  total = std::min(physicalMemory(), reserved) / 2;
}

DeviceMemory::~DeviceMemory() = default;

uint64_t DeviceMemory::allocate(size_t bytes) {
  if (bytes > total || used.fetch_add(bytes) > total - bytes) {
    if (bytes <= total)
      used -= bytes;
    return 0;
  }
  uint64_t address = device->allocate(bytes);
  if (!address) {
    used -= bytes;
    return 0;
  }
  auto *words = reinterpret_cast<uint64_t *>(device->bytes(address));
  std::fill(words, words + (bytes + 7) / 8, pattern);
  return address;
}

bool DeviceMemory::free(uint64_t address) {
  int64_t bytes = device->free(address);
  if (bytes < 0)
    return false;
  used -= static_cast<size_t>(bytes);
  return true;
}

void *DeviceMemory::allocateHost(size_t bytes) { return reinterpret_cast<void *>(host->allocate(bytes)); }

bool DeviceMemory::freeHost(void *address) { return host->free(reinterpret_cast<uint64_t>(address)) >= 0; }

void DeviceMemory::info(size_t &freeBytes, size_t &totalBytes) const {
  totalBytes = total;
  freeBytes = total - std::min(total, used.load());
}

std::byte *DeviceMemory::hostBacking(uint64_t address, size_t bytes) const {
  bool inside = bytes <= host->reserved() && address - host->begin() <= host->reserved() - bytes;
  if (inside)
    return host->bytes(address);
  return isRegistered(address, bytes, lineBytes) ? reinterpret_cast<std::byte *>(address) : nullptr;
}

bool DeviceMemory::isRegistered(uint64_t address, size_t bytes, uint64_t granularity) const {
  std::shared_lock lock(registrations);
  return std::any_of(registered.begin(), registered.end(), [&](const auto &range) { // there are few
    uint64_t begin = range.first / granularity * granularity,
             end = (range.first + range.second + granularity - 1) / granularity * granularity;
    return begin <= address && address < end && bytes <= end - address;
  });
}

bool DeviceMemory::registerHost(void *address, size_t bytes) {
  auto begin = reinterpret_cast<uint64_t>(address);
  std::unique_lock lock(registrations);
  auto next = registered.lower_bound(begin);
  bool overlaps = (next != registered.end() && next->first - begin < bytes) ||
                  (next != registered.begin() && begin - std::prev(next)->first < std::prev(next)->second);
  return !overlaps && registered.emplace(begin, bytes).second;
}

bool DeviceMemory::unregisterHost(void *address) {
  std::unique_lock lock(registrations);
  return registered.erase(reinterpret_cast<uint64_t>(address)) != 0;
}

uint64_t DeviceMemory::allocateMulticast(const std::vector<uint64_t> &copies, size_t bytes) {
  // No memory of a device or of an x86-64 host has such addresses, and no window of generic addresses (Machine.h).
  constexpr uint64_t firstMulticast = 0x0000'9000'0000'0000, alignment = 256;
  for (uint64_t copy : copies)
    if (check(copy, bytes) != State::valid)
      return 0;
  if (copies.empty() || !bytes)
    return 0;
  std::unique_lock lock(registrations);
  uint64_t address = firstMulticast;
  if (!multicasts.empty()) {
    const auto &[last, object] = *multicasts.rbegin();
    address = (last + object.bytes + 2 * alignment - 1) / alignment * alignment; // with a gap
  }
  Multicast &object = multicasts[address];
  object.bytes = bytes;
  for (uint64_t copy : copies)
    object.distances.push_back(copy - address);
  return address;
}

const std::vector<uint64_t> *DeviceMemory::distancesToCopies(uint64_t address, size_t bytes) const {
  std::shared_lock lock(registrations);
  auto next = multicasts.upper_bound(address);
  if (next == multicasts.begin())
    return nullptr;
  const auto &[begin, object] = *std::prev(next);
  bool isInside = address - begin < object.bytes && bytes <= object.bytes - (address - begin);
  return isInside ? &object.distances : nullptr;
}

std::string DeviceMemory::describe(uint64_t address) const {
  std::string text = owns(address) || host->owns(address) ? arenaOf(address).describe(address) : "";
  if (!text.empty())
    return text;
  char buffer[160];
  {
    std::shared_lock lock(registrations);
    auto next = registered.upper_bound(address);
    if (next != registered.begin() && address - std::prev(next)->first < std::prev(next)->second) {
      auto [begin, bytes] = *std::prev(next);
      snprintf(buffer, sizeof buffer, "at byte %llu of the host memory of %zu bytes that is registered at 0x%llx",
               static_cast<unsigned long long>(address - begin), bytes, static_cast<unsigned long long>(begin));
      return buffer;
    }
  }
  if (const auto *copies = distancesToCopies(address, 1)) {
    snprintf(buffer, sizeof buffer, "at 0x%llx, which is multicast memory of %zu ranks",
             static_cast<unsigned long long>(address), copies->size());
    return buffer;
  }
  snprintf(buffer, sizeof buffer, "at 0x%llx, %s", static_cast<unsigned long long>(address),
           owns(address) ? "which is in no allocation" : "which is not memory of the device");
  return buffer;
}

void DeviceMemory::markInitialized(uint64_t address, size_t bytes) {
  Arena &arena = arenaOf(address);
  for (uint64_t end = address + bytes; address < end;) {
    uint64_t line = address / lineBytes * lineBytes, next = std::min(end, line + lineBytes);
    arena.markInitialized(line, ByteMask::range(address - line, next - address));
    address = next;
  }
}

bool DeviceMemory::isInitialized(uint64_t address, size_t bytes) const {
  const Arena &arena = arenaOf(address);
  for (uint64_t end = address + bytes; address < end;) {
    uint64_t line = address / lineBytes * lineBytes, next = std::min(end, line + lineBytes);
    if (ByteMask::range(address - line, next - address) & ~arena.initialized(line))
      return false;
    address = next;
  }
  return true;
}
