"""Writes each block of C++ in a page of the documentation to a file: blocks.py PAGE FOLDER makes FOLDER/page-1.tt.cpp, and so on."""
import pathlib
import re
import sys

page, folder = map(pathlib.Path, sys.argv[1:])
blocks = re.findall(r"^```cpp\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
if not blocks:
    sys.exit(f"{page} has no code")
for number, text in enumerate(blocks, 1):
    (folder / f"{page.stem}-{number}.tt.cpp").write_text(text)
