//===- Lowering.h - what the patterns from TTGIR to scalars share --------------------------------------------*- C++ -*-//
//
// A tile becomes as many scalars as a thread has registers for it, one SSA value each (a 1:N type conversion, no
// structs in between, so that LLVM sees every element). Everything elementwise stays in arith and math, on scalars; the
// upstream conversions take it from there.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_GPU_LOWERING_H
#define TILECC_LOWERING_GPU_LOWERING_H

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/gpu/TargetInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilecc {

/// Tiles to their registers, pointers to LLVM's.
class TileTypeConverter : public mlir::TypeConverter {
public:
  explicit TileTypeConverter(const TargetInfo &target);
  mlir::Type convertElement(mlir::Type element) const { return convertType(element); }
};

/// Tiles of pointers that a thread makes many accesses through, and the strides of their elements (AffineTile.h).
using PointerStrides = llvm::DenseMap<mlir::Value, llvm::SmallVector<Stride>>;

/// What patterns need to know beside the operation.
struct LoweringContext {
  const TargetInfo &target;
  const AxisInfoAnalysis &axisInfo;
  PointerStrides strides;
};

template <typename OpT> class TilePattern : public mlir::OpConversionPattern<OpT> {
public:
  TilePattern(const TileTypeConverter &types, mlir::MLIRContext *context, const LoweringContext &lowering,
              mlir::PatternBenefit benefit = 1)
      : mlir::OpConversionPattern<OpT>(types, context, benefit), types(types), lowering(lowering), target(lowering.target) {}

protected:
  const TileTypeConverter &types;
  const LoweringContext &lowering;
  const TargetInfo &target;
};

/// Where this thread is in its program (i32): its number, of which the last `laneBits` bits are the lane, the others the
/// warp.
struct Place {
  Place(mlir::Value lane, mlir::Value warp, mlir::Value thread, unsigned laneBits)
      : lane(lane), warp(warp), thread(thread), laneBits(laneBits) {}
  mlir::Value lane, warp, thread;
  unsigned laneBits;
};
Place getPlace(mlir::OpBuilder &builder, mlir::Location loc, const TargetInfo &target);

/// i1: this is the first thread of the program, or of the partition that the code is in.
mlir::Value isFirstThread(mlir::OpBuilder &builder, mlir::Location loc, const TargetInfo &target);

/// Has `create` make, behind a branch, what one thread of the program (or of the partition that the code is in) does
/// where `predicate` (i1, the same in all threads; null for always) holds. Always the same one, though not known which.
void createForOneThread(mlir::OpBuilder &builder, mlir::Location loc, const TargetInfo &target, mlir::Value predicate,
                        llvm::function_ref<void()> create);
/// Has `create` make, behind a branch, what the first warp of the program (or of the partition that the code is in) does.
void createForFirstWarp(mlir::OpBuilder &builder, mlir::Location loc, const TargetInfo &target,
                        llvm::function_ref<void()> create);
/// Joins neighbouring branches of createForOneThread(), and names the thread in each.
void finishOneThreadCode(mlir::Operation *module);

mlir::Value constantI32(mlir::OpBuilder &builder, mlir::Location loc, int32_t value);
mlir::Value constantI1(mlir::OpBuilder &builder, mlir::Location loc, bool value);

/// The packed output (i32) of `layout` at register 0 of `place`.
mlir::Value applyLayout(mlir::OpBuilder &builder, mlir::Location loc, const LinearLayout &layout, Place place);
/// The sum of those `columns` whose bits are set in `index` (i32); null if none can be.
mlir::Value applyColumns(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value index,
                         llvm::ArrayRef<uint64_t> columns);
/// The packed output at register `reg`, given applyLayout's result.
mlir::Value addRegister(mlir::OpBuilder &builder, mlir::Location loc, const LinearLayout &layout, mlir::Value base,
                        unsigned reg);
/// True if what registers contribute never meets a bit that lanes or warps contribute: then the contribution of a
/// register is a constant to add.
bool registersAreDisjoint(const LinearLayout &layout);
/// i1: this thread is the one among those holding the same elements that shall act for all; null if it always is.
mlir::Value isRepresentative(mlir::OpBuilder &builder, mlir::Location loc, const LinearLayout &layout, Place place);

/// `value` in the form it has in memory (a truth value takes a byte, a pointer is an integer), and back. The type in
/// memory is of the same size, or one byte.
mlir::Type getMemoryType(mlir::Type element);
mlir::Value toMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type element);
/// For each register of a tile the first one that has the same value for sure, as neighbouring indices divided by a
/// number have: LLVM would not see that they do.
llvm::SmallVector<unsigned> findFirstCopies(mlir::RankedTensorType type, const AxisInfo &info);

