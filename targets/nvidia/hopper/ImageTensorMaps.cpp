//===- ImageTensorMaps.cpp - recognizes image tiles and copies them by tensor maps --------------------------------===//
//
// In a convolution that is written as a matrix multiplication, each row of a matrix is a pixel of the result. The row's
// index m is split into digits q, p and n (DigitForms.h). A load reads pixel q * step - padding + s of row p * step -
// padding + r of image n, or zero if that is outside the image. The im2col mode of the tensor memory accelerator does
// the same (PTX ISA, im2col mode). Starting at a first pixel, it walks a box of the image's pixels, row after row and
// image after image, adds an offset (s, r) to each position, and returns zeros for positions outside the image.
//
//     form of a load                           parameters of the tensor map
//     x + ((n*H + h)*W + w)*C + c              sizes and strides of the tensor: the factors of c, q, p and n
//     h = p*step + r - padding                 the box begins at -padding, which the launch knows, and has steps of
//                                              `step`; r is the offset
//     0 <= h, h < H                            H is the size; the box ends such that it has as many pixels as p's base
//     m < M                                    as many images as M has; M is a multiple of an image's pixels
//     k = ((r*S) + s)*C + c < R*S*C,           r, s and c are uniform over a tile, and so is the comparison: where it
//       C a multiple of a tile's columns       is false, the tile begins before the first channel
//
// The launch checks the conditions that are not known at compile time (LaunchCode). If they do not hold, the launch
// uses another variant of the kernel.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/hopper/ImageTensorMaps.h"
#include "lowering/analysis/AffineTile.h"
#include "runtime/include/tilecc/abi.h"
#include "targets/nvidia/hopper/TileTensorMaps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;
using namespace tilecc::digits;

static constexpr int64_t maxPixels = 1024, alignment = 16, maxAxes = 3;
/// The largest offset that the instruction accepts, indexed by the number of an image's axes.
static constexpr int64_t maxOffset[] = {0, 65535, 255, 31};

namespace {

/// Expresses `mask` as a conjunction: numbers that must be negative, and conditions that are uniform over the tile.
/// `axes` maps the axes of the mask to those of the tile. Returns false if the mask cannot be expressed in this way.
bool collectNegatives(Value mask, ArrayRef<unsigned> axes, Forms &forms, std::vector<Form> &negatives,
                      SmallVectorImpl<Value> &conditions) {
  Operation *op = mask.getDefiningOp();
  if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(op)) {
    SmallVector<unsigned> inner(axes);
    inner.erase(inner.begin() + expand.getAxis());
    return collectNegatives(expand.getSrc(), inner, forms, negatives, conditions);
  }
  if (isa_and_present<tt::BroadcastOp, ttg::ConvertLayoutOp>(op))
    return collectNegatives(op->getOperand(0), axes, forms, negatives, conditions);
  if (isa_and_present<arith::AndIOp>(op))
    return collectNegatives(op->getOperand(0), axes, forms, negatives, conditions) &&
           collectNegatives(op->getOperand(1), axes, forms, negatives, conditions);
  if (matchPattern(mask, m_One()))
    return true;
  if (isa_and_present<tt::SplatOp>(op)) {
    conditions.push_back(op->getOperand(0));
    return true;
  }
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  std::optional<Form> x = compare ? forms.get(compare.getLhs()) : std::nullopt,
                      y = compare ? forms.get(compare.getRhs()) : std::nullopt;
  if (!x || !y || x->pointer || y->pointer)
    return false;
  auto below = [&](const Form &low, const Form &high, bool isInclusive) {
    Form difference = low;
    difference.number = low.number - high.number - Sum(isInclusive);
    for (auto &[variable, times] : high.parts)
      difference.add(variable, times * Sum(-1));
    for (auto &part : difference.parts)
      part.first.axis = axes[part.first.axis];
    negatives.push_back(difference);
  };
  using enum arith::CmpIPredicate;
  switch (compare.getPredicate()) {
  case ult: below({}, *x, /*isInclusive=*/true); [[fallthrough]]; // an unsigned comparison also implies non-negative
  case slt: below(*x, *y, /*isInclusive=*/false); return true;
  case ule: below({}, *x, /*isInclusive=*/true); [[fallthrough]];
  case sle: below(*x, *y, /*isInclusive=*/true); return true;
  case ugt: below({}, *y, /*isInclusive=*/true); [[fallthrough]];
  case sgt: below(*y, *x, /*isInclusive=*/false); return true;
  case uge: below({}, *y, /*isInclusive=*/true); [[fallthrough]];
  case sge: below(*y, *x, /*isInclusive=*/true); return true;
  default: return false;
  }
}

