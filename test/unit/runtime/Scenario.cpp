//===-- Scenario.cpp - runs scenarios, and has the tests' main function ------------------------------------------===//
#include "Scenario.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scenario {

static std::map<std::string, void (*)()> &scenarios() {
  static std::map<std::string, void (*)()> all;
  return all;
}

Registration::Registration(const char *name, void (*body)()) {
  if (scenarios().emplace(name, body).second)
    return;
  fprintf(stderr, "there are two scenarios %s\n", name);
  abort();
}

static std::string read(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void inChild(const std::function<void()> &f) {
  fflush(nullptr);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    f();
    fflush(nullptr);
    exit(testing::Test::HasFailure() ? 3 : 0);
  }
  int status;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

std::string driverLog() { return read(getenv("FAKE_CUDA_LOG")); }

Outcome run(const std::string &name, Environment environment) {
  char folder[] = "/tmp/tilecc-scenario-XXXXXX";
  if (!mkdtemp(folder))
    return {-1, "mkdtemp failed", ""};
  std::string outputPath = std::string(folder) + "/output", logPath = std::string(folder) + "/log";

  pid_t child = fork();
  if (child == 0) {
    for (const char *variable :
         {"TILECC_DEVICE", "TILECC_NUM_THREADS", "TILECC_CPU_LEVEL", "TILECC_EMU_LIBRARY", "TILECC_EMU_CHECKS",
          "TILECC_EMU_SCHEDULE", "TILECC_EMU_SEED", "TILECC_EMU_PROFILE", "TILECC_TRACE", "TILECC_PROFILE", "FAKE_CUDA_RECORDS", "TILECC_NVTX", "NVTX_INJECTION64_PATH", "TILECC_EMU_MAX_INSTRUCTIONS", "FAKE_CUDA_ARCHS", "FAKE_CUDA_FAIL",
          "FAKE_HIP_ARCHS", "FAKE_HIP_FAIL", "FAKE_HIP_VERSION", "FAKE_EMU_FAIL", "FAKE_EMU_VERSION", "FAKE_CUDA_TIMES", "TILECC_TUNE", "TILECC_TUNE_TABLE", "TILECC_TUNE_CHOICE", "CUDA_FORCE_PTX_JIT"})
      unsetenv(variable);
    setenv("LD_LIBRARY_PATH", FAKE_CUDA_DIR ":" FAKE_EMULATOR_DIR, 1);
    setenv("FAKE_CUDA_LOG", logPath.c_str(), 1);
    setenv("FAKE_HIP_LOG", logPath.c_str(), 1);
    setenv("TILECC_CACHE_DIR", (std::string(folder) + "/cache").c_str(), 1);
    std::string tsan = getenv("TSAN_OPTIONS") ? getenv("TSAN_OPTIONS") : "";
    setenv("TSAN_OPTIONS", (tsan + ":die_after_fork=0").c_str(), 1); // the tests start threads in a child
    for (auto &[variable, value] : environment)
      setenv(variable.c_str(), value.c_str(), 1);
    FILE *output = freopen(outputPath.c_str(), "w", stdout);
    if (!output || dup2(fileno(output), STDERR_FILENO) < 0)
      _exit(127);
    alarm(120);
    execl("/proc/self/exe", "runtime-tests", "--scenario", name.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome = {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read(outputPath), read(logPath)};
  std::filesystem::remove_all(folder);
  return outcome;
}

const Outcome &Outcome::expectSuccess() const {
  EXPECT_EQ(exitCode, 0) << output << "\nlog of the driver:\n" << log;
  return *this;
}
const Outcome &Outcome::expectOutput(const std::string &text) const {
  EXPECT_NE(output.find(text), std::string::npos) << "expected: " << text << "\nin: " << output;
  return *this;
}
const Outcome &Outcome::expectLog(const std::string &text) const {
  EXPECT_NE(log.find(text), std::string::npos) << "expected: " << text << "\nin: " << log;
  return *this;
}
const Outcome &Outcome::expectNoLog(const std::string &text) const {
  EXPECT_EQ(log.find(text), std::string::npos) << "not expected: " << text << "\nin: " << log;
  return *this;
}
int Outcome::calls(const std::string &beginning) const {
  int count = 0;
  std::stringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    count += line.compare(0, beginning.size(), beginning) == 0;
  return count;
}

} // namespace scenario

// A scenario is a test with one function, so EXPECT works as usual.
namespace {
class ScenarioTest : public testing::Test {
public:
  explicit ScenarioTest(void (*body)()) : body(body) {}
  void TestBody() override { body(); }

private:
  void (*body)();
};
} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 3 || strcmp(argv[1], "--scenario"))
    return RUN_ALL_TESTS();
  auto found = scenario::scenarios().find(argv[2]);
  if (found == scenario::scenarios().end()) {
    fprintf(stderr, "there is no scenario %s\n", argv[2]);
    return 126;
  }
  testing::RegisterTest("Scenario", "Runs", nullptr, nullptr, __FILE__, __LINE__,
                        [&]() -> testing::Test * { return new ScenarioTest(found->second); });
  testing::GTEST_FLAG(filter) = "Scenario.Runs";
  return RUN_ALL_TESTS();
}
