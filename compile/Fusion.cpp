//===- Fusion.cpp - joins a chain of kernels ----------------------------------------------------------------------===//
//
// libtilecc joins the kernels of captured graphs with this code. Let programs be numbered in grid order. A chain
// executes all programs of its first launch, then all programs of the second. The joined kernel executes program 0 of
// both launches, program 1 of both, and so on, in any order. The results are the same if the order of any two accesses
// to the same byte, at least one of which is a write, is the same in the chain and in the joined kernel. This holds for
// accesses of one program in one launch. For accesses of different launches, it holds
//
//   (1) if they are from the same program, because the joined kernel executes the launches in that order, and
//   (2) never, if they are from different programs. There must be no such accesses.
//
// Accesses through different arguments: the caller knows the allocations to which arguments point. We reject the chain
// if two arguments may point to the same allocation, different launches access them, and one of these launches writes.
// Accesses through the same argument: after CSE, all of them must use the same SSA values as the tile of pointers and
// as the mask. Then the same program accesses the same bytes in each launch. If a launch writes bytes that an earlier
// launch reads or writes, we must prove that different programs access different bytes (isDisjoint). If the earlier
// launch only writes and the later one only reads, a weaker argument suffices: if two programs write the same byte in
// the earlier launch, they either write the same value, or the result of the chain itself is undefined.
//
// On GPUs, (1) has another requirement, because the threads of a program are not in lockstep. A value that one launch
// stores and the next one loads must not go through memory, so the proof fails if such a load remains. If a launch
// writes bytes that an earlier launch reads or writes, a block-wide barrier precedes the writing launch.
//
// The results must be the same bit for bit. Elementwise arithmetic gives the same bits in any layout. Reductions of
// floats and dots do not, so we reject them. A product that one launch stores and the next one adds would be contracted
// to an FMA, so we mark such products to be rounded.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "compile/Fusion.h"
#include "targets/RunPasses.h"
#include "compile/Variants.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tilecc {

/// The symbol of every joined kernel. It need not be unique, because each joined kernel is in a library of its own.
static constexpr StringLiteral joinedName = "tilecc_joined";

/// Attributes on the module of an object's TTIR: settings of the source or the command line that affect the kernel's
/// code.
static constexpr StringLiteral floatsAttr = "tilecc.floats";
static std::string nameInIR(const KernelAttribute &attribute) { return "tilecc." + attribute.name.str(); }

static SmallVector<bool> flagsOf(const FloatOptions &floats) {
  SmallVector<bool> flags;
  forEachMember(const_cast<FloatOptions &>(floats), [&](bool flag) { flags.push_back(flag); });
  return flags;
}

std::string ttirForFusion(const Kernel &kernel, const FloatOptions &floats) {
  OwningOpRef<ModuleOp> module = cast<ModuleOp>(kernel.ttir.get()->clone());
  Builder builder(module->getContext());
  for (const KernelAttribute &attribute : kernelAttributes)
    if (const std::optional<int> &value = kernel.*attribute.member)
      (*module)->setAttr(nameInIR(attribute), builder.getI32IntegerAttr(*value));
  (*module)->setAttr(floatsAttr, builder.getDenseBoolArrayAttr(flagsOf(floats)));
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream); // without source locations, which would differ on another machine
  return text;
}

namespace {
/// An access to memory through an argument.
struct Access {
  Operation *op;
  unsigned launch, argument;
  Value pointers, mask;
  bool isWrite, isNested; ///< nested in control flow
};

class Joiner {
public:
  Joiner(MLIRContext &context, const Chain &chain, std::string &why) : context(context), chain(chain), why(why) {}
  std::optional<Kernel> run(FloatOptions &floats);

private:
  bool refuse(const Twine &reason) {
    why = reason.str();
    return false;
  }
  std::string nameOf(unsigned launch) { return "kernel " + std::to_string(launch + 1) + " of the chain"; }

  bool parse(FloatOptions &floats);
  bool concatenate();
  bool findAccesses();
  bool checkOperation(Operation *op, unsigned launch);
  bool checkAliases();
  bool checkArgument(unsigned argument);
  bool isDisjoint(Value pointers);
  bool roundProducts(Value stored);
  void loadZeros(tt::LoadOp load);
  void addBarriers();
  bool forward();

