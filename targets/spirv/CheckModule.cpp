//===- CheckModule.cpp - detects silent errors of LLVM's SPIR-V back end ------------------------------------------===//
//
// This file checks every module that is written. The format is a list of instructions of 32-bit words. The first word
// of an instruction has the number of words in its upper half and the opcode in its lower half (SPIR-V specification,
// 2.3).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvModule.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace tilecc::spirv {

enum : unsigned {
  opTypePointer = 32,
  opFunction = 54,
  opPtrAccessChain = 67,
  opInBoundsPtrAccessChain = 70,
  opDecorate = 71,
  linkageAttributes = 41,
  importLinkage = 1,
  headerWords = 5
};

Error checkModule(StringRef binary) {
  auto word = [&](size_t i) { return support::endian::read32le(binary.data() + 4 * i); };
  size_t count = binary.size() / 4;
  DenseMap<unsigned, StringRef> imports; // functions and built-in variables, by their names
  DenseMap<unsigned, unsigned> pointees; // of types that are pointers
  DenseMap<unsigned, unsigned> types; // of values
  for (size_t at = headerWords; at < count;) {
    unsigned length = word(at) >> 16, opcode = word(at) & 0xffff;
    if (length == 0 || at + length > count)
      reportFatalInternalError("LLVM wrote a module of SPIR-V that ends within an instruction");
    if (opcode == opDecorate && word(at + 2) == linkageAttributes && word(at + length - 1) == importLinkage)
      imports[word(at + 1)] = binary.data() + 4 * (at + 3);
    if (opcode == opFunction && imports.contains(word(at + 2)))
      return createStringError("the code calls '" + imports[word(at + 2)] + "', which OpenCL devices do not have");
    if (opcode == opTypePointer)
      pointees[word(at + 1)] = word(at + 3);
    bool isChain = opcode == opPtrAccessChain || opcode == opInBoundsPtrAccessChain;
    if (isChain && length == 5) { // one index, in units of the base's pointee
      auto base = types.find(word(at + 3));
      if (base != types.end() && pointees.lookup(base->second) != pointees.lookup(word(at + 1)))
        reportFatalInternalError("LLVM wrote an address in units of another type than its base's");
    }
    // Only results of pointer type matter.
    if (length >= 3 && pointees.contains(word(at + 1)))
      types[word(at + 2)] = word(at + 1);
    at += length;
  }
  return Error::success();
}

} // namespace tilecc::spirv
