//===- DeviceLink.cpp - links relocatable device code -------------------------------------------------------------===//
//
// The steps of -dlink, and of a link of objects with relocatable device code.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/DeviceLink.h"
#include "driver/HostTarget.h"
#include "compile/TileUnit.h"
#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/HostCompiler.h"
#include "driver/Cubins.h"
#include "driver/LinkInputs.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/TileLinkSteps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace tilecc {

//===--- whether a device link is needed --------------------------------------------------------------------------===//

/// Every object calls a function with this prefix and its own id; the registration object defines it.
static constexpr StringLiteral registerLinked = "__cudaRegisterLinkedBinary";

namespace {
/// The kinds of relocatable device code found in objects.
struct DeviceCode {
  bool simt = false, tiles = false;
  bool launches = false; ///< SIMT code launches tile kernels
};

/// The registration symbols that objects define and refer to.
struct RegistrationSymbols {
  StringSet<> defined, undefined;
  bool isMissing() const {
    return any_of(undefined.keys(), [&](StringRef name) { return !defined.contains(name); });
  }
};
} // namespace

static void addSymbols(const object::ObjectFile &object, StringRef prefix, RegistrationSymbols &symbols) {
  for (const object::SymbolRef &symbol : object.symbols()) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint32_t> flags = symbol.getFlags();
    if (name && flags && name->starts_with(prefix))
      (*flags & object::SymbolRef::SF_Undefined ? symbols.undefined : symbols.defined).insert(*name);
    consumeError(name.takeError());
    consumeError(flags.takeError());
  }
}

/// Finds code that needs a device link; `withTiles` includes tile code that may not need one.
static DeviceCode findDeviceCode(Context &ctx, bool withTiles = false) {
  RegistrationSymbols simt, tiles;
  DeviceCode found;
  forEachObject(ctx, [&](const LinkInput &input, const object::ObjectFile &object) {
    addSymbols(object, registerLinkedTiles, tiles);
    if (!input.isLibrary) // libraries of a toolkit are linked with the code that needs them
      addSymbols(object, registerLinked, simt);
    TileCode code = findTileCode(object);
    found.tiles |= withTiles && code.any;
    found.launches |= code.launches;
  });
  found.simt |= simt.isMissing();
  found.tiles |= tiles.isMissing();
  if (ctx.dryRun && ctx.relocatable) // the objects do not exist
    for (const Input &input : ctx.inputs) {
      found.simt |= input.simt;
      found.launches |= input.simt;
      found.tiles |= input.kind == InputKind::TileSource;
    }
  return found;
}

bool needsDeviceLink(Context &ctx) {
  DeviceCode code = findDeviceCode(ctx);
  return code.simt || code.tiles;
}

//===--- the registration object ----------------------------------------------------------------------------------===//

/// Returns the ids of the linked objects from nvlink's list, whose lines are DEFINE_REGISTER_FUNC(id). A cubin that is
/// an input has an id, too, but no host code that calls the function.
static std::vector<std::string> readIds(StringRef list) {
  std::vector<std::string> ids;
  for (size_t at = 0; (at = list.find("DEFINE_REGISTER_FUNC(", at)) != StringRef::npos;) {
    at += strlen("DEFINE_REGISTER_FUNC(");
    StringRef id = list.slice(at, list.find(')', at));
    if (!id.ends_with("_cubin") && !is_contained(ids, id))
      ids.push_back(id.str());
  }
  return ids;
}

