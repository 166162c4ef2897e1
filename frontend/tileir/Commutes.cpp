//===- Commutes.cpp - proves that a combining function is commutative ---------------------------------------------===//
//
// This file evaluates the function symbolically with its operands in both orders, and compares the results. Terms are
// numbered, and equal terms get the same number; the operands of commutative operations are sorted. The result of a
// comparison of two operands depends on which is larger. So every relation (less, equal, greater) of every compared
// pair is tried. For a given relation, comparisons of the pair, and the selects that depend on these, have known
// results.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Commutes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

using namespace llvm;

namespace tilecc::tileir {
namespace {

enum class Relation { Less, Equal, Greater }; // the order of a pair's operands

class Evaluation {
public:
  Evaluation(const Operation &reduce, const Function &function, ArrayRef<Relation> relations)
      : reduce(reduce), function(function), relations(relations) {}

  /// Returns the terms that the region yields, or nothing if it cannot be evaluated.
  std::optional<SmallVector<unsigned>> evaluate(bool isExchanged);

private:
  /// Identifies a term: an operation, its distinguishing attributes, and its operands.
  using Term = std::tuple<Op, std::vector<uint64_t>, std::vector<unsigned>>;
  struct Leaf {
    unsigned pair, side;
  };

  unsigned number(Term term) { return terms.try_emplace(std::move(term), terms.size()).first->second; }
  unsigned boolean(bool value) { return number({Op::Constant, {uint64_t(value)}, {}}); }
  unsigned leaf(unsigned pair, unsigned side) {
    unsigned term = number({Op::Yield, {pair, relations[pair] == Relation::Equal ? 0 : side}, {}});
    leaves[term] = {pair, relations[pair] == Relation::Equal ? 0 : side};
    return term;
  }
  std::optional<unsigned> compare(const Operation &op, unsigned a, unsigned b) const;
  std::optional<unsigned> apply(const Operation &op);

  const Operation &reduce;
  const Function &function;
  ArrayRef<Relation> relations;
  std::map<Term, unsigned> terms;
  DenseMap<unsigned, Leaf> leaves;
  DenseMap<ValueId, unsigned> values;
};

} // namespace

static bool isCommutative(Op op) {
  return is_contained(
      {Op::Addf, Op::Addi, Op::Mulf, Op::Muli, Op::Maxf, Op::Maxi, Op::Minf, Op::Mini, Op::Andi, Op::Ori, Op::Xori},
      op);
}

/// Returns the result of a comparison of two operands whose relation is known.
std::optional<unsigned> Evaluation::compare(const Operation &op, unsigned a, unsigned b) const {
  auto left = leaves.find(a), right = leaves.find(b);
  if (left == leaves.end() || right == leaves.end() || left->second.pair != right->second.pair)
    return std::nullopt;
  Relation relation = relations[left->second.pair];
  if (left->second.side == right->second.side)
    relation = Relation::Equal;
  else if (left->second.side == 1)
    relation = relation == Relation::Less      ? Relation::Greater
               : relation == Relation::Greater ? Relation::Less
                                               : relation;
  switch (Predicate(op.number("predicate"))) {
  case Predicate::Equal: return relation == Relation::Equal;
  case Predicate::NotEqual: return relation != Relation::Equal;
  case Predicate::Less: return relation == Relation::Less;
  case Predicate::LessEqual: return relation != Relation::Greater;
  case Predicate::Greater: return relation == Relation::Greater;
  case Predicate::GreaterEqual: return relation != Relation::Less;
  }
  return std::nullopt;
}

std::optional<unsigned> Evaluation::apply(const Operation &op) {
  if (op.results.size() != 1 || !op.regions.empty())
    return std::nullopt;
  std::vector<unsigned> operands;
  for (auto &ids : op.operands)
    for (ValueId id : ids) {
      auto known = values.find(id);
      // Values from outside the region are the same in both orders.
      operands.push_back(known != values.end() ? known->second : number({Op::Assume, {id}, {}}));
    }
  bool isBoolean =
      function.values[op.results[0]]->kind == Type::Tile && function.values[op.results[0]]->element->kind == Type::I1;
  unsigned yes = boolean(true), no = boolean(false);
  auto has = [&](unsigned term) { return is_contained(operands, term); };
  switch (op.op()) {
  case Op::Constant:
    if (isBoolean && op.attribute("value").text.size() == 1)
      return boolean(op.attribute("value").text[0] & 1);
    return number({Op::Assume, {op.results[0]}, {}});
  case Op::Cmpi:
  case Op::Cmpf:
    if (auto holds = compare(op, operands[0], operands[1]))
      return boolean(*holds);
    break;
  case Op::Select:
    if (operands[0] == yes || operands[1] == operands[2])
      return operands[1];
    if (operands[0] == no)
      return operands[2];
    break;
  case Op::Andi:
  case Op::Ori:
  case Op::Xori:
    if (!isBoolean)
      break;
    if (op.op() == Op::Xori && (operands[0] == yes || operands[0] == no) && (operands[1] == yes || operands[1] == no))
      return boolean(operands[0] != operands[1]);
    if (op.op() == Op::Andi && has(no))
      return no;
    if (op.op() == Op::Ori && has(yes))
      return yes;
    if (op.op() != Op::Xori && (operands[0] == yes || operands[0] == no))
      return operands[1];
    if (op.op() != Op::Xori && (operands[1] == yes || operands[1] == no))
      return operands[0];
    break;
  default: break;
  }
  if (isCommutative(op.op()))
    llvm::sort(operands);
  std::vector<uint64_t> rest = {op.flags};
  for (const Attribute &attribute : op.attributes)
    rest.push_back(attribute.number);
  for (ValueId id : op.results)
    rest.push_back(uintptr_t(function.values[id])); // the type
  return number({op.op(), rest, operands});
}

std::optional<SmallVector<unsigned>> Evaluation::evaluate(bool isExchanged) {
  values.clear();
  const Block &region = reduce.regions[0];
  for (unsigned i = 0; i < region.arguments.size(); ++i)
    values[region.arguments[i]] = leaf(i / 2, i % 2 != isExchanged);
  for (const Operation &op : region.operations) {
    if (op.op() == Op::Yield) {
      SmallVector<unsigned> results;
      for (ValueId id : op.all()) {
        auto known = values.find(id);
        results.push_back(known != values.end() ? known->second : number({Op::Assume, {id}, {}}));
      }
      return results;
    }
    auto term = apply(op);
    if (!term)
      return std::nullopt;
    values[op.results[0]] = *term;
  }
  return std::nullopt;
}

bool commutes(const Operation &reduce, const Function &function) {
  constexpr unsigned maxPairs = 4; // at most 81 orders
  unsigned pairs = reduce.regions[0].arguments.size() / 2;
  if (pairs > maxPairs)
    return false;
  SmallVector<Relation> relations(pairs, Relation::Less);
  while (true) {
    Evaluation evaluation(reduce, function, relations);
    auto asIs = evaluation.evaluate(false), exchanged = evaluation.evaluate(true);
    if (!asIs || asIs != exchanged)
      return false;
    // Next combination of orders, counting with one digit per pair.
    unsigned i = 0;
    for (; i < pairs && relations[i] == Relation::Greater; ++i)
      relations[i] = Relation::Less;
    if (i == pairs)
      return true;
    relations[i] = Relation(unsigned(relations[i]) + 1);
  }
}

} // namespace tilecc::tileir
