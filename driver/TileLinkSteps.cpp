//===- TileLinkSteps.cpp - the steps that link tile code of several objects ---------------------------------------===//
//
// Linked tile code is treated like a source: the same steps make its images and its object. DeviceLink.cpp calls these
// functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/TileLinkSteps.h"
#include "compile/TileLink.h"
#include "driver/KernelActions.h"
#include "driver/Kernels.h"
#include "driver/LinkInputs.h"
#include "driver/Programs.h"

using namespace llvm;

namespace tilecc {

/// Visits the sections of an object that hold tile code.
static void forEachTileSection(const object::ObjectFile &object, function_ref<void(StringRef contents)> visit) {
  for (const object::SectionRef &section : object.sections()) {
    Expected<StringRef> name = section.getName();
    Expected<StringRef> contents = section.getContents();
    if (name && contents && *name == tileSection)
      visit(*contents);
    consumeError(name.takeError());
    consumeError(contents.takeError());
  }
}

TileCode findTileCode(const object::ObjectFile &object) {
  TileCode code;
  forEachTileSection(object, [&](StringRef contents) {
    code.any = true;
    code.launches |= any_of(readTileRecords(contents), [](const TileRecord &record) { return record.hasLaunches; });
  });
  return code;
}

bool linkTiles(Context &ctx, bool launched, StringRef output) {
  KernelUnit whole(ctx);
  whole.dialects.wait();
  std::vector<LinkedObject> objects;
  forEachObject(ctx, [&](const LinkInput &input, const object::ObjectFile &object) {
    forEachTileSection(object, [&](StringRef contents) {
      for (const TileRecord &record : readTileRecords(contents)) { // several, if the object was linked from others
        LinkedObject &added = objects.emplace_back();
        added.name = input.name;
        added.isMember = input.isMember;
        (void)readTileUnit(record.bytecode, input.name, whole.context, added.unit);
      }
    });
  });
  if (ctx.errors)
    return false;
  std::optional<TileUnit> linked = (launched ? linkLaunchedKernels : linkTileCode)(std::move(objects), whole.context);
  return linked && !ctx.errors && writeOutput(ctx, output, writeTileUnit(*linked, whole.context));
}

/// Plans a file of linked tile code and the step that makes it.
static std::pair<const Input *, Action> planLinkedTiles(Context &ctx, bool launched) {
  Input &linked = *ctx.madeInputs.emplace_back(std::make_unique<Input>(Input{"", InputKind::LinkedTiles}));
  linked.stem = launched ? "device-link-launched" : "device-link-tiles";
  linked.path = linked.source = ctx.intermediate(linked, ".tilelink");
  std::vector<std::string> command = {ctx.programName, "-dlink", launched ? "--tile-link=launched" : "--tile-link=all"};
  for (const LinkItem &item : ctx.linkLine)
    command.push_back(item.text);
  command.insert(command.end(), {"-o", linked.path});
  Action link{"device link of tile code", {{command, {}}}, [&ctx, launched, &linked] {
                return linkTiles(ctx, launched, linked.path);
              }};
  return {&linked, std::move(link)};
}

std::vector<Action> planTileLink(Context &ctx, const std::string &output) {
  auto [linked, link] = planLinkedTiles(ctx, /*launched=*/false);
  std::vector<Action> actions = {std::move(link)};
  append_range(actions, planKernels(ctx, *linked, output));
  return actions;
}

std::vector<Action> planLaunchedTiles(Context &ctx, std::vector<TargetFile> &files) {
  auto [linked, link] = planLinkedTiles(ctx, /*launched=*/true);
  std::vector<Action> actions = {std::move(link)};
  append_range(actions, planRelocatableCode(ctx, *linked, files));
  return actions;
}

} // namespace tilecc
