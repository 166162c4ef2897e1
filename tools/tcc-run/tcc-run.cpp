//===-- tcc-run.cpp - runs one kernel of a PTX file on the PTX emulator ----------------------------------------===//
//
//   tcc-run kernel.ptx --kernel='add<1024>' --grid=4 --block=128 --arg 'f32[4096]=random' --arg 'f32[4096]=1'
//           --arg 'f32[4096]' --arg s32:4096 --print=2:0..7
//
// A command-line front end for the emulator's C interface. It exits with status 1 if the command line or the PTX is
// invalid, if the kernel failed, or if a check found an error.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "tools/tcc-run/Argument.h"
#include "runtime/internal/EmulatorOptions.h"
#include "runtime/internal/ThreadPool.h"
#include "tilecc/emulator.h"
#include "tilecc/runtime.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>

using namespace tilecc::emu;
using tilecc::rt::EmulatorSettings;

namespace {

// The value of --print=2:0..15 or --save=2:file.
struct Output {
  uint64_t argument = 0;
  uint64_t first = 0, last = UINT64_MAX; // for --print
  std::string file;                      // for --save; empty: print
};

struct Command {
  std::string input, kernel;
  uint32_t arch = 0;
  tilecc_emu_launch_config launch = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 0, nullptr, 0, 0, 0};
  std::string settings[EmulatorSettings::count]; // parsed together at the end
  std::vector<Argument> arguments;
  std::vector<Output> outputs;
  bool list = false, stats = false;
};

//===-- the command line ---------------------------------------------------------------------------------------===//

// Parses "4", "4,2" or "4,2,1".
void parseDimensions(const std::string &text, uint32_t (&sizes)[3]) {
  size_t at = 0;
  for (int i = 0; i < 3; ++i) {
    size_t end = std::min(text.find(',', at), text.size());
    uint64_t size = at > text.size() ? 1 : parseCount(text.substr(at, end - at));
    if (size > UINT32_MAX)
      throw UsageError("'" + text + "' is too large");
    sizes[i] = static_cast<uint32_t>(size);
    at = end + 1;
  }
  if (at <= text.size())
    throw UsageError("there are at most three dimensions");
}

uint32_t parseArch(const std::string &text) {
  std::string digits = text.rfind("sm_", 0) == 0 ? text.substr(3) : "";
  if (!digits.empty() && strchr("af", digits.back()))
    digits.pop_back();
  uint64_t arch = parseCount(digits.empty() ? text : digits);
  if (digits.empty() || arch == 0 || arch > 9999)
    throw UsageError("write sm_90");
  return static_cast<uint32_t>(arch);
}

// Parses an argument's number and the rest of the option.
Output parseOutput(const std::string &text, bool isFile) {
  size_t colon = text.find(':');
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  Output output;
  output.argument = parseCount(text.substr(0, colon));
  if (isFile) {
    if (rest.empty())
      throw UsageError("write the argument's number and a file, as in 2:out.bin");
    output.file = rest;
  } else if (colon != std::string::npos) {
    size_t dots = rest.find("..");
    output.first = parseCount(rest.substr(0, dots));
    output.last = dots == std::string::npos ? output.first : parseCount(rest.substr(dots + 2));
  }
  return output;
}

struct Option {
  const char *name;
  const char *value; // the format of its value, for --help; null: none
  const char *help;
  std::function<void(Command &, const std::string &value)> apply;
};

auto setting(EmulatorSettings::Name name) {
  return [name](Command &command, const std::string &value) { command.settings[name] = value; };
}

