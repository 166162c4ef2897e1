//===-- tcc-lsp.cpp - a language server for tile kernels ----------------------------------------------------------===//
//
//   tcc-lsp [--tcc=<path>] [--log]
//
// Speaks the Language Server Protocol on standard input and output. It runs beside clangd, which knows C++; this server
// shows what tcc knows about tile kernels. docs/editors.md describes it for users.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "../support/CompilerMessages.h"
#include "LanguageServer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>

using namespace llvm;

static constexpr StringLiteral help =
    "OVERVIEW: tcc-lsp is a language server for tile kernels. Editors start it beside clangd.\n\n"
    "USAGE: tcc-lsp [--tcc=<path>] [--log]\n\n"
    "OPTIONS:\n"
    "  --tcc=<path>   The compiler (default: the tcc beside this program, or else in PATH)\n"
    "  --log          Write each message's name to standard error\n"
    "  --version      Print the version\n"
    "  --help         Print this text\n\n"
    "It reads the Language Server Protocol from standard input and writes it to standard output. docs/editors.md "
    "tells\n"
    "how to set up editors.\n";

namespace {
/// Drops everything that is not a message of JSON-RPC, which LLVM's transport would treat as the end of the session.
class MessageInput final : public lsp::JSONTransportInput {
public:
  explicit MessageInput(FILE *file) : input(file) {}

  bool hasError() const override { return input.hasError(); }
  bool isEndOfInput() const override { return input.isEndOfInput(); }
  LogicalResult readDelimitedMessage(std::string &text) override { return input.readDelimitedMessage(text); }
  LogicalResult readStandardMessage(std::string &text) override {
    if (failed(input.readStandardMessage(text)))
      return failure();
    Expected<json::Value> value = json::parse(text);
    if (!value) {
      lsp::Logger::error("a message is not JSON: {0}", fmt_consume(value.takeError()));
      return failure();
    }
    const json::Object *message = value->getAsObject();
    bool isMessage =
        message && message->getString("jsonrpc") == "2.0" && (message->getString("method") || message->get("id"));
    if (!isMessage)
      lsp::Logger::error("a message is not JSON-RPC 2.0: {0}", text);
    return success(isMessage);
  }

private:
  lsp::JSONTransportInputOverFile input;
};
} // namespace

static int fail(const Twine &text) {
  errs() << "tcc-lsp: error: " << text << "\n";
  return 2;
}

int main(int argc, char **argv) {
  std::string tcc = tilecc::tools::findCompiler();
  lsp::Logger::setLogLevel(lsp::Logger::Level::Error);
  for (StringRef word : ArrayRef(argv, argc).drop_front()) {
    if (word == "--help" || word == "-h")
      return outs() << help, 0;
    if (word == "--version")
      return outs() << "tcc-lsp " << TILECC_VERSION << "\n", 0;
    if (word.consume_front("--tcc="))
      tcc = word.str();
    else if (word == "--log")
      lsp::Logger::setLogLevel(lsp::Logger::Level::Info);
    else if (word != "--stdio") // clients add it; there is no other transport
      return fail(word + ": no such option (see --help)");
  }
  ErrorOr<std::string> program = sys::findProgramByName(tcc);
  if (!program)
    return fail(tcc + ": " + program.getError().message());
  if (!sys::fs::can_execute(*program))
    return fail(*program + ": no such program");

  // Builds change the working folder, so the compiler's path must be absolute. tcc and the programs that it runs put
  // temporary files into a folder that the server removes, because the server may end them at any time.
  SmallString<128> path(*program), folder;
  if (std::error_code error = sys::fs::make_absolute(path))
    return fail(path + ": " + error.message());
  if (std::error_code error = sys::fs::createUniqueDirectory("tcc-lsp", folder))
    return fail("a temporary folder: " + error.message());
  setenv("TMPDIR", folder.c_str(), /*overwrite=*/1);
  signal(SIGPIPE, SIG_IGN); // a client that has gone also closes standard input

  int status;
  {
    lsp::JSONTransport transport(std::make_unique<MessageInput>(stdin), outs());
    tilecc::lsp::Server server(transport, path.str().str(), folder.str().str());
    status = server.run();
  }
  sys::fs::remove_directories(folder);
  return status;
}
