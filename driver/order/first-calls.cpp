//===- first-calls.cpp - records the order in which a program first calls a library's functions -------------------===//
//
//   first-calls LIBRARY COPY ORDER COMMAND...
//
// Writes to COPY, which COMMAND must load instead of LIBRARY, a LIBRARY with a breakpoint at the start of each function
// whose symbol is not yet in ORDER, a file with one symbol per line. When a function is called, its breakpoint is
// removed and its symbol is appended to ORDER. Each function stops the program only once, so a compilation takes a
// second or two.
//
// Used by driver/order/CMakeLists.txt, on x86-64. Fails if the system does not allow ptrace.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include <elf.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>

namespace {
constexpr unsigned char breakpoint = 0xcc;

struct Library {
  explicit Library(const char *path);

  std::string bytes;
  std::unordered_map<uint64_t, const char *> functions; ///< by file offset
};

Library::Library(const char *path) {
  std::ifstream file(path, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  if (bytes.size() < sizeof(Elf64_Ehdr))
    return;
  auto *header = reinterpret_cast<const Elf64_Ehdr *>(bytes.data());
  auto *sections = reinterpret_cast<const Elf64_Shdr *>(bytes.data() + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    auto *symbol = reinterpret_cast<const Elf64_Sym *>(bytes.data() + sections[i].sh_offset);
    const char *names = bytes.data() + sections[sections[i].sh_link].sh_offset;
    for (auto *end = symbol + sections[i].sh_size / sizeof *symbol; symbol != end; ++symbol)
      if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_size && symbol->st_shndx < header->e_shnum) {
        const Elf64_Shdr &section = sections[symbol->st_shndx];
        functions.emplace(symbol->st_value - section.sh_addr + section.sh_offset, names + symbol->st_name);
      }
  }
}

/// Maps an address in a process to an offset in the mapped file; all ones if the file is not `path`.
uint64_t placeInFile(pid_t process, uint64_t address, std::string_view path) {
  static uint64_t begin = 0, end = 0, offset = 0; // the code, which is one mapping
  if (address < begin || address >= end) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    // A line contains the address range, the permissions, the offset in the file, the device, the inode and the path:
    // 7f0b36058000-7f0b3b1a8000 r-xp 01857000 fe:00 5564069    /path/of/the/library
    for (std::string line; std::getline(maps, line);) {
      size_t dash = line.find('-'), space = line.find(' ', dash);
      uint64_t from = std::stoull(line, nullptr, 16), to = std::stoull(line.substr(dash + 1), nullptr, 16);
      if (from <= address && address < to && std::string_view(line).ends_with(path)) {
        begin = from;
        end = to;
        offset = std::stoull(line.substr(space + 6), nullptr, 16);
      }
    }
  }
  return address < begin || address >= end ? ~uint64_t(0) : address - begin + offset;
}
} // namespace

int main(int argc, char **argv) {
  if (argc < 5)
    return 1;
  const Library library(argv[1]);
  std::string copyPath = argv[2];
  std::unordered_set<std::string> known;
  {
    std::ifstream before(argv[3]);
    for (std::string name; std::getline(before, name);)
      known.insert(name);
  }
  {
    std::string copy = library.bytes;
    for (auto [place, name] : library.functions)
      if (!known.count(name))
        copy[place] = char(breakpoint);
    std::ofstream(copyPath, std::ios::binary) << copy;
  }

  pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0)
      execv(argv[4], argv + 4);
    _exit(127);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
    std::cerr << "first-calls: cannot trace " << argv[4] << '\n';
    return 1;
  }
  // Processes that share this one's memory also share its breakpoints.
  ptrace(PTRACE_SETOPTIONS, child, 0,
         PTRACE_O_TRACECLONE | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, child, 0, 0);

  std::ofstream order(argv[3], std::ios::app);
  for (pid_t process; (process = waitpid(-1, &status, __WALL)) > 0;) {
    if (!WIFSTOPPED(status)) {
      if (process == child)
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
      continue;
    }
    int signal = WSTOPSIG(status);
    bool isEvent = status >> 16 || signal == SIGSTOP; // a new thread or process
    if (signal == SIGTRAP && !isEvent) {
      user_regs_struct registers;
      ptrace(PTRACE_GETREGS, process, 0, &registers);
      uint64_t address = registers.rip - 1, place = placeInFile(process, address, copyPath);
      if (auto function = library.functions.find(place); function != library.functions.end()) {
        uint64_t code = ptrace(PTRACE_PEEKTEXT, process, address, 0);
        if ((code & 0xff) == breakpoint) { // no other thread has removed it
          ptrace(PTRACE_POKETEXT, process, address, (code & ~uint64_t(0xff)) | uint8_t(library.bytes[place]));
          order << function->second << '\n';
        }
        registers.rip = address;
        ptrace(PTRACE_SETREGS, process, 0, &registers);
      }
    }
    ptrace(PTRACE_CONT, process, 0, isEvent || signal == SIGTRAP ? 0 : signal);
  }
  return 1;
}