/// Vectors of scalars of one type. Packing what was unpacked gives the vector again.
mlir::Value packVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange values);
llvm::SmallVector<mlir::Value> unpackVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector);
/// Scalars of one type of at most 32 bits as words (i32), as many in each as fit.
llvm::SmallVector<mlir::Value> packWords(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange values);

/// Shuffles a scalar of any type: `shuffle` does it for an i32.
mlir::Value shuffleAnyType(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                           llvm::function_ref<mlir::Value(mlir::Value)> shuffle);
/// The address of `offset` bytes into `op`'s scratch space in shared memory.
mlir::Value getScratch(mlir::OpBuilder &builder, mlir::Operation *op, const TargetInfo &target, unsigned offset = 0);
/// The symbol that all shared memory of the module is addressed from.
inline constexpr llvm::StringLiteral sharedMemorySymbol = "global_smem";

/// A tile in shared memory, as a thread knows it: the address of the whole tile, and what is combined with the offset of
/// each element (before padding) by XOR: an i32, other than 0 for parts of tiles only.
struct SharedTile {
  mlir::Value base, offset;
  SharedTile(mlir::Value base, mlir::Value offset) : base(base), offset(offset) {}
  explicit SharedTile(mlir::ValueRange memdesc) : base(memdesc[0]), offset(memdesc[1]) {}
};

/// The offsets in elements, without padding, of the elements that places of `tile` hold and `memory` has in memory.
LinearLayout getPlacesInShared(mlir::RankedTensorType tile, ttg::MemDescType memory);
/// How many elements, counted from any multiple of that many, lie in memory without padding between them.
unsigned getUnpaddedElements(ttg::MemDescType memory);

/// Addresses of what this thread holds of a tile in shared memory.
class SharedAddresses {
public:
  /// What offsets are counted in: the same addresses, by other instructions. Bytes share more with each other, elements
  /// leave the multiplication to the address; which takes fewer registers depends on what else is alive.
  enum class Unit { Bytes, Elements };
  /// `places`: the offset, in elements and without padding, for each register, lane and warp.
  SharedAddresses(mlir::OpBuilder &builder, mlir::Location loc, const LinearLayout &places, ttg::MemDescType memory,
                  SharedTile tile, const TargetInfo &target, Unit unit = Unit::Bytes);
  mlir::Value get(unsigned reg);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// In units.
  LinearLayout layout;
  llvm::SmallVector<std::pair<unsigned, unsigned>> paddedRuns;
  mlir::Type counted;
  mlir::Value base, thread;
  uint64_t threadBits = 0;
  llvm::DenseMap<uint64_t, mlir::Value> bases;
};

PointerStrides findStrides(mlir::ModuleOp module, const AxisInfoAnalysis &axisInfo);

/// Addresses of what this thread accesses of a tile in global memory. Where strides are known, that of the first
/// register is the one that is carried and kept; the others are made of it when they are needed.
class GlobalAddresses {
public:
  /// `registers`: those of `pointers`.
  GlobalAddresses(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc, mlir::Value pointers,
                  mlir::ValueRange registers, const TileTypeConverter &types, const LoweringContext &lowering);
  mlir::Value get(unsigned reg);
  /// What get() computes from: the registers, or the first of them.
  mlir::ValueRange getRegisters() const { return strides.empty() ? registers : registers.take_front(); }

private:
  mlir::Value getStep(unsigned bit);

  mlir::ConversionPatternRewriter &rewriter;
  mlir::Location loc;
  mlir::ValueRange registers;
  mlir::Type element;
  LinearLayout layout;
  llvm::ArrayRef<Stride> strides;
  unsigned constantBits = 0; ///< of a register's number, that move it by a constant
  llvm::SmallVector<mlir::Value> steps;
  llvm::DenseMap<unsigned, mlir::Value> addresses;
};

/// Writes all registers of `tile` to shared memory.
void storeTile(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType tile, ttg::MemDescType memory,
               SharedTile place, mlir::ValueRange registers, const TargetInfo &target);

