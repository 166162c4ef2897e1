# Runs a program normally, which writes a trace, and as a set-uid program of the user nobody, which writes none.
import os
import subprocess
import sys

program, trace = sys.argv[1:]
environment = {"PATH": os.environ["PATH"], "TILECC_DEVICE": "cpu", "TILECC_TRACE": trace, "TILECC_CACHE_DIR": "off"}


def writes_trace():
    if os.path.exists(trace):
        os.remove(trace)
    subprocess.run([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return os.path.exists(trace)


assert writes_trace(), "TILECC_TRACE has no effect"
if os.geteuid() == 0 and not os.statvfs(program).f_flag & os.ST_NOSUID:
    os.chown(program, 65534, 65534)
    os.chmod(program, 0o4755)
    assert not writes_trace(), "a set-uid program writes what TILECC_TRACE names"