  MLIRContext &context;
  const Chain &chain;
  std::string &why;
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<tt::FuncOp> functions;
  KernelOptions kernelOptions; ///< of the joined kernel
  OwningOpRef<ModuleOp> joined;
  tt::FuncOp function;
  std::vector<Operation *> begins; ///< for each launch, the mark before its operations
  std::vector<Access> accesses;
  std::vector<bool> needsBarrier; ///< before each launch
};
} // namespace

//===--- one function ---------------------------------------------------------------------------------------------===//

bool Joiner::parse(FloatOptions &floats) {
  Attribute firstFlags;
  ParserConfig config(&context);
  for (auto [i, launch] : llvm::enumerate(chain.launches)) {
    modules.push_back(parseSourceString<ModuleOp>(launch.ttir, config));
    ModuleOp module = modules.back() ? *modules.back() : ModuleOp();
    if (!module || llvm::range_size(module.getBody()->getOperations()) != 1)
      return refuse(nameOf(i) + " is not one function of TTIR");
    auto func = dyn_cast<tt::FuncOp>(module.getBody()->front());
    if (!func || !func.isKernel() || !func.getBody().hasOneBlock() || func.getNumArguments() != launch.arguments.size())
      return refuse(nameOf(i) + " is not one function of TTIR with " + Twine(launch.arguments.size()) + " parameters");
    Attribute flags = module->getAttr(floatsAttr);
    if (i == 0)
      firstFlags = flags;
    if (!flags || flags != firstFlags)
      return refuse(nameOf(i) + " was compiled with different floating-point options");
    // The joined kernel gets the largest number of warps, stages and blocks that any launch requests. The other
    // launches can run with more than they request.
    for (const KernelAttribute &attribute : kernelAttributes)
      if (auto value = module->getAttrOfType<IntegerAttr>(nameInIR(attribute))) {
        std::optional<int> &most = kernelOptions.*attribute.member;
        most = std::max<int>(most.value_or(0), value.getInt());
      }
    functions.push_back(func);
  }
  ArrayRef<bool> flags = cast<DenseBoolArrayAttr>(firstFlags).asArrayRef();
  if (flags.size() != flagsOf(floats).size())
    return refuse("the kernels were compiled by another version of tcc");
  forEachMember(floats, [&](bool &flag) {
    flag = flags.front();
    flags = flags.drop_front();
  });
  return true;
}

/// Concatenates the bodies. Arguments that launches share are merged.
bool Joiner::concatenate() {
  std::vector<Type> types(chain.arguments.size());
  std::vector<NamedAttrList> attributes(chain.arguments.size());
  for (auto [i, launch, func] : llvm::enumerate(chain.launches, functions))
    for (auto [parameter, argument] : llvm::enumerate(launch.arguments)) {
      Type type = func.getArgumentTypes()[parameter];
      if (argument >= types.size() || (types[argument] && types[argument] != type))
        return refuse(nameOf(i) + " takes an argument that other launches take as another type");
      if (!isa<tt::PointerType>(type) && !type.isIntOrFloat())
        return refuse(nameOf(i) + " takes a struct");
      types[argument] = type;
      // An assertion of one launch about a value holds for all of them. A restriction on the assumptions of one launch
      // is kept. noalias is only valid within one launch, so it is dropped.
      for (NamedAttribute attribute : mlir::function_interface_impl::getArgAttrs(func, parameter))
        if (attribute.getName() != tt::temporaryAttr &&
            attribute.getName() != LLVM::LLVMDialect::getNoAliasAttrName() &&
            !attributes[argument].get(attribute.getName()))
          attributes[argument].append(attribute);
    }
  if (llvm::is_contained(types, Type()))
    return refuse("an argument is not used by any launch");

  OpBuilder builder(&context);
  Location loc = functions.front().getLoc();
  joined = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(joined->getBody());
  function = tt::FuncOp::create(builder, loc, joinedName, builder.getFunctionType(types, {}));
  function.setPublic();
  for (auto [i, list] : llvm::enumerate(attributes)) {
    if (chain.arguments[i].isTemporary)
      list.set(tt::temporaryAttr, builder.getUnitAttr());
    function.setArgAttrs(i, list.getDictionary(&context));
  }
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  for (auto [launch, func] : llvm::zip(chain.launches, functions)) {
    // Mark the beginning of the launch with an operation of its own, across which nothing moves.
    begins.push_back(gpu::BarrierOp::create(builder, func.getLoc()));
    IRMapping mapping;
    for (auto [parameter, argument] : llvm::zip(func.getArguments(), launch.arguments))
      mapping.map(parameter, body->getArgument(argument));
    for (Operation &op : func.getBody().front().without_terminator())
      builder.clone(op, mapping);
  }
  tt::ReturnOp::create(builder, loc);
  needsBarrier.resize(begins.size());
  return true;
}

