//===-- Program.cpp - decodes kernels --------------------------------------------------------------------------===//
#include "emulator/exec/Program.h"
#include "emulator/exec/InFlight.h"
#include "emulator/exec/Inline.h"
#include "emulator/exec/RowAllocation.h"
#include "emulator/isa/SystemCalls.h"
#include "emulator/isa/Table.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

using namespace tilecc::emu;
using ptx::Operand;

namespace {

// The special registers that are constant during a warp's life. Clocks are read by a separate instruction.
struct NamedSpecial {
  std::string_view name;
  Program::Special special;
};
using Special = Program::Special;
constexpr NamedSpecial namedSpecials[] = {
    {"%tid.x", Special::tidX},
    {"%tid.y", Special::tidY},
    {"%tid.z", Special::tidZ},
    {"%ntid.x", Special::ntidX},
    {"%ntid.y", Special::ntidY},
    {"%ntid.z", Special::ntidZ},
    {"%ctaid.x", Special::ctaidX},
    {"%ctaid.y", Special::ctaidY},
    {"%ctaid.z", Special::ctaidZ},
    {"%nctaid.x", Special::nctaidX},
    {"%nctaid.y", Special::nctaidY},
    {"%nctaid.z", Special::nctaidZ},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%lanemask_eq", Special::lanemaskEq},
    {"%lanemask_le", Special::lanemaskLe},
    {"%lanemask_lt", Special::lanemaskLt},
    {"%lanemask_ge", Special::lanemaskGe},
    {"%lanemask_gt", Special::lanemaskGt},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::gridid},
    {"%dynamic_smem_size", Special::dynamicShared},
    {"%total_smem_size", Special::totalShared},
    {"%clusterid.x", Special::clusteridX},
    {"%clusterid.y", Special::clusteridY},
    {"%clusterid.z", Special::clusteridZ},
    {"%nclusterid.x", Special::nclusteridX},
    {"%nclusterid.y", Special::nclusteridY},
    {"%nclusterid.z", Special::nclusteridZ},
    {"%cluster_ctaid.x", Special::clusterCtaidX},
    {"%cluster_ctaid.y", Special::clusterCtaidY},
    {"%cluster_ctaid.z", Special::clusterCtaidZ},
    {"%cluster_nctaid.x", Special::clusterNctaidX},
    {"%cluster_nctaid.y", Special::clusterNctaidY},
    {"%cluster_nctaid.z", Special::clusterNctaidZ},
    {"%cluster_ctarank", Special::clusterRank},
    {"%cluster_nctarank", Special::clusterBlocks},
    {"%is_explicit_cluster", Special::isExplicitCluster},
    {"%envreg1", Special::envreg1},
    {"%envreg2", Special::envreg2},
};

struct SymbolAddress {
  ptx::Space space;
  uint64_t address; // in that space
};

