//===- DebugInfo.cpp - debug information of a kernel's function ---------------------------------------------------===//
//
// This file translates MLIR locations to LLVM debug information. EmitContext uses it if debug information is requested.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/DebugInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static FileLineColLoc placeOf(Location loc) {
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    return place;
  if (auto name = dyn_cast<NameLoc>(loc))
    return placeOf(name.getChildLoc());
  if (auto site = dyn_cast<CallSiteLoc>(loc)) {
    FileLineColLoc callee = placeOf(site.getCallee());
    return callee ? callee : placeOf(site.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc place = placeOf(part))
        return place;
  return {};
}

/// Returns the name as written in the source: scale<32>.
static std::string sourceName(std::string symbol) {
  llvm::ItaniumPartialDemangler demangler; // points into the symbol
  if (demangler.partialDemangle(symbol.c_str()) || !demangler.isFunction())
    return symbol;
  size_t size = 0;
  char *name = demangler.getFunctionName(nullptr, &size);
  std::string result = name ? name : symbol;
  std::free(name);
  return result;
}

DebugInfo::DebugInfo(llvm::Function &function, tt::FuncOp kernel, StringRef folder, DebugDetail detail,
                     llvm::IRBuilder<> &b)
    : b(b),
      builder(*function.getParent(), /*AllowUnresolved=*/true,
              function.getParent()->debug_compile_units().empty() ? nullptr
                                                                  : *function.getParent()->debug_compile_units_begin()),
      folder(folder), detail(detail) {
  llvm::Module &module = *function.getParent();
  FileLineColLoc place = placeOf(kernel.getLoc());
  llvm::DIFile *file = fileOf(place ? place.getFilename().getValue() : StringRef("kernel"));
  if (module.debug_compile_units().empty()) {
    // Do not emit .debug_names: gdb would assume that the index covers the whole program, and would find only kernels.
    builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C_plus_plus_14), file, "tcc",
                              /*isOptimized=*/true, "", 0, "",
                              detail == DebugDetail::LinesAlone ? llvm::DICompileUnit::LineTablesOnly
                                                                : llvm::DICompileUnit::FullDebug,
                              /*DWOId=*/0, /*SplitDebugInlining=*/true, /*DebugInfoForProfiling=*/false,
                              llvm::DICompileUnit::DebugNameTableKind::None);
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    module.addModuleFlag(llvm::Module::Max, "Dwarf Version", 5);
  }
  unsigned line = place ? place.getLine() : 0;
  subprogram = builder.createFunction(file, sourceName(kernel.getSymName().str()), "", file, line,
                                      builder.createSubroutineType(builder.getOrCreateTypeArray({})), line,
                                      llvm::DINode::FlagPrototyped,
                                      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function.setSubprogram(subprogram);
  for (BlockArgument parameter : kernel.getBody().front().getArguments()) {
    if (detail == DebugDetail::LinesAlone)
      break;
    if (auto name = dyn_cast<NameLoc>(parameter.getLoc()))
      if (llvm::DIType *type = typeOf(parameter.getType()))
        parameters[parameter] =
            builder.createParameterVariable(subprogram, name.getName().getValue(), parameter.getArgNumber() + 1, file,
                                            line, type, /*AlwaysPreserve=*/true);
  }
  b.SetCurrentDebugLocation(llvm::DILocation::get(b.getContext(), line, 0, subprogram));
}

DebugInfo::~DebugInfo() { builder.finalize(); }

llvm::DIFile *DebugInfo::fileOf(StringRef name) { return builder.createFile(name, folder); }

llvm::DIScope *DebugInfo::scopeIn(StringRef file) {
  if (file == subprogram->getFilename())
    return subprogram;
  llvm::DIScope *&scope = scopes[file];
  if (!scope)
    scope = builder.createLexicalBlockFile(subprogram, fileOf(file));
  return scope;
}

/// Returns the debug location of `loc`, inlined at `caller`, or null if `loc` is unknown.
llvm::DILocation *DebugInfo::locationOf(Location loc, llvm::DILocation *caller) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return locationOf(name.getChildLoc(), caller);
  if (auto site = dyn_cast<CallSiteLoc>(loc)) {
    llvm::DILocation *outer = locationOf(site.getCaller(), caller);
    llvm::DILocation *inner = locationOf(site.getCallee(), outer ? outer : caller);
    return inner ? inner : outer;
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (llvm::DILocation *location = locationOf(part, caller))
        return location;
  auto place = dyn_cast<FileLineColLoc>(loc);
  return place ? llvm::DILocation::get(b.getContext(), place.getLine(), place.getColumn(),
                                       scopeIn(place.getFilename().getValue()), caller)
               : nullptr;
}

