//===- PageProfile.cpp - reads a profile of the emulator ----------------------------------------------------------===//
//
// Called by the driver (driver/PageJob.cpp) for --profile. A profile lists all instructions of a kernel in the order of
// its PTX, with their texts. They must be the instructions of the page's PTX, so counts of other code are never shown.
// NcuProfile.cpp and TraceProfile.cpp read the other kinds of profiles.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/PageProfile.h"
#include "page/NcuProfile.h"
#include "page/TraceProfile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace tilecc::page {

/// Returns the text of a line of PTX without comments and layout.
static std::string normalize(StringRef line) {
  SmallVector<StringRef> words;
  SplitString(line.take_front(line.find("//")), words);
  return join(words, " ");
}

/// Returns true if an instruction begins on a line. `before` is the last line before it that is not empty.
static bool beginsInstruction(StringRef line, StringRef before) {
  bool isContinued = !before.empty() && !StringRef(";:{}").contains(before.back());
  return !isContinued && line.ends_with(";") && (isAlpha(line.front()) || line.front() == '@');
}

namespace {
/// The rows of a page's PTX that contain the instructions of a profile.
struct Match {
  std::vector<std::optional<unsigned>> rows; ///< by instruction; none for instructions of called functions
  std::string difference; ///< empty if all instructions match
};

struct ProfiledInstruction {
  int64_t line;
  std::string text;
  bool isCalled;
};
} // namespace

static Match matchRows(ArrayRef<ProfiledInstruction> instructions, const Text &ptx) {
  Match match;
  unsigned next = 0;
  int64_t line = 0;
  std::string before;
  for (const ProfiledInstruction &instruction : instructions) {
    std::optional<unsigned> &row = match.rows.emplace_back();
    if (instruction.isCalled)
      continue;
    if (instruction.line == line) { // several instructions are on one line
      row = next - 1;
      continue;
    }
    line = instruction.line;
    for (;; ++next) {
      std::string text = next < ptx.size() ? normalize(ptx[next].text) : "";
      if (next < ptx.size() && text == normalize(instruction.text))
        break;
      if (next == ptx.size() || beginsInstruction(text, before)) {
        match.difference = formatv("the profile has '{0}' where the page has '{1}'", normalize(instruction.text),
                                   text.empty() ? "no more code" : text);
        return match;
      }
      before = text.empty() ? before : text;
    }
    before = normalize(ptx[next].text);
    row = next++;
  }
  for (; next < ptx.size(); ++next) {
    std::string text = normalize(ptx[next].text);
    if (beginsInstruction(text, before)) {
      match.difference = formatv("the page has '{0}' where the profile has no more code", text);
      return match;
    }
    before = text.empty() ? before : text;
  }
  return match;
}

static void forEachObject(const json::Object &object, StringRef array, function_ref<void(const json::Object &)> use) {
  if (const json::Array *values = object.getArray(array))
    for (const json::Value &value : *values)
      if (const json::Object *element = value.getAsObject())
        use(*element);
}

static std::string describeTriple(const json::Object &object, StringRef name, StringRef separator) {
  std::string text;
  if (const json::Array *sizes = object.getArray(name))
    for (const json::Value &size : *sizes)
      text += (text.empty() ? "" : separator.str()) + std::to_string(size.getAsInteger().value_or(0));
  return text;
}

/// Describes the launches of a kernel: "3 launches of 4 x 1 x 1 blocks of 128 x 1 x 1 threads".
static std::string describeLaunch(const json::Object &kernel) {
  int64_t launches = kernel.getInteger("launches").value_or(0);
  return formatv("{0} {1} of {2} blocks of {3} threads", launches, launches == 1 ? "launch" : "launches",
                 describeTriple(kernel, "grid", " x "), describeTriple(kernel, "block", " x "));
}

static Error malformed(const Twine &what) {
  return createStringError("it is not a profile that tcc can read: " + what);
}

