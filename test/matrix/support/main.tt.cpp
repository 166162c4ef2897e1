// The command line of the matrix's programs, which cases run, and what is said about them.
#include "matrix.h"

#include <algorithm>
#include <exception>
#include <fnmatch.h>
#include <map>

namespace matrix {
namespace {

//===-- the command line ------------------------------------------------------------------------------------------===//

constexpr const char *usage = R"(usage: %s [options]
Runs cases operation/type/shape/wWARPS/form, checks every element of their results, and closes with
`N passed, N failed, N skipped`. The device is chosen as in any program (TILECC_DEVICE).
  --filter=<glob>    only the cases that match (* matches / too); may be repeated
  --sample=<n>       about n in 100 of the launches, chosen by the seed
  --seed=<n>         of all random numbers; a new one in every run otherwise
  --hash=<file>      write a hash of each integer result, to compare devices bit for bit
  --time-limit=<s>   start no launch after s seconds; the rest is skipped
  --list             print the cases, a line for each operation, type, shape and number of warps, and run none
)";

struct options {
  std::vector<std::string> filters;
  double sample = 100, time_limit = 0;
  uint64_t seed = 0;
  bool has_seed = false, list = false;
  FILE *hash = nullptr;
  std::string program;
} options;

struct counts {
  long passed = 0, failed = 0, skipped = 0;
} counts;
std::map<std::string, long> skips; // by reason
family *families = nullptr;
const char *family_name = "";
bool device_is_lost = false;

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}
double started = 0;

bool starts_with(const char *text, const char *prefix, const char *&rest) {
  size_t length = std::strlen(prefix);
  rest = text + length;
  return std::strncmp(text, prefix, length) == 0;
}

[[noreturn]] void complain(const char *what, const char *about) {
  std::fprintf(stderr, "%s: %s%s\n", options.program.c_str(), what, about);
  std::exit(2);
}

double number(const char *text, double low, double high) {
  char *end;
  double value = std::strtod(text, &end);
  if (end == text || *end || !(value >= low && value <= high))
    complain("not a number in range: ", text);
  return value;
}

void parse(int count, char **arguments) {
  const char *slash = std::strrchr(arguments[0], '/');
  options.program = slash ? slash + 1 : arguments[0];
  for (int i = 1; i < count; ++i) {
    const char *value;
    if (starts_with(arguments[i], "--filter=", value)) {
      options.filters.push_back(value);
    } else if (starts_with(arguments[i], "--sample=", value)) {
      options.sample = number(value, 0, 100);
    } else if (starts_with(arguments[i], "--time-limit=", value)) {
      options.time_limit = number(value, 0, 1e9);
    } else if (starts_with(arguments[i], "--seed=", value)) {
      options.seed = uint64_t(number(value, 0, 0x1p53));
      options.has_seed = true;
    } else if (starts_with(arguments[i], "--hash=", value)) {
      options.hash = std::fopen(value, "w");
      if (!options.hash)
        complain("cannot write ", value);
    } else if (std::strcmp(arguments[i], "--list") == 0) {
      options.list = true;
    } else if (std::strcmp(arguments[i], "--help") == 0) {
      std::printf(usage, options.program.c_str());
      std::exit(0);
    } else {
      complain("unknown option: ", arguments[i]);
    }
  }
  if (!options.has_seed) {
    timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    options.seed = (uint64_t(time.tv_sec) * 1000003 ^ uint64_t(time.tv_nsec)) % 1000000000;
  }
}

//===-- what is said ----------------------------------------------------------------------------------------------===//

uint64_t hash_of(const std::string &text, uint64_t state) {
  for (unsigned char c : text)
    state = (state ^ c) * 0x100000001b3u;
  return state ^ state >> 29;
}

void report_failure(const std::string &name) {
  ++counts.failed;
  std::fprintf(stderr, "FAILED %s; again: ./%s --filter='%s' --seed=%llu\n", name.c_str(), options.program.c_str(),
               name.c_str(), static_cast<unsigned long long>(options.seed));
}

void report_skip(const char *reason) {
  ++counts.skipped;
  ++skips[reason];
}

// --list: forms are gathered in one line. Cases come in the order in which families name them.
struct listed {
  std::vector<std::string> order;
  std::map<std::string, std::string> forms;
  long count = 0;
  void add(const std::string &key, const std::string &form) {
    auto [at, is_new] = forms.try_emplace(key);
    if (is_new)
      order.push_back(key);
    at->second += " " + form;
    ++count;
  }
  void print() const {
    for (const std::string &key : order)
      std::printf("%s:%s\n", key.c_str(), forms.at(key).c_str());
  }
} listed;

bool is_selected(const std::string &name) {
  if (options.filters.empty())
    return true;
  return std::any_of(options.filters.begin(), options.filters.end(), [&](const std::string &glob) {
    return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
  });
}

} // namespace

//===-- families and cases ----------------------------------------------------------------------------------------===//

family::family(const char *name, void (*body)()) : name(name), body(body), next(families) { families = this; }

cases::cases(std::string type, std::string shape, int warps, std::string form)
    : type_(std::move(type)), shape_(std::move(shape)), form_(std::move(form)), warps_(warps) {}

std::string cases::name(const char *operation) const {
  return std::string(operation) + "/" + type_ + "/" + shape_ + "/w" + std::to_string(warps_) + "/" + form_;
}

