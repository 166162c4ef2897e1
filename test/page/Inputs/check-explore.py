"""Tests tcc-explore: check-explore.py TCC-EXPLORE FOLDER. Edits a source and a header in the folder while it runs."""
import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import urllib.parse

from model import model_of, model_text

program, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
seconds = 60  # until a step counts as failed; each takes about one

source, header, temporary = folder / "a.tt.cpp", folder / "scale.h", folder / "tmp"
temporary.mkdir()
header.write_text("constexpr float scale = 2.0f;\n")
source.write_text("""#include "scale.h"
#include <tilecc/tt.h>
__tile_global__ void twice(float *x) {
  auto i = tt::arange<128>();
  tt::store(x + i, tt::load(x + i) * scale);
}
""")


def get(path, host=None, method="GET", **headers):
    """Returns the status and the text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=seconds)
    connection.request(method, path, headers={"Host": host or address.netloc, **headers})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


class Events:
    """The versions of the page that the server announces."""

    def __init__(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=seconds)
        self.connection.request("GET", address.path + "events")
        self.answer = self.connection.getresponse()
        assert self.answer.getheader("Content-Type") == "text/event-stream"
        self.version = self.next()

    def next(self):
        data = self.answer.readline().decode()
        assert data.startswith("data: ") and self.answer.readline() == b"\n", f"no event but {data!r}"
        return int(data[len("data: "):])

    def wait_for(self, text):
        """Waits for a page that has the text."""
        for _ in range(5):  # a write may be seen before it is complete
            self.version = self.next()
            status, page = get(address.path)
            assert status == 200
            if text in page or text in model_text(page):
                return page
        raise AssertionError(f"{text!r} is in none of 5 pages, the last of which is:\n{page[:4000]}")


def start(*options):
    return subprocess.Popen([program, str(source), "-arch=compute_90", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "TMPDIR": str(temporary)})


running = start()
try:
    address = urllib.parse.urlparse(running.stdout.readline().strip())
    assert address.hostname == "127.0.0.1" and re.fullmatch(r"/[0-9a-f]{32}/", address.path), address
    events = Events()
    if "tcc is compiling" in get(address.path)[1]:
        events.wait_for("id=\"model\"")
    page = get(address.path)[1]
    assert [kernel["name"] for kernel in model_of(page)["kernels"]] == ["twice"]
    assert f'data !== "{events.version}"' in page and "location.reload()" in page

    # An edit, an error on its line, and the way back.
    text = source.read_text()
    source.write_text(text.replace("twice", "thrice"))
    page = events.wait_for("thrice")
    assert model_of(page)["kernels"][0]["name"] == "thrice"
    source.write_text(text.replace("* scale", "* <scael>"))
    page = events.wait_for("does not compile")
    line = page.index('<pre class="line wrong" data-number="5">')
    assert "* &lt;scael&gt;" in page[line:] and "<scael>" not in page
    assert page.index('<pre class="message" role="note">error: ', line) > line

    # Editors replace files. A header counts, too, and so does an error in it.
    (folder / "new").write_text(text)
    (folder / "new").rename(source)
    events.wait_for("id=\"model\"")
    header.write_text("constexpr float scale = 3.0f\n")
    page = events.wait_for("does not compile")
    assert "<h2>" + str(header) in page and 'class="line wrong"' in page
    header.write_text("constexpr float scale = 3.0f;\n")
    events.wait_for("0f40400000")  # 3.0f in PTX

    # Nothing else is served, to nobody else.
    assert get("/")[0] == 404
    assert get("/" + "0" * 32 + "/")[0] == 404
    assert get(address.path + "a.tt.cpp")[0] == 404
    assert get(address.path + "../../../../etc/passwd")[0] == 404
    assert get(address.path, host="attacker.example")[0] == 403
    assert get(address.path, host=f"attacker.example:{address.port}")[0] == 403
    assert get(address.path, host="127.0.0.1")[0] == 403
    assert get(address.path, host=f"localhost:{address.port}")[0] == 200
    assert get(address.path, method="POST")[0] == 405
    assert get(address.path, Filler="x" * 20000)[0] == 431
    for bound in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        local, state = bound.split()[1], bound.split()[3]
        if int(local.split(":")[1], 16) == address.port and state == "0A":
            assert socket.inet_ntoa(bytes.fromhex(local.split(":")[0])[::-1]) == "127.0.0.1"
    # A client that sends nothing does not stop others.
    with socket.create_connection(("127.0.0.1", address.port)):
        assert get(address.path)[0] == 200

    running.send_signal(signal.SIGINT)
    assert running.wait(seconds) == 0, "Ctrl-C is no failure"
    assert not any(temporary.iterdir()), "temporary files are left"

    # A profile counts as well.
    profile = folder / "a.json"
    running = start(f"--profile={profile}")
    address = urllib.parse.urlparse(running.stdout.readline().strip())
    events = Events()
    if "No such file" not in get(address.path)[1]:
        events.wait_for("a.json: No such file")
    profile.write_text('{"format":"tilecc-profile","version":2,"kernels":[]}')
    events.wait_for("none of its kernels is in the page")
    running.send_signal(signal.SIGTERM)
    assert running.wait(seconds) == 0 and not any(temporary.iterdir())
finally:
    running.kill()
    sys.stderr.write(running.communicate()[1])