const std::vector<Option> &options() {
  static const std::vector<Option> all = {
      {"--kernel", "<name>", "The kernel, as in C++ or as in the PTX; only needed where the file has several",
       [](Command &c, const std::string &v) { c.kernel = v; }},
      {"--grid", "<x>[,<y>[,<z>]]", "Blocks in the grid (default 1)",
       [](Command &c, const std::string &v) { parseDimensions(v, c.launch.grid); }},
      {"--block", "<x>[,<y>[,<z>]]", "Threads in a block (default 1)",
       [](Command &c, const std::string &v) { parseDimensions(v, c.launch.block); }},
      {"--cluster", "<x>[,<y>[,<z>]]", "Blocks in a cluster (default 1)",
       [](Command &c, const std::string &v) { parseDimensions(v, c.launch.cluster); }},
      {"--devices-along-z", nullptr,
       "Treat blocks with different z as blocks of different GPUs, which only scope .sys includes",
       [](Command &c, const std::string &) { c.launch.devices_along_z = 1; }},
      {"--shared", "<bytes>", "Dynamic shared memory of a block (default 0)",
       [](Command &c, const std::string &v) {
         uint64_t bytes = parseCount(v);
         if (bytes > UINT32_MAX)
           throw UsageError("'" + v + "' is too large");
         c.launch.shared_bytes = static_cast<uint32_t>(bytes);
       }},
      {"--arg", "<value or buffer>",
       "The next argument: s32:5, f32:1.5; f32[1024], f32[1024]=0, f32[4]=1,2,3,4, f32[1024]=random, "
       "f32[1024]=random:7, "
       "f32[1024]=@file; b8[24]:@file for a struct",
       [](Command &c, const std::string &v) { c.arguments.push_back(parseArgument(v)); }},
      {"--print", "<n>[:<first>[..<last>]]", "Print elements of buffer <n> after the launch; the first argument is 0",
       [](Command &c, const std::string &v) { c.outputs.push_back(parseOutput(v, /*isFile=*/false)); }},
      {"--save", "<n>:<file>", "Write buffer <n> to a file after the launch",
       [](Command &c, const std::string &v) { c.outputs.push_back(parseOutput(v, /*isFile=*/true)); }},
      {"--arch", "sm_<nn>", "The GPU (default: the PTX's .target)",
       [](Command &c, const std::string &v) { c.arch = parseArch(v); }},
      {"--checks", "all|none|<list>",
       "What is checked: some of memory,init,races,replicas,copy-fences,tensor-fences (default all, but the last two)",
       setting(EmulatorSettings::checks)},
      {"--schedule", "fast|random", "The order in which warps run; random: on one thread (default fast)",
       setting(EmulatorSettings::schedule)},
      {"--seed", "<n>", "Seed of the random schedule; the same seed gives the same order (default: a new seed)",
       setting(EmulatorSettings::seed)},
      {"--max-instructions", "<n>", "Fail after <n> warp instructions", setting(EmulatorSettings::maxInstructions)},
      {"--profile", "<file>", "Write what each instruction did, for tcc --emit=html --profile",
       setting(EmulatorSettings::profile)},
      {"--stats", nullptr, "Print how many instructions ran, and how fast",
       [](Command &c, const std::string &) { c.stats = true; }},
      {"--list", nullptr, "Print the kernels and the sizes of their parameters, and run nothing",
       [](Command &c, const std::string &) { c.list = true; }},
  };
  return all;
}

void printHelp() {
  puts("OVERVIEW: " TILECC_RUN_NAME " runs one kernel of a " TILECC_RUN_INPUT " on the " TILECC_RUN_EMULATOR ".\n\n"
       "USAGE: " TILECC_RUN_NAME " <file." TILECC_RUN_SUFFIX "> [options]\n\nOPTIONS:");
  for (const Option &option : options()) {
    std::string left = std::string(option.name) + (option.value ? std::string("=") + option.value : "");
    printf("  %-*s %s\n", 30, left.c_str(), option.help);
  }
  printf("  %-*s %s\n", 30, "--help", "This text");
  puts("\nTypes are PTX's: b8 to b64, s8 to s64, u8 to u64, f16, bf16, f32, f64, e4m3, e5m2. TILECC_NUM_THREADS is the "
       "number of threads.");
}

Command parseCommandLine(int argc, char **argv) {
  Command command;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i], value;
    if (word == "--help" || word == "-h") {
      printHelp();
      exit(0);
    }
    if (word == "-" || word[0] != '-') {
      if (!command.input.empty())
        throw UsageError("there are two inputs, " + command.input + " and " + word);
      command.input = word;
      continue;
    }
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    const Option *option = nullptr;
    for (const Option &candidate : options())
      if (candidate.name == name)
        option = &candidate;
    if (!option)
      throw UsageError("unknown option " + name + " (see --help)");
    if (!option->value && equals != std::string::npos)
      throw UsageError(name + " takes no value");
    if (option->value && equals != std::string::npos)
      value = word.substr(equals + 1);
    else if (option->value && ++i == argc)
      throw UsageError(name + " needs a value: " + option->value);
    else if (option->value)
      value = argv[i];
    try {
      option->apply(command, value);
    } catch (const UsageError &error) {
      throw UsageError(name + " " + value + ": " + error.what());
    }
  }
  if (command.input.empty())
    throw UsageError("no input file (see --help)");
  for (const Output &output : command.outputs)
    if (output.argument >= command.arguments.size() || !command.arguments[output.argument].isBuffer)
      throw UsageError("argument " + std::to_string(output.argument) +
                       ", which is to be printed or saved, is not a buffer");
  return command;
}

//===-- the emulator -------------------------------------------------------------------------------------------===//

// An error in the PTX, whose message contains the location.
struct PtxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(tilecc_emu_error error) {
  if (error == ttErrorInvalidPtx)
    throw PtxError(tilecc_emu_error_message());
  if (error)
    throw UsageError(tilecc_emu_error_message());
}

