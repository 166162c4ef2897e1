//===-- ProfileFile.cpp - writes profiles as JSON --------------------------------------------------------------===//
//
// docs/emulator.md documents the format. The reader is page/PageProfile.cpp.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/profile/Profile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <unistd.h>

using namespace tilecc::emu;

static std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (unsigned char c : text) {
    char escape[8];
    if (c == '"' || c == '\\')
      quoted += {'\\', static_cast<char>(c)};
    else if (c >= 0x20)
      quoted += static_cast<char>(c);
    else
      snprintf(escape, sizeof(escape), "\\u%04x", c), quoted += escape;
  }
  return quoted + "\"";
}

static std::string triple(const uint32_t (&size)[3]) {
  return "[" + std::to_string(size[0]) + "," + std::to_string(size[1]) + "," + std::to_string(size[2]) + "]";
}

// Writes `begin` before the first of several items and ",\n" before the others.
static void separate(std::string &json, bool &isFirst) {
  json += isFirst ? "\n" : ",\n";
  isFirst = false;
}

static void writeCounts(std::string &json, const InstructionCounts &counts) {
  for (const CountMember &member : countMembers)
    if (uint64_t value = counts.*member.count)
      json += std::string(",\"") + member.name + "\":" + std::to_string(value);
}

static void writeTimeline(std::string &json, const BlockTimeline &timeline) {
  json += "{\"launch\":" + std::to_string(timeline.launch) + ",\"block\":" + triple(timeline.block) + ",\"warps\":[";
  bool isFirst = true;
  for (const WarpTimeline &warp : timeline.warps) {
    separate(json, isFirst);
    json += "{\"end\":" + std::to_string(warp.now) + ",\"waits\":[";
    for (const WarpTimeline::Wait &wait : warp.waits)
      json += (&wait == warp.waits.data() ? "[" : ",[") + std::to_string(wait.begin) + "," + std::to_string(wait.end) +
              "," + std::to_string(wait.pc) + "]";
    json += "]}";
  }
  json += "]}";
}

void KernelProfile::write(std::string &json) const {
  std::lock_guard guard(lock);
  json += "{\"symbol\":" + quote(symbol) + ",\"name\":" + quote(name) + ",\"ptx\":" + quote(ptx) +
          ",\"target\":" + quote(target) + ",\n\"launches\":" + std::to_string(launches) + ",\"grid\":" + triple(grid) +
          ",\"block\":" + triple(block) + ",\"cluster\":" + triple(cluster) + ",\n\"instructions\":[";
  bool isFirst = true;
  for (size_t pc = 0; pc < instructions.size(); ++pc) {
    const Instruction &instruction = instructions[pc];
    separate(json, isFirst);
    json += "{\"line\":" + std::to_string(instruction.line) + ",\"text\":" + quote(instruction.text);
    if (!instruction.source.empty())
      json += ",\"source\":" + quote(instruction.source);
    if (instruction.isCalled)
      json += ",\"called\":true";
    writeCounts(json, counts[pc]);
    json += "}";
  }
  json += "],\n\"findings\":[";
  isFirst = true;
  for (const Finding &finding : findings) {
    separate(json, isFirst);
    json += "{\"instruction\":" + std::to_string(finding.pc) + ",\"text\":" + quote(finding.text) + "}";
  }
  json += "],\n\"warps\":[";
  isFirst = true;
  for (const WarpSum &sum : warpSums) {
    separate(json, isFirst);
    json += "{\"blocks\":" + std::to_string(sum.blocks) + ",\"steps\":" + std::to_string(sum.steps) +
            ",\"waited\":" + std::to_string(sum.waited) + "}";
  }
  json += "],\n\"timelines\":[";
  std::vector<const BlockTimeline *> ordered; // blocks end in any order
  for (const BlockTimeline &timeline : timelines)
    ordered.push_back(&timeline);
  std::sort(ordered.begin(), ordered.end(), [](const BlockTimeline *a, const BlockTimeline *b) {
    auto keyOf = [](const BlockTimeline &timeline) {
      return std::tuple(timeline.launch, timeline.block[2], timeline.block[1], timeline.block[0]);
    };
    return keyOf(*a) < keyOf(*b);
  });
  isFirst = true;
  for (const BlockTimeline *timeline : ordered) {
    separate(json, isFirst);
    writeTimeline(json, *timeline);
  }
  json += "]}";
}

int Profile::create() {
  FILE *file = fopen(path.c_str(), "w");
  if (!file)
    return errno;
  fclose(file);
  creator = getpid();
  return 0;
}

KernelProfile &Profile::add(std::unique_ptr<KernelProfile> kernel) {
  std::lock_guard guard(lock);
  kernels.push_back(std::move(kernel));
  return *kernels.back();
}

void Profile::write() const {
  if (getpid() != creator)
    return;
  std::lock_guard guard(lock);
  std::string json = "{\"format\":\"tilecc-profile\",\"version\":2,\"kernels\":[";
  bool isFirst = true;
  for (const auto &kernel : kernels) {
    separate(json, isFirst);
    kernel->write(json);
  }
  json += "]}\n";
  FILE *file = fopen(path.c_str(), "w");
  bool isWritten = file && fwrite(json.data(), 1, json.size(), file) == json.size();
  if ((file && fclose(file)) || !isWritten)
    fprintf(stderr, "error: the profile %s cannot be written: %s\n", path.c_str(), strerror(errno));
}