static Run describeRun(const json::Object &kernel, const Match &match) {
  static constexpr StringRef metrics[] = {"executed",   "threads",   "divergent", "bytes", "sectors",
                                          "wavefronts", "conflicts", "waits",     "waited"};
  Run run;
  run.maker = "emulator";
  run.stage = "ptx";
  run.launch = describeLaunch(kernel);
  run.metrics.assign(std::begin(metrics), std::end(metrics));
  std::map<unsigned, std::vector<uint64_t>> counts;
  for (auto [i, value] : enumerate(*kernel.getArray("instructions"))) {
    if (!match.rows[i])
      continue;
    std::vector<uint64_t> &row = counts.try_emplace(*match.rows[i], std::size(metrics)).first->second;
    for (auto [m, metric] : enumerate(metrics))
      row[m] += value.getAsObject()->getInteger(metric).value_or(0);
  }
  for (auto &[row, values] : counts)
    run.rows.push_back({row, std::move(values)});
  auto rowOf = [&](const json::Value &instruction) -> std::optional<unsigned> {
    uint64_t index = instruction.getAsUINT64().value_or(match.rows.size());
    return index < match.rows.size() ? match.rows[index] : std::nullopt;
  };
  if (const json::Array *findings = kernel.getArray("findings"))
    for (const json::Value &value : *findings)
      if (const json::Object *finding = value.getAsObject())
        if (const json::Value *at = finding->get("instruction"))
          run.findings.push_back({rowOf(*at).value_or(0), finding->getString("text").value_or("").str()});
  auto numberIn = [](const json::Object &object, StringRef name) {
    const json::Value *value = object.get(name);
    return value ? value->getAsUINT64().value_or(0) : 0;
  };
  forEachObject(kernel, "warps", [&](const json::Object &warp) {
    run.warpSums.push_back({numberIn(warp, "blocks"), numberIn(warp, "steps"), numberIn(warp, "waited")});
  });
  forEachObject(kernel, "timelines", [&](const json::Object &block) {
    Run::Timeline &timeline = run.timelines.emplace_back();
    timeline.block =
        formatv("launch {0}, block ({1})", numberIn(block, "launch"), describeTriple(block, "block", ", ")).str();
    forEachObject(block, "warps", [&](const json::Object &object) {
      Run::Warp &warp = timeline.warps.emplace_back();
      warp.end = numberIn(object, "end");
      if (const json::Array *waits = object.getArray("waits"))
        for (const json::Value &wait : *waits)
          if (const json::Array *parts = wait.getAsArray(); parts && parts->size() == 3)
            warp.waits.push_back({(*parts)[0].getAsUINT64().value_or(0), (*parts)[1].getAsUINT64().value_or(0),
                                  rowOf((*parts)[2]).value_or(0)});
    });
  });
  return run;
}

/// Returns true if PTX for `target` is code for the GPU of a variant: sm_90 and sm_90a are one GPU.
static bool isTarget(StringRef variant, StringRef target) { return variant.rtrim("af") == target.rtrim("af"); }

/// Adds the run to the variant with the kernel's symbol and code, or a note if the code differs. Returns false if the
/// page has no such symbol.
static Expected<bool> addKernel(Page &page, const json::Object &kernel) {
  std::optional<StringRef> symbol = kernel.getString("symbol"), target = kernel.getString("target");
  const json::Array *list = kernel.getArray("instructions");
  if (!symbol || !target || !list)
    return malformed("a kernel lacks its symbol, its target or its instructions");
  std::vector<ProfiledInstruction> instructions;
  for (const json::Value &value : *list) {
    const json::Object *object = value.getAsObject();
    std::optional<StringRef> text = object ? object->getString("text") : std::nullopt;
    std::optional<int64_t> line = object ? object->getInteger("line") : std::nullopt;
    if (!text || !line)
      return malformed("an instruction lacks its text or its line");
    instructions.push_back({*line, text->str(), object->getBoolean("called").value_or(false)});
  }
  std::string difference;
  VariantPage *found = nullptr;
  Match match;
  for (KernelPage &shown : page.kernels)
    for (VariantPage &variant : shown.variants) {
      auto ptx = find_if(variant.stages, [](const StageText &stage) { return stage.name == "ptx"; });
      if (variant.symbol != *symbol || ptx == variant.stages.end() || !ptx->missing.empty())
        continue;
      Match here = matchRows(instructions, ptx->text);
      if (!here.difference.empty())
        difference = formatv("{0} for {1}: {2}", shown.name, variant.target, here.difference);
      else if (!found || isTarget(variant.target, *target)) // targets may have the same code
        found = &variant, match = std::move(here);
    }
  if (found)
    found->runs.push_back(describeRun(kernel, match));
  else if (!difference.empty())
    page.notes.push_back("the profile does not match the code of the page: kernel " + difference +
                         "; run the program again, and use the same options for both");
  return found || !difference.empty();
}

static Error addEmulatorProfile(Page &page, StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return malformed(toString(value.takeError()));
  const json::Object *root = value->getAsObject();
  if (!root || root->getString("format") != StringRef("tilecc-profile"))
    return malformed("it has no \"format\": \"tilecc-profile\"");
  if (root->getInteger("version") != 2)
    return malformed("its version is not 2");
  const json::Array *kernels = root->getArray("kernels");
  if (!kernels)
    return malformed("it has no kernels");
  bool isUsed = false;
  std::string names;
  for (const json::Value &kernel : *kernels) {
    const json::Object *object = kernel.getAsObject();
    if (!object)
      return malformed("a kernel is not an object");
    Expected<bool> isAdded = addKernel(page, *object);
    if (!isAdded)
      return isAdded.takeError();
    isUsed |= *isAdded;
    names += (names.empty() ? "" : ", ") + object->getString("name").value_or("").str();
  }
  if (!isUsed)
    return createStringError("none of its kernels is in the page: " + (names.empty() ? "it has none" : names));
  return Error::success();
}

Error addProfile(Page &page, StringRef profile, function_ref<std::optional<std::string>(StringRef)> readSource) {
  if (profile.trim().empty())
    return createStringError("the file is empty: the program has not ended, or has been killed");
  if (profile.ltrim().starts_with("["))
    return addTraceProfile(page, profile);
  return profile.ltrim().starts_with("{") ? addEmulatorProfile(page, profile)
                                          : addNcuProfile(page, profile, readSource);
}

} // namespace tilecc::page
