"""Reads the declarations of public C++ headers and the documentation before them.

A comment whose lines begin with /// documents the next declaration, and the overloads of the same name that follow without a
comment of their own. A line that begins with one of LABELS starts a field; the other lines are the description. Lines that are
indented by two more columns than the text are code.
"""
import re

LABELS = ("Shapes", "Types", "Errors", "Options", "NaN", "Triton", "CUDA", "Example")
MARKS = r"__TILECC_(?:VALUE|FN|HOST_FN|CONST)|\[\[[^\]]*\]\]|\binline\b|\bconstexpr (?=auto|T\b)"
TOKEN = re.compile(r'///[^\n]*|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|[{}();]|\s+|[\w:~]+|.', re.S)


class Declaration:
    """One declaration: its name with the namespaces and classes around it, its kind, its text, and its documentation."""

    def __init__(self, scope, name, kind, text, doc, line):
        self.scope, self.name, self.kind, self.text, self.doc, self.line = scope, name, kind, text, doc, line

    def qualified(self):
        return "::".join([*self.scope, self.name])


def parse_doc(lines):
    """{"": description, label: text, ...} of a comment's lines. Code is put into fences that begin with ```cpp kernel."""
    fields, label, code = {"": []}, "", []

    def flush():
        if code:
            fields[label].append("\n```cpp kernel\n" + "\n".join(code) + "\n```\n")
            code.clear()

    for line in lines:
        text = re.sub(r"^\s*/// ?", "", line)
        if text.startswith("  "):
            code.append(text[2:])
            continue
        flush()
        if found := re.match(rf"({'|'.join(LABELS)}):\s*(.*)", text):
            label, text = found[1], found[2]
            fields.setdefault(label, [])
        fields[label].append(text)
    flush()
    return {key: "\n".join(value).strip() for key, value in fields.items() if key or any(value)}


def expand_macros(text):
    """Expands the macros with parameters that the text itself defines, in calls at the beginning of a line."""
    macros = {}
    for found in re.finditer(r"^#define (\w+)\(([^)]*)\)((?:.*\\\n)*.*\n)", text, re.M):
        macros[found[1]] = [word.strip() for word in found[2].split(",") if "..." not in word], re.sub(r"\s*\\\n", "\n", found[3])

    def expand(found):
        if found[1] not in macros:
            return found[0]
        names, body = macros[found[1]]
        arguments = [word.strip() for word in found[2].split(",", len(names) - 1)]
        arguments += [""] * (len(names) - len(arguments))
        body = body.replace("__VA_ARGS__", "")
        for name, argument in zip(names, arguments):
            body = re.sub(rf"##{name}\b|\b{name}##|\b{name}\b", lambda _: argument, body)
        return " ".join(body.split()) + "\n"

    kept = re.sub(r"^#(?:.*\\\n)*.*$", lambda found: "\n" * found[0].count("\n"), text, flags=re.M)
    return re.sub(r"^(__TILECC_\w+)\((.*)\);?$", expand, kept, flags=re.M)


def split_template(text):
    """Splits text that may begin with one or more template <...> into the parameters and the rest."""
    parameters = []
    while found := re.match(r"\s*template\s*<", text):
        depth, at = 1, found.end()
        while depth:
            depth += {"<": 1, ">": -1, "(": 0}.get(text[at], 0)
            at += 1
        parameters += split_commas(text[found.end():at - 1])
        text = text[at:]
    return parameters, text.strip()


def split_commas(text):
    parts, depth = [""], 0
    for letter in text:
        depth += {"<": 1, "(": 1, "{": 1, "[": 1, ">": -1, ")": -1, "}": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def strip_attributes(text):
    while (at := text.find("__attribute__((")) >= 0:
        depth, end = 0, at + len("__attribute__")
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:at] + text[end:]
    return text


def find_name(text):
    """The kind of a declaration and the name that it declares; None if it declares nothing of interest."""
    rest = split_template(strip_attributes(text))[1]
    rest = re.sub(r"^requires\b(?:\s*\((?:[^()]|\([^()]*\))*\)|\s+[\w:]+<[^>]*>)", "", rest).strip()
    rest = re.sub(r"^(?:inline |static )*", "", rest)
    if found := re.match(r"constexpr\s[^=(]*?(\w+)\s*(?:=|$)", re.sub(r"\bstruct \w+(?:\s*:\s*[\w:]+)?\s*", "struct ", rest)):
        return ("value", found[1]) if found[1] != "struct" else None
    rest = re.sub(MARKS, "", rest).strip()
    if found := re.match(r"(?:enum class|enum|struct|class|union)\s+(\w+)(?!\w*\s*<)", rest):
        return ("enum" if rest.startswith("enum") else "class"), found[1]
    if found := re.match(r"using\s+(\w+)\s*=", rest):
        return "type", found[1]
    if found := re.match(r"concept\s+(\w+)\s*=", rest):
        return "concept", found[1]
    if found := re.match(r"(?:[^()=]*?[\s*&])?(operator\s*\(\)|operator\s*[^\s\w(]+|~?\w+)\s*\(", rest):
        before = rest[:found.start(1)]
        if not before.endswith("::") and not re.match(r"(if|while|return|static_assert|friend|typedef)\b", rest):
            return "function", found[1].replace(" ", "")
    return None


