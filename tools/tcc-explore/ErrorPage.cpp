//===-- ErrorPage.cpp - makes the page of a source that does not compile ---------------------------------------===//
//
// tcc-explore.cpp serves it after a build that failed.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "ErrorPage.h"
#include "../support/CompilerMessages.h"

#include <map>

using namespace tilecc::explore;
using namespace tilecc::tools;

static std::string escape(const std::string &text) {
  std::string escaped;
  for (char c : text)
    switch (c) {
    case '<': escaped += "&lt;"; break;
    case '>': escaped += "&gt;"; break;
    case '&': escaped += "&amp;"; break;
    case '"': escaped += "&quot;"; break;
    default: escaped += c;
    }
  return escaped;
}

static const char style[] = R"(
:root { color-scheme: light dark; }
body { margin: 0; padding: 12px 16px; font: 14px/1.45 system-ui, sans-serif; }
h1 { margin: 0 0 8px; font-size: 15px; }
h2 { margin: 16px 0 4px; font-size: 14px; }
pre { margin: 0; font: 12.5px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; tab-size: 4; }
.line::before { content: attr(data-number); display: inline-block; width: 5ch; margin-right: 2ch; text-align: right; opacity: .6; }
.line.wrong { background: light-dark(#fde5e5, #451c1f); }
.message { margin-left: 7ch; padding: 2px 8px; border-left: 3px solid light-dark(#b3261e, #ff8a80); white-space: pre-wrap; }
)";

static std::string messageElement(const std::string &text) {
  return "<pre class=\"message\" role=\"note\">" + escape(text) + "</pre>\n";
}

std::string tilecc::explore::makeErrorPage(const std::string &source, const std::string &messages) {
  // Maps files and lines to messages, each followed by lines of text: code and carets.
  std::map<std::string, std::map<unsigned, std::string>> byFile;
  byFile[source];
  std::string others;
  std::string *last = &others;
  for (const std::string &line : splitLines(messages)) {
    MessageLine message = parseMessage(line);
    if (!message.file.empty())
      last = &byFile[message.file][message.line];
    else if (line.rfind("tcc: ", 0) == 0 || line.find(" generated.") != std::string::npos)
      last = &others;
    *last += (message.file.empty() ? line : message.text) + "\n";
  }
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + escape(source) +
                     ": errors</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + style +
                     "</style>\n</head>\n<body>\n<h1>" + escape(source) +
                     " does not compile. The page appears when it does.</h1>\n";
  if (!others.empty())
    html += messageElement(others);
  for (auto &[file, own] : byFile) {
    html += "<h2>" + escape(file) + "</h2>\n";
    unsigned number = 0;
    for (const std::string &line : splitLines(readFile(file))) {
      ++number;
      auto found = own.find(number);
      html += "<pre class=\"line" + std::string(found == own.end() ? "" : " wrong") + "\" data-number=\"" +
              std::to_string(number) + "\">" + escape(line) + "</pre>\n";
      if (found != own.end())
        html += messageElement(found->second);
    }
    for (auto &[line, text] : own) // the file has become shorter, or cannot be read
      if (line > number)
        html += messageElement(std::to_string(line) + ": " + text);
  }
  return html + "</body>\n</html>\n";
}
