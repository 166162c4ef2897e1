//===- Lowering.h - shared declarations of the patterns from TTGIR to scalars ---------------------------*- C++ -*-===//
//
// A tile becomes one SSA value for each register that a thread needs for it. This is a 1:N type conversion without
// structs, so that LLVM sees every element. Elementwise operations become scalar operations of arith and math, which
// MLIR's own conversions lower further.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_GPU_LOWERING_H
#define TILECC_LOWERING_GPU_LOWERING_H

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/gpu/TargetInfo.h"
#include "lowering/layouts/SharedAccess.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilecc {

/// Converts tiles to their registers, and pointers to LLVM pointers.
class TileTypeConverter : public mlir::TypeConverter {
public:
  explicit TileTypeConverter(const TargetInfo &target);
  mlir::Type convertElement(mlir::Type element) const { return convertType(element); }
};

/// For the tiles of pointers through which a thread makes many accesses: their strides, in elements (AffineTile.h).
using PointerStrides = llvm::DenseMap<mlir::Value, llvm::SmallVector<Stride>>;

/// A tile of pointers whose distances from the first pointer are known: they are at least 0, and the tile spans at most
/// 2^31 bytes.
struct BufferTile {
  mlir::Value base; ///< the first pointer
  llvm::SmallVector<Stride> strides; ///< in elements
};

/// For the tiles of pointers that accesses use through a buffer (GpuFacts::hasBuffers).
using BufferTiles = llvm::DenseMap<mlir::Value, BufferTile>;

/// The data that patterns need besides the operation.
struct LoweringContext {
  const TargetInfo &target;
  const AxisInfoAnalysis &axisInfo;
  PointerStrides strides;
  BufferTiles buffers;
};

template <typename OpT> class TilePattern : public mlir::OpConversionPattern<OpT> {
public:
  TilePattern(const TileTypeConverter &types, mlir::MLIRContext *context, const LoweringContext &lowering,
              mlir::PatternBenefit benefit = 1)
      : mlir::OpConversionPattern<OpT>(types, context, benefit), types(types), lowering(lowering),
        target(lowering.target) {}

protected:
  const TileTypeConverter &types;
  const LoweringContext &lowering;
  const TargetInfo &target;
};

/// The position of this thread in its program (each an i32). In the thread number, the low `laneBits` bits are the
/// lane, and the other bits are the warp.
struct ThreadPosition {
  ThreadPosition(mlir::Value lane, mlir::Value warp, mlir::Value thread, unsigned laneBits)
      : lane(lane), warp(warp), thread(thread), laneBits(laneBits) {}
  mlir::Value lane, warp, thread;
  unsigned laneBits;
};
ThreadPosition getThreadPosition(mlir::OpBuilder &builder, mlir::Location loc, const TargetInfo &target);

/// Returns an i1 that is true in the first thread of the program, or of the partition to which the code belongs.
mlir::Value isFirstThread(mlir::OpBuilder &builder, mlir::Location loc, const TargetInfo &target);

mlir::Value constantI32(mlir::OpBuilder &builder, mlir::Location loc, int32_t value);
mlir::Value constantI1(mlir::OpBuilder &builder, mlir::Location loc, bool value);

/// Returns the packed output (i32) of `layout` for register 0 of the thread at `position`.
mlir::Value applyLayout(mlir::OpBuilder &builder, mlir::Location loc, const LinearLayout &layout,
                        ThreadPosition position);
/// Returns the XOR of those `columns` whose bits are set in `index` (i32), or null if the result is always 0.
mlir::Value applyColumns(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value index,
                         llvm::ArrayRef<uint64_t> columns);
/// Returns the packed output of `layout` for register `reg`, computed from the result of applyLayout(), `base`.
mlir::Value addRegister(mlir::OpBuilder &builder, mlir::Location loc, const LinearLayout &layout, mlir::Value base,
                        unsigned reg);
/// Returns true if no output bit of `layout` depends both on the register and on the lane or warp. The contribution of
/// a register can then be added as a constant.
bool registersAreDisjoint(const LinearLayout &layout);
/// Returns an i1 that is true in one of the threads that hold the same elements, so that only this thread acts for all
/// of them. Returns null if no two threads hold the same elements.
mlir::Value isRepresentative(mlir::OpBuilder &builder, mlir::Location loc, const LinearLayout &layout,
                             ThreadPosition position);

/// Convert `value` to its form in memory (an i1 takes a byte, a pointer is an integer), and back. The type in memory
/// has the same size, or is one byte.
mlir::Type getMemoryType(mlir::Type element);
mlir::Value toMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type element);
/// Returns, for each register of a tile, the first register that is known to have the same value, for example because
/// adjacent indices are divided by a constant. LLVM would not discover these equalities.
llvm::SmallVector<unsigned> findFirstCopies(mlir::RankedTensorType type, const AxisInfo &info);