/// Recognizes the image that pointers and a mask describe.
class Recognition {
public:
  Recognition(ttg::MemDescType tile, unsigned along) : forms(*(image.forms = std::make_shared<Forms>())), along(along) {
    image.axisOfRows = 1 - along;
    image.rows = tile.getDimSize(1 - along);
    image.columns = tile.getDimSize(along);
    bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  }

  std::optional<Image> run(Value pointers, Value mask) {
    if (!readPointers(pointers) || (mask && !readMask(mask)) || !findAxes())
      return std::nullopt;
    splitNumber();
    if (!findChannels() || !findOffsets() || !writeCode())
      return std::nullopt;
    image.offsetsAreMasked = forms.boundsAreAssumed;
    return image;
  }

private:
  /// The known facts about an axis of an image. The last element of `known` is the axis along which the images are
  /// numbered.
  struct Known {
    Variable digit;
    Sum times; ///< the factor of the digit in the address
    std::optional<Sum> below, above; ///< bounds checks: both sums are negative if a pixel is inside
    Sum step = 1, stride, number; ///< the position of a pixel is digit * step + number
    std::optional<Sum> size;
    Sum mostOffset;
  };

  bool readPointers(Value pointers) {
    std::optional<Form> form = forms.get(pointers);
    if (!form || !form->pointer || !forms.resolve(*form, along, image.columns))
      return false;
    image.base = dyn_cast<BlockArgument>(form->pointer);
    if (!image.base || !isa<tt::FuncOp>(image.base.getOwner()->getParentOp()))
      return false;
    number = form->number;
    std::vector<std::pair<Variable, Sum>> digits;
    bool hasColumns = false;
    for (auto &[variable, times] : form->parts) {
      if (variable.axis == along) {
        if (variable.isDigit || !(times == Sum(1)))
          return false;
        hasColumns = true;
      } else if (variable.isDigit) {
        digits.push_back({variable, times});
      } else {
        return false;
      }
    }
    Product unit;
    while (known.empty() || known.back().digit.base) {
      auto next = llvm::find_if(digits, [&](auto &digit) { return digit.first.unit == unit; });
      if (next == digits.end() || (!known.empty() && next->first.start != known.back().digit.start))
        return false;
      Known axis;
      axis.digit = next->first;
      axis.times = next->second;
      known.push_back(axis);
      if (next->first.base)
        unit = unit * *next->first.base;
    }
    return hasColumns && known.size() == digits.size() && known.size() >= 2 && int64_t(known.size()) - 1 <= maxAxes;
  }

  bool readMask(Value mask) {
    std::vector<Form> all;
    unsigned axes[] = {0, 1};
    if (!isa<RankedTensorType>(mask.getType()))
      image.conditions.push_back(mask);
    else if (!collectNegatives(mask, axes, forms, all, image.conditions))
      return false;
    for (Form &form : all)
      if (!forms.resolve(form, along, image.columns) || !readNegative(form))
        return false;
    return true;
  }

  void setNegative(const Sum &sum) {
    image.negatives.push_back(sum);
    forms.assumeNegative(sum);
  }

  static bool setOnce(std::optional<Sum> &to, const Sum &value) {
    bool isNew = !to || *to == value;
    to = value;
    return isNew;
  }

  bool readNegative(const Form &form) {
    if (form.parts.empty()) {
      setNegative(form.number);
      return true;
    }
    if (form.parts.size() != 1)
      return false;
    auto &[variable, times] = form.parts.front();
    if (!variable.isDigit)
      return times == Sum(1) && setOnce(variable.axis == along ? channelsBelow : rowsBelow, form.number);
    auto axis = llvm::find_if(known, [&](Known &axis) { return axis.digit == variable; });
    std::optional<Product> step = times.getProduct();
    if (axis == known.end() || !step || !forms.getLaunchCode(times))
      return false;
    bool isBelow = step->factor > 0;
    Sum forward = isBelow ? times : times * Sum(-1);
    if ((axis->below || axis->above) && !(axis->step == forward))
      return false;
    axis->step = forward;
    return setOnce(isBelow ? axis->below : axis->above, form.number);
  }