uint64_t alignTo(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

class Decoder {
public:
  Decoder(const ptx::Module &module, const ptx::Function &kernel, const GlobalAddresses &globals)
      : module(module), function(inlineCalls(module, kernel)), program(std::make_unique<Program>()) {
    program->module = &module;
    program->function = &kernel;
    program->registersAtLaunch = registersAtLaunch(kernel);
    layOut(globals);
    for (const ptx::Register &reg : function.registers)
      registerRows.push_back(newRow(info(reg.type).bits));
    for (const ptx::Function::BranchTargets &table : function.branchTargets)
      tables.emplace(table.name, tables.size());
    for (const ptx::Instruction &instruction : function.body) {
      firstDraft.push_back(drafts.size());
      decodeInstruction(instruction);
    }
    firstDraft.push_back(drafts.size());
    endKernel();
    for (Draft &draft : drafts)
      if (draft.inst.flow == Flow::branch)
        draft.inst.target = firstDraft[draft.inst.target];
    for (const ptx::Function::BranchTargets &table : function.branchTargets) {
      std::vector<uint32_t> targets;
      for (uint32_t target : table.targets)
        targets.push_back(firstDraft[target]);
      program->jumpTables.push_back(std::move(targets));
    }
    finish();
  }

  std::unique_ptr<Program> take() { return std::move(program); }

private:
  [[noreturn]] void fail(ptx::Location where, const std::string &text) { throw ptx::Error(module.name, where, text); }

  // Assigns addresses to the kernel's parameters, shared and local variables.
  void layOut(const GlobalAddresses &globals) {
    for (const auto &[name, address] : globals)
      symbols[name] = {ptx::Space::global, address};
    uint32_t params = 0;
    for (const ptx::Variable &param : function.params) {
      params = alignTo(params, param.align);
      symbols[param.name] = {ptx::Space::param, params};
      program->params.push_back({params, static_cast<uint32_t>(param.size)});
      params += param.size;
    }
    program->paramBytes = params;

    std::vector<const ptx::Variable *> dynamic;
    uint64_t shared = 0;
    uint32_t local = 0;
    auto place = [&](const ptx::Variable &variable) {
      if (variable.space == ptx::Space::shared && variable.size == 0) {
        dynamic.push_back(&variable);
      } else if (variable.space == ptx::Space::shared) {
        shared = alignTo(shared, variable.align);
        symbols[variable.name] = {ptx::Space::shared, shared};
        shared += variable.size;
      } else if (variable.space == ptx::Space::local) {
        local = alignTo(local, variable.align);
        symbols[variable.name] = {ptx::Space::local, local};
        local += variable.size;
      }
    };
    for (const ptx::Variable &variable : module.variables)
      place(variable);
    for (const ptx::Variable &variable : function.locals)
      place(variable);
    // All dynamic shared arrays alias the same memory, after the static part.
    uint64_t align = 16;
    for (const ptx::Variable *variable : dynamic)
      align = std::max<uint64_t>(align, variable->align);
    if (!dynamic.empty())
      shared = alignTo(shared, align);
    for (const ptx::Variable *variable : dynamic)
      symbols[variable->name] = {ptx::Space::shared, shared};
    program->sharedBytes = shared;
    program->localBytes = alignTo(local, 16);
  }

  // Returns the number of registers that ptxas gives each thread of a kernel that uses setmaxnreg: .maxnreg, or a share
  // of an SM's registers for the number of threads in .maxntid or .reqntid. Warps are allocated in groups of four,
  // registers in groups of eight.
  static uint32_t registersAtLaunch(const ptx::Function &kernel) {
    enum : uint32_t { registersOfSm = 65536, most = 256 };
    if (kernel.maxRegisters)
      return kernel.maxRegisters;
    const uint32_t (&limits)[3] = kernel.requiredThreads[0] ? kernel.requiredThreads : kernel.maxThreads;
    if (!limits[0])
      return 0;
    uint64_t threads = uint64_t(limits[0]) * std::max(1u, limits[1]) * std::max(1u, limits[2]);
    threads = alignTo(threads, 4 * warpSize) * std::max(1u, kernel.minBlocksPerSm);
    return std::min<uint64_t>(most, registersOfSm / threads / 8 * 8);
  }

  uint32_t newRow(unsigned bits) {
    rows.push_back({bits, false, 0});
    return rows.size() - 1;
  }

  // Returns a row with the same value in all lanes of all warps.
  uint32_t constantRow(unsigned bits, uint64_t value) {
    if (bits == 1)
      value = value ? 1 : 0;
    else if (bits < 64)
      value &= (uint64_t(1) << bits) - 1;
    auto [known, isNew] = constants.try_emplace({bits, value}, rows.size());
    if (isNew)
      rows.push_back({bits, true, value});
    return known->second;
  }

  uint32_t specialRow(const Operand &operand) {
    auto known = std::find_if(std::begin(namedSpecials), std::end(namedSpecials),
                              [&](const NamedSpecial &special) { return special.name == operand.text; });
    if (known == std::end(namedSpecials))
      fail(operand.where, "special register '" + operand.text + "' is not supported by the emulator");
    bool wide = operand.text == "%gridid";
    auto [entry, isNew] = specialRows.try_emplace({known->special, wide}, rows.size());
    if (isNew)
      rows.push_back({wide ? 64u : 32u, true, 0});
    return entry->second;
  }

  const SymbolAddress &symbol(const Operand &operand) {
    auto known = symbols.find(operand.text);
    if (known == symbols.end())
      fail(operand.where, "the address of '" + operand.text + "' is not known to the emulator");
    return known->second;
  }

  // Returns a symbol's address, in its own space or as a generic one.
  static uint64_t addressOf(const SymbolAddress &symbol, bool generic) {
    if (!generic)
      return symbol.address;
    switch (symbol.space) {
    case ptx::Space::shared: return symbol.address + sharedWindow;
    case ptx::Space::local: return symbol.address + localWindow;
    case ptx::Space::param: return symbol.address + paramWindow;
    default: return symbol.address;
    }
  }

  // Returns the bits of a literal of this type.
  uint64_t literal(const Operand &operand, Type type) {
    bool isFloat = info(type).kind == ptx::TypeClass::floating;
    switch (operand.kind) {
    case Operand::Kind::single:
      return type == Type::f64 ? bitsOf(static_cast<double>(floatOf(static_cast<u32>(operand.bits)))) : operand.bits;
    case Operand::Kind::real:
      return info(type).bits == 32 && isFloat ? bitsOf(static_cast<float>(doubleOf(operand.bits))) : operand.bits;
    default:
      if (type == Type::f32)
        return bitsOf(static_cast<float>(static_cast<s64>(operand.bits)));
      if (type == Type::f64)
        return bitsOf(static_cast<double>(static_cast<s64>(operand.bits)));
      return operand.bits;
    }
  }

  struct Draft {
    Inst inst;
    std::vector<uint32_t> ops; // rows: destinations, sources, and the guard, if any
    const ptx::Instruction *from;
  };

  void emit(Draft draft) { drafts.push_back(std::move(draft)); }

  // Work after the instruction being decoded: moves results to wider registers.
  struct Pending {
    uint32_t to, from;
    Type type;
    unsigned toBits;
  };

  // Encodes the local addresses of results and parameters as rows of one instruction.
  void decodeCall(const ptx::Instruction &call) {
    Draft draft;
    draft.from = &call;
    draft.inst.guarded = call.guard.has_value();
    draft.inst.guardNegated = call.guardNegated;
    for (const Operand &operand : call.operands) {
      if (operand.kind == Operand::Kind::symbol && !draft.inst.run) {
        draft.inst.run = systemCall(operand.text);
        draft.inst.extra = draft.ops.size(); // number of results
      }
      for (const Operand &element : operand.elements)
        draft.ops.push_back(constantRow(64, symbol(element).address));
    }
    draft.inst.sources = draft.ops.size();
    emit(std::move(draft));
  }

  // Returns the row of the condition code register, CC.CF.
  uint32_t carryRow() {
    if (!carry)
      carry = newRow(1);
    return *carry;
  }

  // Returns a row with a clock's value; an instruction updates it before each use.
  uint32_t clockRow(const ptx::Instruction &instruction, const Operand &operand) {
    bool wide = operand.text == "%clock64" || operand.text == "%globaltimer";
    Draft draft;
    draft.from = &instruction;
    draft.inst.run = &readClock;
    draft.inst.elementBytes = wide ? 8 : 4;
    draft.inst.extra = operand.text.ends_with("_hi");
    draft.inst.dests = 1;
    draft.ops = {newRow(wide ? 64 : 32)};
    uint32_t row = draft.ops[0];
    emit(std::move(draft));
    return row;
  }

  void decodeInstruction(const ptx::Instruction &instruction) {
    if (instruction.opcode == "call")
      return decodeCall(instruction);
    hasAddress = false;
    Match match;
    std::string why;
    const Row *row = findRow(instruction, function.registers, match, why);
    if (!row)
      fail(instruction.where, why);
    Draft draft;
    draft.from = &instruction;
    draft.inst.flow = row->flow;
    draft.inst.selects = row->selects;
    draft.inst.parts = row->parts;
    row->select(match, draft.inst);
    if (!draft.inst.run)
      fail(instruction.where, "'" + instruction.spelling() + "' is not supported by the emulator");
    if (instruction.guard) {
      draft.inst.guarded = true;
      draft.inst.guardNegated = instruction.guardNegated;
    }

    std::vector<OperandSpec> specs = operandSpecs(*row, match);
    bool wide = allowsWideRegisters(*row);
    std::vector<uint32_t> sources;
    std::vector<Pending> pending;
    for (size_t i = 0; i < specs.size(); ++i) {
      if (i >= instruction.operands.size()) {
        if (!specs[i].optional)
          fail(instruction.where, "'" + instruction.spelling() + "' has too few operands");
        continue;
      }
      decodeOperand(instruction, instruction.operands[i], specs[i], wide, draft, sources, pending);
    }
    if (row->syntax.find("; cc out") != std::string_view::npos)
      draft.ops.push_back(carryRow());
    if (row->syntax.find("; cc in") != std::string_view::npos)
      sources.push_back(carryRow());
    draft.inst.dests = draft.ops.size();
    draft.inst.sources = sources.size();
    draft.ops.insert(draft.ops.end(), sources.begin(), sources.end());
    if (draft.inst.polls)
      attachToLoad(instruction, draft);
    emit(std::move(draft));
    for (const Pending &result : pending)
      emitExtension(instruction, result);
  }

  // Marks the load whose result an annotation (`awaits`) tests. The annotation has the order and scope of the load.
  void attachToLoad(const ptx::Instruction &instruction, Draft &annotation) {
    uint32_t address = annotation.ops[0], seen = annotation.ops[1];
    Draft *load = drafts.empty() ? nullptr : &drafts.back();
    if (!load || !load->inst.memory || load->inst.order == Order::weak || load->inst.elementBytes != 4 ||
        load->inst.sources != 1 || load->ops != std::vector{seen, address} ||
        load->inst.offset != annotation.inst.offset || load->inst.space != annotation.inst.space)
      fail(instruction.where, "'awaits' must follow the strong load of a 32-bit word, and name its address and result");
    load->inst.polls = true;
    annotation.inst.order = load->inst.order;
    annotation.inst.scope = load->inst.scope;
    program->awaitsSignals = true;
  }

  void decodeOperand(const ptx::Instruction &instruction, const Operand &operand, const OperandSpec &spec, bool wide,
                     Draft &draft, std::vector<uint32_t> &sources, std::vector<Pending> &pending) {
    switch (spec.role) {
    case OperandSpec::label:
      if (operand.kind != Operand::Kind::label)
        fail(operand.where, "'" + instruction.spelling() + "' needs a label here");
      draft.inst.target = operand.index; // index in the function's instructions, for now
      return;
    case OperandSpec::number: return; // matched already
    case OperandSpec::symbol: decodeSymbol(instruction, operand, draft); return;
    case OperandSpec::address:
      decodeAddress(instruction, operand, draft, sources, /*isMap=*/spec.coordinates != 0);
      if (spec.coordinates)
        for (const Operand &coordinate : operand.elements[1].elements)
          sources.push_back(source(instruction, coordinate, Type::s32, false));
      return;
    default: break;
    }
    if (operand.kind == Operand::Kind::vector && !spec.vector)
      fail(operand.where, "'" + instruction.spelling() + "' takes no vector here");
    if (spec.vector && (operand.kind == Operand::Kind::vector ? operand.elements.size() : 1) != spec.count)
      fail(operand.where, "'" + instruction.spelling() + "' needs a vector of " + std::to_string(spec.count) + " here");
    auto each = [&](const Operand &element, Type type) {
      if (spec.role != OperandSpec::source)
        draft.ops.push_back(destination(instruction, element, type, wide, pending));
      if (spec.role != OperandSpec::dest)
        sources.push_back(source(instruction, element, type, wide));
    };
    if (operand.kind == Operand::Kind::vector) {
      for (const Operand &element : operand.elements)
        each(element, spec.type);
    } else if (spec.pair) { // always two destinations
      if (operand.kind == Operand::Kind::pair) {
        each(operand.elements[0], spec.type);
        each(operand.elements[1], Type::pred);
      } else {
        each(operand, spec.type);
        draft.ops.push_back(newRow(1));
      }
    } else {
      each(operand, spec.type);
    }
  }

  void decodeSymbol(const ptx::Instruction &instruction, const Operand &operand, Draft &draft) {
    auto table = tables.find(operand.text);
    if (operand.kind != Operand::Kind::symbol || table == tables.end())
      fail(operand.where, "'" + instruction.spelling() + "' needs a list of .branchtargets here");
    draft.inst.target = table->second;
  }

  // `isMap`: a tensor map's address, which is generic in any space.
  void decodeAddress(const ptx::Instruction &instruction, const Operand &operand, Draft &draft,
                     std::vector<uint32_t> &sources, bool isMap) {
    if (operand.kind != Operand::Kind::address)
      fail(operand.where, "'" + instruction.spelling() + "' needs an address in brackets here");
    const Operand &base = operand.elements[0];
    Inst &inst = draft.inst;
    int64_t offset = operand.offset + base.offset;
    uint32_t row;
    bool isWide = true;
    if (base.kind == Operand::Kind::symbol) {
      const SymbolAddress &known = symbol(base);
      if (inst.space == ptx::Space::param && known.space == ptx::Space::local)
        inst.space = ptx::Space::local; // of an inlined call
      row = constantRow(64, addressOf(known, isMap || inst.space == ptx::Space::generic) + offset);
      offset = 0;
    } else if (base.kind == Operand::Kind::integer) {
      row = constantRow(64, base.bits + offset);
      offset = 0;
    } else if (base.kind == Operand::Kind::reg) {
      row = registerRows[base.index];
      isWide = rows[row].bits == 64;
      if (rows[row].bits != 64 && rows[row].bits != 32)
        fail(base.where, "an address must be in a register of 32 or 64 bits");
    } else {
      fail(base.where, "this address is not supported by the emulator");
    }
    // The row of the first address; a second one (cp.async) has its own offset and width in `extra`.
    if (sources.empty() || !hasAddress) {
      inst.wideAddress = isWide;
      inst.offset = offset;
    }
    if (hasAddress) { // for copies: the second address must not need an offset
      uint32_t sum = row;
      if (offset || !isWide) {
        sum = newRow(64);
        emitAddress(instruction, sum, row, isWide, offset);
      }
      row = sum;
    }
    sources.push_back(row);
    hasAddress = true;
  }

  // d = zero-extended a + offset
  void emitAddress(const ptx::Instruction &instruction, uint32_t to, uint32_t from, bool isWide, int64_t offset) {
    Draft draft;
    draft.from = &instruction;
    draft.inst.offset = offset;
    draft.inst.run = isWide ? +[](Warp &warp, const Inst &inst, Mask lanes) {
      writeRow<u64>(warp, inst.op[0], lanes, [&, a = warp.row<u64>(inst.op[1])](unsigned l) { return a[l] + inst.offset; });
    } : +[](Warp &warp, const Inst &inst, Mask lanes) {
      writeRow<u64>(warp, inst.op[0], lanes, [&, a = warp.row<u32>(inst.op[1])](unsigned l) { return u32(a[l] + inst.offset); });
    };
    draft.inst.dests = draft.inst.sources = 1;
    draft.ops = {to, from};
    emit(std::move(draft));
  }

  static unsigned rowBits(Type type) { return info(type).bits; }

  uint32_t source(const ptx::Instruction &instruction, const Operand &operand, Type type, bool wide) {
    switch (operand.kind) {
    case Operand::Kind::integer:
    case Operand::Kind::single:
    case Operand::Kind::real: return constantRow(rowBits(type), literal(operand, type));
    case Operand::Kind::symbol:
      if (rowBits(type) < 32)
        fail(operand.where, "an address has 64 bits");
      return constantRow(rowBits(type), addressOf(symbol(operand), false) + operand.offset);
    case Operand::Kind::special:
    case Operand::Kind::reg: break;
    default: fail(operand.where, "'" + instruction.spelling() + "' needs a register or a constant here");
    }
    bool isClock = operand.text.starts_with("%clock") || operand.text.starts_with("%globaltimer");
    uint32_t row = operand.kind == Operand::Kind::reg ? registerRows[operand.index]
                   : isClock                          ? clockRow(instruction, operand)
                                                      : specialRow(operand);
    if (operand.negated) {
      uint32_t inverted = newRow(1);
      Draft draft;
      draft.from = &instruction;
      draft.inst.run = [](Warp &warp, const Inst &inst, Mask lanes) {
        Mask &to = warp.mask(inst.op[0]);
        to = (to & ~lanes) | (~warp.mask(inst.op[1]) & lanes);
      };
      draft.inst.dests = draft.inst.sources = 1;
      draft.ops = {inverted, row};
      emit(std::move(draft));
      return inverted;
    }
    unsigned have = rows[row].bits, want = rowBits(type);
    if (have == want)
      return row;
    bool isSpecial = operand.kind == Operand::Kind::special; // mov.u64 of a 32-bit one, and vice versa
    if (have == 1 || want == 1 || !(isSpecial || (wide && have > want)))
      failWidth(instruction, operand, have, type);
    uint32_t fitted = newRow(want);
    emitFitting(instruction, fitted, want, row, have, false);
    return fitted;
  }

  uint32_t destination(const ptx::Instruction &instruction, const Operand &operand, Type type, bool wide,
                       std::vector<Pending> &pending) {
    if (operand.kind == Operand::Kind::sink)
      return newRow(rowBits(type));
    if (operand.kind != Operand::Kind::reg)
      fail(operand.where, "'" + instruction.spelling() + "' needs a register to write here");
    uint32_t row = registerRows[operand.index];
    unsigned have = rows[row].bits, want = rowBits(type);
    if (have == want)
      return row;
    if (!wide || have < want || want == 1)
      failWidth(instruction, operand, have, type);
    uint32_t narrow = newRow(want);
    pending.push_back({row, narrow, type, have});
    return narrow;
  }

  [[noreturn]] void failWidth(const ptx::Instruction &instruction, const Operand &operand, unsigned have, Type type) {
    std::string name = operand.kind == Operand::Kind::reg ? function.registers[operand.index].name : operand.text;
    fail(operand.where, "'" + name + "' has " + std::to_string(have) + " bit" + (have == 1 ? "" : "s") + ", and '" +
                            instruction.spelling() + "' takes " + std::to_string(rowBits(type)) + " (." +
                            std::string(info(type).name) + ") here");
  }

  template <class To, class From> static void fit(Warp &warp, const Inst &inst, Mask lanes) {
    writeRow<To>(warp, inst.op[0], lanes,
                 [a = warp.row<From>(inst.op[1])](unsigned lane) { return static_cast<To>(a[lane]); });
  }
  template <class From> static Handler fitterTo(unsigned bits) {
    return bits == 8 ? &fit<u8, From> : bits == 16 ? &fit<u16, From> : bits == 32 ? &fit<u32, From> : &fit<u64, From>;
  }

  // Truncates or extends a row.
  void emitFitting(const ptx::Instruction &instruction, uint32_t to, unsigned toBits, uint32_t from, unsigned fromBits,
                   bool isSigned) {
    if (std::max(toBits, fromBits) > 64)
      fail(instruction.where, "'" + instruction.spelling() + "' on 128-bit registers is not supported by the emulator");
    Draft draft;
    draft.from = &instruction;
    switch (fromBits) {
    case 8: draft.inst.run = isSigned ? fitterTo<s8>(toBits) : fitterTo<u8>(toBits); break;
    case 16: draft.inst.run = isSigned ? fitterTo<s16>(toBits) : fitterTo<u16>(toBits); break;
    case 32: draft.inst.run = isSigned ? fitterTo<s32>(toBits) : fitterTo<u32>(toBits); break;
    default: draft.inst.run = fitterTo<u64>(toBits);
    }
    draft.inst.dests = draft.inst.sources = 1;
    draft.ops = {to, from};
    emit(std::move(draft));
  }

  void emitExtension(const ptx::Instruction &instruction, const Pending &result) {
    size_t before = drafts.size();
    emitFitting(instruction, result.to, result.toBits, result.from, rowBits(result.type),
                info(result.type).kind == ptx::TypeClass::signedInteger);
    // The guard also applies here, as for the instruction itself: lanes whose guard is false keep the register's value.
    drafts[before].inst.guarded = instruction.guard.has_value();
    drafts[before].inst.guardNegated = instruction.guardNegated;
  }

  // Adds a ret, because a kernel may end without one.
  void endKernel() {
    static const ptx::Instruction ret = [] {
      ptx::Instruction made;
      made.opcode = "ret";
      return made;
    }();
    decodeInstruction(ret);
  }

  void finish() {
    // The guard is an additional source.
    for (Draft &draft : drafts)
      if (draft.inst.guarded)
        draft.ops.push_back(registerRows[*draft.from->guard]);
    std::vector<RowUse> uses;
    for (const Draft &draft : drafts) {
      RowUse use;
      use.flow = draft.inst.flow;
      use.target = draft.inst.target;
      use.dests = draft.inst.dests;
      use.partial = draft.inst.guarded;
      use.rows = &draft.ops;
      uses.push_back(use);
    }
    RowAllocation allocation = allocateRows(rows, uses, program->jumpTables);
    program->initialFile = std::move(allocation.initialFile);
    for (const auto &[key, row] : specialRows)
      program->specials.push_back({key.first, allocation.offsets[row], key.second});
    program->rowNumbers = rows.size();
    program->undefinedAtEntry = std::move(allocation.readBeforeWritten);
    program->tracksUndefined = !program->undefinedAtEntry.empty();
    program->hasWgmma =
        std::any_of(drafts.begin(), drafts.end(), [](const Draft &draft) { return isWgmma(draft.inst); });
    program->hasTensorLoads =
        std::any_of(drafts.begin(), drafts.end(), [](const Draft &draft) { return draft.inst.landsLater; });
    program->hasShuffles = std::any_of(drafts.begin(), drafts.end(),
                                       [](const Draft &draft) { return draft.inst.parts == Parts::exchange; });

    for (Draft &draft : drafts) {
      auto storage = std::make_unique<uint32_t[]>(draft.ops.size() + 1);
      for (size_t i = 0; i < draft.ops.size(); ++i)
        storage[i] = allocation.offsets[draft.ops[i]];
      if (draft.inst.guarded)
        draft.inst.guard = storage[draft.ops.size() - 1];
      draft.inst.op = storage.get();
      program->operandStorage.push_back(std::move(storage));
      program->code.push_back(draft.inst);
      program->origins.push_back({draft.from->where, draft.from->source, draft.from->spelling()});
      if (program->tracksUndefined || program->hasWgmma || program->hasTensorLoads || program->hasShuffles) {
        program->writes.emplace_back(draft.ops.begin(), draft.ops.begin() + draft.inst.dests);
        program->reads.emplace_back(draft.ops.begin() + draft.inst.dests, draft.ops.end());
      }
    }
    program->flat = std::make_unique<ptx::Function>(std::move(function));
  }

  const ptx::Module &module;
  ptx::Function function; // with all calls inlined
  std::unique_ptr<Program> program;
  std::unordered_map<std::string, SymbolAddress> symbols;
  std::unordered_map<std::string, uint32_t> tables;
  std::vector<VirtualRow> rows;
  std::vector<uint32_t> registerRows; // by register
  std::map<std::pair<unsigned, uint64_t>, uint32_t> constants;
  std::map<std::pair<Special, bool>, uint32_t> specialRows;
  std::vector<Draft> drafts;
  std::vector<uint32_t> firstDraft; // by the function's instruction
  std::optional<uint32_t> carry;
  bool hasAddress = false; // in the instruction being decoded
};

} // namespace

std::unique_ptr<Program> tilecc::emu::decode(const ptx::Module &module, const ptx::Function &kernel,
                                             const GlobalAddresses &globals) {
  return Decoder(module, kernel, globals).take();
}