//===--- its memory accesses --------------------------------------------------------------------------------------===//

/// Returns the argument from which all addresses of a tile are computed; null if it is not known.
static BlockArgument baseOf(Value pointers) {
  while (Operation *op = pointers.getDefiningOp()) {
    if (!isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp, tt::BitcastOp>(
            op))
      return {};
    pointers = op->getOperand(0);
    if (!isa<tt::PointerType>(getElementTypeOrSelf(pointers.getType())))
      return {}; // the address is computed from an integer
  }
  auto argument = cast<BlockArgument>(pointers);
  return isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ? argument : BlockArgument();
}

static bool hasFloats(Operation *op) {
  auto isFloat = [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); };
  return llvm::any_of(op->getOperandTypes(), isFloat) || llvm::any_of(op->getResultTypes(), isFloat);
}

/// Rejects operations with effects other than plain accesses, and arithmetic whose bits depend on the layout.
bool Joiner::checkOperation(Operation *op, unsigned launch) {
  std::string where = nameOf(launch) + " has " + op->getName().getStringRef().str();
  if (isa<tt::DotOp>(op) || (isa<tt::ReduceOp, tt::ScanOp>(op) && hasFloats(op)))
    return refuse(where + ", whose last bits may depend on the layout of tiles");
  std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(op);
  if (!access) {
    bool isPlain = isMemoryEffectFree(op) || isa<RegionBranchOpInterface>(op) || op->hasTrait<OpTrait::IsTerminator>();
    return isPlain || refuse(where + ", which is more than arithmetic and plain accesses");
  }
  if (!access->isSimple || !isa<tt::LoadOp, tt::StoreOp>(op))
    return refuse(where + ", which is not a plain access");
  BlockArgument base = baseOf(access->pointers);
  if (!base)
    return refuse(where + " of addresses that are not computed from one argument");
  bool isNested = op->getParentOp() != function;
  accesses.push_back({op, launch, base.getArgNumber(), access->pointers, access->mask, access->isWrite, isNested});
  return true;
}

bool Joiner::findAccesses() {
  unsigned launch = 0;
  for (Operation &op : function.getBody().front()) {
    if (launch < begins.size() && &op == begins[launch]) {
      ++launch;
      continue;
    }
    bool isFine = true;
    op.walk<WalkOrder::PreOrder>([&](Operation *nested) {
      isFine = isFine && checkOperation(nested, launch - 1);
      return isFine && !isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(nested) ? WalkResult::advance()
                                                                                    : WalkResult::skip();
    });
    if (!isFine)
      return false;
  }
  return true;
}

//===--- the order of accesses ------------------------------------------------------------------------------------===//

/// If different launches access different arguments and one of the launches writes, checks that these arguments do not
/// share memory. If the arguments of one launch do not share memory either, facts about one argument remain true after
/// writes through others.
bool Joiner::checkAliases() {
  bool areDistinct = true;
  for (const Access &a : accesses)
    for (const Access &b : accesses) {
      if (!a.isWrite || a.argument == b.argument)
        continue;
      unsigned first = chain.arguments[a.argument].block, second = chain.arguments[b.argument].block;
      bool mayShare = first == 0 || second == 0 || first == second;
      areDistinct &= !mayShare;
      if (mayShare && a.launch != b.launch)
        return refuse(nameOf(a.launch) + " writes memory that another one may access by another pointer");
    }
  if (areDistinct)
    function->setAttr(tt::distinctArgumentsAttr, UnitAttr::get(&context));
  return true;
}