  /// Finds the distances between pixels and, as far as masks imply them, the positions of pixels.
  bool findAxes() {
    for (Known &axis : known) {
      bool isLast = &axis == &known.back();
      std::optional<Sum> stride = axis.times.dividedBy(*axis.step.getProduct());
      if (!stride || !stride->getProduct() || !forms.getLaunchCode(*stride) || (isLast && !(axis.step == Sum(1))))
        return false;
      axis.stride = *stride;
      if (axis.above)
        axis.number = Sum(-1) - *axis.above;
      else if (axis.below)
        axis.number = splitKnown(*axis.below).second; // assume that the known part is the size, and the first pixel 0
      if (axis.below)
        axis.size = axis.number - *axis.below;
      if (axis.size && !forms.getLaunchCode(*axis.size))
        return false;
      number = number - axis.number * axis.stride;
    }
    return true;
  }

  /// Splits a sum into the products that launch code can compute, and the rest.
  std::pair<Sum, Sum> splitKnown(const Sum &sum) {
    std::pair<Sum, Sum> parts;
    for (const Product &product : sum.getProducts())
      (forms.getLaunchCode(product) ? parts.first : parts.second).add(product);
    return parts;
  }

  /// Assigns each product in the rest of the address to an axis without a mask if the product is a multiple of the
  /// axis' stride, and otherwise to the channels.
  void splitNumber() {
    for (const Product &product : number.getProducts()) {
      bool isFound = false;
      for (Known &axis : llvm::reverse(known))
        if (std::optional<Product> times = product.dividedBy(*axis.stride.getProduct());
            times && !axis.below && !axis.above && !isFound) {
          axis.number.add(*times);
          isFound = true;
        }
      if (!isFound)
        image.channel.add(product);
    }
    image.last = known.back().digit;
    image.lastOffset = known.back().number;
  }

  /// Splits the position along each axis into a first pixel, which is known at launch, and an offset that is not
  /// negative. If an offset counts downwards, the first pixel includes the offset's minimum.
  bool findOffsets() {
    for (Known &axis : MutableArrayRef<Known>(known).drop_back()) {
      auto [lower, rest] = splitKnown(axis.number);
      Sum offset;
      for (const Product &product : rest.getProducts()) {
        bool isUpwards = product.factor > 0;
        Sum size = Sum(product) * Sum(isUpwards ? 1 : -1);
        std::optional<Sum> most = forms.getBound(size);
        if (!most || !forms.requireNonNegative(size))
          return false;
        axis.mostOffset = axis.mostOffset + *most;
        if (!isUpwards)
          lower = lower - *most;
        offset = offset + (isUpwards ? size : *most - size);
      }
      image.axes.push_back({axis.step, lower, offset, axis.digit});
    }
    return true;
  }

  bool findChannels() {
    const Sum &pixel = known.front().stride;
    LaunchCode mostOfPixel = *forms.getLaunchCode(pixel);
    if (channelsBelow) {
      // Either the number of channels is known at launch, or the whole tile must be on one side of the mask's limit.
      if (std::optional<LaunchCode> size = forms.getLaunchCode(image.channel - *channelsBelow)) {
        channels = *size;
        return forms.requireNonNegative(image.channel) && forms.require(mostOfPixel - *size);
      }
      auto [limit, rest] = splitKnown(*channelsBelow);
      if (forms.getDivisibility(rest) % image.columns != 0)
        return false;
      if (forms.getDivisibility(limit) % image.columns != 0) {
        // Launch code can only require that a number is not negative. So require that of both the remainder and its
        // negation.
        LaunchCode remainder = *forms.getLaunchCode(limit) % LaunchCode(image.columns);
        if (!forms.require(remainder) || !forms.require(LaunchCode(0) - remainder))
          return false;
      }
      setNegative(*channelsBelow);
    }
    channels = mostOfPixel;
    std::optional<Sum> first = forms.getBound(image.channel);
    return first && forms.requireNonNegative(image.channel) &&
           forms.require(mostOfPixel - *forms.getLaunchCode(*first) - LaunchCode(image.columns));
  }