// Blocks run on the runtime's threads for the CPU device.
void runParallel(uint64_t count, void (*body)(void *context, uint64_t index), void *context) {
  struct Work {
    void (*body)(void *context, uint64_t index);
    void *context;
  } work = {body, context};
  auto runRange = [](const void *data, uint64_t begin, uint64_t end, void *) {
    for (uint64_t i = begin; i < end; ++i)
      static_cast<const Work *>(data)->body(static_cast<const Work *>(data)->context, i);
  };
  tilecc::rt::runOnAllThreads(count, /*scratchBytes=*/0, runRange, &work);
}

std::unique_ptr<tilecc_emu_device, void (*)(tilecc_emu_device *)> makeDevice(const Command &command) {
  static const char *const names[] = {"--checks", "--schedule", "--seed", "--max-instructions", "--profile"};
  static_assert(std::size(names) == EmulatorSettings::count);
  tilecc_emu_options options = {};
  options.version = TILECC_EMULATOR_VERSION;
  options.arch = command.arch;
  EmulatorSettings settings;
  for (int i = 0; i < EmulatorSettings::count; ++i)
    settings.text[i] = command.settings[i].c_str();
  EmulatorSettings::Name wrong;
  if (const char *rule = applyEmulatorSettings(settings, options, &wrong))
    throw UsageError(std::string(names[wrong]) + " " + settings.text[wrong] + ": " + rule);
  tilecc_emu_device *device;
  check(tilecc_emu_create(&options, &device));
  return {device, tilecc_emu_destroy};
}

tilecc_emu_module *load(tilecc_emu_device *device, const std::string &path) {
  std::string text;
  if (path == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::ifstream file(path, std::ios::binary);
    if (file)
      text.assign(std::istreambuf_iterator<char>(file), {});
    if (!file)
      throw UsageError(path + ": " + strerror(errno));
  }
  tilecc_emu_module *module;
  check(tilecc_emu_load(device, text.data(), text.size(), path == "-" ? "<stdin>" : path.c_str(), &module));
  return module;
}

// Returns "add<1024>" for _Z3addILi1024EEvPKfS1_Pfi and "add<1024>$a16" for its variant; empty for a C name.
std::string nameInCpp(const std::string &symbol) {
  size_t end = std::min(symbol.find('$'), symbol.size());
  int status;
  std::unique_ptr<char, void (*)(void *)> demangled(
      abi::__cxa_demangle(symbol.substr(0, end).c_str(), nullptr, nullptr, &status), free);
  if (!demangled)
    return "";
  // Remove the parameters, and the return type before a template's name.
  std::string name = demangled.get();
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    depth += (name[i] == '<') - (name[i] == '>');
    if (depth == 0 && name[i] == ' ')
      begin = i + 1;
    if (depth == 0 && name[i] == '(' && name.compare(i, 11, "(anonymous ") != 0) {
      name.resize(i);
      break;
    }
  }
  return name.substr(begin) + symbol.substr(end);
}

std::string findKernel(const tilecc_emu_module *module, const std::string &wanted) {
  std::vector<std::string> all, found;
  for (size_t i = 0; const char *symbol = tilecc_emu_kernel_name(module, i); ++i) {
    all.push_back(symbol);
    if (wanted.empty() || wanted == symbol || wanted == nameInCpp(symbol))
      found.push_back(symbol);
  }
  if (found.size() == 1)
    return found[0];
  if (all.empty())
    throw UsageError("the file has no kernel");
  std::string message = !found.empty() ? "--kernel is one of:" : "there is no kernel " + wanted + "; there are:";
  for (const std::string &symbol : all) {
    std::string name = nameInCpp(symbol);
    message += "\n  " + (name.empty() ? symbol : name + "  " + symbol);
  }
  throw UsageError(message);
}

tilecc_emu_kernel *getKernel(tilecc_emu_module *module, const std::string &symbol) {
  tilecc_emu_kernel *kernel;
  std::string name = nameInCpp(symbol);
  check(tilecc_emu_get_kernel(module, symbol.c_str(), name.empty() ? nullptr : name.c_str(), &kernel));
  return kernel;
}

void listKernels(tilecc_emu_module *module) {
  for (size_t i = 0; const char *symbol = tilecc_emu_kernel_name(module, i); ++i) {
    tilecc_emu_kernel *kernel = getKernel(module, symbol);
    std::string sizes, name = nameInCpp(symbol);
    for (size_t p = 0; size_t size = tilecc_emu_param_size(kernel, p); ++p)
      sizes += (p ? ", " : "") + std::to_string(size);
    printf("%s(%s)%s%s\n", symbol, sizes.c_str(), name.empty() ? "" : "  ", name.c_str());
  }
}

//===-- a launch -----------------------------------------------------------------------------------------------===//

