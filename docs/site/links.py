"""Checks the links of README.md and docs/, including generated pages: pages, files and anchors. Also checks that mkdocs.yml lists each
page once. Does not need mkdocs, which finds more errors itself (scripts/docs)."""
import pathlib
import re
import sys

import reference

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^ *(`{3,4}).*?^ *\1 *$", re.M | re.S)


def find_anchors(text):
    """The anchors of a page's headings; repeated headings are numbered."""
    anchors = set()
    for heading in re.findall(r"^#{1,6} (.*)$", FENCED.sub("", text), re.M):
        anchor, number = reference.slugify(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)), 1
        while anchor in anchors:
            anchor = re.sub(r"_\d+$", "", anchor) + f"_{number}"
            number += 1
        anchors.add(anchor)
    return anchors


def find_links(text):
    for number, line in enumerate(FENCED.sub(lambda found: "\n" * found[0].count("\n"), text).split("\n"), 1):
        for link in re.finditer(r"\]\((?!https?:)([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            yield number, link[1]


def main():
    pages = {path.name: path.read_text() for path in (ROOT / "docs").glob("*.md")} | reference.write_all()
    anchors = {name: find_anchors(text) for name, text in pages.items()}
    failures = []
    for name, text in [("README.md", (ROOT / "README.md").read_text()), *sorted(pages.items())]:
        folder = ROOT if name == "README.md" else ROOT / "docs"
        for line, link in find_links(text):
            target, _, anchor = link.partition("#")
            path = (folder / target).resolve() if target else None
            page = name if not target else path.name if path.parent == ROOT / "docs" and path.name in pages else None
            if page is None and not path.exists():
                failures.append(f"{name}:{line}: there is no {target}")
            elif anchor and page and anchor not in anchors[page]:
                failures.append(f"{name}:{line}: {page} has no heading #{anchor}")
    listed = re.findall(r"([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M)
    failures += [f"mkdocs.yml: {name} is not in its nav once" for name in sorted(pages) if listed.count(name) != 1]
    failures += [f"mkdocs.yml: there is no {name}" for name in listed if name not in pages]
    print(*failures, sep="\n")
    print(f"{len(pages)} pages, {len(failures)} failures")
    return bool(failures)


sys.exit(main())
