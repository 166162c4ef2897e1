//===-- AnswersTest.cpp - compares every instruction with its known answers ------------------------------------===//
#include "Harness.h"
#include "emulator/isa/Table.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace tilecc::emu;
using namespace tilecc::emu::test;

namespace {

class KnownAnswers : public testing::TestWithParam<Family> {};

TEST_P(KnownAnswers, OfInstructions) {
  for (const Answers &answers : GetParam().answers())
    check(answers);
}

TEST_P(KnownAnswers, OfPrograms) {
  for (const test::Program &program : GetParam().programs())
    check(program);
}

INSTANTIATE_TEST_SUITE_P(Emulator, KnownAnswers, testing::ValuesIn(families()),
                         [](const auto &info) { return std::string(info.param.name); });

// The tested part of the instruction table: rows, and the types with which each was tested.
class Coverage {
public:
  void add(const test::Module &module) {
    std::unique_ptr<ptx::Module> parsed = ptx::parse(module.text, "test.ptx");
    for (const ptx::Function &function : parsed->functions)
      for (const ptx::Instruction &instruction : function.body)
        if (std::count(module.testedLines.begin(), module.testedLines.end(), instruction.where.line))
          add(instruction, function.registers);
  }

  // The rows and types without a test.
  std::string missing() const {
    std::string text;
    for (size_t i = 0; i < rowCount(); ++i) {
      const Row &row = rowNumber(i);
      auto found = types.find(&row);
      if (found == types.end()) {
        text += "  " + std::string(row.syntax) + "\n";
        continue;
      }
      std::string open;
      for (char variable : {'T', 'U', 'V'})
        for (size_t n = 0; n < syntax::listedTypes(row.syntax, variable); ++n)
          if (Type type = syntax::listedType(row.syntax, variable, n); !found->second.count({variable, type}))
            open += std::string(" ") + variable + "=" + std::string(ptx::info(type).name);
      if (!open.empty())
        text += "  " + std::string(row.syntax) + "   for" + open + "\n";
    }
    return text;
  }

private:
  void add(const ptx::Instruction &instruction, const std::vector<ptx::Register> &registers) {
    Match match;
    std::string why;
    const Row *row = findRow(instruction, registers, match, why);
    if (!row)
      return; // its own test says so
    types[row].insert({{'T', match.T}, {'U', match.U}, {'V', match.V}});
  }

  std::map<const Row *, std::set<std::pair<char, Type>>> types;
};

// If you add an instruction, add its answers in test/unit/emulator/instructions/answers.
TEST(InstructionTable, EveryRowHasKnownAnswers) {
  Coverage coverage;
  for (const Family &family : families()) {
    for (const Answers &answers : family.answers())
      coverage.add(moduleOf(answers));
    for (const test::Program &program : family.programs())
      coverage.add(moduleOf(program));
  }
  std::string missing = coverage.missing();
  EXPECT_TRUE(missing.empty()) << "no test has known answers for these rows of the instruction table:\n" << missing;
}

} // namespace
