//===-- LanguageServer.h - handles the requests of editors ---------------------------------------------*- C++ -*-===//
#ifndef TILECC_TOOLS_LSP_LANGUAGESERVER_H
#define TILECC_TOOLS_LSP_LANGUAGESERVER_H

#include "Builds.h"
#include "CompileCommands.h"
#include "Results.h"
#include "llvm/Support/LSP/Transport.h"
#include <map>
#include <memory>
#include <mutex>

namespace tilecc::lsp {

/// The settings of a client: its initializationOptions, and later the section `tcc` of its configuration.
struct Settings {
  std::string arch; ///< -arch=; empty: the project's choice
  std::string compileCommands; ///< a folder or file; empty: see CompileCommands
  std::vector<std::string> options; ///< for tcc, after the project's options
  std::chrono::milliseconds delay{300}; ///< from a change to the start of a build
};

/// A parameter of a message that the handlers parse themselves.
struct RawParams {
  llvm::json::Value value = nullptr;
};
bool fromJSON(const llvm::json::Value &value, RawParams &params, llvm::json::Path path);

/// Answers requests about open documents. Results belong to a version of a document. Requests wait until the current
/// version has been compiled. They fail if a newer version arrives first; clients then ask again.
class Server {
public:
  /// `tcc` is the path of the compiler; `folder` is for temporary files.
  Server(llvm::lsp::JSONTransport &transport, std::string tcc, std::string folder);

  /// Serves until the client sends `exit` or closes the stream. Returns the exit status of the program.
  int run();

private:
  using Reply = llvm::lsp::Callback<llvm::json::Value>;
  /// Takes the results, or a null pointer if they will never exist.
  using Pending = llvm::unique_function<void(const Results *)>;

  struct Document {
    llvm::lsp::URIForFile uri;
    std::string text;
    int64_t version = 0;
    bool isTileSource = false; ///< other documents are neither compiled nor annotated
    std::string warning; ///< about its compile command
    std::shared_ptr<const Results> results; ///< of the current version; null while it is being compiled
    std::vector<Pending> pending; ///< requests that wait for the results
    std::optional<int64_t> shown; ///< the last version for which there were results
  };

  void onInitialize(const RawParams &params, Reply reply);
  void onInitialized(const llvm::lsp::InitializedParams &) {}
  void onShutdown(const llvm::lsp::NoParams &, Reply reply);
  void onDidOpen(const llvm::lsp::DidOpenTextDocumentParams &params);
  void onDidChange(const llvm::lsp::DidChangeTextDocumentParams &params);
  void onDidSave(const RawParams &params);
  void onDidClose(const llvm::lsp::DidCloseTextDocumentParams &params);
  void onConfiguration(const RawParams &params);
  void onInlayHint(const llvm::lsp::InlayHintsParams &params, Reply reply);
  void onHover(const llvm::lsp::TextDocumentPositionParams &params, Reply reply);

  void readSettings(const llvm::json::Value *value);
  void publish(const Document &document, std::vector<llvm::lsp::Diagnostic> diagnostics);
  /// Compiles a document again; its results are obsolete.
  void compile(Document &document, std::chrono::milliseconds delay);
  void compileAll();
  /// Calls `answer` with the results for the document's current version, once they exist.
  void whenCompiled(const llvm::lsp::URIForFile &uri, Reply reply,
                    std::function<llvm::json::Value(const Results &)> answer);
  void finish(const BuildRequest &request, const BuildOutcome &outcome);
  static std::vector<Pending> takePending(Document &document);

  llvm::lsp::JSONTransport &transport;
  llvm::lsp::MessageHandler handler;
  std::string tcc;
  llvm::lsp::OutgoingNotification<llvm::lsp::PublishDiagnosticsParams> publishDiagnostics;
  llvm::lsp::OutgoingRequest<std::nullptr_t> refreshHints;

  std::mutex mutex; ///< protects everything below
  Settings settings;
  CompileCommands commands;
  std::map<std::string, Document> documents; ///< by path
  bool showsMarkdown = false; ///< the client shows Markdown
  bool canRefreshHints = false; ///< the client supports this request
  int64_t numRefreshes = 0;
  bool isShutDown = false;

  Builds builds; ///< the last member, so that it is destroyed first
};

} // namespace tilecc::lsp
#endif
