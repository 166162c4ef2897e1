"""Creates pages of all examples that contain kernels, and opens them: check-examples.py TCC EXAMPLES FOLDER."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

from browser import chromium, opened

tcc, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def page_of(source):
    if (source.parent / "MODULE.bazel").exists():
        return None  # only Bazel knows its macros
    page = folder / (source.parent.name + "-" + source.stem + ".html")
    # One target of each kind, and one variant: the view works in the same way for all.
    made = subprocess.run([tcc, "--emit=html", "-arch=compute_90", "--cpu-level=3", "--variant=generic", "-w", "-t", "1", source, "-o", page],
                          capture_output=True, text=True)
    if made.returncode and ("has no kernels" in made.stderr or "is made by the device link" in made.stderr):
        return None
    assert made.returncode == 0, f"{source}: {made.stderr}"
    return page


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    pages = [page for page in pool.map(page_of, sorted(examples.glob("*/*.tt.cpp"))) if page]
assert len(pages) > 20, pages
with chromium() as browser:
    for page in pages:
        with opened(page, "#p=source,ttgir,ptx", browser=browser) as tab:
            for kinds in (["ttir", "llvm", "cpu-asm"], ["passes", "layouts", "costs"]):
                for pane, kind in enumerate(kinds, 1):
                    tab.choose(pane, kind)
        with opened(page, width=400, browser=browser, color_scheme="dark") as tab:
            width = tab.page.evaluate("document.documentElement.scrollWidth")
            assert width <= 400, f"{page} is {width} pixels wide"
print(len(pages), "pages")
