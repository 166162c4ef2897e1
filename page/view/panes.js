// The panes: their contents, highlighting across panes, search and copying.

/** @typedef {{kind: string, root: HTMLElement, body: HTMLElement, lines: ShownLine[], rows: HTMLElement[], at: number}} Pane */
/** @type {Pane[]} */
let panes = [];
/** The highlighting that a click has fixed. @type {Light | null} */
let kept = null;

/** The lines of the current source, with the amount of code for each. @returns {ShownLine[]} */
function sourceLines() {
  const file = model.files[state.file];
  const notes = findingsOfSource(), counts = countsOfSource(shownMetric());
  const most = Math.max(1, ...[...counts].filter(([key]) => key.startsWith(state.file + ":")).map(([, count]) => count));
  return file.text.replace(/\n$/, "").split("\n").map((text, i) => {
    const place = placeKey(state.file, i + 1), count = counts.get(place) ?? 0;
    return annotate({ text, chains: [], place, number: i + 1 }, count, most, notes.get(place));
  });
}

function renderSource(body) {
  if (model.files.length > 1) {
    const select = element("select", { class: "files", "aria-label": "File", onchange: (event) => {
      state.file = Number(event.target.value);
      state.line = 0;
      render();
    } });
    model.files.forEach(({ name }, i) => select.append(element("option", { value: i, selected: i === state.file }, name)));
    body.append(select);
  }
  if (model.files[state.file].text === undefined) {
    body.append(element("p", { class: "missing" }, model.files[state.file].name + " could not be read when the page was made."));
    return [];
  }
  renderMetrics(body);
  const lines = sourceLines();
  body.append(codeList(lines, "source", "Source"));
  return lines;
}

/** The lines of a stage with their counts, if the shown metric is of this stage. @param {Line[]} lines @returns {ShownLine[]} */
function withCounts(lines, kind) {
  const metric = shownMetric(), notes = findingsOfStage(kind), counts = countsOfStage(kind, metric);
  if (metric === instructionCount && !notes.size)
    return lines;
  if (!counts.size && !notes.size)
    return withCountsOfOrigins(lines);
  const most = Math.max(1, ...counts.values());
  return lines.map((line, i) => annotate(line, counts.get(i), most, notes.get(i)));
}

/**
 * The lines of an IR with the counts of the code that has the same origin. Several lines of one origin have one count,
 * which the first of them in a row shows.
 */
function withCountsOfOrigins(lines) {
  const counts = countsOfChains(shownMetric()), most = Math.max(1, ...counts.values());
  let before = "";
  return lines.map((line) => {
    const origin = line.chains.join(), isSame = origin === before;
    before = origin;
    return annotate(line, isSame ? 0 : line.chains.reduce((sum, chain) => sum + (counts.get(chain) ?? 0), 0), most, undefined);
  });
}

/** @returns {ShownLine[]} */
function renderStage(body, kind) {
  const stage = stageOf(kind);
  if (stage.missing) {
    body.append(element("p", { class: "missing" }, paneKinds[kind] + ": " + stage.missing + "."));
    return [];
  }
  const lines = withCounts(linesOf(stage), kind);
  body.append(codeList(lines, kind, paneKinds[kind]));
  if (kind === "ttgir")
    linkTypes(body);
  return lines;
}

