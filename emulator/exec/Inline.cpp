//===-- Inline.cpp ---------------------------------------------------------------------------------------------===//
//
// All calls are inlined, so that a kernel is a single list of instructions, which keeps lanes, splits and liveness
// simple. PTX code stays small, because compilers inline nearly everything themselves.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/Inline.h"
#include "emulator/isa/SystemCalls.h"

#include <map>

using namespace tilecc::emu;
using ptx::Operand;

namespace {

enum : unsigned { deepestCall = 64, maxInstructions = 4'000'000 };

class Inliner {
public:
  Inliner(const ptx::Module &module, const ptx::Function &kernel) : module(module) {
    result.name = kernel.name;
    result.isEntry = true;
    result.where = kernel.where;
    result.params = kernel.params;
    for (int i = 0; i < 3; ++i) {
      result.requiredThreads[i] = kernel.requiredThreads[i];
      result.maxThreads[i] = kernel.maxThreads[i];
      result.requiredCluster[i] = kernel.requiredCluster[i];
    }
    place(kernel, {}, 0);
  }

  ptx::Function take() { return std::move(result); }

private:
  using Names = std::map<std::string, std::string, std::less<>>; // maps a function's variables to names in the result

  [[noreturn]] void fail(const ptx::Instruction &at, const std::string &text) {
    throw ptx::Error(module.name, at.where, text);
  }

  // Appends a function's body. `names` maps its parameters; a kernel's parameters keep their names.
  void place(const ptx::Function &function, Names names, unsigned depth) {
    auto firstRegister = static_cast<uint32_t>(result.registers.size());
    result.registers.insert(result.registers.end(), function.registers.begin(), function.registers.end());
    for (ptx::Variable variable : function.locals) {
      if (depth > 0 || variable.space == ptx::Space::param) {
        std::string unique = variable.name + "#" + std::to_string(copies++);
        names[variable.name] = unique;
        variable.name = unique;
      }
      if (variable.space == ptx::Space::param)
        variable.space = ptx::Space::local; // call arguments are in the thread's local memory
      result.locals.push_back(std::move(variable));
    }
    for (const ptx::Function::BranchTargets &table : function.branchTargets)
      if (depth > 0)
        names[table.name] = table.name + "#" + std::to_string(copies++);

    std::vector<uint32_t> newIndex(function.body.size() + 1);
    size_t begin = result.body.size();
    std::vector<bool> isPlaced; // instructions of inlined callees, whose labels are final
    for (size_t i = 0; i < function.body.size(); ++i) {
      const ptx::Instruction &from = function.body[i];
      newIndex[i] = result.body.size();
      if (result.body.size() > maxInstructions)
        fail(from, "with all calls inlined, the kernel is too large");
      if (from.opcode == "call") {
        placeCall(from, firstRegister, names, depth);
        isPlaced.resize(result.body.size() - begin, true);
        continue;
      }
      ptx::Instruction copy = from;
      rename(copy, firstRegister, names);
      if (depth > 0 && copy.opcode == "ret")
        copy = branchTo(function.body.size(), copy); // return to the instruction after the call
      result.body.push_back(std::move(copy));
      isPlaced.push_back(false);
    }
    newIndex[function.body.size()] = result.body.size();

    for (size_t i = begin; i < result.body.size(); ++i)
      if (!isPlaced[i - begin])
        for (Operand &operand : result.body[i].operands)
          if (operand.kind == Operand::Kind::label)
            operand.index = newIndex[operand.index];
    for (const ptx::Function::BranchTargets &table : function.branchTargets) {
      ptx::Function::BranchTargets copy = table;
      if (auto renamed = names.find(table.name); renamed != names.end())
        copy.name = renamed->second;
      for (uint32_t &target : copy.targets)
        target = newIndex[target];
      result.branchTargets.push_back(std::move(copy));
    }
  }

  void rename(ptx::Instruction &instruction, uint32_t firstRegister, const Names &names) {
    if (instruction.guard)
      *instruction.guard += firstRegister;
    for (Operand &operand : instruction.operands)
      rename(operand, firstRegister, names);
  }

  void rename(Operand &operand, uint32_t firstRegister, const Names &names) {
    if (operand.kind == Operand::Kind::reg)
      operand.index += firstRegister;
    if (operand.kind == Operand::Kind::symbol)
      if (auto renamed = names.find(operand.text); renamed != names.end())
        operand.text = renamed->second;
    for (Operand &element : operand.elements)
      rename(element, firstRegister, names);
  }

  // call{.uni} {(results),} function{, (arguments)}{, prototype};
  void placeCall(const ptx::Instruction &call, uint32_t firstRegister, const Names &names, unsigned depth) {
    const Operand *results = nullptr, *target = nullptr, *arguments = nullptr;
    for (const Operand &operand : call.operands)
      if (operand.kind == Operand::Kind::list)
        (target ? arguments : results) = &operand;
      else if (!target)
        target = &operand;
    if (!target || target->kind != Operand::Kind::symbol)
      fail(call, "indirect calls are not supported by the emulator");
    if (systemCall(target->text)) {
      ptx::Instruction copy = call;
      rename(copy, firstRegister, names);
      result.body.push_back(std::move(copy));
      return;
    }
    const ptx::Function *callee = module.function(target->text);
    if (!callee || callee->isDeclaration)
      fail(call, "call of '" + target->text + "', which has no body here");
    if (depth >= deepestCall)
      fail(call, "recursion ('" + target->text + "') is not supported by the emulator");
    Names inner;
    bind(call, results, callee->results, names, inner);
    bind(call, arguments, callee->params, names, inner);
    size_t branch = result.body.size();
    if (call.guard) { // other lanes branch around it
      result.body.push_back(branchTo(0, call));
      result.body.back().guard = *call.guard + firstRegister;
      result.body.back().guardNegated = !call.guardNegated;
    }
    place(*callee, std::move(inner), depth + 1);
    if (call.guard)
      result.body[branch].operands[0].index = result.body.size();
  }

  // Creates a branch that replaces another instruction.
  static ptx::Instruction branchTo(uint32_t index, const ptx::Instruction &from) {
    ptx::Instruction branch = from;
    branch.opcode = "bra";
    branch.modifiers.clear();
    Operand target;
    target.kind = Operand::Kind::label;
    target.index = index;
    target.where = from.where;
    branch.operands = {target};
    return branch;
  }

  void bind(const ptx::Instruction &call, const Operand *actual, const std::vector<ptx::Variable> &formal,
            const Names &names, Names &inner) {
    size_t count = actual ? actual->elements.size() : 0;
    if (count != formal.size())
      fail(call, "the call passes " + std::to_string(count) + " values where the function has " +
                     std::to_string(formal.size()));
    for (size_t i = 0; i < count; ++i) {
      const Operand &operand = actual->elements[i];
      if (operand.kind != Operand::Kind::symbol || formal[i].space != ptx::Space::param)
        fail(call, "calls that pass registers are not supported by the emulator, only .param variables");
      auto renamed = names.find(operand.text);
      inner[formal[i].name] = renamed == names.end() ? operand.text : renamed->second;
    }
  }

  const ptx::Module &module;
  ptx::Function result;
  unsigned copies = 0;
};

} // namespace

ptx::Function tilecc::emu::inlineCalls(const ptx::Module &module, const ptx::Function &kernel) {
  return Inliner(module, kernel).take();
}