  /// Returns the number of images. If a mask limits the rows of the tile, the limit must be the end of an image, and
  /// must not be before the last image that a mask on the images allows.
  std::optional<LaunchCode> countImages() {
    std::optional<LaunchCode> size = known.back().size ? forms.getLaunchCode(*known.back().size) : std::nullopt;
    if (!rowsBelow)
      return size.value_or(INT32_MAX); // without a mask, everything that is read exists
    std::optional<LaunchCode> rows = forms.getLaunchCode(image.last.start - *rowsBelow),
                              offset = forms.getLaunchCode(image.lastOffset),
                              pixels = forms.getLaunchCode(image.last.unit);
    if (!rows || !offset || !pixels || !forms.require(LaunchCode(0) - *rows % *pixels))
      return std::nullopt;
    LaunchCode images = *rows / *pixels + *offset;
    if (size && !forms.require(images - *size))
      return std::nullopt;
    return size.value_or(images);
  }

  bool writeCode() {
    if (forms.getDivisibility(image.channel) * bytes % alignment != 0 || image.rows > maxPixels)
      return false;
    std::vector<LaunchCode> sizes = {channels}, strides, lowers, uppers, steps;
    for (auto [axis, from] : llvm::zip(image.axes, known)) {
      std::optional<LaunchCode> lower = forms.getLaunchCode(axis.lower), pixels = forms.getLaunchCode(*axis.digit.base),
                                step = forms.getLaunchCode(axis.step), most = forms.getLaunchCode(from.mostOffset);
      if (!lower || !pixels || !step || !most || !forms.require(LaunchCode(maxOffset[image.axes.size()]) - *most))
        return false;
      LaunchCode last = *lower + (*pixels - LaunchCode(1)) * *step;
      if (!from.above && !forms.require(*lower))
        return false;
      LaunchCode size = from.size ? *forms.getLaunchCode(*from.size) : last + *most + LaunchCode(1);
      sizes.push_back(size);
      lowers.push_back(*lower);
      uppers.push_back(last + LaunchCode(1) - size);
      steps.push_back(*step);
    }
    std::optional<LaunchCode> images = countImages();
    if (!images)
      return false;
    sizes.push_back(*images);
    for (Known &axis : known)
      strides.push_back(*forms.getLaunchCode(axis.stride) * LaunchCode(bytes));
    for (auto *each : {&sizes, &strides, &lowers, &uppers, &steps})
      llvm::append_range(image.code, *each);
    return true;
  }

  Image image;
  Forms &forms;
  unsigned along;
  int64_t bytes;
  Sum number; ///< the part of the address that does not depend on the position in the tile
  std::vector<Known> known;
  std::optional<Sum> rowsBelow, channelsBelow;
  LaunchCode channels = 0;
};

} // namespace

std::optional<Image> pipeline::getImage(Value pointers, Value mask, ttg::MemDescType tile) {
  auto encoding = dyn_cast<ttg::NVMMASharedEncodingAttr>(tile.getEncoding());
  if (!encoding || tile.getRank() != 2)
    return std::nullopt;
  unsigned along = encoding.getContiguousAxis();
  std::optional<Image> image = Recognition(tile, along).run(pointers, mask);
  if (!image)
    return std::nullopt;
  Attribute rowMajor = along == 0 ? cast<ttg::SharedEncoding>(tile.getEncoding()).permute({1, 0}) : Attribute(encoding);
  image->tile =
      ttg::MemDescType::get({image->rows, image->columns}, tile.getElementType(), rowMajor, tile.getMemorySpace(),
                            /*mutableMemory=*/false);
  return image;
}

SmallVector<Value> Image::getInputs() const {
  SmallVector<Value> inputs(conditions);
  auto add = [&](auto &self, const auto &sum) -> void {
    for (unsigned number : sum.atoms) {
      const Atom &atom = forms->getAtom(number);
      if (atom.scalar)
        inputs.push_back(atom.scalar);
      for (const Product &product : atom.number.getProducts())
        self(self, product);
      self(self, atom.divisor);
    }
  };
  auto addSum = [&](const Sum &sum) {
    for (const Product &product : sum.getProducts())
      add(add, product);
  };
  for (const Axis &axis : axes)
    for (const Sum *sum : {&axis.step, &axis.lower, &axis.offset, &axis.digit.start})
      addSum(*sum);
  for (const Axis &axis : axes)
    add(add, *axis.digit.base);
  for (const Sum *sum : {&channel, &lastOffset, &last.start})
    addSum(*sum);
  for (const Sum &sum : negatives)
    addSum(sum);
  return inputs;
}