/// Each object registers itself with a callback that registers its kernels and variables with CUDA's runtime. After the
/// last object, this code registers the linked image and then invokes all callbacks.
static std::string registrationSource(ArrayRef<std::string> ids, StringRef fatbin) {
  std::string text;
  raw_string_ostream os(text);
  os << "typedef struct { int magic, version; const void *data; const void **prelinked; } Wrapper;\n"
        "void **__cudaRegisterFatBinary(const void *);\n"
        "void __cudaRegisterFatBinaryEnd(void **);\n"
        "void __cudaUnregisterFatBinary(void **);\n"
        "int atexit(void (*)(void));\n"
        "__asm__(\".section .nv_fatbin,\\\"a\\\",@progbits\\n.balign 8\\nlinked: .incbin \\\""
     << fatbin
     << "\\\"\\n.text\\n\");\n"
        "extern const char linked[];\n"
        "enum { count = "
     << ids.size()
     << " };\n"
        "static const void *prelinked[count + 1];\n"
        "static const Wrapper whole __attribute__((section(\".nvFatBinSegment\"), aligned(8), used)) =\n"
        "    {0x466243b1, 2, linked, prelinked};\n"
        "static void **handle;\n"
        "static void unregister(void) { __cudaUnregisterFatBinary(handle); }\n"
        "static void add(const Wrapper *one, void (*callback)(void **)) {\n"
        "  static void (*callbacks[count])(void **);\n"
        "  static int n;\n"
        "  prelinked[n] = one->data;\n"
        "  callbacks[n++] = callback;\n"
        "  if (n < count) return;\n"
        "  handle = __cudaRegisterFatBinary(&whole);\n"
        "  atexit(unregister);\n"
        "  for (int i = 0; i < count; ++i) callbacks[i](handle);\n"
        "  __cudaRegisterFatBinaryEnd(handle);\n"
        "}\n";
  for (const std::string &id : ids)
    os << "extern const Wrapper __fatbinwrap" << id << ";\n"
       << "static const char def" << id << "[] __attribute__((section(\"__nv_module_id\"), used)) = \"def " << id
       << "\";\n"
       << "void " << registerLinked << id
       << "(void (*callback)(void **), void *w, void *module, void (*keep)(void *)) {\n"
       << "  static const void *volatile name;\n"
       << "  name = def" << id << ";\n"
       << "  keep((void *)&name);\n"
       << "  add(&__fatbinwrap" << id << ", callback);\n"
       << "}\n";
  return text;
}

static bool makeRegistration(Context &ctx, StringRef list, StringRef fatbin, StringRef output) {
  std::vector<std::string> ids = readIds(readFile(ctx, list));
  if (ctx.errors)
    return false;
  if (ids.empty()) {
    Error(ctx)
        << "the device link: there is no relocatable device code in the objects; compile them with -dc or -rdc=true";
    return false;
  }
  std::string source = ctx.temporaryFile("registration.c");
  return writeOutput(ctx, source, registrationSource(ids, fatbin)) && compileC(ctx, source, output);
}

//===--- the steps ------------------------------------------------------------------------------------------------===//

/// Adds nvlink's inputs: objects, archives and libraries; nvlink ignores shared libraries.
static void addInputs(const Context &ctx, std::vector<std::string> &command) {
  command.push_back("-L" + cudaLibraries(ctx)); // for the machine of the host, which nvlink compares
  for (size_t i = 0; i < ctx.linkLine.size(); ++i) {
    StringRef text = ctx.linkLine[i].text;
    bool isFile = !text.starts_with("-");
    if ((text == "-L" || text == "-l") && i + 1 < ctx.linkLine.size())
      command.push_back(text.str() + ctx.linkLine[++i].text);
    else if (isFile ? text.ends_with(".o") || text.ends_with(".a") : text.starts_with("-L") || text.starts_with("-l"))
      command.push_back(text.str());
  }
  if (!is_contained(command, "-lcudadevrt"))
    command.push_back("-lcudadevrt");
}

