//===- Annotations.cpp - writes what an editor shows beside a source ----------------------------------------------===//
//
// The last step of --emit=annotations, which tools/tcc-lsp reads.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/Annotations.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc::page {

void writeCosts(json::OStream &json, const Costs &costs) {
  json.attributeObject("costs", [&] {
    json.attribute("registers", costs.registers);
    json.attribute("spillStores", costs.spillStoreBytes);
    json.attribute("spillLoads", costs.spillLoadBytes);
    json.attribute("stack", costs.stackBytes);
    json.attribute("shared", costs.sharedBytes);
    json.attribute("threads", costs.threads);
    json.attribute("blocks", costs.blocks);
    json.attribute("warps", costs.warps);
    json.attribute("maxWarps", costs.maxWarps);
    json.attribute("limit", costs.limit);
    json.attributeArray("remarks", [&] {
      for (const std::string &remark : costs.remarks)
        json.value(json::fixUTF8(remark));
    });
  });
}

static void writeRemark(json::OStream &json, const Remark &remark) {
  json.object([&] {
    json.attribute("kind", remark.kind);
    json.attribute("text", json::fixUTF8(remark.text));
    json.attributeArray("chains", [&] {
      for (const std::vector<Remark::Position> &chain : remark.chains)
        json.array([&] {
          for (const Remark::Position &position : chain)
            json.object([&] {
              json.attribute("file", json::fixUTF8(position.file));
              json.attribute("line", position.line);
              json.attribute("column", position.column);
            });
        });
    });
  });
}

static void writeVariant(json::OStream &json, const VariantPage &variant) {
  json.object([&] {
    json.attribute("target", variant.target);
    json.attribute("name", variant.name);
    json.attribute("assumption", json::fixUTF8(variant.assumption));
    json.attribute("usual", variant.isUsual);
    if (variant.costs)
      writeCosts(json, *variant.costs);
    else
      json.attribute("noCosts", json::fixUTF8(variant.noCosts));
    json.attributeArray("remarks", [&] {
      for (const Remark &remark : variant.remarks)
        writeRemark(json, remark);
    });
  });
}

std::string writeAnnotations(const Page &page) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream json(stream, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("version", page.version);
    json.attributeArray("variables", [&] {
      for (const TileVariable &variable : page.variables)
        json.object([&] {
          json.attribute("name", json::fixUTF8(variable.name));
          json.attribute("type", variable.type);
          json.attribute("file", json::fixUTF8(variable.file));
          json.attribute("line", variable.line);
          json.attribute("column", variable.column);
          json.attribute("deduced", variable.isDeduced);
        });
    });
    json.attributeArray("kernels", [&] {
      for (const KernelPage &kernel : page.kernels)
        json.object([&] {
          json.attribute("name", json::fixUTF8(kernel.name));
          json.attribute("file", json::fixUTF8(kernel.file));
          json.attribute("line", kernel.line);
          json.attributeArray("variants", [&] {
            for (const VariantPage &variant : kernel.variants)
              writeVariant(json, variant);
          });
        });
    });
  });
  return text + "\n";
}

} // namespace tilecc::page
