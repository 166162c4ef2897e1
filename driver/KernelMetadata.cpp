//===- KernelMetadata.cpp - --emit=json ---------------------------------------------------------------------------===//
//
// Writes a description of the kernels as JSON. KernelActions.cpp calls this code for --emit=json.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Launcher.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

static StringRef kindOf(const KernelParam &param) {
  switch (param.kind) {
  case KernelParam::Pointer: return "pointer";
  case KernelParam::Integer: return "integer";
  case KernelParam::Other: return "other";
  }
  llvm_unreachable("unknown kind of parameter");
}

/// Returns the names of all targets, in the order of the launches.
static std::vector<std::string> namesOf(const LauncherInput &input) {
  std::vector<std::string> names;
  for (const TargetArch &target : input.targets)
    names.push_back(target.arch.name);
  for (const Target &target : input.portableTargets)
    names.push_back(target.str());
  return names;
}

/// Writes the description of a tensor map that a launch creates. Members are named as in tilecc_tensor_map
/// (tilecc/abi.h).
static void writeMap(json::OStream &json, const Kernel &kernel, const TensorMap &map) {
  auto nameParameter = [&](StringRef what, int64_t parameter) {
    if (parameter >= 0 && parameter < int64_t(kernel.params.size()))
      json.attribute(what, kernel.params[parameter].name);
  };
  auto list = [&](StringRef what, auto numbers) {
    json.attributeArray(what, [&] {
      for (auto number : numbers)
        json.value(int64_t(number));
    });
  };
  json.object([&] {
    json.attribute("element_bytes", map.bytes);
    json.attribute("swizzle", map.swizzle);
    nameParameter("base", map.base);
    if (map.imageDimensions) {
      json.attribute("image_dimensions", map.imageDimensions);
      list("code", ArrayRef(map.code));
    } else {
      list("sizes", ArrayRef(map.sizes));
      nameParameter("size_0", map.limits[0]);
      nameParameter("size_1", map.limits[1]);
      list("strides", ArrayRef(map.strides));
      nameParameter("stride_factor", map.parameter);
    }
    list("box", ArrayRef(map.box));
  });
}

/// Writes how to launch a variant on one target. Members with their default values are omitted: a program then has one
/// block, and no arguments follow the parameters.
static void writeLaunch(json::OStream &json, const Kernel &kernel, StringRef target, const Launch &launch) {
  json.object([&] {
    json.attribute("target", target);
    json.attribute("threads", launch.threads);
    json.attribute("shared_bytes", launch.sharedBytes);
    json.attribute("cluster", launch.cluster);
    if (launch.maxBlocks > 1)
      json.attribute("max_blocks", launch.maxBlocks);
    if (!launch.maps.empty())
      json.attributeArray("tensor_maps", [&] {
        for (const TensorMap &map : launch.maps)
          writeMap(json, kernel, map);
      });
    if (launch.programs > 1) {
      json.attribute("programs", launch.programs);
      json.attribute("axis", launch.axis);
    }
    if (launch.persistentAxes)
      json.attribute("persistent_axes", launch.persistentAxes);
    if (launch.numberedAxes)
      json.attribute("numbered_axes", launch.numberedAxes);
    if (launch.clusterBytes)
      json.attribute("cluster_bytes", launch.clusterBytes);
    if (launch.leastIterations)
      json.attribute("least_iterations", launch.leastIterations);
    if (launch.waits)
      json.attribute("waits", true);
  });
}

