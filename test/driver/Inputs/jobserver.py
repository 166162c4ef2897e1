"""Runs tcc -c under a jobserver of three tokens, like that of make 4.4, and counts the tokens afterwards."""
import os
import subprocess
import sys

os.mkfifo("tokens")
pipe = os.open("tokens", os.O_RDWR | os.O_NONBLOCK)
os.write(pipe, b"+++")
environment = {**os.environ, "MAKEFLAGS": " -j4 --jobserver-auth=fifo:tokens", "LD_PRELOAD": os.path.abspath("count.so")}
subprocess.run([sys.argv[1], "-c", sys.argv[2], "-o", "add.o"], env=environment, check=True)
print(len(os.read(pipe, 100)), "tokens of 3")