static DictionaryAttr describe(Builder &builder, const Image &image) {
  auto encoding = cast<ttg::NVMMASharedEncodingAttr>(image.tile.getEncoding());
  auto number = [&](int64_t value) { return builder.getI32IntegerAttr(value); };
  SmallVector<int64_t> code;
  for (const LaunchCode &required : image.forms->requirements) {
    llvm::append_range(code, required.getWords());
    code.push_back(TILECC_CODE_REQUIRE);
  }
  for (const LaunchCode &field : image.code)
    llvm::append_range(code, field.getWords());
  return builder.getDictionaryAttr({
      builder.getNamedAttr("base", number(image.base.getArgNumber())),
      builder.getNamedAttr("bytes", number(image.tile.getElementType().getIntOrFloatBitWidth() / 8)),
      builder.getNamedAttr("swizzle", number(encoding.getSwizzlingByteWidth())),
      builder.getNamedAttr("box", builder.getDenseI64ArrayAttr({encoding.getRowElements(), image.rows})),
      builder.getNamedAttr("image_dimensions", number(image.axes.size())),
      builder.getNamedAttr("code", builder.getDenseI64ArrayAttr(code)),
  });
}

std::pair<Value, SmallVector<Value>> pipeline::createImageTile(OpBuilder &builder, Location loc, const Image &image) {
  // Use the width of the source's computations: 64-bit divisions take several times as long.
  bool isWide = llvm::any_of(image.getInputs(), [](Value input) { return input.getType().isInteger(64); });
  Emitter emitter(builder, loc, *image.forms, isWide ? builder.getI64Type() : builder.getI32Type());
  auto toIndex = [&](Value value) {
    return isWide ? arith::TruncIOp::create(builder, loc, builder.getI32Type(), value).getResult() : value;
  };
  auto add = [&](Value x, Value y) { return arith::AddIOp::create(builder, loc, x, y); };
  auto getDigit = [&](const Variable &digit) {
    Value value = emitter.create(digit.start);
    if (!digit.unit.isOne())
      value = arith::DivSIOp::create(builder, loc, value, emitter.create(digit.unit));
    return digit.base ? arith::RemSIOp::create(builder, loc, value, emitter.create(*digit.base)).getResult() : value;
  };
  SmallVector<Value> indices = {toIndex(add(getDigit(image.last), emitter.create(image.lastOffset)))}, offsets;
  for (const Image::Axis &axis : llvm::reverse(image.axes)) {
    Value pixel = arith::MulIOp::create(builder, loc, getDigit(axis.digit), emitter.create(axis.step));
    indices.push_back(toIndex(add(pixel, emitter.create(axis.lower))));
    offsets.push_back(emitter.create(axis.offset));
  }
  Value channel = emitter.create(image.channel), outside = emitter.create(-image.columns);
  auto select = [&](Value condition) {
    channel = arith::SelectOp::create(builder, loc, condition, channel, outside);
    for (Value &offset : offsets)
      if (image.offsetsAreMasked)
        offset = arith::SelectOp::create(builder, loc, condition, offset, emitter.create(int64_t(0)));
  };
  for (const Sum &negative : image.negatives)
    select(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, emitter.create(negative),
                                 emitter.create(int64_t(0))));
  for (Value condition : image.conditions)
    select(condition);
  indices.push_back(toIndex(channel));
  llvm::append_range(indices, llvm::map_range(offsets, toIndex));

  auto encoding = cast<ttg::NVMMASharedEncodingAttr>(image.tile.getEncoding());
  unsigned rank = image.axes.size() + 2;
  SmallVector<int64_t> shape(rank - 2, 1);
  llvm::append_range(shape, image.tile.getShape());
  auto ofMap = ttg::NVMMASharedEncodingAttr::get(builder.getContext(), encoding.getSwizzlingByteWidth(), false,
                                                 encoding.getElementBitWidth(), rank);
  auto block = RankedTensorType::get(shape, image.tile.getElementType(), ofMap);
  auto func = cast<tt::FuncOp>(image.base.getOwner()->getParentOp());
  return {getMapArgument(func, describe(builder, image), block), indices};
}
