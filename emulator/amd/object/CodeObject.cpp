//===-- CodeObject.cpp - reads hsaco files with LLVM's libraries -----------------------------------------------===//
#include "emulator/amd/object/CodeObject.h"
#include "emulator/amd/object/Text.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"

#include <mutex>
#include <optional>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

using namespace tilecc::emu::amd;
using Elf = llvm::object::ELF64LEObjectFile;

namespace {

const llvm::Triple triple("amdgcn-amd-amdhsa");

class Disassembler {
public:
  Disassembler(const std::string &processor, const std::string &features) {
    static std::once_flag once;
    std::call_once(once, [] {
      LLVMInitializeAMDGPUTargetInfo();
      LLVMInitializeAMDGPUTargetMC();
      LLVMInitializeAMDGPUDisassembler();
    });
    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
    subtarget.reset(target->createMCSubtargetInfo(triple, processor, features));
    if (!subtarget->isCPUStringValid(processor))
      throw Unsupported("LLVM does not know the processor '" + processor + "'");
    registers.reset(target->createMCRegInfo(triple));
    assembly.reset(target->createMCAsmInfo(*registers, triple, options));
    instructions.reset(target->createMCInstrInfo());
    context = std::make_unique<llvm::MCContext>(triple, assembly.get(), registers.get(), subtarget.get());
    decoder.reset(target->createMCDisassembler(*subtarget, *context));
    printer.reset(target->createMCInstPrinter(triple, 0, *assembly, *instructions, *registers));
  }

  CodeObject::Instruction at(const std::vector<char> &image, uint64_t address) {
    llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(image.data()), image.size());
    llvm::MCInst inst;
    uint64_t size = 0;
    CodeObject::Instruction found;
    if (address >= image.size() || decoder->getInstruction(inst, size, bytes.slice(address), address, llvm::nulls()) !=
                                       llvm::MCDisassembler::Success)
      return found;
    llvm::raw_string_ostream stream(found.text);
    printer->printInst(&inst, address, "", *subtarget, stream);
    found.size = static_cast<uint32_t>(size);
    return found;
  }

private:
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> decoder;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

class ElfObject : public CodeObject {
public:
  ElfObject(const char *bytes, size_t size, const std::string &file) : bytes(bytes, size) {
    name = file;
    readElf();
    readMetadata();
    for (KernelObject &kernel : kernels)
      readDescriptor(kernel);
    readRelocations();
    dwarf = llvm::DWARFContext::create(*object);
  }

  Instruction disassemble(uint64_t address) override {
    if (!disassembler) {
      // The wave size is a property of a kernel. All kernels of an object must agree, because it affects the
      // disassembly.
      bool isWave32 = !kernels.empty() && kernels.front().isWave32;
      disassembler = std::make_unique<Disassembler>(processor, isWave32 ? "+wavefrontsize32" : "+wavefrontsize64");
    }
    return disassembler->at(image, address);
  }

  // Reads the line tables themselves, because code objects of tcc have no compilation units that refer to them.
  SourcePlace source(uint64_t address) override {
    if (!lines)
      readLines();
    SourcePlace place;
    for (const auto &table : *lines) {
      llvm::DILineInfo info;
      if (table.getFileLineInfoForAddress({address, llvm::object::SectionedAddress::UndefSection},
                                          /*Approximate=*/false, /*CompDir=*/"",
                                          llvm::DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath, info) &&
          info.Line) {
        place.file = info.FileName;
        place.line = info.Line;
        place.column = info.Column;
        break;
      }
    }
    return place;
  }

private:
  [[noreturn]] void fail(const std::string &why) const { throw Unsupported(name + ": error: " + why); }
  template <class T> T take(llvm::Expected<T> value) const {
    if (!value)
      fail(llvm::toString(value.takeError()));
    return std::move(*value);
  }

