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


def start_daemon():
    """Returns a daemon that listens, and its port. Another process may take a free port first; the daemon then ends."""
    while True:
        port = free_port()
        command = ["distccd", "--no-detach", "--daemon", "--enable-tcp-insecure", "--listen=127.0.0.1", f"--port={port}",
                   "--allow=127.0.0.1", "--jobs=2", "--log-stderr", "--log-level=info"]
        # A daemon that root starts becomes another user, who can write to few folders.
        daemon = subprocess.Popen(command, stderr=open(f"{port}.log", "w"), env={**os.environ, "TMPDIR": "/tmp"})
        while daemon.poll() is None:  # lit ends a test that takes too long
            if listening_on(f"{port}.log"):
                return daemon, port
            time.sleep(0.05)
        if "Address already in use" not in open(f"{port}.log").read():
            sys.exit("distccd ended: " + open(f"{port}.log").read())


def listening_on(log):
    """A daemon logs that it is ready. Any process may answer at the port."""
    return "daemon started" in open(log).read()


daemons, ports = [], []
try:
    for _ in range(2):
        daemon, port = start_daemon()
        daemons.append(daemon)
        ports.append(port)
    os.makedirs("state", exist_ok=True)
    hosts = " ".join(f"127.0.0.1:{port}/1" for port in ports)
    environment = {**os.environ, "DISTCC_HOSTS": hosts, "DISTCC_FALLBACK": "0", "DISTCC_DIR": os.path.abspath("state")}
    subprocess.run([tcc, *options, "-c", source, "-o", "here.o"], check=True)
    runs = [subprocess.Popen(["distcc", tcc, *options, "-c", source, "-o", f"there{i}.o"], env=environment) for i in range(4)]
    assert all(run.wait() == 0 for run in runs)
    here = open("here.o", "rb").read()
    same = sum(open(f"there{i}.o", "rb").read() == here for i in range(4))
    while True:  # a daemon logs a job after it has answered
        logs = [open(f"{port}.log").read() for port in ports]
        if sum(log.count("COMPILE_") for log in logs) >= 4:
            break
        time.sleep(0.05)
    compiled = [log.count("COMPILE_OK") for log in logs]
    print(f"{same} of 4 are the same, {sum(compiled)} compiled there, by {sum(map(bool, compiled))} daemons")
finally:
    for daemon in daemons:
        daemon.terminate()
        daemon.wait()
