//===-- Scopes.cpp - the names of a function body --------------------------------------------------------------===//
#include "emulator/ptx/Scopes.h"

#include <charconv>
#include <unordered_set>

using namespace tilecc::emu::ptx;

// These limits are far beyond any compiler's output. They prevent a damaged file from exhausting memory.
static constexpr uint64_t registerLimit = 1 << 20;
static constexpr size_t depthLimit = 200;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool tilecc::emu::ptx::isSpecialRegister(std::string_view name) {
  // clang-format off
  static const std::unordered_set<std::string_view> names = {
      "%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid", "%gridid", "%clock",
      "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%lanemask_eq", "%lanemask_le",
      "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%is_explicit_cluster", "%clusterid", "%nclusterid",
      "%cluster_ctaid", "%cluster_nctaid", "%cluster_ctarank", "%cluster_nctarank", "%total_smem_size",
      "%aggr_smem_size", "%dynamic_smem_size", "%reserved_smem_offset_begin", "%reserved_smem_offset_end",
      "%reserved_smem_offset_cap", "%reserved_smem_offset_0", "%reserved_smem_offset_1", "%current_graph_exec"};
  // clang-format on
  if (names.count(name))
    return true;
  for (std::string_view numbered : {"%envreg", "%pm"}) // %envreg0..31, %pm0..7, %pm0_64..
    if (name.size() > numbered.size() && name.substr(0, numbered.size()) == numbered && isDigit(name[numbered.size()]))
      return true;
  return false;
}

Scopes::Scopes(const TokenStream &tokens, Function &function) : tokens(tokens), function(function) {
  open(function.where);
  uint32_t index = 0;
  for (const Variable &param : function.params)
    declare(param.name, {Named::Kind::param, 1, index++}, param.where);
  index = 0;
  for (const Variable &result : function.results)
    declare(result.name, {Named::Kind::result, 1, index++}, result.where);
}

void Scopes::open(Location where) {
  if (scopes.size() == depthLimit)
    tokens.fail(where, "blocks are nested deeper than " + std::to_string(depthLimit));
  scopes.emplace_back();
}

void Scopes::close() {
  Scope closed = std::move(scopes.back());
  scopes.pop_back();
  for (const Use &use : closed.uses) {
    auto found = closed.labels.find(use.name);
    if (found != closed.labels.end())
      resolve(use, found->second);
    else if (!scopes.empty())
      scopes.back().uses.push_back(use);
    else
      tokens.fail(use.where,
                  (use.wanted == Label::Kind::instruction ? "unknown label " : "undeclared name ") + quote(use.name));
  }
}

Named Scopes::findRange(const Scope &scope, std::string_view name) {
  // %r13 may be declared by %r<14> or by %r1<4>: the number takes as many digits as possible, without leading zeros.
  size_t start = name.size();
  while (start > 1 && isDigit(name[start - 1]) && name.size() - start < 8)
    --start;
  for (; start < name.size(); ++start) {
    if (name[start] == '0' && start + 1 != name.size())
      continue;
    auto found = scope.ranges.find(name.substr(0, start));
    if (found == scope.ranges.end())
      continue;
    uint32_t number = 0;
    std::from_chars(name.data() + start, name.data() + name.size(), number);
    const Range &range = found->second;
    if (number < range.count)
      return {Named::Kind::reg, range.width, range.first + number * range.width};
  }
  return {};
}

Named Scopes::find(std::string_view name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    if (!scope->ranges.empty())
      if (Named named = findRange(*scope, name); named.kind != Named::Kind::none)
        return named;
    if (!scope->names.empty())
      if (auto found = scope->names.find(name); found != scope->names.end())
        return found->second;
  }
  return {};
}

void Scopes::failDuplicate(std::string_view name, Location where, Location first) const {
  tokens.fail(where, quote(name) + " is already declared on line " + std::to_string(first.line));
}

void Scopes::checkUnused(std::string_view name, Location where) {
  const Scope &scope = scopes.back();
  if (auto found = scope.names.find(name); found != scope.names.end())
    failDuplicate(name, where, found->second.where);
  if (!scope.labels.empty())
    if (auto found = scope.labels.find(name); found != scope.labels.end())
      failDuplicate(name, where, found->second.where);
  if (scope.ranges.empty())
    return;
  if (Named named = findRange(scope, name); named.kind != Named::Kind::none)
    for (const auto &[prefix, range] : scope.ranges)
      if (named.index >= range.first && named.index - range.first < range.count * range.width)
        failDuplicate(name, where, range.where);
}

