"""Stops tcc at different times of its run by each signal that stops programs.

    stops.py ROUNDS COMMAND...      in an empty folder, with inputs next to it; TMPDIR is another empty folder

A stopped run must end with that signal, report no bugs or mistakes, and leave no file and no process. A killed run (SIGKILL) may
leave temporary files, but the output must be the old one, or complete. A run that ends before its signal is checked as well, and
repeated with an earlier signal, because runs have become shorter: each signal must stop a run at each time.
"""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ATTEMPTS = 10
SIGNALS = ["INT", "TERM", "HUP", "QUIT", "XCPU", "XFSZ", "PIPE"]
rounds, command = int(sys.argv[1]), sys.argv[2:]
failures = []


def start(folder):
    out, tmp = os.path.join(folder, "out"), os.path.join(folder, "tmp")
    for path in (out, tmp):
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
    open(os.path.join(out, "output"), "w").write("old")
    # A process group of its own, in which no process may remain.
    process = subprocess.Popen(command, cwd=out, env={**os.environ, "TMPDIR": tmp}, stderr=subprocess.PIPE,
                               start_new_session=True, restore_signals=True)
    return process, out, tmp


def is_alive(stat, group):
    try:
        state, _, its_group = open(stat).read().rsplit(")", 1)[1].split()[:3]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return int(its_group) == group and state not in "ZX"  # zombies wait for init


def group_is_empty(group):
    """Killed processes take a moment to end, which is long on a busy machine. A process that was forgotten would never
    end: at most a second of its work is left, so a minute distinguishes the two."""
    end = time.monotonic() + 60
    while any(is_alive(stat, group) for stat in glob.glob("/proc/[0-9]*/stat")):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


with tempfile.TemporaryDirectory() as folder:
    begin = time.time()
    process, out, tmp = start(folder)
    errors = process.communicate()[1]
    assert process.returncode == 0, errors
    length = time.time() - begin
    whole = open(os.path.join(out, "output"), "rb").read()
    assert whole != b"old" and os.listdir(out) == ["output"] and not os.listdir(tmp), (os.listdir(out), os.listdir(tmp))
    for name in SIGNALS + ["KILL"]:
        number = getattr(signal, "SIG" + name)
        for moment in range(rounds):
            for _ in range(ATTEMPTS):
                process, out, tmp = start(folder)
                begin = time.time()
                try:
                    process.wait(length * (moment + 0.5) / rounds)
                except subprocess.TimeoutExpired:
                    process.send_signal(number)
                errors = process.communicate()[1].decode()
                if process.returncode == 0:
                    length = 0.9 * (time.time() - begin)
                where = f"SIG{name} after {(moment + 0.5) / rounds:.0%}"
                output = open(os.path.join(out, "output"), "rb").read()
                if process.returncode not in (0, -number):
                    failures.append(f"{where}: exit status {process.returncode}")
                if output not in (b"old", whole):
                    failures.append(f"{where}: an output of {len(output)} bytes")
                if not group_is_empty(process.pid):
                    failures.append(f"{where}: a process is left")
                if process.returncode == -number:
                    break
            else:
                failures.append(f"{where}: never stopped in {ATTEMPTS} runs")
            left = [file for file in os.listdir(out) if file != "output"] + glob.glob(tmp + "/**", recursive=True)[1:]
            if name != "KILL" and (left or errors):
                failures.append(f"{where}: leaves {left} and says: {errors}")
print(*failures, f"{len(failures)} failures", sep="\n")
sys.exit(bool(failures))
