"""A client of tcc-lsp for tests: speaks JSON-RPC with the server and checks the framing of its messages."""
import json
import pathlib
import queue
import subprocess
import sys
import threading

seconds = 120  # until a message counts as missing; each takes about one


class Failure(AssertionError):
    pass


class Client:
    def __init__(self, program, *arguments, **initialization):
        self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.number = 0
        self.diagnostics = {}  # the last ones, by URI: (version, list)
        self.answers = {}
        self.requests = []  # of the server
        initialization.setdefault("capabilities", {})
        self.capabilities = self.request("initialize", **initialization)["capabilities"]
        self.notify("initialized")

    def read(self):
        stream = self.process.stdout
        while line := stream.readline():
            name, value = line.decode("ascii").split(": ")
            assert name == "Content-Length" and stream.readline() == b"\r\n", line
            self.messages.put(json.loads(stream.read(int(value))))
        self.messages.put(None)  # the end

    def write(self, text, length=None):
        """Sends bytes in a frame, which may be a wrong one."""
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % (len(text) if length is None else length) + text)
        self.process.stdin.flush()

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def start(self, method, **params):
        """Sends a request. Returns its number."""
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        return self.number

    def step(self):
        """Handles one message of the server."""
        try:
            message = self.messages.get(timeout=seconds)
        except queue.Empty:
            raise Failure("the server sends nothing") from None
        if message is None:
            raise Failure(f"the server has ended with status {self.process.wait()}")
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[params["uri"]] = (params["version"], params["diagnostics"])
        elif "method" in message:
            self.requests.append(message["method"])
            self.send(id=message["id"], result=None)
        else:
            self.answers[message["id"]] = message

    def finish(self, number):
        """Waits for the answer to a request."""
        while number not in self.answers:
            self.step()
        return self.answers.pop(number)

    def request(self, method, **params):
        answer = self.finish(self.start(method, **params))
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']}")
        return answer["result"]

    def shut_down(self):
        self.request("shutdown")
        self.notify("exit")
        status = self.process.wait(seconds)
        assert status == 0, f"the server has ended with status {status}"


class Document:
    """A document that the client has opened."""

    def __init__(self, client, path, text):
        self.client, self.text, self.version = client, text, 1
        self.uri = pathlib.Path(path).as_uri()
        client.notify("textDocument/didOpen",
                      textDocument={"uri": self.uri, "languageId": "cpp", "version": 1, "text": text})

    @property
    def identifier(self):
        return {"uri": self.uri}

    def change(self, text):
        """Replaces the whole text."""
        self.text = text
        self.change_by({"text": text})

    def replace(self, old, new):
        """Replaces a part of the text by a change of a range."""
        begin = self.text.index(old)
        change = {"range": {"start": self.position(begin), "end": self.position(begin + len(old))}, "text": new}
        self.text = self.text[:begin] + new + self.text[begin + len(old):]
        self.change_by(change)

    def change_by(self, change):
        self.version += 1
        self.client.notify("textDocument/didChange", contentChanges=[change],
                           textDocument={"uri": self.uri, "version": self.version})

    def close(self):
        self.client.notify("textDocument/didClose", textDocument=self.identifier)

    def position(self, offset):
        line = self.text.count("\n", 0, offset)
        before = self.text[self.text.rfind("\n", 0, offset) + 1:offset]
        return {"line": line, "character": len(before.encode("utf-16-le")) // 2}

    def at(self, text, inside=0):
        return self.position(self.text.index(text) + inside)

    def diagnostics(self):
        """Waits for the diagnostics of the present version."""
        while self.client.diagnostics.get(self.uri, (0,))[0] != self.version:
            self.client.step()
        return self.client.diagnostics[self.uri][1]

    def start_hints(self, first=0, last=10**6):
        return self.client.start("textDocument/inlayHint", textDocument=self.identifier,
                                 range={"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}})

    def hints(self, *lines):
        return self.client.finish(self.start_hints(*lines))["result"]

    def hint(self, text):
        """Returns the label of the hint that follows `text`."""
        position = self.position(self.text.index(text) + len(text))
        labels = [hint["label"] for hint in self.hints() if hint["position"] == position]
        assert len(labels) == 1, f"hints after {text!r}: {labels}; all: {self.hints()}"
        return labels[0]

    def hover(self, text, inside=0):
        answer = self.client.request("textDocument/hover", textDocument=self.identifier, position=self.at(text, inside))
        return answer["contents"]["value"] if answer else None


def expect(text, *parts):
    """Fails unless a text has all parts."""
    for part in parts:
        assert text is not None and part in text, f"{part!r} is not in:\n{text}"


def only(items):
    assert len(items) == 1, f"expected one: {json.dumps(items, indent=1)}"
    return items[0]


def client_of_arguments(capabilities={}, **settings):
    """The client and the folder that a test's command line names."""
    folder = pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return Client(sys.argv[1], initializationOptions={"delay": 20, "arch": "compute_90a", **settings},
                  capabilities=capabilities), folder
