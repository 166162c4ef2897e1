// Lines of code: syntax coloring, and the list that shows them.

const tokens = new RegExp([
  /(?<comment>\/\/.*|\/\*.*?\*\/|^\s*;.*)/,
  /(?<string>"(?:[^"\\]|\\.)*")/,
  /(?<value>[%$#!@][\w.$]+)/,
  /(?<number>\b(?:0x[\da-fA-F]+|\d[\d.]*(?:e[+-]?\d+)?f?)\b)/,
  /(?<keyword>\b(?:auto|break|case|class|const|constexpr|continue|define|do|else|for|if|int|float|double|bool|void|return|struct|template|typename|using|namespace|unsigned|long|while|module|func|yield|attributes|true|false|inline|static)\b)/,
  /(?<operation>\b(?:tt|ttg|ttng|arith|math|scf|cf|llvm|nvvm|gpu)\.[\w.]+)/,
  /(?<type>\b(?:tensor|[su]?i\d+|[bft]f?\d+|[usbf]\d+|ptr|index)\b)/,
].map((part) => part.source).join("|"), "g");

/** Matches the opcode: the first word of an instruction. */
const opcode = /^(\s*(?:\/\*[0-9a-f]+\*\/\s+)?(?:@!?%?\w+\s+)?)([A-Za-z][\w.]*)(?=\s)/;

/** @param {string} text @param {string} kind of the pane */
function colored(text, kind) {
  const fragment = document.createDocumentFragment();
  const isAssembly = kind === "ptx" || kind === "sass" || kind === "cpu-asm";
  const first = isAssembly ? text.match(opcode) : null;
  if (first) {
    fragment.append(first[1], element("span", { class: "operation" }, first[2]));
    text = text.slice(first[0].length);
  }
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    fragment.append(text.slice(end, match.index));
    const name = Object.keys(match.groups).find((group) => match.groups[group] !== undefined);
    fragment.append(element("span", { class: name }, match[0]));
    end = match.index + match[0].length;
  }
  fragment.append(text.slice(end));
  return fragment;
}

/** The number of columns before the text of a line; -1 if there is none. */
function indentOf(text) {
  const spaces = text.match(/^[ \t]*/)[0];
  return spaces.length === text.length ? -1 : spaces.replace(/\t/g, "    ").length;
}

/**
 * The regions that can be folded, as the number of the last line of each, by its first line. A region is a line and the
 * deeper lines after it, as functions, loops and blocks are written in every stage; a closing bracket is not part of it.
 * @param {ShownLine[]} lines @returns {Map<number, number>}
 */
function foldsOf(lines) {
  const folds = new Map(), open = [];
  let last = -1;
  const close = (indent) => {
    while (open.length && open.at(-1).indent >= indent) {
      const { row } = open.pop();
      if (last > row)
        folds.set(row, last);
    }
  };
  lines.forEach(({ text }, row) => {
    const indent = indentOf(text);
    if (indent < 0)
      return;
    close(indent);
    open.push({ row, indent });
    last = row;
  });
  close(0);
  return folds;
}

/** Hides the lines of a region, or shows them, except those in regions within it that are folded. */
function toggleFold(rows, row, folds) {
  rows[row].classList.toggle("folded");
  const isFolded = rows[row].classList.contains("folded");
  rows[row].querySelector(".fold").setAttribute("aria-expanded", String(!isFolded));
  for (let i = row + 1; i <= folds.get(row); i++) {
    rows[i].hidden = isFolded;
    if (rows[i].classList.contains("folded"))
      i = folds.get(i);
  }
}

/** The hue of a source line, the same in all panes; adjacent lines differ. */
const hueOf = (line) => (line * 47) % 360;

/**
 * Shows a list of lines. `lines[i].place`, if present, is the key of a source line; `count` is shown next to it.
 * @typedef {{text: string, chains: number[], place?: string, number?: number | string, count?: number, share?: number,
 *            mark?: "added" | "removed", notes?: string[]}} ShownLine
 * @param {ShownLine[]} lines
 */
function codeList(lines, kind, label) {
  const list = element("div", { class: "code", role: "listbox", tabindex: 0, "aria-label": label });
  const width = String(lines.length).length, metric = shownMetric();
  const unit = metric && titleOf(metric)[1], folds = foldsOf(lines);
  lines.forEach((line, i) => {
    const row = element("div", { class: "line" + (line.mark ? " " + line.mark : ""), role: "option", "aria-selected": "false" });
    row.dataset.row = i;
    const outermost = line.chains.length ? placesOf(line.chains[0]).at(-1).line : line.number;
    const isLinked = line.chains.length > 0 || (line.place !== undefined && chainsAt.has(line.place));
    if (isLinked)
      row.style.setProperty("--hue", String(hueOf(Number(outermost))));
    row.classList.toggle("linked", isLinked);
    row.append(element("span", { class: "number", "aria-hidden": "true" }, String(line.number ?? i + 1).padStart(width)));
    row.append(folds.has(i) ? element("button", { class: "fold", tabindex: -1, "aria-expanded": "true", title: "Fold (f)", onclick: (event) => {
      event.stopPropagation();
      toggleFold(list.children, i, folds);
    } }, element("span", { class: "hidden" }, "Fold")) : element("span", { class: "fold", "aria-hidden": "true" }));
    if (line.share !== undefined) {
      const count = element("span", { class: "count", title: line.count ? `${line.count} ${unit}` : undefined },
                            line.count ? shortCount(line.count) : "");
      count.style.setProperty("--share", String(line.share));
      row.append(count);
    }
    const text = element("span", { class: "text" });
    text.append(line.mark ? (line.mark === "added" ? "+ " : "- ") : "", colored(line.text, kind));
    row.append(text);
    row.classList.toggle("hot", line.share > 0 && metric !== instructionCount);
    row.classList.toggle("noted", Boolean(line.notes?.length));
    for (const note of line.notes ?? [])
      text.append(element("pre", { class: "finding", role: "note" }, note.trimEnd()));
    list.append(row);
  });
  return list;
}
