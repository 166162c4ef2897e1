# Links with -fopenmp, with the unchanged system and with a folder that contains the library.
import os
import re
import subprocess
import sys

tcc = sys.argv[1]


def link(*options):
    done = subprocess.run([tcc, "-fopenmp", "main.cpp", "-o", "main", *options], capture_output=True, text=True)
    return done.returncode, done.stderr


code, messages = link()
if code:
    assert re.search(r"tcc: error: -fopenmp: there is no libomp.so, .* in the package libomp-\d+-dev\n$", messages), messages
    assert messages.count("error") == 1, messages

subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", "lib/libomp.so"], check=True)
code, messages = link("-Llib")
assert "there is no libomp.so" not in messages, messages