bool cases::of(const char *const *operations, size_t count) {
  operations_ = operations;
  if (options.list) {
    for (size_t i = 0; i < count; ++i)
      listed.add(std::string(family_name) + " " + operations[i] + "/" + type_ + "/" + shape_ + "/w" +
                     std::to_string(warps_),
                 form_);
    return false;
  }
  for (size_t i = 0; i < count; ++i)
    count_ += is_selected(name(operations[i]));
  if (count_ == 0)
    return false;
  auto skip_all = [&](const char *reason) {
    for (; count_; --count_)
      report_skip(reason);
    return false;
  };
  if (device_is_lost) {
    for (size_t i = 0; i < count; ++i)
      counts.failed += is_selected(name(operations[i]));
    count_ = 0;
    return false;
  }
  if (options.time_limit && now() - started > options.time_limit)
    return skip_all("the time is over (--time-limit)");
  e2e::random_state = hash_of(std::string(family_name) + name(""), options.seed * 0x9e3779b97f4a7c15u);
  if (options.sample < 100 && uniform(0, 100) >= options.sample)
    return skip_all("not in the sample (--sample)");
  return true;
}

bool cases::begin(const char *operation) {
  std::string full = name(operation);
  if (!is_selected(full))
    return false;
  current_ = operation;
  wrong_ = 0;
  e2e::failures = 0;
  e2e::context("%s", full.c_str());
  if (!has_run_)
    wait();
  if (error_.empty())
    return true;
  e2e::failures = 1; // wait() has said why
  end(nullptr);
  return false;
}

// Waits for the launch. A GPU that has failed once fails from then on; the emulator does not.
void cases::wait() {
  has_run_ = true;
  try {
    e2e::synchronize();
  } catch (const std::exception &error) {
    error_ = error.what();
    e2e::context("%s", name("*").c_str());
    e2e::fail("%s", error_.c_str());
    device_is_lost = ttDeviceSynchronize() != ttSuccess;
  }
}

void cases::end(const hasher *hash) {
  ++checked_;
  if (wrong_ > 3)
    e2e::fail("... %zu elements are wrong", wrong_);
  if (e2e::failures)
    report_failure(name(current_));
  else
    ++counts.passed;
  if (hash && options.hash)
    std::fprintf(options.hash, "%s %016llx\n", name(current_).c_str(), static_cast<unsigned long long>(hash->state));
}

void cases::skip(const char *operation, const char *reason) {
  if (!is_selected(name(operation)))
    return;
  ++checked_;
  report_skip(reason);
}

cases::~cases() {
  if (checked_ == count_ || std::uncaught_exceptions())
    return;
  e2e::context("%s", name("*").c_str());
  e2e::fail("%zu of %zu cases were checked", checked_, count_);
  report_failure(name("*"));
}

void cases::hasher::add(const void *data, size_t size) {
  for (size_t i = 0; i < size; ++i)
    state = (state ^ static_cast<const unsigned char *>(data)[i]) * 0x100000001b3u;
}

//===-- arguments -------------------------------------------------------------------------------------------------===//

std::vector<form> forms(int block, int pick) {
  std::vector<form> result;
  auto add = [&](int n, int skew) {
    std::string name = "n" + std::to_string(n) + (skew ? "+" + std::to_string(skew) : "");
    if (std::none_of(result.begin(), result.end(), [&](const form &f) { return f.name == name; }))
      result.push_back({name, n, skew});
  };
  add(0, 0);
  add(1, 0);
  add(block - 1, 0);
  add(block, 0);
  add(2 * block, 1 + pick % 15);
  add(2 * block + block / 2 + 1, 1 + (pick + 7) % 15);
  add(3 * block, 0);
  return result;
}

double special_number() {
  // The NaN is the one that processors make of inf - inf: of two NaNs, an operation on double may give either.
  constexpr double numbers[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, -NAN, 0.5, 2, -2};
  return numbers[random_bits() % std::size(numbers)];
}

} // namespace matrix

//===-- main ------------------------------------------------------------------------------------------------------===//

int main(int count, char **arguments) {
  using namespace matrix;
  parse(count, arguments);
  e2e::program = options.program.c_str();
  e2e::seed = options.seed;
  started = now();
  // Static constructors run in the order of the link; families go by their names.
  std::vector<family *> sorted;
  for (family *f = families; f; f = f->next)
    sorted.push_back(f);
  std::sort(sorted.begin(), sorted.end(), [](family *a, family *b) { return std::strcmp(a->name, b->name) < 0; });
  for (family *f : sorted) {
    family_name = f->name;
    try {
      f->body();
    } catch (const std::exception &error) {
      ++counts.failed;
      std::fprintf(stderr, "%s: %s: %s\n", e2e::program, family_name, error.what());
    }
  }
  if (options.list) {
    listed.print();
    return 0;
  }
  if (options.hash)
    std::fclose(options.hash);
  for (const auto &[reason, count] : skips)
    std::printf("skipped %ld: %s\n", count, reason.c_str());
  if (counts.passed + counts.failed == 0)
    std::fprintf(stderr, "%s: no case ran\n", options.program.c_str());
  std::printf("%ld passed, %ld failed, %ld skipped on %s; seed %llu, %.1f s\n", counts.passed, counts.failed,
              counts.skipped, e2e::device().name, static_cast<unsigned long long>(options.seed), now() - started);
  return counts.failed != 0 || counts.passed == 0;
}