static std::vector<Action> planSimtLink(Context &ctx, bool launchesTiles, const std::string &out) {
  if (ctx.cuda.nvlink.empty() || ctx.cuda.fatbinary.empty()) {
    CudaToolkit::reportMissing(ctx, ctx.cuda.nvlink.empty() ? "nvlink" : "fatbinary", "the device link");
    return {};
  }

  std::vector<Action> actions;
  Input whole{out, InputKind::Linkable};
  whole.stem = "device-link";
  std::vector<TargetFile> files;
  std::string list = ctx.intermediate(whole, ".list"), fatbin = ctx.intermediate(whole, ".fatbin");
  for (const TargetArch &target : ctx.simtTargets)
    if (target.cubin)
      files.push_back({{target.arch, /*cubin=*/true}, {}, ctx.intermediate(whole, "." + target.arch.name + ".cubin")});
  if (files.empty()) {
    Error(ctx) << "the device link makes machine code, not PTX: name a GPU with -arch=sm_XX";
    return {};
  }
  std::vector<TargetFile> launched;
  if (launchesTiles) {
    launched = files;
    actions = planLaunchedTiles(ctx, launched);
  }
  for (auto [i, file] : enumerate(files)) {
    const TargetArch &target = file.target;
    std::vector<std::string> command = {ctx.cuda.nvlink, "-m64", "--arch=" + target.arch.name,
                                        "--register-link-binaries=" + list,
                                        hostTriple(ctx).isAArch64() ? "-cpu-arch=AARCH64" : "-cpu-arch=X86_64"};
    for (const std::string &value : ctx.args.getAllArgValues(options::OPT_Xnvlink_EQ))
      for (StringRef part : split(value, ','))
        command.push_back(part.str());
    addInputs(ctx, command);
    if (launchesTiles)
      command.push_back(launched[i].cubin);
    command.insert(command.end(), {"-o", file.cubin});
    actions.push_back(
        {"device link for " + target.arch.name, {{command, {}}}, [&ctx, command] { return runProgram(ctx, command); }});
  }
  std::vector<std::string> command = fatbinaryCommand(ctx, files, fatbin);
  command.push_back("-link");
  actions.push_back(
      {"fatbinary of the device link", {{command, {}}}, [&ctx, command] { return runProgram(ctx, command); }});
  Command registration{
      {ctx.programName, "-dlink", "--registration-list=" + list, "--include-simt-fatbin=" + fatbin, "-o", out}, {}};
  actions.push_back(
      {"registration", {registration}, [&ctx, list, fatbin, out] { return makeRegistration(ctx, list, fatbin, out); }});
  return actions;
}

std::vector<Action> planDeviceLink(Context &ctx, StringRef output) {
  std::string out = output.str();
  if (const opt::Arg *list = ctx.args.getLastArg(options::OPT_registration_list_EQ)) {
    std::string ids = list->getValue(), fatbin = ctx.args.getLastArgValue(options::OPT_include_simt_fatbin_EQ).str();
    return {{"registration", {}, [&ctx, ids, fatbin, out] { return makeRegistration(ctx, ids, fatbin, out); }}};
  }
  if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_tile_link_EQ)) {
    bool launched = StringRef(arg->getValue()) == "launched";
    return {{"device link of tile code", {}, [&ctx, launched, out] { return linkTiles(ctx, launched, out); }}};
  }

  DeviceCode code = findDeviceCode(ctx, /*withTiles=*/true);
  if (!code.tiles)
    return planSimtLink(ctx, code.launches, out);
  if (!code.simt)
    return planTileLink(ctx, out);
  std::string simt = ctx.temporaryFile("device-link-simt.o"), tiles = ctx.temporaryFile("device-link-tiles.o");
  std::vector<Action> actions = planSimtLink(ctx, code.launches, simt);
  append_range(actions, planTileLink(ctx, tiles));
  actions.push_back(combineAction(ctx, {simt, tiles}, out));
  return actions;
}

std::vector<Action> planHostLink(Context &ctx) {
  std::vector<std::string> command = ctx.args.getAllArgValues(options::OPT_host_link);
  if (command.empty()) {
    Error(ctx) << "--host-link: a link command must follow it";
    return {};
  }
  std::vector<Action> actions;
  if (needsDeviceLink(ctx)) {
    std::string linked = ctx.temporaryFile("device-link.o");
    actions = planDeviceLink(ctx, linked);
    command.insert(command.begin() + 1, linked); // before the libraries that it needs
  }
  actions.push_back({"link", {{command, {}}}, [&ctx, command] { return runProgram(ctx, command); }});
  return actions;
}

} // namespace tilecc