static void writeVariant(json::OStream &json, const Kernel &kernel, const KernelVariant &variant,
                         ArrayRef<std::string> targets) {
  json.object([&] {
    json.attribute("name", variant.name);
    json.attribute("symbol", variant.symbol);
    json.attribute("pointers_divisible_by", variant.demands & TILECC_POINTERS_DIVISIBLE_BY_16 ? 16 : 1);
    json.attribute("integers_divisible_by", getIntegersDivisor(variant.demands));
    if (variant.demands & TILECC_FLOATS_POSITIVE)
      json.attribute("floats_positive", true);
    static constexpr std::pair<uint32_t, StringLiteral> ofLaunch[] = {{TILECC_IMAGES, "images"},
                                                                      {TILECC_FEW_BLOCKS, "few_blocks"},
                                                                      {TILECC_ONE_WAVE, "one_wave"},
                                                                      {TILECC_SHORTER_ROUNDS, "shorter_rounds"},
                                                                      {TILECC_SHORT_LOOPS, "short_loops"},
                                                                      {TILECC_EVEN_SHARES, "even_shares"},
                                                                      {TILECC_PAIRS, "pairs"}};
    for (auto [demand, name] : ofLaunch)
      if (variant.demands & demand)
        json.attribute(name, true);
    if (variant.demands & (TILECC_SHORTER_ROUNDS | TILECC_EVEN_SHARES))
      json.attribute("round_percent", variant.roundPercent);
    if (variant.demands & TILECC_SHORT_LOOPS)
      json.attribute("iterations_per_block", variant.maxIterations);
    if (variant.units)
      json.attributeArray("one", [&] { // parameters that are 1, and exempt from divisibility
        for (auto [i, param] : enumerate(kernel.params))
          if (variant.isUnit(i))
            json.value(param.name);
      });
    if (variant.free)
      json.attributeArray("any", [&] { // integers that are exempt from divisibility
        for (auto [i, param] : enumerate(kernel.params))
          if (variant.isFree(i))
            json.value(param.name);
      });
    if (variant.strides)
      json.attributeArray("strides", [&] { // integers from 0 to TILECC_MAX_STRIDE
        for (auto [i, param] : enumerate(kernel.params))
          if (variant.isSmallStride(i))
            json.value(param.name);
      });
    if (variant.demands & TILECC_FEW_ROWS)
      json.attributeObject("at_most", [&] { json.attribute(kernel.params[variant.rows].name, variant.maxRows); });
    if (variant.parts > 1) // a launch multiplies the grid's size along x
      json.attribute("parts", variant.parts);
    json.attributeArray("launches", [&] {
      for (auto [target, launch] : zip_first(targets, variant.launches))
        writeLaunch(json, kernel, target, launch);
    });
  });
}

std::string writeMetadata(const LauncherInput &input) {
  std::string text;
  raw_string_ostream out(text);
  json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("source", input.source);
    json.attributeArray("targets", [&] {
      for (const TargetArch &target : input.targets)
        json.object([&] {
          json.attribute("target", target.arch.name);
          json.attribute("code", target.cubin);
          json.attribute("ptx", target.ptx);
        });
      for (const Target &target : input.portableTargets)
        json.object([&] {
          json.attribute("target", target.str());
          json.attribute("code", true);
          json.attribute("ptx", false);
        });
    });
    json.attributeArray("kernels", [&] {
      for (const Kernel &kernel : input.kernels)
        json.object([&] {
          json.attribute("name", kernel.displayName);
          json.attribute("symbol", kernel.symbol);
          json.attribute("line", kernel.line);
          if (kernel.globalScratchBytes) // per program of the grid; the last parameter points to all of it
            json.attribute("global_scratch_bytes", kernel.globalScratchBytes);
          json.attributeArray("parameters", [&] {
            for (const KernelParam &param : kernel.params)
              json.object([&] {
                json.attribute("name", param.name);
                json.attribute("kind", kindOf(param));
                json.attribute("size", param.size);
                json.attribute("align", param.align);
                json.attribute("specialized",
                               param.assumedPositive || (!param.noSpecialize && param.kind != KernelParam::Other));
              });
          });
          // Launch the first variant whose demands the specialized arguments meet; integers must also be non-negative.
          json.attributeArray("variants", [&] {
            for (const KernelVariant &variant : kernel.variants)
              writeVariant(json, kernel, variant, namesOf(input));
          });
        });
    });
  });
  out << '\n';
  return text;
}

} // namespace tilecc