def parse(path):
    """The declarations of a header that users may name, in order."""
    text = path.read_text()
    macros = [Declaration([], macro[2], "macro", f"{macro[2]}({macro[3]})", parse_doc(macro[1].splitlines()), 0)
              for macro in re.finditer(r"((?:^///.*\n)+)#define (\w+)\((.*?)\)", text, re.M)]
    text = expand_macros(text)
    found, stack, doc, decl, depth, line, skipped, reached = [], [], [], "", 0, 1, 0, 1
    for token in TOKEN.finditer(text):
        word, line = token[0], line + token[0].count("\n")
        if skipped:
            skipped += {"{": 1, "}": -1}.get(word, 0)
            if not skipped and not re.search(r"\bconstexpr (?!auto\b)[^()]*$|requires requires\(|^\s*(enum|struct|class)\b", decl):
                doc, decl = [], ""
            continue
        if word.startswith("///") and not word.startswith("///<"):
            if not decl.strip():
                if line > reached + 1:
                    doc = []
                doc.append(word)
                reached = line
        elif word.startswith("//") or word.startswith("/*"):
            pass
        elif word in "()":
            depth, decl = depth + (1 if word == "(" else -1), decl + word
        elif depth:
            decl += word
        elif word == "{":
            name = find_name(decl)
            if space := re.match(r"\s*(?:inline )?namespace\s+(\w+)\s*$", decl):
                add(found, stack, "namespace", space[1], "", doc, line)
                stack.append(space[1])
                doc, decl = [], ""
                skipped = 1 if space[1] in ("detail", "builtin") else 0
                if skipped:
                    stack.pop()
            elif re.match(r'\s*extern\s+"C"\s*$', decl):
                stack.append("")
                doc, decl = [], ""
            elif re.search(r"requires requires\([^{}]*\)\s*$", decl):
                skipped = 1
            elif name and name[0] == "class" and not re.search(r"constexpr", split_template(decl)[1]):
                add(found, stack, *name, decl, doc, line)
                stack.append(name[1])
                doc, decl = [], ""
            else:
                if name and name[0] != "value":
                    add(found, stack, *name, decl, doc, line)
                    doc = []
                skipped = 1
        elif word == "}":
            if stack:
                stack.pop()
            doc, decl = [], ""
        elif word == ";":
            if (name := find_name(decl)) and not (found and found[-1].text == decl.strip()):
                add(found, stack, *name, decl, doc, line)
            doc, decl = [], ""
        elif word == "public:":
            doc, decl = [], ""
        elif word in ("private:", "protected:"):
            stack[-1] += " private"
        elif decl or not word.isspace():
            if not decl and line > reached + 1:
                doc = [] # the comment of something else, such as a macro
            decl += word
    return macros + [one for one in found if not any(" private" in scope for scope in one.scope)]


def add(found, stack, kind, name, text, doc, line):
    if name not in ("detail", "builtin") and "index_list" not in text and not name.endswith("_t") or kind == "value":
        found.append(Declaration([scope for scope in stack if scope], name, kind, text.strip(), parse_doc(doc) if doc else None, line))


def format_signature(declaration):
    """A declaration in the form for users: without internal markers, and with `auto` for deduced types."""
    if declaration.kind == "macro":
        return declaration.text
    parameters, rest = split_template(strip_attributes(declaration.text))
    rest = re.sub(r"^requires\b(?:\s*\((?:[^()]|\([^()]*\))*\)|\s+[\w:]+<[^>]*>)", "", rest).strip()
    rest = " ".join(re.sub(MARKS, "", rest).split())
    if declaration.kind == "function":
        open_at = rest.index("(", rest.index("operator") + 10) if "operator()" in rest else rest.index("(")
        depth, close = 0, open_at
        while True:
            depth += {"(": 1, ")": -1}.get(rest[close], 0)
            close += 1
            if depth == 0:
                break
        before, arguments, behind = rest[:open_at], split_commas(rest[open_at + 1:close - 1]), rest[close:]
        behind = " const" if behind.strip().startswith("const") else ""
        kept, deduced = [], []
        for parameter in parameters:
            kind, _, name = parameter.split("=")[0].strip().rpartition(" ")
            used = re.sub(rf"sizeof\.\.\.\({name}\)", "", ", ".join(arguments))
            if not re.search(rf"\b{name}\b", used) or "=" in parameter and not re.search(rf"\b{name}\b(?!\.)", used):
                kept += deduced + [parameter]
                deduced = []
                continue
            if kind.endswith("option_type..."):
                arguments = ["options..." if re.match(rf"{name}\.\.\.", argument) else argument for argument in arguments]
            elif re.search(rf"\b{name}\b", before):
                deduced = deduced + [parameter] if parameter.startswith("class") else deduced
            elif re.match(r"class|detail::|any_tile", kind) and "=" not in parameter:
                dots = "..." if kind.endswith("...") else ""
                arguments = [re.sub(rf"^{name}{re.escape(dots)}(?=\s|$)", "auto" + dots, argument) for argument in arguments]
                if dots and any(re.search(rf"\b{name}\.\.\.", argument) for argument in arguments):
                    continue
        parameters = kept
        rest = f"{before}({', '.join(arguments)}){behind}"
    prefix = f"template <{', '.join(parameters)}> " if parameters else ""
    text = re.sub(r"operator (?=[^\w])", "operator", prefix + rest)
    text = re.sub(r"\btensor<(\w+), shape<([^<>]*(?:\([^)]*\))?[^<>]*)>>", r"tile<\1, \2>", text)
    text = re.sub(r"\btensor<", "tile<", text)
    text = re.sub(r"\s*=\s*\{\}", "", text)
    text = re.sub(r"const detail::numbers<[^>]*>(?:\(Block\), \w+>)? &", "numbers ", text)
    text = re.sub(r"detail::numbers<[^>]*>", "numbers", text)
    return text.replace("detail::all_axes", "all").replace("detail::", "").replace("at &", "at &")
