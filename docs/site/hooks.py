"""Hooks of mkdocs: they add the generated reference pages, add pages for the project's files to which pages link, and remove the parts
of pages that are only for tests."""
import os
import pathlib
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, os.path.dirname(__file__))
import reference  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")
LANGUAGES = {".py": "python", ".cpp": "cpp", ".h": "cpp", ".cu": "cuda", ".txt": "cmake", ".sh": "bash", ".td": "tablegen"}
HIDDEN = "---\nsearch:\n  exclude: true\n---\n"


def name_of(path):
    """The page that shows a file or folder of the project."""
    return "files/" + str(path.relative_to(ROOT)).replace("/", "-") + (".md" if path.suffix != ".md" else "")


def fence(path):
    return f"```` {{ .{LANGUAGES.get(path.suffix, 'text')} }}\n{path.read_text().rstrip()}\n````\n"


def show(path):
    """A page with a file, or with the sources of a folder."""
    relative = path.relative_to(ROOT)
    if path.is_dir():
        files = [file for file in sorted(path.iterdir()) if file.is_file() and file.suffix != ".md"]
        return HIDDEN + f"# {relative}/\n\n" + "\n".join(f"## {file.name}\n\n{fence(file)}" for file in files)
    if path.suffix == ".md":
        return HIDDEN + re.sub(r"\]\((?!https?:)[^)]*\)", "]", path.read_text())
    return HIDDEN + f"# {relative}\n\n{fence(path)}"


def find_linked(files):
    linked = set()
    for file in files.documentation_pages():
        text = file.content_string
        for found in LINK.finditer(text):
            path = (ROOT / "docs" / found[1]).resolve()
            if path.exists() and path != ROOT / "docs":
                linked.add(path)
    return sorted(linked)


def on_files(files, config):
    for name, text in reference.write_all().items():
        files.append(File.generated(config, name, content=text))
    for path in find_linked(files):
        files.append(File.generated(config, name_of(path), content=show(path)))
    return files


def indent_lists(markdown):
    """Indents the contents of list items by four columns, as Python-Markdown requires; our pages use three and five, which most
    other parsers accept."""
    parts = re.split(r"(^ *(`{3,4}).*?^ *\2 *$)", markdown, flags=re.M | re.S)
    for i in range(0, len(parts), 3):
        parts[i] = re.sub(r"^(?:   |     )(?=\S)", lambda found: found[0] + " ", parts[i], flags=re.M)
    return "".join(part for i, part in enumerate(parts) if i % 3 != 2)


def on_page_markdown(markdown, page, config, files):
    markdown = indent_lists(markdown)
    markdown = re.sub(r"^<!-- (?:cpp|Generated)\b.*?-->\n?", "", markdown, flags=re.M | re.S)
    markdown = re.sub(r"^```(cpp|text) [^\n{]*$", r"```\1", markdown, flags=re.M)
    return LINK.sub(lambda found: f"]({name_of((ROOT / 'docs' / found[1]).resolve())}{found[2] or ''})"
                    if (ROOT / "docs" / found[1]).exists() else found[0], markdown)