bool Joiner::checkArgument(unsigned argument) {
  SmallVector<const Access *> all;
  for (const Access &access : accesses)
    if (access.argument == argument)
      all.push_back(&access);
  bool isShared = llvm::any_of(all, [&](const Access *access) { return access->launch != all.front()->launch; });
  bool isWritten = llvm::any_of(all, [](const Access *access) { return access->isWrite; });
  if (!isShared || !isWritten)
    return true;
  for (const Access *access : all) {
    if (access->isNested)
      return refuse(nameOf(access->launch) + " accesses, in control flow, memory that others access");
    if (access->pointers != all.front()->pointers || access->mask != all.front()->mask)
      return refuse(nameOf(access->launch) +
                    " accesses memory that others access at other addresses, or under another mask");
  }
  for (const Access *earlier : all)
    for (const Access *later : all) {
      if (earlier->launch >= later->launch)
        continue;
      if (later->isWrite) {
        if (!isDisjoint(later->pointers))
          return refuse(nameOf(later->launch) +
                        " writes memory that an earlier one accesses, and not certainly in the same program");
        needsBarrier[later->launch] = true;
      } else if (earlier->isWrite) {
        if (!roundProducts(cast<tt::StoreOp>(earlier->op).getValue()))
          return refuse(nameOf(later->launch) + " loads a value that " + nameOf(earlier->launch) +
                        " may compute in another way than it stores it");
        loadZeros(cast<tt::LoadOp>(later->op));
      }
    }
  return true;
}

/// The terms of an offset: `scale` times the program id along an axis, a range, and uniform values.
namespace {
struct Offset {
  int64_t scale = 0; ///< the factor of program_id
  int axis = -1;
  int64_t range = 1; ///< the number of elements, from 0 on
  bool isKnown = true;
};
} // namespace

static Offset offsetOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) // it is an argument of the kernel
    return isa<tt::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp()) ? Offset() : Offset{0, -1, 1, false};
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return {0, -1, int64_t(range.getEnd()) - int64_t(range.getStart()), true};
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
    return {1, int(id.getAxis()), 1, true};
  if (matchPattern(op, m_Constant()))
    return {};
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return offsetOf(op->getOperand(0));
  if (isa<arith::AddIOp>(op)) {
    Offset a = offsetOf(op->getOperand(0)), b = offsetOf(op->getOperand(1));
    if (!a.isKnown || !b.isKnown || (a.axis >= 0 && b.axis >= 0) || (a.range > 1 && b.range > 1))
      return {0, -1, 1, false};
    return {a.scale + b.scale, std::max(a.axis, b.axis), a.range * b.range, true};
  }
  if (isa<arith::MulIOp>(op))
    for (unsigned i : {0, 1}) {
      APInt factor;
      Offset a = offsetOf(op->getOperand(1 - i));
      if (matchPattern(op->getOperand(i), m_ConstantInt(&factor)) && a.isKnown && a.range == 1)
        return {a.scale * factor.getSExtValue(), a.axis, 1, true};
    }
  return {0, -1, 1, false};
}

/// Returns true if different programs access different elements, because each program has its own part of the axis
/// along which the grid extends, and the offsets do not overflow.
bool Joiner::isDisjoint(Value pointers) {
  uint64_t programs = 1;
  int axis = -1;
  for (auto [i, size] : llvm::enumerate(chain.grid)) {
    programs *= size;
    if (size > 1) {
      if (axis >= 0)
        return false;
      axis = i;
    }
  }
  if (programs <= 1)
    return true;
  auto add = pointers.getDefiningOp<tt::AddPtrOp>();
  if (!add)
    return false;
  Value base = add.getPtr();
  if (auto splat = base.getDefiningOp<tt::SplatOp>())
    base = splat.getSrc();
  Offset offset = offsetOf(add.getOffset());
  constexpr uint64_t most = uint64_t(1) << 31;
  return isa<BlockArgument>(base) && offset.isKnown && offset.axis == axis && offset.scale >= offset.range &&
         offset.scale > 0 && uint64_t(offset.scale) < most && programs * uint64_t(offset.scale) <= most;
}

//===--- bits -----------------------------------------------------------------------------------------------------===//