void Scopes::declare(std::string_view name, Named named, Location where) {
  checkUnused(name, where);
  scopes.back().names.emplace(name, Declared{named, where});
}

void Scopes::checkRegisterCount(uint64_t added, Location where) {
  if (added > registerLimit || function.registers.size() + added > registerLimit)
    tokens.fail(where, "more than " + std::to_string(registerLimit) + " registers in " + quote(function.name));
}

void Scopes::addRegister(std::string name, Type type, uint32_t width) {
  if (width == 1) {
    function.registers.push_back({std::move(name), type});
    return;
  }
  for (uint32_t i = 0; i < width; ++i)
    function.registers.push_back({name + "." + "xyzw"[i], type});
}

void Scopes::declareRegister(std::string_view name, Type type, uint32_t width, Location where) {
  checkRegisterCount(width, where);
  declare(name, {Named::Kind::reg, width, static_cast<uint32_t>(function.registers.size())}, where);
  addRegister(std::string(name), type, width);
}

void Scopes::declareRegisters(std::string_view prefix, uint64_t count, Type type, uint32_t width, Location where) {
  checkRegisterCount(std::min(count, registerLimit) * width, where);
  if (count > registerLimit)
    checkRegisterCount(count, where);
  auto first = static_cast<uint32_t>(function.registers.size());
  std::string name(prefix);
  for (uint64_t number = 0; number < count; ++number) {
    name.resize(prefix.size());
    name += std::to_string(number);
    checkUnused(name, where);
    addRegister(name, type, width);
  }
  auto [known, isNew] = scopes.back().ranges.emplace(prefix, Range{first, static_cast<uint32_t>(count), width, where});
  if (!isNew) // only if one of the two is empty
    failDuplicate(prefix, where, known->second.where);
}

void Scopes::declareLocal(Variable variable, std::string_view name, bool hidesOuter) {
  bool isHiding = hidesOuter || find(name).kind != Named::Kind::none;
  declare(name, {Named::Kind::local, 1, static_cast<uint32_t>(function.locals.size())}, variable.where);
  variable.name = uniqueName(name, isHiding);
  function.locals.push_back(std::move(variable));
}

std::string Scopes::uniqueName(std::string_view name, bool isTaken) {
  uint32_t count = ++timesDeclared[name];
  return std::string(name) + (count > 1 || isTaken ? "." + std::to_string(count) : ""); // a dot cannot occur in a name
}

void Scopes::declareLabel(std::string_view name, Label label) {
  checkUnused(name, label.where);
  scopes.back().labels.emplace(name, label);
}

void Scopes::useInOperand(size_t instruction, size_t operand, Label::Kind what, std::string_view name, Location where) {
  scopes.back().uses.push_back({name, where, what, true, instruction, operand});
}

void Scopes::useInTargets(size_t branchTargets, size_t position, std::string_view name, Location where) {
  scopes.back().uses.push_back({name, where, Label::Kind::instruction, false, branchTargets, position});
}

void Scopes::resolve(const Use &use, const Label &label) {
  // A call's last operand may be either.
  bool isFit =
      label.kind == use.wanted || (use.wanted == Label::Kind::prototype && label.kind == Label::Kind::callTargets);
  if (!isFit) {
    std::string_view wanted = use.wanted == Label::Kind::instruction ? "the label of an instruction"
                              : use.wanted == Label::Kind::branchTargets
                                  ? "the name of .branchtargets"
                                  : "the name of a .callprototype or .calltargets";
    tokens.fail(use.where, "expected " + std::string(wanted) + ", found " + quote(use.name));
  }
  if (!use.inOperand) {
    function.branchTargets[use.outer].targets[use.inner] = label.index;
    return;
  }
  Operand &operand = function.body[use.outer].operands[use.inner];
  operand.index = label.index;
  switch (label.kind) {
  case Label::Kind::instruction: operand.kind = Operand::Kind::label; return;
  case Label::Kind::branchTargets:
    operand.refers = Operand::Refers::branchTargets;
    operand.text = function.branchTargets[label.index].name;
    return;
  case Label::Kind::prototype:
    operand.refers = Operand::Refers::prototype;
    operand.text = function.prototypes[label.index].name;
    return;
  case Label::Kind::callTargets:
    operand.refers = Operand::Refers::callTargets;
    operand.text = function.callTargets[label.index].name;
    return;
  }
}
