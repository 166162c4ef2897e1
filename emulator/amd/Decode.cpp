//===-- Decode.cpp - finds the table rows and decodes a kernel's code; for the C interface ---------------------===//
#include "emulator/amd/Table.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <unordered_map>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

Target Target::parse(const std::string &processor, bool isWave32) {
  Target target;
  target.isWave32 = isWave32;
  if (processor == "gfx9-4-generic") {
    target.major = 9, target.minor = 4, target.stepping = 0;
  } else if (processor == "gfx11-generic" || processor == "gfx12-generic") {
    target.major = processor == "gfx11-generic" ? 11 : 12, target.minor = target.stepping = 0;
  } else {
    // The last two digits are the minor version and the stepping, which is hexadecimal.
    unsigned number = 0;
    if (sscanf(processor.c_str(), "gfx%x", &number) != 1)
      throw Unsupported("the emulator does not know '" + processor + "'");
    target.stepping = number & 15;
    target.minor = number >> 4 & 15;
    unsigned major = number >> 8;
    target.major = major == 0x10 ? 10 : major == 0x11 ? 11 : major == 0x12 ? 12 : major;
  }
  bool isKnown = (target.major == 9 && (target.minor >= 4 || target.stepping == 10)) ||
                 (target.major == 11 && target.minor <= 5) || (target.major == 12 && target.minor == 0);
  if (!isKnown)
    throw Unsupported("the emulator knows gfx90a, gfx942, gfx950, gfx11 and gfx120x, and not '" + processor + "'");
  return target;
}

const std::vector<Row> &tilecc::emu::amd::rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows;
    for (auto family : {scalarRows, controlRows, floatRows, integerRows, compareRows, conversionRows, packedRows,
                        laneRows, memoryRows, ldsRows, scalarMemoryRows, matrixRows})
      for (Row &row : family())
        rows.push_back(std::move(row));
    return rows;
  }();
  return all;
}

const Row *tilecc::emu::amd::findRow(std::string_view mnemonic, const Target &) {
  static const std::unordered_map<std::string_view, const Row *> byName = [] {
    std::unordered_map<std::string_view, const Row *> found;
    for (const Row &row : rows())
      for (std::string_view names = row.names;;) {
        size_t bar = names.find('|');
        found.emplace(names.substr(0, bar), &row);
        if (bar == std::string_view::npos)
          break;
        names.remove_prefix(bar + 1);
      }
    return found;
  }();
  auto found = byName.find(mnemonic);
  return found == byName.end() ? nullptr : found->second;
}

static Inst decodeOne(InstructionText text, const Target &target) {
  Inst inst;
  // Clamped integer arithmetic has its own row.
  if (text.has("clamp") && (inst.row = findRow(text.mnemonic + " clamp", target)))
    text.modifiers.erase("clamp");
  else
    inst.row = findRow(text.mnemonic, target);
  if (!inst.row)
    throw Unsupported("the emulator does not know the instruction '" + text.mnemonic + "'");
  inst.run = inst.row->run;
  inst.mnemonic = text.mnemonic;
  (inst.row->bind ? inst.row->bind : bindOperands)(inst, text, target);
  return inst;
}

// Executes v_dual: both halves read their operands before either writes. So we undo the first one's result while the
// second one executes.
static void runBoth(Wave &wave, const Inst &inst) {
  const Inst &first = inst.parts[0], &second = inst.parts[1];
  const Operand &result = first.op[0];
  u32 before[maxLanes], after[maxLanes];
  u32 *reg = wave.vector(result.first);
  std::copy(reg, reg + maxLanes, before);
  first.run(wave, first);
  std::copy(reg, reg + maxLanes, after);
  std::copy(before, before + maxLanes, reg);
  second.run(wave, second);
  std::copy(after, after + maxLanes, reg);
}

static Inst decodeText(const std::string &text, const Target &target) {
  std::vector<InstructionText> parsed = parseInstruction(text);
  if (parsed.size() == 1)
    return decodeOne(parsed[0], target);
  Inst inst;
  inst.run = runBoth;
  for (InstructionText &part : parsed) {
    // v_dual_add_f32 is v_add_f32; v_dual_cndmask_b32 reads VCC and does not print it.
    part.mnemonic = "v_" + part.mnemonic.substr(7);
    if (part.mnemonic == "v_cndmask_b32" && part.operands.size() == 3) {
      TextOperand vcc;
      vcc.kind = TextOperand::scalar;
      vcc.first = scalarVcc;
      vcc.words = target.isWave32 ? 1 : 2;
      vcc.text = "vcc";
      part.operands.push_back(vcc);
    }
    inst.parts.push_back(decodeOne(part, target));
    const std::vector<RegisterUse> &uses = inst.parts.back().uses;
    inst.uses.insert(inst.uses.end(), uses.begin(), uses.end());
  }
  inst.row = inst.parts[0].row;
  return inst;
}

std::unique_ptr<Program> tilecc::emu::amd::decode(CodeObject &object, const KernelObject &kernel) {
  auto program = std::make_unique<Program>();
  program->kernel = &kernel;
  program->object = &object;
  program->target = Target::parse(object.processor, kernel.isWave32);
  std::map<uint64_t, Inst> found;
  std::vector<uint64_t> open = {kernel.entry};
  auto endsFlow = [](const std::string &mnemonic) { return mnemonic == "s_branch" || mnemonic == "s_endpgm"; };
  while (!open.empty()) {
    uint64_t address = open.back();
    open.pop_back();
    while (!found.count(address)) {
      CodeObject::Instruction read = object.disassemble(address);
      auto fail = [&](const std::string &why) {
        SourcePlace at = object.source(address);
        char place[32];
        snprintf(place, sizeof(place), "0x%llx", static_cast<unsigned long long>(address));
        std::string where =
            at.line ? at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " : "";
        size_t begin = read.text.find_first_not_of(" \t");
        throw Unsupported(where + "error: kernel '" + kernel.name + "': " + why + "\n  " +
                          (begin == std::string::npos ? "" : read.text.substr(begin)) + "   (" + object.name + ", " +
                          place + ")");
      };
      if (!read.size)
        fail("there is no instruction of " + object.processor + " here");
      Inst inst;
      try {
        inst = decodeText(read.text, program->target);
      } catch (const Unsupported &error) {
        fail(error.what());
      }
      size_t begin = read.text.find_first_not_of(" \t");
      inst.text = read.text.substr(begin);
      std::replace(inst.text.begin(), inst.text.end(), '\t', ' ');
      inst.address = address;
      bool isBranch = inst.mnemonic.rfind("s_branch", 0) == 0 || inst.mnemonic.rfind("s_cbranch", 0) == 0;
      if (isBranch)
        open.push_back(address + static_cast<uint64_t>(inst.offset));
      bool ends = endsFlow(inst.mnemonic);
      found.emplace(address, std::move(inst));
      if (ends)
        break;
      address += read.size;
    }
  }
  std::map<uint64_t, uint32_t> numbers;
  for (auto &[address, inst] : found) {
    inst.index = static_cast<uint32_t>(program->code.size());
    for (Inst &part : inst.parts)
      part.index = inst.index;
    numbers.emplace(address, inst.index);
    program->code.push_back(std::move(inst));
  }
  for (Inst &inst : program->code)
    if (inst.mnemonic.rfind("s_branch", 0) == 0 || inst.mnemonic.rfind("s_cbranch", 0) == 0)
      inst.target = numbers.at(inst.address + static_cast<uint64_t>(inst.offset));
  program->entry = numbers.at(kernel.entry);
  return program;
}