/** Makes a click on a tile type show its layout. */
function linkTypes(body) {
  const types = (variant()?.layouts ?? []).map(({ type }, i) => ({ type, i })).sort((a, b) => b.type.length - a.type.length);
  if (!types.length)
    return;
  const pattern = new RegExp(types.map(({ type }) => type.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
  for (const row of body.querySelectorAll(".text")) {
    const text = row.textContent;
    const found = [...text.matchAll(pattern)];
    if (!found.length)
      continue;
    let end = 0;
    const parts = document.createDocumentFragment();
    for (const match of found) {
      parts.append(colored(text.slice(end, match.index), "ttgir"),
                   element("button", { class: "tile", title: "Draw the layout", tabindex: -1,
                                       "data-layout": types.find(({ type }) => type === match[0]).i }, match[0]));
      end = match.index + match[0].length;
    }
    parts.append(colored(text.slice(end), "ttgir"));
    row.replaceChildren(parts);
  }
}

const renderers = { source: renderSource, passes: renderPasses, layouts: renderLayouts, costs: renderCosts, timeline: renderTimeline };

/** @param {number} index @returns {Pane} */
function makePane(index) {
  const kind = state.panes[index];
  const select = element("select", { "aria-label": "Shown in pane " + (index + 1), onchange: (event) => {
    state.panes[index] = event.target.value;
    render();
  } });
  for (const [name, title] of Object.entries(paneKinds))
    select.append(element("option", { value: name, selected: name === kind }, title));
  const search = element("input", { type: "search", placeholder: "Search", "aria-label": "Search in " + paneKinds[kind] });
  const found = element("span", { class: "found", "aria-live": "polite" });
  const body = element("div", { class: "body " + kind });
  const root = element("section", { class: "pane", "aria-label": paneKinds[kind] },
                       element("div", { class: "bar" }, select, search, found,
                               element("button", { class: "copy", title: "Copy as text" }, "Copy")), body);
  const lines = (renderers[kind] ?? renderStage)(body, kind) ?? [];
  const rows = [...body.querySelectorAll(".code .line")];
  /** @type {Pane} */
  const pane = { kind, root, body, lines, rows, at: -1 };
  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase();
    let count = 0;
    rows.forEach((row, i) => {
      const hit = wanted !== "" && lines[i].text.toLowerCase().includes(wanted);
      row.classList.toggle("hit", hit);
      if (hit && count++ === 0)
        scrollTo(row);
    });
    found.textContent = wanted ? String(count) : "";
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || event.key === "Enter")
      pane.body.querySelector(".code")?.focus();
    event.stopPropagation();
  });
  root.querySelector(".copy").addEventListener("click", () => copyText(pane));
  body.addEventListener("mouseover", (event) => {
    const row = event.target.closest(".code .line");
    if (row)
      light(lightOfRow(pane, rows.indexOf(row)));
  });
  body.addEventListener("mouseleave", () => light(kept));
  body.addEventListener("click", (event) => {
    const type = event.target.closest(".tile");
    if (type) {
      showLayout(Number(type.dataset.layout));
      return;
    }
    const row = event.target.closest(".code .line");
    if (row)
      keep(pane, rows.indexOf(row));
  });
  return pane;
}

