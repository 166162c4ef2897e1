#!/usr/bin/env python3
"""Prints clangd's diagnostics of sources: clangd.py <clangd> <folder of compile_commands.json> <file>... [<file>:<word> ...]

Prints each diagnostic, `N files, N diagnostics`, and for <file>:<word> the text that an editor shows when hovering over the first
occurrence of the word.
"""
import json
import pathlib
import subprocess
import sys


class Server:
    def __init__(self, clangd, commands):
        self.process = subprocess.Popen(
            [clangd, f"--compile-commands-dir={commands}", "--log=error", "-j=2", "--background-index=false", "--clang-tidy=false"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0
        self.diagnostics = {}

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            name, value = line.split(b":")
            length = int(value) if name == b"Content-Length" else length
        if not length:
            sys.exit("clangd ended")
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            if not message["params"]["uri"].endswith(".clangd"):
                self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def request(self, method, **params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.id:
            pass
        return message["result"]


def main():
    server = Server(sys.argv[1], sys.argv[2])
    server.request("initialize", processId=None, rootUri=None, capabilities={})
    server.notify("initialized")
    files = [word for word in sys.argv[3:] if ":" not in word]
    for file in files:
        path = pathlib.Path(file).resolve()
        server.notify("textDocument/didOpen",
                      textDocument={"uri": path.as_uri(), "languageId": "cpp", "version": 1, "text": path.read_text()})
    while len(server.diagnostics) < len(files):
        server.receive()
    for uri, diagnostics in server.diagnostics.items():
        for diagnostic in diagnostics:
            print(f"{uri}:{diagnostic['range']['start']['line'] + 1}: {diagnostic['message']}")
    print(f"{len(files)} files, {sum(map(len, server.diagnostics.values()))} diagnostics")
    for file, word in (question.split(":", 1) for question in sys.argv[3:] if ":" in question):
        path = pathlib.Path(file).resolve()
        text = path.read_text()
        at = text.index(word) + len(word) - 1
        line = text.count("\n", 0, at)
        hover = server.request("textDocument/hover", textDocument={"uri": path.as_uri()},
                               position={"line": line, "character": at - text.rfind("\n", 0, at) - 1})
        print(hover["contents"]["value"] if hover else "nothing")
    server.request("shutdown")
    server.notify("exit")
    server.process.wait()


main()