/// Marks the products that reach `stored` unchanged to be rounded. Returns false if that would change other uses of
/// these products, or if the stored value is not known.
bool Joiner::roundProducts(Value stored) {
  Operation *op = stored.getDefiningOp();
  if (!isa<FloatType>(getElementTypeOrSelf(stored.getType())))
    return true;
  // If the value is uniform, divisions by the value are compiled differently.
  if (!op || isa<tt::SplatOp, RegionBranchOpInterface>(op) || matchPattern(op, m_Constant()))
    return false;
  if (auto product = dyn_cast<arith::MulFOp>(op)) {
    // A contraction of the product with an addition of its own launch must be kept, and an equal product elsewhere must
    // not be merged with this product.
    bool isAlone = stored.hasOneUse();
    function.walk([&](arith::MulFOp other) {
      bool isEqual = (other.getLhs() == product.getLhs() && other.getRhs() == product.getRhs()) ||
                     (other.getLhs() == product.getRhs() && other.getRhs() == product.getLhs());
      isAlone &= other == product || !isEqual;
    });
    if (isAlone)
      product->setAttr(tt::roundsEachAttr, UnitAttr::get(&context));
    return isAlone;
  }
  if (isa<arith::NegFOp, arith::ExtFOp, arith::SelectOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp>(
          op)) {
    bool isFine = true;
    for (Value operand : op->getOperands())
      isFine =
          isFine && (isa<arith::SelectOp>(op) && matchPattern(operand, m_Constant()) ? true : roundProducts(operand));
    return isFine;
  }
  return true;
}

/// Makes masked elements zero, so that the result is the same if a forwarded value replaces the load.
void Joiner::loadZeros(tt::LoadOp load) {
  if (!load.getMask() || load.getOther())
    return;
  OpBuilder builder(load);
  if (TypedAttr zero = builder.getZeroAttr(load.getType()))
    load.getOtherMutable().assign(arith::ConstantOp::create(builder, load.getLoc(), zero));
}

//===--- memory accesses that are not needed ----------------------------------------------------------------------===//

/// Replaces the marks by barriers where threads of a program may access the same memory.
void Joiner::addBarriers() {
  for (auto [launch, mark] : llvm::enumerate(begins))
    if (!needsBarrier[launch])
      mark->erase();
}

/// If a launch loads values that an earlier launch has stored, replaces the loads by the stored values, which stay in
/// registers. Returns false if a load is left that would read such a value from memory.
bool Joiner::forward() {
  PassManager pm(&context);
  pm.addPass(createTritonForwardStores());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  if (failed(runPasses(pm, *joined)))
    return refuse("the joined kernel cannot be simplified");
  function->removeAttr(tt::distinctArgumentsAttr);
  llvm::SmallDenseSet<unsigned> written;
  bool isFine = true;
  function.walk([&](Operation *op) {
    if (auto store = dyn_cast<tt::StoreOp>(op))
      written.insert(baseOf(store.getPtr()).getArgNumber());
    if (auto load = dyn_cast<tt::LoadOp>(op))
      isFine &= !written.contains(baseOf(load.getPtr()).getArgNumber());
  });
  return isFine || refuse("a value that one kernel stores and a later one loads cannot be kept in registers");
}

std::optional<Kernel> Joiner::run(FloatOptions &floats) {
  if (chain.launches.empty() || !parse(floats) || !concatenate())
    return std::nullopt;
  // From here on the joined kernel exists. Merge duplicate computations, such as addresses.
  PassManager pm(&context);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (failed(runPasses(pm, *joined)) || !findAccesses() || !checkAliases())
    return std::nullopt;
  for (unsigned argument = 0; argument < chain.arguments.size(); ++argument)
    if (!checkArgument(argument))
      return std::nullopt;
  // From here on it computes the same as the chain.
  addBarriers();
  if (!forward())
    return std::nullopt;
  Kernel kernel;
  static_cast<KernelOptions &>(kernel) = kernelOptions;
  kernel.symbol = joinedName.str();
  kernel.displayName = chain.name;
  kernel.params = packedParams(function.getArgumentTypes());
  for (auto [i, param] : llvm::enumerate(kernel.params))
    param.noSpecialize = bool(function.getArgAttr(i, noSpecializeAttr));
  kernel.ttir = std::move(joined);
  return kernel;
}

std::optional<Kernel> joinChain(MLIRContext &context, const Chain &chain, FloatOptions &floats, std::string &why) {
  return Joiner(context, chain, why).run(floats);
}

} // namespace tilecc
