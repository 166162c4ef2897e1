#!/usr/bin/env python3
"""Parses a file of IR with Triton 3.6 and prints it as Triton does, without locations.

  triton-prints.py file.ttgir
"""
import re
import sys

import triton._C.libtriton as libtriton

context = libtriton.ir.context()
libtriton.ir.load_dialects(context)
libtriton.nvidia.load_dialects(context)
text = str(libtriton.ir.parse_mlir_module(sys.argv[1], context))
text = re.sub(r"^#loc.*\n", "", text, flags=re.MULTILINE)
print(re.sub(r' loc\((?:#loc\d*|"[^"]*"(?::\d+:\d+)?(?:\(#loc\d*\))?|unknown)\)', "", text).rstrip() + "\n")  # and the empty line at the end of a file of IR
