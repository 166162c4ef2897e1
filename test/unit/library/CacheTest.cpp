//===- CacheTest.cpp - tests the cache of compiled programs -------------------------------------------------------===//

#include "TestProgram.h"
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {
class Cache : public testing::Test {
protected:
  void SetUp() override {
    dir = fs::temp_directory_path() / ("tilecc-cache-test-" + std::to_string(getpid()));
    fs::remove_all(dir);
  }
  void TearDown() override {
    fs::remove_all(dir);
    unsetenv("TILECC_CACHE_SIZE");
  }
  /// Compiles, and returns true if the result was in the cache. The program's log goes to `log`.
  bool isCached(const std::string &source, std::vector<std::string> options = {}) {
    options.insert(options.end(), {"-arch=compute_80", "--cache=" + dir.string()});
    TestProgram program(source);
    EXPECT_EQ(program.compile(options), TILECC_SUCCESS) << program.log();
    log = program.log();
    ptx = program.get(TILECC_PTX);
    return tilecc_program_was_cached(program.program);
  }
  std::vector<fs::path> entries() {
    std::vector<fs::path> found;
    for (const auto &entry : fs::directory_iterator(dir))
      found.push_back(entry.path());
    return found;
  }
  static std::string kernel(int number) {
    return "#include <tilecc/tt.h>\n__tile_global__ void k(int *x) { tt::store(x, " + std::to_string(number) + "); }\n";
  }
  fs::path dir;
  std::string log, ptx;
};
} // namespace

TEST_F(Cache, KnowsWhatWasCompiled) {
  EXPECT_FALSE(isCached(kernel(1)));
  std::string first = ptx;
  EXPECT_TRUE(isCached(kernel(1)));
  EXPECT_EQ(ptx, first);
  EXPECT_FALSE(isCached(kernel(2)));
  EXPECT_FALSE(isCached(kernel(1), {"-DNUMBER=1"}));
  EXPECT_EQ(entries().size(), 3u);
}

TEST_F(Cache, LooksAtHeaders) {
  fs::path header = dir.string() + "-headers/value.h";
  fs::create_directory(header.parent_path());
  std::string source =
      "#include <tilecc/tt.h>\n#include <value.h>\n__tile_global__ void k(int *x) { tt::store(x, VALUE); }\n";
  std::vector<std::string> options = {"-I" + header.parent_path().string()};
  auto write = [&](int value) { std::ofstream(header) << "#define VALUE " << value << "\n"; };
  write(1);
  EXPECT_FALSE(isCached(source, options));
  EXPECT_TRUE(isCached(source, options));
  fs::last_write_time(header, fs::last_write_time(header) + std::chrono::seconds(10)); // the same contents
  EXPECT_TRUE(isCached(source, options));
  write(2);
  EXPECT_FALSE(isCached(source, options));
  fs::remove_all(header.parent_path());
}

TEST_F(Cache, IgnoresWhatIsDamaged) {
  isCached(kernel(1));
  fs::path entry = entries().front();
  auto size = fs::file_size(entry);
  fs::resize_file(entry, size / 2);
  EXPECT_FALSE(isCached(kernel(1)));
  EXPECT_NE(log.find("note: " + entry.string() + ": ignored, because it is damaged"), std::string::npos) << log;
  EXPECT_TRUE(isCached(kernel(1))) << "it was not written again";
  { // changes one byte in the middle
    std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(size / 2);
    char byte = char(file.peek() ^ 1);
    file.seekp(size / 2);
    file.put(byte);
  }
  EXPECT_FALSE(isCached(kernel(1)));
  std::ofstream(entry) << "something else";
  EXPECT_FALSE(isCached(kernel(1)));
  fs::permissions(entry, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(isCached(kernel(1)));
  EXPECT_NE(log.find("because other users can write it"), std::string::npos) << log;
}

TEST_F(Cache, TakesOnlyWhatItsUserWrote) {
  isCached(kernel(1));
  fs::path entry = entries().front(), elsewhere = dir.string() + "-elsewhere";
  fs::rename(entry, elsewhere);
  fs::create_symlink(elsewhere, entry);
  EXPECT_FALSE(isCached(kernel(1)));
  EXPECT_NE(log.find("note: " + entry.string() + ": ignored, because it is a link"), std::string::npos) << log;
  EXPECT_FALSE(fs::is_symlink(entry)) << "it was not written again";
  fs::remove(elsewhere);

  // An entry under the name of another program's.
  isCached(kernel(2));
  std::vector<fs::path> both = entries();
  fs::path other = both[both[0] == entry ? 1 : 0];
  fs::copy_file(entry, other, fs::copy_options::overwrite_existing);
  EXPECT_FALSE(isCached(kernel(2)));
  EXPECT_NE(log.find("note: " + other.string() + ": ignored, because it is damaged or not an entry"), std::string::npos);

  fs::permissions(dir, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(isCached(kernel(1)));
  EXPECT_NE(log.find("note: the cache " + dir.string() + ": ignored, because other users can write it"),
            std::string::npos)
      << log;
}

TEST_F(Cache, DoesWithoutAFolder) {
  std::ofstream(dir) << "a file"; // so no folder can be created here
  EXPECT_FALSE(isCached(kernel(1)));
  EXPECT_NE(log.find("note: the cache " + dir.string() + ": "), std::string::npos) << log;
}

TEST_F(Cache, RemovesWhatWasNotUsedForLongest) {
  setenv("TILECC_CACHE_SIZE", "1", 1); // megabyte
  isCached(kernel(1));
  isCached(kernel(2));
  fs::path first = entries()[0], second = entries()[1], large = dir / "large.tcp";
  std::ofstream(large) << std::string(900'000, 'x');
  std::ofstream(dir / "left.tmp") << "by somebody who was killed";
  auto age = [](const fs::path &file, int hours) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  age(first, 3), age(large, 2), age(dir / "left.tmp", 2);
  std::ofstream(dir / "other.tcp") << std::string(300'000, 'x');
  isCached(kernel(3));
  EXPECT_FALSE(fs::exists(first)); // the oldest, ...
  EXPECT_FALSE(fs::exists(large)); // and the next one, after which the rest fits
  EXPECT_TRUE(fs::exists(second));
  EXPECT_TRUE(fs::exists(dir / "other.tcp"));
  EXPECT_FALSE(fs::exists(dir / "left.tmp"));
  age(second, 5);
  isCached(kernel(2));
  isCached(kernel(1));
  EXPECT_LT(fs::file_time_type::clock::now() - fs::last_write_time(second), std::chrono::hours(6));
}

// Processes that compile the same program at the same time neither wait for nor disturb each other.
TEST_F(Cache, ManyProcesses) {
  std::vector<pid_t> children;
  for (int i = 0; i < 16; ++i) {
    pid_t child = fork();
    if (child == 0) {
      isCached(kernel(7));
      _exit(log.empty() && ptx.find(".entry") != std::string::npos ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(isCached(kernel(7)));
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(Cache, KilledWritersLeaveItValid) {
  // On a busy machine the first ones are killed before they have written anything.
  for (int round = 0; round < 4 || (round < 100 && !fs::exists(dir)); ++round) {
    pid_t child = fork();
    if (child == 0)
      for (int i = 0;; ++i)
        isCached(kernel(i));
    usleep(60'000 + round * 17'000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  ASSERT_TRUE(fs::exists(dir));
  for (int i = 0; i < 3; ++i) {
    isCached(kernel(i));
    EXPECT_EQ(log, "");
  }
  EXPECT_TRUE(isCached(kernel(0)));
}
