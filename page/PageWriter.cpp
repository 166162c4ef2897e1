//===- PageWriter.cpp - writes a page as an HTML file -------------------------------------------------------------===//
//
// The last step of --emit=html. page/view/model.js documents the JSON.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/PageWriter.h"
#include "page/Annotations.h"
#include "page/View.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc::page {

namespace {
class ModelWriter {
public:
  ModelWriter(const Page &page, raw_ostream &stream) : page(page), json(stream) {}
  void write(function_ref<std::optional<std::string>(StringRef)> readSource);

private:
  void writeText(const Text &text);
  void writeStage(const StageText &stage);
  void writeStages(ArrayRef<StageText> stages);
  void writeInputs(StringRef name, ArrayRef<TileLayout::Input> inputs);
  void writeLayout(const TileLayout &layout);
  void writeMovement(const Movement &movement);
  void writeRemark(const Remark &remark);
  void writeWarp(const Run::Warp &warp);
  void writeRun(const Run &run);
  void writeTimes(const TimedLaunch &times);
  void writeVariant(const VariantPage &variant);
  void writeKernel(const KernelPage &kernel);

  template <typename Range, typename Each> void writeArray(StringRef name, const Range &range, Each each) {
    json.attributeArray(name, [&] {
      for (const auto &element : range)
        each(element);
    });
  }

  const Page &page;
  json::OStream json;
  StringMap<unsigned> numbers; ///< indices into `strings`; passes leave most lines unchanged, so lines are shared
  std::vector<std::string> strings;
};
} // namespace

/// Writes lines as string indices and, for each line, its chains: a number, several numbers, or -1.
void ModelWriter::writeText(const Text &text) {
  writeArray("lines", text, [&](const Line &line) {
    std::string valid = json::fixUTF8(line.text);
    auto [it, isNew] = numbers.try_emplace(valid, strings.size());
    if (isNew)
      strings.push_back(valid);
    json.value(it->second);
  });
  writeArray("chains", text, [&](const Line &line) {
    if (line.chains.size() == 1)
      json.value(line.chains.front());
    else if (line.chains.empty())
      json.value(-1);
    else
      json.array([&] {
        for (unsigned chain : line.chains)
          json.value(chain);
      });
  });
}

void ModelWriter::writeStage(const StageText &stage) {
  json.object([&] {
    json.attribute("name", stage.name);
    if (!stage.missing.empty())
      json.attribute("missing", json::fixUTF8(stage.missing));
    else
      writeText(stage.text);
  });
}

void ModelWriter::writeStages(ArrayRef<StageText> stages) {
  writeArray("stages", stages, [&](const StageText &stage) { writeStage(stage); });
}

void ModelWriter::writeInputs(StringRef name, ArrayRef<TileLayout::Input> inputs) {
  writeArray(name, inputs, [&](const TileLayout::Input &input) {
    json.object([&] {
      json.attribute("name", input.name);
      writeArray("bases", input.bases, [&](const std::vector<uint32_t> &basis) {
        json.array([&] {
          for (uint32_t coordinate : basis)
            json.value(coordinate);
        });
      });
    });
  });
}

void ModelWriter::writeLayout(const TileLayout &layout) {
  json.object([&] {
    json.attribute("type", layout.type);
    writeArray("shape", layout.shape, [&](int64_t size) { json.value(size); });
    json.attribute("elementBits", layout.elementBits);
    json.attribute("shared", layout.isShared);
    writeInputs("inputs", layout.inputs);
  });
}

void ModelWriter::writeMovement(const Movement &movement) {
  auto number = [](std::optional<unsigned> layout) { return layout ? int64_t(*layout) : -1; };
  json.object([&] {
    json.attribute("line", movement.line);
    json.attribute("name", movement.name);
    json.attribute("from", number(movement.from));
    json.attribute("to", number(movement.to));
    if (!movement.access)
      return;
    const Movement::Access &access = *movement.access;
    json.attributeObject("access", [&] {
      json.attribute("kind", access.kind);
      json.attribute("width", access.width);
      json.attribute("lanes", access.lanes);
      json.attribute("inner", access.inner);
      writeInputs("addresses", access.addresses);
      writeArray("padding", access.padding, [&](auto padding) {
        json.array([&] {
          json.value(padding.first);
          json.value(padding.second);
        });
      });
    });
  });
}