async function copyText(pane) {
  const text = pane.lines.length ? pane.lines.map((line) => line.text).join("\n") + "\n" : pane.body.innerText;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // pages from files may have no clipboard
    const area = element("textarea", { class: "hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`${paneKinds[pane.kind]} is copied.`);
}

/** @returns {Light | null} */
function lightOfRow(pane, index) {
  const line = pane.lines[index];
  if (!line)
    return null;
  if (line.place !== undefined)
    return lightOfPlace(state.file, line.number);
  return line.chains.length ? lightOfChains(line.chains) : null;
}

/** How strongly a row is highlighted. */
function strengthOf(line, lit) {
  if (!lit)
    return "";
  if (line.place !== undefined)
    return lit.places.get(line.place) ?? "";
  return line.chains.some((chain) => lit.chains.has(chain)) ? "here" : "";
}

/** Highlights related lines in all panes. @param {Light | null} lit */
function light(lit) {
  for (const pane of panes)
    pane.rows.forEach((row, i) => {
      const strength = strengthOf(pane.lines[i], lit);
      row.classList.toggle("lit", strength === "here");
      row.classList.toggle("caller", strength === "caller");
      row.setAttribute("aria-selected", String(strength === "here"));
    });
  describe(lit);
}

/** Shows the origin of the highlighted code in the footer. */
function describe(lit) {
  const status = document.getElementById("status");
  status.replaceChildren();
  if (!lit) {
    status.append(variant() ? `${variant().target}, ${variant().name}: ${variant().assumption}` : "");
    return;
  }
  const chains = [...lit.chains];
  const longest = chains.sort((a, b) => model.chains[b].length - model.chains[a].length)[0];
  const places = longest === undefined ? [...lit.places.keys()].map((key) => ({ file: +key.split(":")[0], line: +key.split(":")[1] })) : placesOf(longest);
  places.forEach(({ file, line }, depth) => {
    status.append(depth ? " called at " : "", element("a", { href: "#", onclick: (event) => {
      event.preventDefault();
      showPlace(file, line);
    } }, `${fileName(file)}:${line}`));
  });
  const counts = panes.filter(({ kind }) => kind !== "source" && kind in paneKinds).map((pane) =>
    [paneKinds[pane.kind], pane.rows.filter((row) => row.classList.contains("lit")).length]).filter(([, count]) => count);
  status.append(counts.length ? " \u2014 lines: " + counts.map(([name, count]) => `${count} ${name}`).join(", ") : "");
}

/** Fixes the highlighting for a row, and scrolls the other panes to it. */
function keep(pane, index) {
  moveTo(pane, index);
  kept = lightOfRow(pane, index);
  if (pane.kind === "source") {
    state.line = kept?.chains.size ? pane.lines[index].number : 0;
  } else if (kept) {
    const [here] = placesOf([...kept.chains][0]);
    const isShown = [...kept.places.keys()].some((key) => key.startsWith(state.file + ":"));
    if (!isShown && state.panes.includes("source")) {
      state.file = here.file;
      state.line = here.line;
      const light = kept;
      render();
      kept = light;
    } else {
      state.line = Number([...kept.places.keys()].find((key) => key.startsWith(state.file + ":"))?.split(":")[1] ?? 0);
    }
  }
  light(kept);
  bringIntoView(pane);
  writeHash();
}

/** Scrolls the list that contains a row, without scrolling the page. Unfolds the regions that hide the row. */
function scrollTo(row, where = "center") {
  for (let i = [...row.parentElement.children].indexOf(row); row.hidden && i >= 0; i--)
    if (!row.parentElement.children[i].hidden)
      row.parentElement.children[i].querySelector("button.fold").click();
  const list = row.parentElement, top = row.offsetTop - list.offsetTop;
  if (where === "center")
    list.scrollTop = top - (list.clientHeight - row.offsetHeight) / 2;
  else if (top < list.scrollTop)
    list.scrollTop = top;
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + row.offsetHeight - list.clientHeight;
}

/** Scrolls to the longest run of highlighted rows. */
function bringIntoView(except) {
  for (const pane of panes) {
    if (pane.root === except?.root)
      continue;
    const name = pane.rows.some((row) => row.classList.contains("lit")) ? "lit" : "caller";
    let best = -1, longest = 0, length = 0;
    pane.rows.forEach((row, i) => {
      length = row.classList.contains(name) ? length + 1 : 0;
      if (length > longest)
        [longest, best] = [length, i - length + 1];
    });
    if (best >= 0)
      scrollTo(pane.rows[best]);
  }
}

/** Marks the row where keyboard navigation continues. */
function moveTo(pane, index) {
  pane.rows[pane.at]?.classList.remove("at");
  pane.at = Math.max(0, Math.min(pane.rows.length - 1, index));
  const row = pane.rows[pane.at];
  row.classList.add("at");
  row.id = `row-${panes.indexOf(pane)}-${pane.at}`;
  row.parentElement.setAttribute("aria-activedescendant", row.id);
}

/** Shows a source line and the code for it. */
function showPlace(file, line) {
  state.file = file;
  state.line = line;
  if (!state.panes.includes("source"))
    state.panes[0] = "source";
  render();
}

function showLayout(index) {
  state.layout = index;
  if (!state.panes.includes("layouts"))
    state.panes[state.panes.length - 1 || 0] = "layouts";
  render();
}