/// Pack scalars of one type into a vector, and back. Packing unpacked values returns the original vector.
mlir::Value packVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange values);
llvm::SmallVector<mlir::Value> unpackVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector);
/// Packs scalars of one type of at most 32 bits into words (i32). Each word holds as many scalars as fit.
llvm::SmallVector<mlir::Value> packWords(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange values);

/// Shuffles a scalar of any type; `shuffle` shuffles an i32.
mlir::Value shuffleAnyType(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                           llvm::function_ref<mlir::Value(mlir::Value)> shuffle);
/// Returns the address `offset` bytes into the scratch space of `op` in shared memory.
mlir::Value getScratch(mlir::OpBuilder &builder, mlir::Operation *op, const TargetInfo &target, unsigned offset = 0);
/// The symbol relative to which all shared memory of the module is addressed.
inline constexpr llvm::StringLiteral sharedMemorySymbol = "global_smem";

/// tt.record is lowered to calls of these functions. Their argument points to the name of the scope, its file and its
/// line, one after the other, each terminated by a NUL.
inline constexpr llvm::StringLiteral recordStartSymbol = "tilecc.record.start";
inline constexpr llvm::StringLiteral recordEndSymbol = "tilecc.record.end";

/// How a thread represents a tile in shared memory: the address of the whole tile, and an i32 with which the offset of
/// each element (before padding) is XORed. The i32 is nonzero only for subviews.
struct SharedTile {
  mlir::Value base, offset;
  SharedTile(mlir::Value base, mlir::Value offset) : base(base), offset(offset) {}
  explicit SharedTile(mlir::ValueRange memdesc) : base(memdesc[0]), offset(memdesc[1]) {}
};

/// Returns the map from the locations (register, lane, warp) of `tile` to the offsets of their elements in `memory`, in
/// elements, without padding.
LinearLayout getOffsetsInShared(mlir::RankedTensorType tile, ttg::MemDescType memory);
/// Returns the largest number n such that each aligned group of n elements is contiguous in memory without padding.
unsigned getUnpaddedElements(ttg::MemDescType memory);

/// Chooses the instructions that load or store a tile in shared memory.
SharedAccess planLocalAccess(mlir::RankedTensorType tile, ttg::MemDescType memory, bool isLoad, const GpuFacts &facts);

/// Computes the addresses of the elements of a tile in shared memory that this thread holds.
class SharedAddresses {
public:
  /// The unit of offsets. The addresses are the same in both units, but the instructions differ: offsets in bytes share
  /// more code, and offsets in elements leave the multiplication to the addressing mode. Which unit needs fewer
  /// registers depends on the other live values.
  enum class Unit { Bytes, Elements };
  /// `places` maps register, lane and warp to the offset, in elements, without padding.
  SharedAddresses(mlir::OpBuilder &builder, mlir::Location loc, const LinearLayout &places, ttg::MemDescType memory,
                  SharedTile tile, const TargetInfo &target, Unit unit = Unit::Bytes);
  mlir::Value get(unsigned reg);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// The layout of offsets, in units.
  LinearLayout layout;
  llvm::SmallVector<std::pair<unsigned, unsigned>> paddedRuns;
  mlir::Type counted;
  mlir::Value base, thread;
  uint64_t threadBits = 0;
  llvm::DenseMap<uint64_t, mlir::Value> bases;
};

PointerStrides findStrides(mlir::ModuleOp module, const AxisInfoAnalysis &axisInfo);

/// Computes the addresses of the elements of a tile in global memory that this thread accesses. If the strides of the
/// tile are known, only the address of the first register is kept and carried around loops; the other addresses are
/// computed from it when they are needed.
class GlobalAddresses {
public:
  /// `registers` are those of `pointers`.
  GlobalAddresses(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc, mlir::Value pointers,
                  mlir::ValueRange registers, const TileTypeConverter &types, const LoweringContext &lowering);
  mlir::Value get(unsigned reg);
  /// Returns the values from which get() computes addresses: all registers, or only the first one.
  mlir::ValueRange getRegisters() const { return strides.empty() ? registers : registers.take_front(); }

private:
  mlir::Value getStep(unsigned bit);

  mlir::ConversionPatternRewriter &rewriter;
  mlir::Location loc;
  mlir::ValueRange registers;
  mlir::Type element;
  LinearLayout layout;
  llvm::ArrayRef<Stride> strides;
  unsigned constantBits = 0; ///< the bits of a register's number that contribute a constant to the address
  llvm::SmallVector<mlir::Value> steps;
  llvm::DenseMap<unsigned, mlir::Value> addresses;
};

/// Finds the masked accesses whose addresses fit a buffer, and creates the code that computes their base. Control flow
/// carries the first pointer in addition to a tile of pointers.
BufferTiles createBufferTiles(mlir::ModuleOp module);

/// Computes the addresses of the elements of such a tile that this thread accesses.
class BufferAddresses {
public:
  BufferAddresses(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc, mlir::Value pointers,
                  const BufferTile &tile, const LoweringContext &lowering);
  BufferAddress get(unsigned reg);

private:
  mlir::Value scale(mlir::Value index, unsigned axis);
  mlir::Value add(mlir::Value sum, mlir::Value part);

