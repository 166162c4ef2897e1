//===- TraceProfile.cpp - reads a trace with times inside kernels -------------------------------------------------===//
//
// Reads the trace that the runtime writes for TILECC_PROFILE (runtime/src/Profile.h), which --profile also accepts. On
// a GPU and the emulator, each recording warp has a lane, on which an event of the category "warp" encloses its scopes.
// On the CPU, scopes are in the lanes of threads, and name their program.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/TraceProfile.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace tilecc::page {

namespace {
struct Event {
  StringRef name, category;
  double begin, end;
  int64_t process, lane;
  const json::Object *args;
};

class TraceReader {
public:
  TraceReader(Page &page, const json::Array &events) : page(page) {
    for (const json::Value &value : events)
      read(value);
    llvm::stable_sort(scopes, [](const Event &a, const Event &b) {
      return std::pair(a.begin, -a.end) < std::pair(b.begin, -b.end); // an outer scope before those that it contains
    });
  }

  bool hasTimes() const { return !scopes.empty(); }

  /// Returns false if there is no launch of the kernel with times.
  bool add(KernelPage &kernel) {
    auto isOfKernel = [&](const Event &event) { return event.name == kernel.name; };
    auto warp = find_if(warps, isOfKernel);
    TimedLaunch times = warp != warps.end() ? readWarps(*warp) : readPrograms(find_if(launches, isOfKernel));
    if (times.tracks.empty())
      return false;
    kernel.times.push_back(std::move(times));
    return true;
  }

private:
  void read(const json::Value &value) {
    const json::Object *object = value.getAsObject();
    if (!object || object->getString("ph") != StringRef("X"))
      return;
    double begin = object->getNumber("ts").value_or(0);
    Event event = {object->getString("name").value_or(""),
                   object->getString("cat").value_or(""),
                   begin,
                   begin + object->getNumber("dur").value_or(0),
                   object->getInteger("pid").value_or(0),
                   object->getInteger("tid").value_or(0),
                   object->getObject("args")};
    if (event.category == "scope")
      scopes.push_back(event);
    else if (event.category == "warp")
      warps.push_back(event);
    else if (event.category == "kernel")
      launches.push_back(event);
  }

  /// Reads the warps of the launch that the warp `first` belongs to, in the order of their lanes.
  TimedLaunch readWarps(const Event &first) {
    auto launchOf = [](const Event &warp) { return warp.args ? warp.args->getInteger("launch").value_or(0) : 0; };
    SmallVector<const Event *> own;
    for (const Event &warp : warps)
      if (warp.name == first.name && warp.process == first.process && launchOf(warp) == launchOf(first))
        own.push_back(&warp);
    llvm::stable_sort(own, [](const Event *a, const Event *b) { return a->lane < b->lane; });
    double zero = first.begin;
    for (const Event *warp : own)
      zero = std::min(zero, warp->begin);
    TimedLaunch times;
    times.launch = formatv("{0} warps that record", own.size());
    times.trackCount = own.size();
    for (const Event *warp : ArrayRef(own).take_front(maxTracks)) {
      TimedLaunch::Track &track = times.tracks.emplace_back();
      track.name = warp->args ? warp->args->getString("where").value_or("").str() : "";
      track.scopes.push_back({"(all)", warp->begin - zero, warp->end - zero, std::nullopt, 0});
      for (const Event &scope : scopes)
        if (scope.lane == warp->lane && scope.process == warp->process && isWithin(scope, *warp))
          track.scopes.push_back(describe(scope, zero));
    }
    return times;
  }

  TimedLaunch readPrograms(SmallVectorImpl<Event>::const_iterator launch) {
    TimedLaunch times;
    if (launch == launches.end())
      return times;
    MapVector<StringRef, SmallVector<const Event *>> programs;
    for (const Event &scope : scopes)
      if (std::optional<StringRef> program = scope.args ? scope.args->getString("program") : std::nullopt;
          program && scope.process == launch->process && isWithin(scope, *launch))
        programs[*program].push_back(&scope);
    double zero = launch->end;
    for (auto &[program, own] : programs)
      zero = std::min(zero, own.front()->begin);
    times.launch = formatv("{0} programs on the CPU", programs.size());
    times.trackCount = programs.size();
    for (auto &[program, own] : ArrayRef(programs.getArrayRef()).take_front(maxTracks)) {
      TimedLaunch::Track &track = times.tracks.emplace_back();
      track.name = ("program (" + program + ")").str();
      for (const Event *scope : own)
        track.scopes.push_back(describe(*scope, zero));
    }
    return times;
  }

  /// Returns true if `outer` contains `inner`. Times are written with three digits, so this tolerates rounding.
  static bool isWithin(const Event &inner, const Event &outer) {
    constexpr double rounding = 0.002;
    return inner.begin >= outer.begin - rounding && inner.end <= outer.end + rounding;
  }

  TimedLaunch::Scope describe(const Event &scope, double zero) {
    TimedLaunch::Scope result = {scope.name.str(), scope.begin - zero, scope.end - zero, std::nullopt, 0};
    if (!scope.args)
      return result;
    const std::vector<std::string> &files = page.chains.getFiles();
    if (auto file = find(files, scope.args->getString("file").value_or("")); file != files.end())
      result.file = file - files.begin();
    result.line = scope.args->getInteger("line").value_or(0);
    return result;
  }

  static constexpr size_t maxTracks = 64; ///< tracks in a page
  Page &page;
  SmallVector<Event> scopes, warps, launches;
};
} // namespace

Error addTraceProfile(Page &page, StringRef trace) {
  Expected<json::Value> value = json::parse(trace);
  if (!value)
    return createStringError("it is not a trace that tcc can read: " + toString(value.takeError()));
  const json::Array *events = value->getAsArray();
  if (!events)
    return createStringError("it is not a trace: it has no list of events");
  TraceReader reader(page, *events);
  if (!reader.hasTimes())
    return createStringError("it has no times inside kernels: compile the program with -fprofile-tile, and run it with "
                             "TILECC_PROFILE");
  bool isUsed = false;
  for (KernelPage &kernel : page.kernels)
    isUsed |= reader.add(kernel);
  if (!isUsed)
    return createStringError("none of its kernels is in the page");
  return Error::success();
}

} // namespace tilecc::page
