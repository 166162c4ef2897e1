//===-- TuneFilesTest.cpp - tests tuning results that are kept after a process has ended -------------------------===//
#include "Scenario.h"
#include "TuneKernels.h"
#include "runtime/internal/TuneTable.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilecc::rt;
using scenario::run;
namespace fs = std::filesystem;

static auto kept = tt::autotune<allRows>(makeWork);
alignas(16) static int values[16];

namespace {

// A folder that is deleted after the test.
struct Folder {
  Folder() {
    path = testing::TempDir() + "tilecc-tune-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
  }
  ~Folder() { fs::remove_all(path); }
  scenario::Environment environment(scenario::Environment more = {}) const {
    more.insert(more.end(), {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "1"}, {"TILECC_CACHE_DIR", path}});
    return more;
  }
  // The only table in the cache, or an empty string.
  std::string table() const {
    for (const auto &entry : fs::recursive_directory_iterator(path))
      if (entry.path().filename() == "choices")
        return entry.path();
    return "";
  }
  std::string path;
};

std::string read(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::string &path, const std::string &text) { std::ofstream(path) << text; }

bool isValid(const std::string &path) {
  TuneTable table;
  bool valid = readTuneTable(path.c_str(), TuneFile::MustBe, &table);
  freeTuneTable(table);
  return valid;
}

int launches() { return workRows[0].launches + workRows[1].launches + workRows[2].launches; }

} // namespace

//===-- The text --------------------------------------------------------------------------------------------------===//

TEST(TuneTable, IsWrittenUnderANameThatNobodyKnows) {
  Folder folder;
  std::string path = folder.path + "/table", victim = folder.path + "/victim";
  write(victim, "precious");
  fs::create_symlink(victim, path + ".new");
  TuneTable table = {};
  ASSERT_TRUE(writeTuneTable(table, path.c_str()));
  EXPECT_TRUE(isValid(path));
  EXPECT_FALSE(fs::is_symlink(path));
  EXPECT_EQ(read(victim), "precious");
}

TEST(TuneTable, ReplacesTheChoiceOfAProblem) {
  Folder folder;
  std::string path = folder.path + "/table";
  TuneTable table = {}, again;
  TuneProblem one = {1, "a GPU, 90, 132", "work", "3: 64"}, longer = {1, "a GPU, 90, 132", "work", "3: 64 1"};
  EXPECT_TRUE(addToTuneTable(table, one, 1, 2.5, "work<1>"));
  EXPECT_TRUE(addToTuneTable(table, longer, 2, 7, "work<2>"));
  EXPECT_TRUE(addToTuneTable(table, one, 0, 1.5, "work<0>"));
  ASSERT_TRUE(writeTuneTable(table, path.c_str()));
  EXPECT_EQ(read(path).substr(0, 75),
            "tilecc-tune 1\n0000000000000001\ta GPU, 90, 132\twork\t3: 64 1\t2\t7.000\twork<2>\n");
  ASSERT_TRUE(readTuneTable(path.c_str(), TuneFile::MustBe, &again));
  unsigned row;
  double microseconds;
  EXPECT_TRUE(findInTuneTable(again, one, &row, &microseconds));
  EXPECT_EQ(row, 0u);
  EXPECT_EQ(microseconds, 1.5);
  one.code = 2;
  EXPECT_FALSE(findInTuneTable(again, one, &row, &microseconds));
  freeTuneTable(table);
  freeTuneTable(again);
}

TEST(TuneTable, KnowsADamagedOne) {
  Folder folder;
  std::string path = folder.path + "/table";
  TuneTable table = {};
  ASSERT_TRUE(addToTuneTable(table, {1, "a GPU", "work", "3: 64"}, 1, 2.5, "work<1>"));
  ASSERT_TRUE(writeTuneTable(table, path.c_str()));
  freeTuneTable(table);
  std::string good = read(path);
  testing::internal::CaptureStderr();
  for (size_t size = 0; size < good.size(); ++size) { // truncated at any position
    write(path, good.substr(0, size));
    EXPECT_FALSE(isValid(path)) << size;
  }
  for (size_t place = 0; place < good.size(); ++place) { // with another letter at any position
    std::string other = good;
    other[place] ^= 1;
    write(path, other);
    EXPECT_FALSE(isValid(path)) << place;
  }
  std::string notes = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(notes.begin(), notes.end(), '\n'), static_cast<long>(2 * good.size())) << notes;
  write(path, good);
  EXPECT_TRUE(isValid(path));
}

//===-- The cache -------------------------------------------------------------------------------------------------===//

SCENARIO(tunesOnceMore) {
  if (const char *code = getenv("CODE_OF_WORK"))
    setCodeOfWork(atoi(code));
  EXPECT_EQ(kept.choose(1, nullptr, values, 64), 1);
  printf("launches: %d\n", launches());
}
TEST(TuneCache, SurvivesTheProcess) {
  Folder folder;
  run("tunesOnceMore", folder.environment()).expectSuccess();
  EXPECT_TRUE(isValid(folder.table()));
  run("tunesOnceMore", folder.environment({{"TILECC_TUNE", "verbose"}}))
      .expectSuccess()
      .expectOutput("launches: 0\n")
      .expectOutput("us, from " + folder.table());
  auto fresh = run("tunesOnceMore", folder.environment({{"TILECC_TUNE", "fresh"}}));
  EXPECT_EQ(fresh.output.find("launches: 0\n"), std::string::npos) << fresh.output;
  auto changed = run("tunesOnceMore", folder.environment({{"CODE_OF_WORK", "77"}}));
  EXPECT_EQ(changed.output.find("launches: 0\n"), std::string::npos) << changed.output;
}