  mlir::ConversionPatternRewriter &rewriter;
  mlir::Location loc;
  const BufferTile &tile;
  LinearLayout layout;
  int64_t elementBytes;
  mlir::Value base, ofThread;
  llvm::DenseMap<unsigned, mlir::Value> ofRegisters; ///< by the bits of a register's number that are not constant
};

/// Writes all registers of `tile` to shared memory.
void storeTile(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType tile, ttg::MemDescType memory,
               SharedTile place, mlir::ValueRange registers, const TargetInfo &target);

/// Reads all registers of `tile` from shared memory; `element` is the type of a register.
llvm::SmallVector<mlir::Value> loadTile(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType tile,
                                        ttg::MemDescType memory, SharedTile place, mlir::Type element,
                                        const TargetInfo &target);

/// A tile in scratch space, as accessed in one of the two layouts that write and read it.
class ScratchTile {
public:
  /// `side` is one of the two layouts for which `swizzle` was created. An access covers 2^`accessBits` registers. The
  /// tile begins `offset` bytes into the scratch space of `op`. `moreBits` are the bits of an element's offset that the
  /// argument `more` of load() may change.
  ScratchTile(mlir::OpBuilder &builder, mlir::Operation *op, const Swizzle &swizzle, const LinearLayout &side,
              unsigned accessBits, const TargetInfo &target, mlir::Type element, unsigned offset = 0,
              uint64_t moreBits = 0);

  /// Makes store() write matrices of 8 rows of 16 bytes at once, if the target has an instruction for this and `side`
  /// distributes elements over lanes as the instruction requires.
  void storeMatrices(mlir::OpBuilder &builder, const Swizzle &swizzle, const LinearLayout &side);

  llvm::ArrayRef<Swizzle::Access> getAccesses() const { return accesses; }
  /// Writes the registers of one round.
  void store(mlir::OpBuilder &builder, mlir::ValueRange registers, unsigned round = 0);
  /// Reads the registers of one round.
  void load(mlir::OpBuilder &builder, llvm::MutableArrayRef<mlir::Value> registers, unsigned round = 0);
  /// Reads the registers of one access. The bits of `more` (i32, may be null) are XORed with the element's offset.
  llvm::SmallVector<mlir::Value> load(mlir::OpBuilder &builder, const Swizzle::Access &access, mlir::Value more = {});

private:
  void findBase(mlir::OpBuilder &builder, const LinearLayout &offsets);
  mlir::Value getAddress(mlir::OpBuilder &builder, uint64_t offset, mlir::Value more);

  mlir::Location loc;
  mlir::Type element, inMemory;
  llvm::SmallVector<Swizzle::Access> accesses;
  unsigned elementBytes;
  uint64_t threadBits; ///< bits of an offset that depend on the thread or on `more`
  mlir::Value begin, base;
  const TargetInfo &target;
  bool storesMatrices = false, isTransposed = false;
  /// The addresses that have been computed, by the bits of the offset that depend on the thread. All other offsets
  /// differ from one of these by a constant.
  llvm::DenseMap<std::pair<uint64_t, mlir::Value>, mlir::Value> addresses;
};

/// Converts the registers of `plan.source` to those of `plan.destination`.
llvm::SmallVector<mlir::Value> convertLayout(mlir::OpBuilder &builder, mlir::Operation *op, const ConversionPlan &plan,
                                             mlir::ValueRange source, const TargetInfo &target);

/// Reports operations that would become too many instructions to compile.
mlir::LogicalResult checkSizes(mlir::ModuleOp module);

void populateElementwisePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                 const LoweringContext &lowering);
void populateTileMathPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                              const LoweringContext &lowering);
/// Adds the patterns for conversions of 8-bit floats, which are bytes in registers.
void populateFloat8Patterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                            const LoweringContext &lowering);
/// Marks stores whose first elements may be stored while the last ones are still being converted to the stored layout.
/// Called before the lowering.
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
void populateWaitPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                          const LoweringContext &lowering);
void populateMessagePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                             const LoweringContext &lowering);
void populateInlineAsmPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);
void populateThreadCallPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering);
void populateScanPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                          const LoweringContext &lowering);
void populateDotPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                         const LoweringContext &lowering);
void populateLocalMemoryPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                 const LoweringContext &lowering);
void populateControlFlowPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                 const LoweringContext &lowering);
/// Returns true if libdevice's function `symbol` can be computed without libdevice.
bool hasFormula(llvm::StringRef symbol);
/// Expands remainders of scalar floats to loops.
void expandRemainders(mlir::ModuleOp module);
/// Adds the patterns that lower scalar math and floating-point division to LLVM. They expect LLVM types.
void populateMathPatterns(mlir::RewritePatternSet &patterns, const TargetInfo &target);

} // namespace tilecc

#endif
