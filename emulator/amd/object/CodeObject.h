//===-- CodeObject.h - reads an AMD GPU code object (hsaco) ----------------------------------------------------===//
//
// Only this part of the emulator uses LLVM: its ELF reader, its disassembler and its DWARF reader. Its own interface
// consists of text, numbers and bytes.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_OBJECT_CODEOBJECT_H
#define TILECC_EMULATOR_AMD_OBJECT_CODEOBJECT_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilecc::emu::amd {

// What the descriptor and the metadata say about a kernel.
struct KernelObject {
  std::string name;
  struct Argument {
    uint32_t offset, size;
    std::string kind; // "by_value", "global_buffer", "hidden_block_count_x"
    bool isHidden() const { return kind.rfind("hidden_", 0) == 0; }
  };
  std::vector<Argument> arguments;
  uint32_t sharedBytes = 0, scratchBytes = 0; // per workgroup, per lane
  uint32_t argumentBytes = 0;                 // including hidden ones
  uint32_t maxThreads = 1024;
  uint32_t requiredBlock[3] = {};             // 0: any
  bool isWave32 = false;
  uint64_t entry = 0;                         // address in the object
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;   // compute_pgm_rsrc*
  uint16_t properties = 0;                    // kernel_code_properties
};

struct SourcePlace {
  std::string file;
  uint32_t line = 0, column = 0;
};

class CodeObject {
public:
  // Reads a code object. Throws Unsupported.
  static std::unique_ptr<CodeObject> read(const char *bytes, size_t size, const std::string &name);
  virtual ~CodeObject() = default;

  std::string name, processor; // "gfx942"
  std::vector<KernelObject> kernels;
  // The contents of memory from address 0 on, including the code.
  std::vector<char> image;
  struct Symbol {
    std::string name;
    uint64_t address, size;
  };
  std::vector<Symbol> variables;
  // A word of the image that contains an address in the image.
  struct Relocation {
    uint64_t at, to;
  };
  std::vector<Relocation> relocations;

  // The instruction at an address of the image, in LLVM's assembly syntax. If there is none, its size is 0.
  struct Instruction {
    std::string text;
    uint32_t size = 0;
  };
  virtual Instruction disassemble(uint64_t address) = 0;
  virtual SourcePlace source(uint64_t address) = 0;
};

// Turns bare code for a processor and a wave size into a code object, for tests.
std::unique_ptr<CodeObject> readCode(const std::vector<char> &code, const std::string &processor, bool isWave32);

} // namespace tilecc::emu::amd
#endif
