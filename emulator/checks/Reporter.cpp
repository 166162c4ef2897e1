//===-- Reporter.cpp - formats and counts findings -------------------------------------------------------------===//
#include "emulator/checks/Reporter.h"

using namespace tilecc::emu;

Reporter::Reporter(LaunchNames names, std::function<void(const std::string &)> print)
    : launch(std::move(names)), print(std::move(print)) {}

static std::string triple(const char *what, uint64_t index, const uint32_t size[3]) {
  uint64_t x = index % size[0], y = index / size[0] % size[1], z = index / size[0] / size[1];
  return std::string(what) + " (" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

std::string Reporter::thread(const Place &place) const { return triple("thread", place.thread, launch.block); }
std::string Reporter::block(const Place &place) const {
  uint64_t rank = place.block / launch.grid[0] / launch.grid[1];
  return triple("block", place.block, launch.grid) + (launch.devicesAlongZ ? " of rank " + std::to_string(rank) : "");
}

bool Reporter::report(const std::string &key, const Place &place, const std::string &what,
                      const std::vector<std::string> &details) {
  std::lock_guard guard(lock);
  if (!seen.insert(key + '@' + std::to_string(place.pc)).second)
    return false;
  std::string source = launch.source ? launch.source(place.pc) : "";
  std::string text = (source.empty() ? "" : source + ": ") + "error: " + what + ": kernel '" + launch.kernel + "', " +
                     block(place) + "\n";
  for (const std::string &line : details)
    text += "  " + line + "\n";
  if (!count++)
    firstText = text;
  if (print)
    print(text);
  if (launch.found)
    launch.found(place, text);
  return true;
}

void Reporter::fault(int error, const std::string &key, const Place &place, const std::string &what,
                     const std::vector<std::string> &details) {
  report(key, place, what, details);
  throw Fault(error, what);
}

uint64_t Reporter::findings() const {
  std::lock_guard guard(lock);
  return count;
}

const std::string &Reporter::first() const {
  std::lock_guard guard(lock);
  return firstText; // written once, before a nonzero count is visible
}