/// A tile in scratch space, and what a thread holds of it in one of the layouts that write and read it.
class ScratchTile {
public:
  /// `side` is a layout that `swizzle` was made for, and accesses take 2^`accessBits` of its registers; the tile begins
  /// `offset` bytes into `op`'s scratch space. `moreBits` are those of an element's offset that load() may be told to
  /// change.
  ScratchTile(mlir::OpBuilder &builder, mlir::Operation *op, const Swizzle &swizzle, const LinearLayout &side,
              unsigned accessBits, const TargetInfo &target, mlir::Type element, unsigned offset = 0,
              uint64_t moreBits = 0);

  /// Has store() write matrices of 8 rows of 16 bytes at once where that is how `side` has them, and the target does so.
  void storeMatrices(mlir::OpBuilder &builder, const Swizzle &swizzle, const LinearLayout &side);

  llvm::ArrayRef<Swizzle::Access> getAccesses() const { return accesses; }
  /// Writes the registers of one round.
  void store(mlir::OpBuilder &builder, mlir::ValueRange registers, unsigned round = 0);
  /// Reads the registers of one round.
  void load(mlir::OpBuilder &builder, llvm::MutableArrayRef<mlir::Value> registers, unsigned round = 0);
  /// Reads the registers of one access; the bits of `more` (i32, may be null) change in the element's offset.
  llvm::SmallVector<mlir::Value> load(mlir::OpBuilder &builder, const Swizzle::Access &access, mlir::Value more = {});

private:
  void findBase(mlir::OpBuilder &builder, const LinearLayout &offsets);
  mlir::Value getAddress(mlir::OpBuilder &builder, uint64_t offset, mlir::Value more);

  mlir::Location loc;
  mlir::Type element, inMemory;
  llvm::SmallVector<Swizzle::Access> accesses;
  unsigned elementBytes;
  uint64_t threadBits; ///< of an offset, that threads or load()'s `more` decide
  mlir::Value begin, base;
  const TargetInfo &target;
  bool storesMatrices = false, isTransposed = false;
  /// Addresses that differ from the thread's in bits that it decides: others are a constant away.
  llvm::DenseMap<std::pair<uint64_t, mlir::Value>, mlir::Value> addresses;
};

/// Scalars in `source`'s registers to those in `plan.destination`'s.
llvm::SmallVector<mlir::Value> convertLayout(mlir::OpBuilder &builder, mlir::Operation *op, const ConversionPlan &plan,
                                             mlir::ValueRange source, const TargetInfo &target);

void populateReplicaPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                             const LoweringContext &lowering);

/// Reports what would be so many instructions that it cannot be compiled.
mlir::LogicalResult checkSizes(mlir::ModuleOp module);

void populateElementwisePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                 const LoweringContext &lowering);
void populateTileMathPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                              const LoweringContext &lowering);
/// Conversions of 8-bit floats, which are bytes in registers.
void populateFloat8Patterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                            const LoweringContext &lowering);
/// Before the lowering, remembers the stores that may begin while what they store is still converted.
void markStoresOfConversions(mlir::ModuleOp module);
void populateMemoryPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                            const LoweringContext &lowering);
void populateMovementPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                              const LoweringContext &lowering);
void populateShapePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                           const LoweringContext &lowering);
void populateGatherPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                            const LoweringContext &lowering);
void populateReductionPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);
void populateAtomicPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                            const LoweringContext &lowering);
void populateMessagePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                             const LoweringContext &lowering);
void populateInlineAsmPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);
void populateScanPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                          const LoweringContext &lowering);
void populateDotPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                         const LoweringContext &lowering);
void populateLocalMemoryPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                 const LoweringContext &lowering);
void populateControlFlowPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                 const LoweringContext &lowering);
void populatePartitionPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);
/// Gives the warps beside a program, which run its partitions, their branch of the kernel. Tiles are registers already. `blocksMeet`:
/// thread blocks of a program wait for each other.
void emitWorkers(mlir::ModuleOp module, const TargetInfo &target, bool blocksMeet);
/// Makes loops of the remainders of scalars.
void expandRemainders(mlir::ModuleOp module);
/// Scalar math and floating-point division to LLVM. Types are LLVM's already.
void populateMathPatterns(mlir::RewritePatternSet &patterns, const TargetInfo &target);

} // namespace tilecc

#endif
