"""Compiles with two distcc daemons on this machine, which receive preprocessed sources, and compares with a local compilation.

    distcc.py TCC SOURCE OPTION...
"""
import os
import socket
import subprocess
import sys
import time

tcc, source, options = sys.argv[1], sys.argv[2], sys.argv[3:]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


daemons, ports = [], [free_port(), free_port()]
for port in ports:
    command = ["distccd", "--no-detach", "--daemon", "--enable-tcp-insecure", "--listen=127.0.0.1", f"--port={port}",
               "--allow=127.0.0.1", "--jobs=2", "--log-stderr", "--log-level=info"]
    # A daemon that root starts becomes another user, who can write to few folders.
    daemons.append(subprocess.Popen(command, stderr=open(f"{port}.log", "w"), env={**os.environ, "TMPDIR": "/tmp"}))
try:
    for port in ports:
        for _ in range(100):
            if is_listening(port):
                break
            time.sleep(0.05)
    os.makedirs("state", exist_ok=True)
    hosts = " ".join(f"127.0.0.1:{port}/1" for port in ports)
    environment = {**os.environ, "DISTCC_HOSTS": hosts, "DISTCC_FALLBACK": "0", "DISTCC_DIR": os.path.abspath("state")}
    subprocess.run([tcc, *options, "-c", source, "-o", "here.o"], check=True)
    runs = [subprocess.Popen(["distcc", tcc, *options, "-c", source, "-o", f"there{i}.o"], env=environment) for i in range(4)]
    assert all(run.wait() == 0 for run in runs)
    here = open("here.o", "rb").read()
    same = sum(open(f"there{i}.o", "rb").read() == here for i in range(4))
    for _ in range(100):  # a daemon logs a job after it has answered
        compiled = [open(f"{port}.log").read().count("COMPILE_OK") for port in ports]
        if sum(compiled) == 4:
            break
        time.sleep(0.05)
    print(f"{same} of 4 are the same, {sum(compiled)} compiled there, by {sum(map(bool, compiled))} daemons")
finally:
    for daemon in daemons:
        daemon.terminate()
        daemon.wait()
