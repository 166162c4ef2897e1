"""Calls tcc as Compiler Explorer does, for each entry of a properties file, and prints what its panes show.

usage: compiler-explorer.py <properties> <build folder> <nvdisasm> <source>"""
import pathlib
import re
import subprocess
import sys
import tempfile

properties, build, nvdisasm, source = sys.argv[1:]
keys = {}
for line in pathlib.Path(properties).read_text().splitlines():
    if line and not line.startswith("#"):
        key, value = line.split("=", 1)  # whitespace is not trimmed
        assert key not in keys, f"{key} is defined twice"
        keys[key] = value

# Keys of its documentation; nvdisasm is one of nvcc's class.
known = {"name", "exe", "options", "supportsBinary", "supportsExecute", "versionFlag", "versionRe", "compilerType", "nvdisasm",
         "groupName", "compilers"}
for key in keys:
    kind, _, rest = key.partition(".")
    assert key == "compilers" or (kind in ("group", "compiler") and rest.split(".", 1)[1] in known), f"unknown key {key}"


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    assert not done.stderr, f"{arguments} prints {done.stderr}"
    return done.stdout


def show(entry, text, pattern):
    print(f"{entry}:", next(line.strip() for line in text.splitlines() if re.search(pattern, line)))


group = keys["compilers"].lstrip("&")
for entry in keys[f"group.{group}.compilers"].split(":"):
    def get(key):
        return keys.get(f"compiler.{entry}.{key}", keys.get(f"group.{group}.{key}", ""))
    executable = get("exe").replace("/opt/tilecc", build)
    version = re.search(get("versionRe"), run([executable, get("versionFlag")]))
    assert version, f"{entry}: no version"
    options = get("options").split(" ")
    folder = pathlib.Path(tempfile.mkdtemp(dir="."))
    output = folder / "output.s"
    if get("compilerType") != "nvcc":
        run([executable, "-g", "-o", output, "-S", *options, source])
        show(entry, output.read_text(), r"(tt\.func|define|^\s*\.globl|\.text\.).*scale")
        continue
    print(f"{entry}: version {version.group()}")
    run([executable, "-o", output, "-g", "-lineinfo", "-c", "-keep", "-keep-dir", folder, "-Xcompiler=-S", *options, source])
    assert ".text" in output.read_text()
    print(f"{entry}: host code")
    views = {}
    for file in sorted(folder.iterdir()):
        if file.suffix not in (".ptx", ".cubin"):
            continue
        view = "PTX" if file.suffix == ".ptx" else "SASS"
        words = ", ".join(file.name.split(".")[1:-1])
        if words:
            view += f" ({words.lower()})"
        assert view not in views, f"two files for {view}"
        views[view] = file.read_text() if file.suffix == ".ptx" else run([nvdisasm, file, "-c", "-g", "-hex"])
    for view, text in sorted(views.items()):
        show(f"{entry}: {view}", text, r"\.entry" if view.startswith("PTX") else r"^\.text\..*:")
