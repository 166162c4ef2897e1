//===-- LanguageServer.cpp - handles the requests of editors -----------------------------------------------------===//
//
// There are two threads: one reads messages, and the other (Builds.cpp) compiles and then calls finish(). Replies are
// sent without holding the lock, because the transport has its own lock.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "LanguageServer.h"
#include "../support/CompilerMessages.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::lsp;

namespace tilecc::lsp {

bool fromJSON(const json::Value &value, RawParams &params, json::Path) {
  params.value = value;
  return true;
}

static bool isTileSource(StringRef path) {
  return any_of(ArrayRef<StringRef>{".tt.cpp", ".tt.cc", ".tt.cxx", ".cu"},
                [&](StringRef suffix) { return path.ends_with(suffix); });
}

Server::Server(JSONTransport &transport, std::string tcc, std::string folder)
    : transport(transport), handler(transport), tcc(std::move(tcc)),
      publishDiagnostics(handler.outgoingNotification<PublishDiagnosticsParams>("textDocument/publishDiagnostics")),
      refreshHints(handler.outgoingRequest<std::nullptr_t, RawParams>(
          "workspace/inlayHint/refresh",
          [](json::Value, Expected<RawParams> result) { consumeError(result.takeError()); })),
      builds(std::move(folder),
             [this](const BuildRequest &request, const BuildOutcome &outcome) { finish(request, outcome); }) {
  handler.method("initialize", this, &Server::onInitialize);
  handler.notification("initialized", this, &Server::onInitialized);
  handler.method("shutdown", this, &Server::onShutdown);
  handler.notification("textDocument/didOpen", this, &Server::onDidOpen);
  handler.notification("textDocument/didChange", this, &Server::onDidChange);
  handler.notification("textDocument/didSave", this, &Server::onDidSave);
  handler.notification("textDocument/didClose", this, &Server::onDidClose);
  handler.notification("workspace/didChangeConfiguration", this, &Server::onConfiguration);
  handler.method("textDocument/inlayHint", this, &Server::onInlayHint);
  handler.method("textDocument/hover", this, &Server::onHover);
}

int Server::run() {
  llvm::Error error = transport.run(handler);
  bool isOrderly = isShutDown;
  if (error)
    Logger::error("{0}", fmt_consume(std::move(error)));
  return isOrderly ? 0 : 1; // as the protocol requires
}

//===--- the session ----------------------------------------------------------------------------------------------===//

void Server::readSettings(const json::Value *value) {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return;
  if (std::optional<StringRef> arch = object->getString("arch"))
    settings.arch = arch->str();
  if (std::optional<StringRef> path = object->getString("compileCommands")) {
    settings.compileCommands = path->str();
    commands.setLocation(settings.compileCommands);
  }
  if (std::optional<int64_t> delay = object->getInteger("delay"))
    settings.delay = std::chrono::milliseconds(*delay);
  if (const json::Array *options = object->getArray("options")) {
    settings.options.clear();
    for (const json::Value &option : *options)
      settings.options.push_back(option.getAsString().value_or("").str());
  }
}

/// Returns the member that a path such as {"textDocument", "hover"} leads to; null if there is none.
static const json::Value *findMember(const json::Value *value, ArrayRef<StringRef> path) {
  for (StringRef name : path) {
    const json::Object *object = value ? value->getAsObject() : nullptr;
    value = object ? object->get(name) : nullptr;
  }
  return value;
}

void Server::onInitialize(const RawParams &params, Reply reply) {
  {
    std::lock_guard lock(mutex);
    readSettings(findMember(&params.value, {"initializationOptions"}));
    const json::Value *formats = findMember(&params.value, {"capabilities", "textDocument", "hover", "contentFormat"});
    const json::Value *refresh =
        findMember(&params.value, {"capabilities", "workspace", "inlayHint", "refreshSupport"});
    canRefreshHints = refresh && refresh->getAsBoolean().value_or(false);
    showsMarkdown = formats && formats->getAsArray() && is_contained(*formats->getAsArray(), json::Value("markdown"));
  }
  reply(json::Object{
      {"serverInfo", json::Object{{"name", "tcc-lsp"}, {"version", TILECC_VERSION}}},
      {"capabilities",
       json::Object{
           {"positionEncoding", "utf-16"},
           {"textDocumentSync",
            json::Object{{"openClose", true}, {"change", int(TextDocumentSyncKind::Incremental)}, {"save", true}}},
           {"hoverProvider", true},
           {"inlayHintProvider", true},
       }},
  });
}

void Server::onShutdown(const NoParams &, Reply reply) {
  std::vector<Pending> pending;
  {
    std::lock_guard lock(mutex);
    isShutDown = true;
    for (auto &[path, document] : documents) {
      llvm::move(takePending(document), std::back_inserter(pending));
      builds.drop(path);
    }
  }
  for (Pending &request : pending)
    request(nullptr);
  reply(nullptr);
}

void Server::onConfiguration(const RawParams &params) {
  {
    std::lock_guard lock(mutex);
    readSettings(findMember(&params.value, {"settings", "tcc"}));
  }
  compileAll();
}

//===--- documents ------------------------------------------------------------------------------------------------===//

std::vector<Server::Pending> Server::takePending(Document &document) { return std::exchange(document.pending, {}); }

void Server::publish(const Document &document, std::vector<Diagnostic> diagnostics) {
  PublishDiagnosticsParams params(document.uri, document.version);
  params.diagnostics = std::move(diagnostics);
  publishDiagnostics(params);
}

void Server::compile(Document &document, std::chrono::milliseconds delay) {
  document.results.reset();
  if (!document.isTileSource)
    return;
  std::string path = document.uri.file().str();
  CompileCommand command = commands.find(path);
  document.warning = command.problem;
  if (!settings.arch.empty())
    removeArchitectures(command.options);
  BuildRequest request{path, document.text, document.version, command.directory, {}};
  request.command.push_back(tcc + (command.isOfNvcc ? "-nvcc" : ""));
  append_range(request.command, command.options);
  append_range(request.command, settings.options);
  if (!settings.arch.empty())
    request.command.push_back("-arch=" + settings.arch);
  for (StringRef what : {"warps", "loops", "blocks"}) // annotations have the other remarks
    request.command.push_back(("-Rtile=" + what).str());
  request.command.insert(request.command.end(), {"--tile-only", "-fno-caret-diagnostics", "-fno-color-diagnostics"});
  builds.request(std::move(request), delay);
}

void Server::compileAll() {
  std::vector<Pending> pending;
  {
    std::lock_guard lock(mutex);
    for (auto &[path, document] : documents)
      compile(document, std::chrono::milliseconds(0));
  }
}

void Server::onDidOpen(const DidOpenTextDocumentParams &params) {
  std::lock_guard lock(mutex);
  Document &document = documents[params.textDocument.uri.file().str()];
  document.uri = params.textDocument.uri;
  document.text = params.textDocument.text;
  document.version = params.textDocument.version;
  document.isTileSource = isTileSource(document.uri.file());
  compile(document, std::chrono::milliseconds(0));
}

/// Applies a change of a range or of the whole text. Returns false if the text has no such range.
static bool apply(const TextDocumentContentChangeEvent &change, std::string &text) {
  if (!change.range) {
    text = change.text;
    return true;
  }
  std::optional<size_t> begin = getOffset(text, change.range->start), end = getOffset(text, change.range->end);
  if (!begin || !end || *begin > *end)
    return false;
  text.replace(*begin, *end - *begin, change.text);
  return true;
}

void Server::onDidChange(const DidChangeTextDocumentParams &params) {
  std::vector<Pending> pending;
  {
    std::lock_guard lock(mutex);
    auto found = documents.find(params.textDocument.uri.file().str());
    if (found == documents.end())
      return Logger::error("didChange of {0}, which is not open", params.textDocument.uri.uri());
    Document &document = found->second;
    for (const TextDocumentContentChangeEvent &change : params.contentChanges)
      if (!apply(change, document.text)) {
        Logger::error("a change of {0} is outside of the document", document.uri.uri());
        return;
      }
    document.version = params.textDocument.version;
    pending = takePending(document);
    compile(document, settings.delay);
  }
  for (Pending &request : pending)
    request(nullptr);
}

void Server::onDidSave(const RawParams &) { compileAll(); } // the saved file may be a header of open documents

void Server::onDidClose(const DidCloseTextDocumentParams &params) {
  std::vector<Pending> pending;
  {
    std::lock_guard lock(mutex);
    auto found = documents.find(params.textDocument.uri.file().str());
    if (found == documents.end())
      return;
    builds.drop(found->first);
    if (found->second.isTileSource)
      publish(found->second, {});
    pending = takePending(found->second);
    documents.erase(found);
  }
  for (Pending &request : pending)
    request(nullptr);
}

void Server::finish(const BuildRequest &request, const BuildOutcome &outcome) {
  std::vector<Pending> pending;
  std::shared_ptr<const Results> results;
  {
    std::lock_guard lock(mutex);
    auto found = documents.find(request.path);
    if (found == documents.end() || found->second.version != request.version)
      return;
    Document &document = found->second;
    results = std::make_shared<const Results>(makeResults(request, outcome, document.warning));
    document.results = results;
    pending = takePending(document);
    publish(document, results->diagnostics);
    // Clients request hints when the text changes, but other settings or headers change hints, too.
    if (std::exchange(document.shown, document.version) == document.version && canRefreshHints)
      refreshHints(nullptr, ++numRefreshes);
  }
  for (Pending &each : pending)
    each(results.get());
}

//===--- requests -------------------------------------------------------------------------------------------------===//

void Server::whenCompiled(const URIForFile &uri, Reply reply, std::function<json::Value(const Results &)> answer) {
  auto respond = [reply = std::move(reply), answer = std::move(answer)](const Results *results) mutable {
    if (results)
      reply(answer(*results));
    else
      reply(make_error<LSPError>("the document has changed", ErrorCode::ContentModified));
  };
  std::shared_ptr<const Results> results;
  {
    std::lock_guard lock(mutex);
    auto found = documents.find(uri.file().str());
    if (found == documents.end() || !found->second.isTileSource)
      results = std::make_shared<const Results>();
    else if (!(results = found->second.results))
      return found->second.pending.push_back(std::move(respond));
  }
  respond(results.get());
}

void Server::onInlayHint(const InlayHintsParams &params, Reply reply) {
  Range range = params.range;
  whenCompiled(params.textDocument.uri, std::move(reply), [range](const Results &results) {
    json::Array hints;
    for (const Hint &hint : results.hints) {
      if (hint.position < range.start || range.end < hint.position)
        continue;
      json::Object object{{"position", toJSON(hint.position)}, {"label", hint.label}, {"paddingLeft", !hint.isType}};
      if (hint.isType)
        object["kind"] = int(InlayHintKind::Type);
      if (!hint.tooltip.empty())
        object["tooltip"] = hint.tooltip;
      hints.push_back(std::move(object));
    }
    return json::Value(std::move(hints));
  });
}

void Server::onHover(const TextDocumentPositionParams &params, Reply reply) {
  Position position = params.position;
  whenCompiled(params.textDocument.uri, std::move(reply), [this, position](const Results &results) {
    Range range;
    std::string text = results.explain(position, range);
    if (text.empty())
      return json::Value(nullptr);
    return json::Value(
        json::Object{{"contents", json::Object{{"kind", showsMarkdown ? "markdown" : "plaintext"}, {"value", text}}},
                     {"range", toJSON(range)}});
  });
}

} // namespace tilecc::lsp
