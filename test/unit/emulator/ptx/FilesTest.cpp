//===-- FilesTest.cpp - parses real files, and damaged files ---------------------------------------------------===//
//
// All files of test/Inputs/ptx must parse, into as many instructions as a much simpler scan of the text finds. With
// random damage, the same files must either parse or give an Error.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "ParseText.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace tilecc::emu::ptx;

namespace {

struct File {
  std::string name, text;
};

const std::vector<File> &files() {
  static const std::vector<File> all = [] {
    std::vector<File> found;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(PTX_INPUTS))
      if (entry.path().extension() == ".ptx") {
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        found.push_back({std::filesystem::relative(entry.path(), PTX_INPUTS).string(), text.str()});
      }
    std::sort(found.begin(), found.end(), [](const File &a, const File &b) { return a.name < b.name; });
    return found;
  }();
  return all;
}

bool isNameCharacter(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

// Counts instructions by their form: statements that begin with a guard or a small letter after labels, braces and the
// heads of functions are removed.
size_t countInstructions(std::string text) {
  auto eraseAll = [&](std::string_view from, std::string_view to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.erase(at, text.find(to, at) - at);
  };
  eraseAll("//", "\n");
  eraseAll(".loc\t", "\n"); // but not .local
  eraseAll(".file", "\n");
  for (size_t at; (at = text.find(".section")) != std::string::npos;)
    text.erase(at, text.find('}', at) + 1 - at);
  size_t count = 0;
  std::stringstream statements(text);
  for (std::string statement; std::getline(statements, statement, ';');) {
    for (bool again = true; again;) {
      again = false;
      size_t start = statement.find_first_not_of(" \t\n{}");
      statement.erase(0, std::min(start, statement.size()));
      size_t end = std::find_if_not(statement.begin(), statement.end(), isNameCharacter) - statement.begin();
      size_t colon = statement.find_first_not_of(' ', end);
      if (colon != std::string::npos && statement[colon] == ':' && end) { // a label
        statement.erase(0, colon + 1);
        again = true;
      } else if (size_t body = statement.find("\n{"); body != std::string::npos && statement[0] == '.') {
        statement.erase(0, body);
        again = true;
      }
    }
    if (!statement.empty() && statement[0] == '@')
      statement.erase(0, statement.find_first_of(" \t"));
    size_t start = statement.find_first_not_of(" \t\n");
    count += start != std::string::npos && islower(static_cast<unsigned char>(statement[start]));
  }
  return count;
}

// The guarantees for a decoder: every index refers to something that exists.
void checkOperand(const Module &module, const Function &function, const Operand &operand) {
  size_t limit = 1;
  switch (operand.kind) {
  case Operand::Kind::reg:
    limit = function.registers.size();
    break;
  case Operand::Kind::label:
    limit = function.body.size() + 1;
    break;
  case Operand::Kind::address:
    ASSERT_GE(operand.elements.size(), 1u);
    break;
  case Operand::Kind::pair:
    ASSERT_EQ(operand.elements.size(), 2u);
    break;
  case Operand::Kind::vector:
    ASSERT_GE(operand.elements.size(), 1u);
    break;
  case Operand::Kind::symbol:
    limit = operand.refers == Operand::Refers::local           ? function.locals.size()
            : operand.refers == Operand::Refers::param         ? function.params.size()
            : operand.refers == Operand::Refers::result        ? function.results.size()
            : operand.refers == Operand::Refers::branchTargets ? function.branchTargets.size()
            : operand.refers == Operand::Refers::prototype     ? function.prototypes.size()
            : operand.refers == Operand::Refers::callTargets   ? function.callTargets.size()
            : operand.refers == Operand::Refers::variable      ? module.variables.size()
                                                               : module.functions.size();
    break;
  default:
    break;
  }
  ASSERT_LT(operand.index, limit);
  for (const Operand &element : operand.elements)
    checkOperand(module, function, element);
}

size_t checkModule(const Module &module) {
  size_t instructions = 0;
  for (const Function &function : module.functions) {
    EXPECT_EQ(module.function(function.name) != nullptr, true);
    for (const Function::BranchTargets &table : function.branchTargets)
      for (uint32_t target : table.targets)
        EXPECT_LE(target, function.body.size());
    for (const Instruction &instruction : function.body) {
      if (instruction.guard) {
        EXPECT_EQ(function.registers.at(*instruction.guard).type, Type::pred);
      }
      for (const Operand &operand : instruction.operands)
        checkOperand(module, function, operand);
    }
    instructions += function.body.size();
  }
  for (const Variable &variable : module.variables) {
    EXPECT_LE(variable.bytes.size(), variable.size);
    for (const Variable::Relocation &relocation : variable.relocations)
      EXPECT_LE(relocation.offset + relocation.size, variable.bytes.size());
  }
  return instructions;
}

TEST(FilesTest, AllParse) {
  ASSERT_GE(files().size(), 13u);
  for (const File &file : files()) {
    SCOPED_TRACE(file.name);
    std::unique_ptr<Module> module;
    ASSERT_NO_THROW(module = parse(file.text, file.name));
    EXPECT_EQ(checkModule(*module), countInstructions(file.text));
  }
}

std::string damage(std::string text, std::mt19937 &random) {
  static const char *const insertions[] = {"{",
                                           "}",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           ";",
                                           ",",
                                           ":",
                                           "@",
                                           "|",
                                           "!",
                                           "-",
                                           ".",
                                           "%",
                                           "$",
                                           "/*",
                                           "*/",
                                           "\"",
                                           "<",
                                           ">",
                                           "=",
                                           "0x",
                                           "0f",
                                           "9999999999999999999999",
                                           "0d1",
                                           ".reg .b32 %r<99999>;",
                                           ".param .b32 x[99999999999];",
                                           "_",
                                           "ret;",
                                           "L:",
                                           "bra L;",
                                           "((((",
                                           "{{{{",
                                           ".global .b8 y[] = {1,{2}};",
                                           ".v4",
                                           "::",
                                           "\n",
                                           "~~~~1",
                                           "1?2:",
                                           "\0x"};
  auto below = [&](size_t limit) { return limit ? random() % limit : 0; };
  for (size_t edits = 1 + below(3); edits; --edits) {
    size_t at = below(text.size()), size = std::min(below(2) ? below(8) : below(200), text.size() - at);
    switch (below(6)) {
    case 0:
      text.erase(at, size);
      break;
    case 1:
      text.insert(at, insertions[below(std::size(insertions))]);
      break;
    case 2:
      text.insert(below(text.size()), text.substr(at, size));
      break;
    case 3:
      if (!text.empty())
        text[at] = static_cast<char>(below(256));
      break;
    case 4: { // the same text repeated
      std::string again;
      for (size_t i = below(300); i; --i)
        again += text.substr(at, size % 4);
      text.insert(at, again);
      break;
    }
    default:
      if (!below(4))
        text.resize(at);
      break;
    }
  }
  return text;
}

TEST(FilesTest, DamagedFilesParseOrAreErrors) {
  std::mt19937 random(20); // the same sequence everywhere, by the standard
  size_t parsed = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    const File &file = files()[random() % files().size()];
    // Only a part of the file, which is faster: the head of a file, up to a few kilobytes of its body.
    std::string text = damage(file.text.substr(0, 1000 + random() % 9000), random);
    if (random() % 2)
      text += "\n ret; }";
    try {
      checkModule(*parse(text, "damaged"));
      ++parsed;
    } catch (const Error &error) {
      EXPECT_GE(error.where.line, 1u);
      EXPECT_GE(error.where.column, 1u);
      ++refused;
    }
    if (HasFailure()) {
      ADD_FAILURE() << "round " << round << " of " << file.name;
      return;
    }
  }
  EXPECT_GE(parsed, 50u) << "too much damage to learn anything";
  EXPECT_GE(refused, 1000u) << "too little damage to learn anything";
}

} // namespace
