//===-- SystemCalls.cpp - vprintf and __assertfail -------------------------------------------------------------===//
#include "emulator/isa/SystemCalls.h"
#include "emulator/exec/Program.h"

using namespace tilecc::emu;

namespace {

// Reads generic addresses for a system call: with bounds checks, without race checks.
class LaneMemory {
public:
  LaneMemory(Warp &warp, const Inst &inst, unsigned lane) : warp(warp), inst(inst), lane(lane) {}

  template <class T> T read(uint64_t address) {
    T value;
    std::memcpy(&value, at(address, sizeof(T)), sizeof(T));
    return value;
  }

  std::string readString(uint64_t address) {
    std::string text;
    while (char c = read<char>(address++)) {
      text += c;
      if (text.size() > 1 << 16)
        fail(address);
    }
    return text;
  }

private:
  [[noreturn]] void fail(uint64_t address) {
    char text[96];
    snprintf(text, sizeof(text), "a call reads its arguments at 0x%llx, where there is nothing",
             static_cast<unsigned long long>(address));
    warp.fault(inst, Mask(1) << lane, errorIllegalAddress, "call", text);
  }

  const std::byte *at(uint64_t address, size_t bytes) {
    const Launch &launch = *warp.block->launch;
    uint64_t offset = address & ~windowMask;
    switch (address & windowMask) {
    case localWindow:
      if (size_t size = launch.program->localBytes; offset + bytes <= size)
        return warp.local + lane * size + offset;
      break;
    case sharedWindow:
      if (offset + bytes <= warp.block->sharedBytes)
        return warp.block->shared + offset;
      break;
    default:
      if (const std::byte *found = launch.memory->backing(address, bytes))
        return found;
    }
    fail(address);
  }

  Warp &warp;
  const Inst &inst;
  unsigned lane;
};

// Formats C conversions with the host's snprintf. Arguments are consecutive in memory, aligned to their sizes, as nvcc
// and Clang place them.
class Formatter {
public:
  Formatter(LaneMemory &memory, uint64_t arguments) : memory(memory), next(arguments) {}

  std::string format(const std::string &pattern) {
    std::string out;
    for (size_t i = 0; i < pattern.size();) {
      if (pattern[i] != '%') {
        out += pattern[i++];
        continue;
      }
      size_t end = i + 1;
      std::string spec = "%";
      unsigned longs = 0;
      for (; end < pattern.size() && std::strchr("-+ #0123456789.*hlLqjzt", pattern[end]); ++end) {
        char c = pattern[end];
        if (c == '*')
          spec += std::to_string(argument<int>());
        else if (c == 'l' || c == 'q' || c == 'j' || c == 'z' || c == 't')
          longs += c == 'l' ? 1 : 2;
        else if (c != 'h' && c != 'L')
          spec += c;
      }
      char conversion = end < pattern.size() ? pattern[end] : '%';
      convert(spec, conversion, longs, out);
      i = end + 1;
      ++conversions;
    }
    return out;
  }

  int conversions = 0;

private:
  template <class T> T argument() {
    next = (next + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value = memory.read<T>(next);
    next += sizeof(T);
    return value;
  }

  template <class T> void print(const std::string &spec, T value, std::string &out) {
    char text[512];
    snprintf(text, sizeof(text), spec.c_str(), value);
    out += text;
  }

  void convert(std::string spec, char conversion, unsigned longs, std::string &out) {
    switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (longs)
        print(spec + "ll" + conversion, argument<long long>(), out);
      else
        print(spec + conversion, argument<int>(), out);
      break;
    case 'c': print(spec + 'c', argument<int>(), out); break;
    case 'p': print(spec + 'p', reinterpret_cast<void *>(argument<uint64_t>()), out); break;
    case 's': print(spec + 's', memory.readString(argument<uint64_t>()).c_str(), out); break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': print(spec + conversion, argument<double>(), out); break;
    default: out += conversion; // %% and conversions that CUDA's printf does not support
    }
  }

  LaneMemory &memory;
  uint64_t next;
};

} // namespace

// int vprintf(const char *format, const void *arguments)
static void callPrintf(Warp &warp, const Inst &inst, Mask lanes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = __builtin_ctz(lanes);
    LaneMemory memory(warp, inst, lane);
    auto parameter = [&](unsigned i) {
      return memory.read<uint64_t>(localWindow + warp.row<u64>(inst.op[inst.extra + i])[lane]);
    };
    Formatter formatter(memory, parameter(1));
    std::string text = formatter.format(memory.readString(parameter(0)));
    warp.block->launch->print(text.data(), text.size());
    if (inst.extra) {
      size_t size = warp.block->launch->program->localBytes;
      std::memcpy(warp.local + lane * size + warp.row<u64>(inst.op[0])[lane], &formatter.conversions, 4);
    }
  }
}

// void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t charSize)
static void callAssertFail(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned lane = __builtin_ctz(lanes);
  LaneMemory memory(warp, inst, lane);
  auto parameterAt = [&](unsigned i) { return localWindow + warp.row<u64>(inst.op[inst.extra + i])[lane]; };
  std::string message = memory.readString(memory.read<uint64_t>(parameterAt(0)));
  std::string file = memory.readString(memory.read<uint64_t>(parameterAt(1)));
  std::string function = memory.readString(memory.read<uint64_t>(parameterAt(3)));
  uint32_t line = memory.read<uint32_t>(parameterAt(2));
  warp.fault(inst, lanes, errorAssert, "assert",
             file + ":" + std::to_string(line) + ": " + function + ": assertion `" + message + "` failed");
}

Handler tilecc::emu::systemCall(std::string_view function) {
  if (function == "vprintf")
    return &callPrintf;
  if (function == "__assertfail")
    return &callAssertFail;
  return nullptr;
}
