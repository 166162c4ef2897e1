//===- PackPhis.cpp - carries short elements between blocks in whole registers ------------------------------------===//
//
// A tile in registers is one LLVM value per element. Elements of 8 and 16 bits that are loaded together share
// registers. But if a loop carries them or a branch loads them, each element has its own phi. Then LLVM unpacks the
// elements in the block that loads them, where it has to wait for the load, and each element occupies a register. This
// pass packs such phis.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/amd/CodeObjectWriter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tilecc::amd {

namespace {

constexpr unsigned registerBits = 32;

/// The vectors from which a phi takes its elements, one for each incoming edge; null for poison.
using Sources = SmallVector<Value *, 2>;

/// If `phi` takes the same element of vectors of one type that fill whole registers, returns these vectors and the
/// number of the element. Returns nothing otherwise.
std::optional<std::pair<Sources, uint64_t>> findSources(PHINode &phi) {
  if (phi.getType()->getPrimitiveSizeInBits() >= registerBits)
    return std::nullopt;
  Sources sources;
  std::optional<uint64_t> element;
  Type *type = nullptr;
  for (Value *value : phi.incoming_values()) {
    Value *vector;
    uint64_t number;
    if (isa<PoisonValue>(value)) {
      sources.push_back(nullptr);
      continue;
    }
    if (!match(value, m_ExtractElt(m_Value(vector), m_ConstantInt(number))) || (element && *element != number) ||
        (type && type != vector->getType()) || !isa<FixedVectorType>(vector->getType()) ||
        vector->getType()->getPrimitiveSizeInBits() % registerBits)
      return std::nullopt;
    element = number;
    type = vector->getType();
    sources.push_back(vector);
  }
  if (!type)
    return std::nullopt;
  return std::pair(sources, *element);
}

void pack(BasicBlock &block, const Sources &sources, ArrayRef<std::pair<PHINode *, uint64_t>> phis) {
  Type *type = (*find_if(sources, [](Value *source) { return source; }))->getType();
  Type *words = FixedVectorType::get(Type::getInt32Ty(block.getContext()),
                                     type->getPrimitiveSizeInBits().getFixedValue() / registerBits);
  PHINode &like = *phis.front().first;
  PHINode *packed = PHINode::Create(words, sources.size(), "", block.begin());
  DenseMap<BasicBlock *, Value *> incoming; // several edges may come from one block
  for (auto [source, before] : zip_equal(sources, like.blocks())) {
    Value *&value = incoming[before];
    if (!value)
      value = source ? IRBuilder<>(before->getTerminator()).CreateBitCast(source, words) : PoisonValue::get(words);
    packed->addIncoming(value, before);
  }
  IRBuilder<> builder(&block, block.getFirstInsertionPt());
  Value *vector = builder.CreateBitCast(packed, type);
  for (auto [phi, element] : phis) {
    phi->replaceAllUsesWith(builder.CreateExtractElement(vector, element));
    phi->eraseFromParent();
  }
}

bool packPhis(BasicBlock &block) {
  MapVector<Sources, SmallVector<std::pair<PHINode *, uint64_t>>, std::map<Sources, unsigned>> groups;
  for (PHINode &phi : block.phis())
    if (auto found = findSources(phi))
      groups[found->first].push_back({&phi, found->second});
  bool changed = false;
  for (auto &[sources, phis] : groups)
    if (phis.size() > 1) {
      pack(block, sources, phis);
      changed = true;
    }
  return changed;
}

} // namespace

void packPhis(Function &function) {
  // A phi may take elements from phis that are packed later.
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &block : function)
      changed |= packPhis(block);
  }
}

} // namespace tilecc::amd