  void readLines() {
    const llvm::DWARFObject &sections = dwarf->getDWARFObj();
    llvm::DWARFDataExtractor data(sections, sections.getLineSection(), dwarf->isLittleEndian(), /*AddressSize=*/8);
    llvm::DWARFDebugLine::SectionParser parser(data, *dwarf, dwarf->normal_units());
    auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
    lines.emplace();
    while (!parser.done())
      lines->push_back(parser.parseNext(ignore, ignore));
  }

  void readElf() {
    auto made = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, name));
    if (!made)
      fail(llvm::toString(made.takeError()));
    object = std::move(*made);
    elf = llvm::dyn_cast<Elf>(object.get());
    if (!elf || elf->getELFFile().getHeader().e_machine != llvm::ELF::EM_AMDGPU)
      fail("this is not a code object of an AMD GPU");
    auto cpu = elf->tryGetCPUName();
    if (!cpu)
      fail("the ELF header names no processor");
    processor = cpu->str();
    for (const auto &segment : take(elf->getELFFile().program_headers())) {
      if (segment.p_type != llvm::ELF::PT_LOAD)
        continue;
      uint64_t end = segment.p_vaddr + segment.p_memsz;
      if (segment.p_offset + segment.p_filesz > bytes.size() || end > (uint64_t(1) << 32))
        fail("a segment lies outside of the file");
      image.resize(std::max<uint64_t>(image.size(), end));
      memcpy(image.data() + segment.p_vaddr, bytes.data() + segment.p_offset, segment.p_filesz);
    }
    if (image.empty())
      fail("the object is not linked: ld.lld -shared makes a code object of it");
    for (const llvm::object::ELFSymbolRef &symbol : elf->symbols())
      if (symbol.getELFType() == llvm::ELF::STT_OBJECT)
        if (std::string text = take(symbol.getName()).str(); !text.empty())
          variables.push_back({text, take(symbol.getAddress()), symbol.getSize()});
  }

  static std::string text(llvm::msgpack::DocNode node) { return node.isString() ? node.getString().str() : ""; }
  static uint32_t number(llvm::msgpack::DocNode node) {
    return node.getKind() == llvm::msgpack::Type::UInt  ? static_cast<uint32_t>(node.getUInt())
           : node.getKind() == llvm::msgpack::Type::Int ? static_cast<uint32_t>(node.getInt())
                                                        : 0;
  }

  void readMetadata() {
    for (const auto &segment : take(elf->getELFFile().program_headers())) {
      if (segment.p_type != llvm::ELF::PT_NOTE)
        continue;
      llvm::Error error = llvm::Error::success();
      for (const auto &note : elf->getELFFile().notes(segment, error))
        if (note.getName() == "AMDGPU" && note.getType() == llvm::ELF::NT_AMDGPU_METADATA)
          readNote(note.getDescAsStringRef(4));
      if (error)
        fail(llvm::toString(std::move(error)));
    }
    if (kernels.empty())
      fail("the object has no kernel metadata");
  }

  void readNote(llvm::StringRef blob) {
    llvm::msgpack::Document document;
    if (!document.readFromBlob(blob, /*Multi=*/false) || !document.getRoot().isMap())
      fail("the metadata is not a MessagePack map");
    auto &root = document.getRoot().getMap();
    auto found = root.find("amdhsa.kernels");
    if (found == root.end() || !found->second.isArray())
      fail("the metadata contains no kernels");
    for (llvm::msgpack::DocNode node : found->second.getArray()) {
      auto &map = node.getMap();
      KernelObject kernel;
      kernel.name = text(map[".name"]);
      kernel.maxThreads = number(map[".max_flat_workgroup_size"]);
      kernel.isWave32 = number(map[".wavefront_size"]) == 32;
      if (auto block = map.find(".reqd_workgroup_size"); block != map.end() && block->second.isArray())
        for (size_t i = 0; i < 3 && i < block->second.getArray().size(); ++i)
          kernel.requiredBlock[i] = number(block->second.getArray()[i]);
      if (auto arguments = map.find(".args"); arguments != map.end() && arguments->second.isArray())
        for (llvm::msgpack::DocNode argument : arguments->second.getArray()) {
          auto &fields = argument.getMap();
          kernel.arguments.push_back({number(fields[".offset"]), number(fields[".size"]), text(fields[".value_kind"])});
        }
      kernels.push_back(std::move(kernel));
    }
  }

  template <class T> T field(uint64_t address) const {
    T value;
    if (address + sizeof(T) > image.size())
      fail("a kernel descriptor lies outside of the image");
    memcpy(&value, image.data() + address, sizeof(T));
    return value;
  }

  void readDescriptor(KernelObject &kernel) {
    for (const Symbol &symbol : variables) {
      if (symbol.name != kernel.name + ".kd")
        continue;
      uint64_t at = symbol.address;
      kernel.sharedBytes = field<uint32_t>(at);
      kernel.scratchBytes = field<uint32_t>(at + 4);
      kernel.argumentBytes = field<uint32_t>(at + 8);
      kernel.entry = at + field<int64_t>(at + 16);
      kernel.rsrc3 = field<uint32_t>(at + 44);
      kernel.rsrc1 = field<uint32_t>(at + 48);
      kernel.rsrc2 = field<uint32_t>(at + 52);
      kernel.properties = field<uint16_t>(at + 56);
      return;
    }
    fail("kernel '" + kernel.name + "' has no descriptor");
  }

  void readRelocations() {
    for (const auto &section : take(elf->getELFFile().sections())) {
      if (section.sh_type != llvm::ELF::SHT_RELA)
        continue;
      if (!(section.sh_flags & llvm::ELF::SHF_ALLOC))
        continue;
      for (const auto &relocation : take(elf->getELFFile().relas(section))) {
        uint32_t type = relocation.getType(false);
        if (type == llvm::ELF::R_AMDGPU_RELATIVE64) {
          relocations.push_back({relocation.r_offset, static_cast<uint64_t>(relocation.r_addend)});
        } else if (type == llvm::ELF::R_AMDGPU_ABS64) {
          const auto *symbol = take(
              elf->getELFFile().getRelocationSymbol(relocation, take(elf->getELFFile().getSection(section.sh_link))));
          if (!symbol || symbol->st_shndx == llvm::ELF::SHN_UNDEF)
            fail("a symbol is not defined");
          relocations.push_back({relocation.r_offset, symbol->st_value + relocation.r_addend});
        } else {
          fail("relocations of type " + std::to_string(type) + " are not known");
        }
      }
    }
  }

  std::string bytes;
  std::unique_ptr<llvm::object::ObjectFile> object;
  const Elf *elf = nullptr;
  std::unique_ptr<llvm::DWARFContext> dwarf;
  std::optional<std::vector<llvm::DWARFDebugLine::LineTable>> lines;
  std::unique_ptr<Disassembler> disassembler;
};

class PlainCode : public CodeObject {
public:
  PlainCode(const std::string &cpu, bool isWave32)
      : disassembler(cpu, isWave32 ? "+wavefrontsize32" : "+wavefrontsize64") {
    processor = cpu;
    name = "code";
  }
  Instruction disassemble(uint64_t address) override { return disassembler.at(image, address); }
  SourcePlace source(uint64_t) override { return {}; }

private:
  Disassembler disassembler;
};

} // namespace

std::unique_ptr<CodeObject> CodeObject::read(const char *bytes, size_t size, const std::string &name) {
  return std::make_unique<ElfObject>(bytes, size, name);
}

std::unique_ptr<CodeObject> tilecc::emu::amd::readCode(const std::vector<char> &code, const std::string &processor,
                                                       bool isWave32) {
  auto made = std::make_unique<PlainCode>(processor, isWave32);
  made->image = code;
  return made;
}
