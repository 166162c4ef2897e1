"""Wrong messages, and compilers that fail: check-protocol.py TCC-LSP FOLDER. The compiler is a script, whose behaviour
the file `mode` beside it selects."""
import json
import os
import pathlib
import subprocess
import sys
import time

from client import Client, Document, expect, only, seconds

program, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
(folder / "tmp").mkdir(parents=True)
os.environ["TMPDIR"] = str(folder / "tmp")
compiler, mode, started = folder / "fake tcc", folder / "mode", folder / "started"
compiler.write_text(f"""#!/bin/sh
echo $$ > '{started}.new' && mv '{started}.new' '{started}'
for last; do :; done # the file for annotations follows -o
case $(cat '{mode}') in
  good) echo '{{"variables": [], "kernels": []}}' > "$last" ;;
  garbage) echo 'no JSON' > "$last" ;;
  silent) exit 1 ;;
  crash) echo 'a backtrace' >&2; kill -SEGV $$ ;;
  bug) echo 'tcc: this is a bug in tcc' >&2; exit 70 ;;
  hang) touch "$TMPDIR/left-over"; exec sleep 1000 ;;
esac
""")
compiler.chmod(0o755)


def wait_for(what, condition):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"this does not happen: {what}"
        time.sleep(0.01)


def is_running(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def start():
    return Client(program, f"--tcc={compiler}", initializationOptions={"delay": 0})


def start_hanging(document, version):
    """Changes a document, whose compilation then hangs. Returns the number of the process."""
    started.unlink()
    mode.write_text("hang")
    document.change(f"// version {version}\n")
    wait_for("the compiler starts", started.exists)
    return int(started.read_text())


# Wrong messages do no harm. What has an answer gets one.
client = start()
client.write(b"{no JSON")
client.write(b"[1, 2, 3]")
client.write(b'{"jsonrpc": "1.0", "method": "textDocument/hover"}')
client.write(b"", length=0)
client.process.stdin.write(b"Content-Type: nothing\r\n\r\n")
client.send(id=100, method="textDocument/unknown", params={})
assert client.finish(100)["error"]["code"] == -32601  # MethodNotFound
client.send(id=101, method="textDocument/hover", params={"textDocument": 1})
assert client.finish(101)["error"]["code"] == -32602  # InvalidParams
client.send(id=102, method="textDocument/hover", params={})
assert client.finish(102)["error"]["code"] == -32602
client.notify("textDocument/unknown")
client.notify("$/cancelRequest", id=5)
client.notify("textDocument/didOpen")
client.notify("textDocument/didOpen", textDocument={"uri": "untitled:Untitled-1", "languageId": "cpp", "version": 1, "text": ""})
client.notify("workspace/didChangeConfiguration", settings=None)
client.notify("initialized")
never_opened = (folder / "never opened.tt.cpp").as_uri()
client.notify("textDocument/didChange", textDocument={"uri": never_opened, "version": 1}, contentChanges=[{"text": ""}])
client.notify("textDocument/didClose", textDocument={"uri": never_opened})
assert client.request("textDocument/hover", textDocument={"uri": never_opened}, position={"line": 0, "character": 0}) is None

# Whatever the compiler does, the server tells it and goes on.
mode.write_text("good")
document = Document(client, folder / "a.tt.cpp", "int x;\n")
assert document.diagnostics() == [] and document.hints() == []
for behaviour, text in [("crash", "was ended by a signal: Segmentation fault"), ("bug", "ended with status 70\ntcc: this is a bug"),
                        ("garbage", "tcc's annotations: "), ("silent", "tcc has failed"), ("good", None)]:
    mode.write_text(behaviour)
    document.change(f"int {behaviour};\n")
    if text:
        error = only(document.diagnostics())
        expect(error["message"], text)
        assert error["severity"] == 1 and error["range"]["start"] == {"line": 0, "character": 0}
    else:
        assert document.diagnostics() == []
    assert document.hints() == []
# A change of a range that the text does not have is not applied.
document.change_by({"range": {"start": {"line": 7, "character": 0}, "end": {"line": 9, "character": 0}}, "text": "x"})
document.change("int good;\n")
assert document.diagnostics() == []

# Requests for a version that is being compiled wait, and others do not. A newer version ends the compilation.
process = start_hanging(document, 1)
request = document.start_hints()
assert client.request("textDocument/hover", textDocument={"uri": never_opened}, position={"line": 0, "character": 0}) is None
assert request not in client.answers and is_running(process)
second = start_hanging(document, 2)
assert client.finish(request)["error"]["code"] == -32801  # ContentModified
wait_for("the first compilation ends", lambda: not is_running(process))
mode.write_text("good")
document.change("int good;\n")
assert document.diagnostics() == []
wait_for("the second compilation ends", lambda: not is_running(second))

# Closing a document ends its compilation, and so does the end of the session.
process = start_hanging(document, 3)
request = document.start_hints()
document.close()
assert "error" in client.finish(request)
wait_for("the compilation of a closed document ends", lambda: not is_running(process))
document = Document(client, folder / "b.tt.cpp", "")
process = start_hanging(document, 4)
client.shut_down()
assert not is_running(process)
assert list((folder / "tmp").iterdir()) == [], "the server leaves temporary files"

# A client that ends without a word.
for end in (lambda: client.process.stdin.close(), lambda: client.notify("exit")):
    client = start()
    document = Document(client, folder / "c.tt.cpp", "")
    process = start_hanging(document, 5)
    end()
    assert client.process.wait(seconds) == 1
    assert not is_running(process)
client = start()
document = Document(client, folder / "c.tt.cpp", "")
process = start_hanging(document, 6)
client.process.kill()
wait_for("the compilation of a killed server ends", lambda: not is_running(process))