void ModelWriter::writeRemark(const Remark &remark) {
  json.object([&] {
    json.attribute("kind", remark.kind);
    json.attribute("text", json::fixUTF8(remark.text));
    if (remark.chains.empty())
      return;
    const Remark::Position &outermost = remark.chains.front().back();
    if (auto file = find(page.chains.getFiles(), outermost.file); file != page.chains.getFiles().end()) {
      json.attribute("file", file - page.chains.getFiles().begin());
      json.attribute("line", outermost.line);
    }
  });
}

void ModelWriter::writeWarp(const Run::Warp &warp) {
  json.object([&] {
    json.attribute("end", warp.end);
    writeArray("waits", warp.waits, [&](const Run::Wait &wait) {
      json.array([&] {
        json.value(wait.begin);
        json.value(wait.end);
        json.value(wait.row);
      });
    });
  });
}

void ModelWriter::writeRun(const Run &run) {
  json.object([&] {
    json.attribute("maker", run.maker);
    json.attribute("stage", run.stage);
    json.attribute("file", run.file);
    json.attribute("launch", json::fixUTF8(run.launch));
    writeArray("metrics", run.metrics, [&](const std::string &metric) { json.value(metric); });
    writeArray("rows", run.rows, [&](const Run::Row &row) {
      json.array([&] {
        json.value(row.row);
        for (uint64_t count : row.counts)
          json.value(count);
      });
    });
    writeArray("findings", run.findings, [&](const Run::Finding &finding) {
      json.object([&] {
        json.attribute("row", finding.row);
        json.attribute("text", json::fixUTF8(finding.text));
      });
    });
    writeArray("warpSums", run.warpSums, [&](const Run::WarpSum &sum) {
      json.object([&] {
        json.attribute("blocks", sum.blocks);
        json.attribute("steps", sum.steps);
        json.attribute("waited", sum.waited);
      });
    });
    writeArray("timelines", run.timelines, [&](const Run::Timeline &timeline) {
      json.object([&] {
        json.attribute("block", timeline.block);
        writeArray("warps", timeline.warps, [&](const Run::Warp &warp) { writeWarp(warp); });
      });
    });
  });
}

void ModelWriter::writeTimes(const TimedLaunch &times) {
  auto round = [](double microseconds) { return std::round(microseconds * 1000) / 1000; };
  json.object([&] {
    json.attribute("launch", json::fixUTF8(times.launch));
    json.attribute("trackCount", times.trackCount);
    writeArray("tracks", times.tracks, [&](const TimedLaunch::Track &track) {
      json.object([&] {
        json.attribute("name", json::fixUTF8(track.name));
        writeArray("scopes", track.scopes, [&](const TimedLaunch::Scope &scope) {
          json.array([&] {
            json.value(json::fixUTF8(scope.name));
            json.value(round(scope.begin));
            json.value(round(scope.end));
            json.value(scope.file ? int64_t(*scope.file) : -1);
            json.value(scope.line);
          });
        });
      });
    });
  });
}

void ModelWriter::writeVariant(const VariantPage &variant) {
  json.object([&] {
    json.attribute("target", variant.target);
    json.attribute("name", variant.name);
    json.attribute("symbol", variant.symbol);
    json.attribute("assumption", variant.assumption);
    writeStages(variant.stages);
    writeArray("passes", variant.passes, [&](const PassText &pass) {
      json.object([&] {
        json.attribute("name", pass.name);
        json.attribute("ms", std::round(pass.milliseconds * 1000) / 1000);
        if (pass.isChanged)
          writeText(pass.text);
      });
    });
    writeArray("layouts", variant.layouts, [&](const TileLayout &layout) { writeLayout(layout); });
    writeArray("movements", variant.movements, [&](const Movement &movement) { writeMovement(movement); });
    writeArray("accesses", variant.accesses, [&](const Access &access) {
      json.object([&] {
        json.attribute("line", access.line);
        json.attribute("read", access.isRead);
        json.attribute("write", access.isWrite);
        json.attribute("bytes", access.bytes);
      });
    });
    writeArray("work", variant.work, [&](const Work &work) {
      json.object([&] {
        json.attribute("line", work.line ? int64_t(*work.line) : -1);
        json.attribute("matrixFlops", work.matrixFlops);
        json.attribute("otherFlops", work.otherFlops);
        json.attribute("bytes", work.bytes);
      });
    });
    writeArray("remarks", variant.remarks, [&](const Remark &remark) { writeRemark(remark); });
    writeArray("runs", variant.runs, [&](const Run &run) { writeRun(run); });
    if (variant.costs)
      writeCosts(json, *variant.costs);
    else
      json.attribute("noCosts", json::fixUTF8(variant.noCosts));
  });
}