void DebugInfo::moveTo(Location loc) {
  if (detail == DebugDetail::LinesAlone) {
    if (llvm::DILocation *location = locationOf(loc, nullptr))
      b.SetCurrentDebugLocation(location);
    return;
  }
  if (FileLineColLoc place = placeOf(loc))
    b.SetCurrentDebugLocation(llvm::DILocation::get(b.getContext(), place.getLine(), place.getColumn(),
                                                    scopeIn(place.getFilename().getValue())));
}

llvm::DIType *DebugInfo::typeOf(Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    return builder.createPointerType(typeOf(pointer.getPointeeType()), 64);
  auto basic = [&](StringRef name, unsigned encoding) {
    return builder.createBasicType(name, std::max(8u, type.getIntOrFloatBitWidth()), encoding);
  };
  if (type.isInteger(1))
    return basic("bool", llvm::dwarf::DW_ATE_boolean);
  if (type.isInteger(8))
    return basic("signed char", llvm::dwarf::DW_ATE_signed_char);
  if (isa<IntegerType>(type)) // signless
    return basic(type.isInteger(16) ? "short" : type.isInteger(32) ? "int" : "long", llvm::dwarf::DW_ATE_signed);
  if (isa<FloatType>(type) && !type.isBF16() && type.getIntOrFloatBitWidth() >= 16)
    return basic(type.isF64() ? "double" : type.isF32() ? "float" : "_Float16", llvm::dwarf::DW_ATE_float);
  if (isa<FloatType>(type)) // DWARF has no names for these formats: show their bits
    return basic(type.isBF16() ? "__bf16" : "float8", llvm::dwarf::DW_ATE_unsigned);
  return nullptr;
}

llvm::DILocalVariable *DebugInfo::variableOf(Value v, StringRef name) {
  if (llvm::DILocalVariable *parameter = parameters.lookup(v))
    return parameter;
  llvm::DILocalVariable *&variable = variables[name];
  llvm::DIType *type = variable ? variable->getType() : typeOf(v.getType());
  if (!variable && type)
    variable = builder.createAutoVariable(subprogram, name, subprogram->getFile(),
                                          b.getCurrentDebugLocation().getLine(), type);
  // If two variables of a kernel have the same name, the first one is shown.
  return type && type == typeOf(v.getType()) ? variable : nullptr;
}

llvm::Value *DebugInfo::slotOf(llvm::DILocalVariable *variable, llvm::Type *type) {
  llvm::Value *&slot = slots[variable];
  if (!slot) {
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    llvm::BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    b.SetInsertPoint(&entry, entry.begin());
    slot = b.CreateAlloca(type, nullptr, variable->getName());
    builder.insertDeclare(slot, variable, builder.createExpression(),
                          llvm::DILocation::get(b.getContext(), variable->getLine(), 0, subprogram), entry.begin());
  }
  return slot;
}

void DebugInfo::describe(Value v, llvm::Value *value) {
  if (detail == DebugDetail::LinesAlone)
    return;
  auto name = dyn_cast<NameLoc>(v.getLoc());
  // A debug record cannot precede phis that are still to be created in its block.
  if (!name || (isa<llvm::PHINode>(value) && b.GetInsertBlock() == cast<llvm::PHINode>(value)->getParent()))
    return;
  llvm::DILocalVariable *variable = variableOf(v, name.getName().getValue());
  if (!variable)
    return;
  if (detail == DebugDetail::VariablesInMemory) {
    if (value->getType()->isIntegerTy(1))
      value = b.CreateZExt(value, b.getInt8Ty());
    b.CreateStore(value, slotOf(variable, value->getType()));
    return;
  }
  builder.insertDbgValueIntrinsic(value, variable, builder.createExpression(),
                                  llvm::DILocation::get(b.getContext(), variable->getLine(), 0, subprogram),
                                  llvm::InsertPosition(b.GetInsertBlock()));
}