TEST(TuneCache, IsMadeAnewWhenItIsDamaged) {
  Folder folder;
  run("tunesOnceMore", folder.environment()).expectSuccess();
  std::string table = folder.table(), good = read(table);
  for (auto [text, what] : {std::pair(good.substr(0, good.size() / 2), "this table of tuned choices is damaged"),
                            std::pair(std::string("\x7f"
                                                  "ELF"),
                                      "this is no table of tuned choices")}) {
    write(table, text);
    std::string note = table + ": " + what + "; it is ignored\n";
    auto outcome = run("tunesOnceMore", folder.environment());
    outcome.expectSuccess().expectOutput(note);
    EXPECT_EQ(outcome.output.find(note), outcome.output.rfind(note)); // once
    EXPECT_TRUE(isValid(table));
  }
}

TEST(TuneCache, IsNotNeeded) {
  run("tunesOnceMore", {{"TILECC_DEVICE", "cpu"}, {"TILECC_CACHE_DIR", "/dev/null/cache"}})
      .expectSuccess()
      .expectOutput("the choice for kernel 'work' is not kept: Not a directory");
}

TEST(TuneCache, SixteenProcessesAtOnce) {
  Folder folder;
  std::vector<std::thread> threads;
  std::atomic<int> measured{0};
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      auto outcome = run("tunesOnceMore", folder.environment());
      outcome.expectSuccess();
      measured += outcome.output.find("launches: 0\n") == std::string::npos;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(measured, 1); // the others waited for it
  EXPECT_TRUE(isValid(folder.table()));
}

// Processes do not wait for one that holds the lock and makes no progress.
TEST(TuneCache, AStoppedProcessIsNotWaitedFor) {
  Folder folder;
  run("tunesOnceMore", folder.environment()).expectSuccess();
  std::string table = folder.table();
  unlink(table.c_str());
  FolderLock lock(fs::path(table).parent_path().c_str(), 1);
  ASSERT_TRUE(lock.isHeld());
  run("tunesOnceMore", folder.environment({{"TILECC_TUNE", "wait=0.1"}})).expectSuccess();
  EXPECT_FALSE(fs::exists(table));
}

// Writes repeatedly until it is killed.
SCENARIO(writesForEver) {
  TuneTable table = {};
  std::string key = "3: " + std::string(400, '7');
  for (int i = 0; i < 2000; ++i)
    addToTuneTable(table, {static_cast<uint64_t>(i), "a GPU", "work", key.c_str()}, 1, 2.5, "work<1>");
  puts("writes");
  fflush(stdout);
  while (writeTuneTable(table, getenv("TABLE"))) {
  }
}
TEST(TuneCache, AKilledWriterLeavesItValid) {
  Folder folder;
  std::string path = folder.path + "/table";
  for (int i = 0; i < 12; ++i) {
    pid_t child = fork();
    if (child == 0) {
      setenv("TABLE", path.c_str(), 1);
      if (!freopen("/dev/null", "w", stdout))
        _exit(127);
      execl("/proc/self/exe", "runtime-tests", "--scenario", "writesForEver", nullptr);
      _exit(127);
    }
    while (!fs::exists(path))
      usleep(1000);
    usleep(500 + 1700 * i);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(isValid(path)) << i;
    unlink(path.c_str());
  }
}

//===-- Tables that are made on purpose ---------------------------------------------------------------------------===//

SCENARIO(recordsChoices) {
  for (int n : {64, 1000, 100000})
    kept.launch(1, nullptr, values, n);
  EXPECT_EQ(ttTuneSave(getenv("SAVED")), ttSuccess);
  EXPECT_EQ(ttTuneSave("/dev/null/table"), ttErrorOperatingSystem);
}
SCENARIO(readsChoices) {
  if (const char *path = getenv("LOADED")) {
    EXPECT_EQ(ttTuneLoad(path), ttSuccess);
    EXPECT_EQ(ttTuneLoad("/nowhere/table"), ttErrorInvalidValue);
  }
  for (int n : {64, 1000, 100000})
    kept.choose(1, nullptr, values, n);
  EXPECT_EQ(launches(), 0);
}
TEST(TuneTables, AreRecordedSavedAndRead) {
  Folder folder;
  std::string recorded = folder.path + "/recorded", saved = folder.path + "/saved";
  run("recordsChoices", folder.environment({{"TILECC_TUNE", "fresh,record=" + recorded}, {"SAVED", saved}}))
      .expectSuccess();
  EXPECT_EQ(read(recorded), read(saved));
  EXPECT_TRUE(isValid(recorded));
  EXPECT_EQ(folder.table(), ""); // the cache is not used
  run("readsChoices", folder.environment({{"TILECC_TUNE_TABLE", recorded}})).expectSuccess();
  run("readsChoices", folder.environment({{"LOADED", saved}})).expectSuccess();
  run("tunesOnceMore", folder.environment({{"TILECC_TUNE_TABLE", folder.path + "/none"}}))
      .expectSuccess()
      .expectOutput("/none: No such file or directory; it is ignored");
}

// Tables for another machine, and rows that do not exist, are ignored.
TEST(TuneTables, AreForADevice) {
  Folder folder;
  std::string path = folder.path + "/saved";
  run("recordsChoices", folder.environment({{"TILECC_TUNE", "fresh"}, {"SAVED", path}})).expectSuccess();
  auto gpu = run("tunesOnceMore",
                 {{"TILECC_TUNE_TABLE", path}, {"FAKE_CUDA_TIMES", "work0=2,work1=1"}, {"TILECC_TUNE", "verbose"}});
  gpu.expectSuccess().expectOutput("us, measured, in");
}
