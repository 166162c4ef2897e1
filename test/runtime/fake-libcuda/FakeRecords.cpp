//===-- FakeRecords.cpp - kernels that record times ------------------------------------------------------------===//
//
// With FAKE_CUDA_RECORDS=1, each kernel has the variables of -fprofile-tile (tilecc/profile.h). A launch writes what
// one warp of each block would: it begins at 1000 ns times the number of the launch, runs for 1000 ns and cycles, and
// has one scope from cycle 100 to 300.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "tilecc/profile.h"

#include <stdlib.h>
#include <string.h>

using namespace fake;

// Constants are variables, too. They never move, as maps do not move elements. Never destroyed.
static auto &variables = *new std::map<std::string, std::vector<char>>;
static unsigned launches = 0;

FAKE(cuModuleGetGlobal_v2)(CUdeviceptr *address, size_t *bytes, CUmodule, const char *name) {
  logCall("cuModuleGetGlobal %s", name);
  CONTEXT("cuModuleGetGlobal");
  if (!getenv("FAKE_CUDA_RECORDS"))
    return notFound;
  std::lock_guard guard(lock);
  std::vector<char> &variable = variables[name];
  if (variable.empty() && strstr(name, "$scopes")) {
    constexpr char text[] = "wait\0app.tt.cpp\0" "7";
    const tilecc_gpu_scopes head = {1, sizeof(text)};
    variable.assign(reinterpret_cast<const char *>(&head), reinterpret_cast<const char *>(&head + 1));
    variable.insert(variable.end(), text, text + sizeof(text));
  }
  variable.resize(std::max(variable.size(), sizeof(tilecc_gpu_profile)));
  *address = reinterpret_cast<CUdeviceptr>(variable.data());
  *bytes = variable.size();
  return CUDA_SUCCESS;
}

void fake::record(const std::string &symbol, unsigned blocks) {
  std::lock_guard guard(lock);
  auto variable = variables.find(symbol + "$profile");
  if (variable == variables.end())
    return;
  tilecc_gpu_profile profile;
  memcpy(&profile, variable->second.data(), sizeof(profile));
  ++launches;
  for (unsigned block = 0; profile.buffer && block < blocks; ++block) {
    auto *buffer = reinterpret_cast<tilecc_profile_buffer *>(profile.buffer);
    const uint32_t number = buffer->claimed++;
    if (number >= buffer->part_count)
      continue;
    const uint32_t place = number * sizeof(tilecc_profile_record);
    *reinterpret_cast<tilecc_profile_record *>(profile.records + place) = {100, tilecc_profile_whole, 300, 0};
    reinterpret_cast<tilecc_profile_part *>(buffer + 1)[number] = {
        1000 * launches, 1000 * launches + 1000, 0, 1000, 0, {block, 0, 0}, 0, place + profile.stride};
  }
}