void ModelWriter::writeKernel(const KernelPage &kernel) {
  json.object([&] {
    json.attribute("name", json::fixUTF8(kernel.name));
    json.attribute("symbol", kernel.symbol);
    json.attribute("file", json::fixUTF8(kernel.file));
    json.attribute("line", kernel.line);
    writeArray("variants", kernel.variants, [&](const VariantPage &variant) { writeVariant(variant); });
    writeArray("cpu", kernel.cpu, [&](const CpuPage &cpu) {
      json.object([&] {
        json.attribute("level", cpu.level);
        json.attribute("symbol", cpu.symbol);
        writeStages(cpu.stages);
      });
    });
    json.attribute("noCpuCode", json::fixUTF8(kernel.noCpuCode));
    writeArray("times", kernel.times, [&](const TimedLaunch &times) { writeTimes(times); });
  });
}

void ModelWriter::write(function_ref<std::optional<std::string>(StringRef)> readSource) {
  json.object([&] {
    json.attribute("source", json::fixUTF8(page.source));
    json.attribute("version", page.version);
    writeArray("notes", page.notes, [&](const std::string &note) { json.value(json::fixUTF8(note)); });
    writeArray("kernels", page.kernels, [&](const KernelPage &kernel) { writeKernel(kernel); });
    writeArray("files", page.chains.getFiles(), [&](const std::string &path) {
      json.object([&] {
        json.attribute("name", json::fixUTF8(path));
        if (std::optional<std::string> text = readSource(path))
          json.attribute("text", json::fixUTF8(*text));
      });
    });
    // file, line, file of the call, its line, ...
    writeArray("chains", page.chains.getChains(), [&](const Chain &chain) {
      json.array([&] {
        for (const Place &place : chain) {
          json.value(place.file);
          json.value(place.line);
        }
      });
    });
    writeArray("strings", strings, [&](const std::string &string) { json.value(string); });
  });
}

std::string writeModel(const Page &page, function_ref<std::optional<std::string>(StringRef)> readSource) {
  std::string text;
  raw_string_ostream stream(text);
  ModelWriter(page, stream).write(readSource);
  return text;
}

static std::string escapeHtml(StringRef text) {
  std::string result;
  raw_string_ostream stream(result);
  printHTMLEscaped(text, stream);
  return result;
}

/// Compresses a model to a tenth of its size: IR before and after each pass repeats itself. Browsers can inflate it.
static std::string encodeModel(StringRef model) {
  SmallVector<uint8_t> compressed;
  compression::zlib::compress(arrayRefFromStringRef(model), compressed);
  return encodeBase64(compressed);
}

std::string writePage(StringRef title, StringRef model) {
  std::string encoded = encodeModel(model);
  // Only page.html has placeholders, each of them once.
  std::string result;
  StringRef rest = viewHtml;
  for (size_t at; (at = rest.find("{{")) != StringRef::npos;) {
    result += rest.take_front(at);
    auto [name, after] = rest.drop_front(at + 2).split("}}");
    result += name == "title"    ? escapeHtml(title)
              : name == "style"  ? viewStyle
              : name == "script" ? viewScript
                                 : StringRef(encoded);
    rest = after;
  }
  return result + rest.str();
}

} // namespace tilecc::page