// Converts arguments to the kernel's format. Buffers are passed by address.
std::vector<std::vector<char>> placeArguments(tilecc_emu_device *device, const Command &command,
                                              const tilecc_emu_kernel *kernel) {
  std::vector<std::vector<char>> values;
  for (const Argument &argument : command.arguments) {
    std::vector<char> value = argument.bytes;
    if (argument.isBuffer) {
      void *address;
      check(tilecc_emu_allocate(device, argument.size(), &address));
      if (!argument.bytes.empty())
        check(tilecc_emu_copy(device, address, argument.bytes.data(), argument.bytes.size()));
      value.resize(sizeof(address));
      memcpy(value.data(), &address, sizeof(address));
    }
    size_t index = values.size(), wanted = tilecc_emu_param_size(kernel, index);
    if (!wanted)
      throw UsageError("the kernel has " + std::to_string(index) + " parameters, and there are " +
                       std::to_string(command.arguments.size()) + " arguments");
    if (wanted != value.size())
      throw UsageError("argument " + std::to_string(index) + " has " + std::to_string(value.size()) +
                       " bytes, the kernel's parameter has " + std::to_string(wanted));
    values.push_back(std::move(value));
  }
  if (tilecc_emu_param_size(kernel, values.size()))
    throw UsageError("there are " + std::to_string(values.size()) + " arguments, and the kernel has more parameters");
  return values;
}

void print(const Output &output, const Argument &argument, const std::vector<char> &bytes) {
  size_t size = ptx::info(argument.type).bits / 8;
  uint64_t last = std::min(output.last, argument.count - 1);
  printf("argument %llu: %s[%llu]\n", static_cast<unsigned long long>(output.argument),
         std::string(ptx::info(argument.type).name).c_str(), static_cast<unsigned long long>(argument.count));
  for (uint64_t row = output.first; row <= last; row += 8) {
    printf("%6llu:", static_cast<unsigned long long>(row));
    for (uint64_t i = row; i < row + 8 && i <= last; ++i)
      printf(" %s", printElement(argument.type, &bytes[i * size]).c_str());
    putchar('\n');
  }
}

void write(const Output &output, const std::vector<char> &bytes) {
  std::ofstream file(output.file, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw UsageError(output.file + ": " + strerror(errno));
}

void deliver(tilecc_emu_device *device, const Command &command, const std::vector<std::vector<char>> &values) {
  for (const Output &output : command.outputs) {
    const Argument &argument = command.arguments[output.argument];
    void *address;
    memcpy(&address, values[output.argument].data(), sizeof(address));
    std::vector<char> bytes(argument.size());
    check(tilecc_emu_copy(device, bytes.data(), address, bytes.size()));
    if (output.file.empty())
      print(output, argument, bytes);
    else
      write(output, bytes);
  }
}

int run(const Command &command) {
  auto device = makeDevice(command);
  tilecc_emu_module *module = load(device.get(), command.input);
  if (command.list) {
    listKernels(module);
    return 0;
  }
  tilecc_emu_kernel *kernel = getKernel(module, findKernel(module, command.kernel));
  std::vector<std::vector<char>> values = placeArguments(device.get(), command, kernel);
  std::vector<void *> addresses;
  for (std::vector<char> &value : values)
    addresses.push_back(value.data());
  if (!tilecc::rt::threadCount())
    throw UsageError(ttGetLastErrorMessage());

  tilecc_emu_launch_config config = command.launch;
  config.parallel = runParallel;
  config.counts_banks = command.stats;
  tilecc_emu_stats stats = {};
  auto start = std::chrono::steady_clock::now();
  tilecc_emu_error error = tilecc_emu_launch(kernel, &config, addresses.data(), &stats);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::string message = error ? tilecc_emu_error_message() : "";

  fflush(stdout);
  deliver(device.get(), command, values); // show the buffers also if the kernel failed, when their contents matter most
  if (command.stats)
    printf("%llu warp instructions, %llu thread instructions in %.3g s: %.3g million thread instructions a second\n",
           static_cast<unsigned long long>(stats.warp_instructions),
           static_cast<unsigned long long>(stats.thread_instructions), seconds,
           static_cast<double>(stats.thread_instructions) / seconds * 1e-6);
  if (stats.bank_cycles)
    printf("%llu cycles of LDS, %llu of them by bank conflicts\n", static_cast<unsigned long long>(stats.bank_cycles),
           static_cast<unsigned long long>(stats.bank_conflicts));
  if (stats.findings)
    throw UsageError(std::to_string(stats.findings) + (stats.findings == 1 ? " finding" : " findings"));
  if (error)
    throw UsageError(message);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(parseCommandLine(argc, argv));
  } catch (const PtxError &error) {
    fprintf(stderr, "%s\n", error.what());
    return 1;
  } catch (const std::exception &error) {
    fflush(stdout);
    fprintf(stderr, TILECC_RUN_NAME ": error: %s\n", error.what());
    return 1;
  }
}
