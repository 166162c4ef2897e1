// Shows timelines: the scopes of a launch that recorded times and, from the emulator's profile, when each warp of a
// block ran and where it waited, and the sums over the warps of all blocks. Steps are those of the emulator.

function renderTimeline(body) {
  kernel().times.forEach((times) => renderTimes(body, times));
  renderWaits(body);
}

/** A time in microseconds with three digits. */
const shortTime = (microseconds) => `${microseconds.toPrecision(3)} \u00b5s`;

/** Scopes by name: how often, and how long in all. */
function sumScopes(tracks) {
  const sums = new Map();
  for (const { scopes } of tracks)
    for (const [name, begin, end] of scopes) {
      const sum = sums.get(name) ?? { count: 0, time: 0 };
      sum.count++;
      sum.time += end - begin;
      sums.set(name, sum);
    }
  return [...sums].sort(([, a], [, b]) => b.time - a.time);
}

/** Draws the scopes of each warp, those within others below them. */
function renderTimes(body, { launch, trackCount, tracks }) {
  const end = Math.max(1e-3, ...tracks.flatMap(({ scopes }) => scopes.map((scope) => scope[2])));
  const names = sumScopes(tracks).map(([name]) => name);
  const where = element("p", { class: "where" });
  const tell = (text) => { where.textContent = text; };
  const summary = () => tell(`${launch}${trackCount > tracks.length ? `, of which the first ${tracks.length} are shown` : ""}; ${shortTime(end)} in all.`);
  const table = element("div", { class: "timeline", role: "list", "aria-label": "Times", onmouseleave: summary });
  for (const { name: track, scopes } of tracks) {
    const open = [], bar = element("div", { class: "warp scopes" });
    let depth = 0;
    for (const [name, from, to, file, line] of scopes) {
      while (open.length && open.at(-1) <= from)
        open.pop();
      depth = Math.max(depth, open.length + 1);
      const text = `${track}: ${name}, ${shortTime(to - from)}, from ${shortTime(from)} on` + (file >= 0 ? ` at ${fileName(file)}:${line}` : "");
      const made = element("button", { class: "scope", "aria-label": text, tabindex: -1, onmouseenter: () => tell(text),
                                       onclick: () => file >= 0 && showPlace(file, line) }, name);
      made.style.left = `${100 * from / end}%`;
      made.style.width = `${100 * (to - from) / end}%`;
      made.style.top = `${open.length * 16}px`;
      made.style.background = cellColor(names.indexOf(name));
      bar.append(made);
      open.push(to);
    }
    bar.style.height = `${depth * 16}px`;
    table.append(element("div", { class: "warp-row", role: "listitem" }, element("span", { class: "warp-name wide" }, track), bar));
  }
  summary();
  const sums = element("table", { class: "accesses" }, element("caption", {}, "Scopes"),
    element("tr", {}, ...["scope", "times", "in all", "mean"].map((name, i) =>
      element("th", { scope: "col", class: i ? "amount" : undefined }, name))));
  for (const [name, { count, time }] of sumScopes(tracks))
    sums.append(element("tr", {}, element("td", {}, name), element("td", { class: "amount" }, count.toLocaleString("en")),
                        element("td", { class: "amount" }, shortTime(time)), element("td", { class: "amount" }, shortTime(time / count))));
  body.append(where, table, sums);
}

function renderWaits(body) {
  const run = runsOf().find(({ timelines }) => timelines.length);
  for (const { maker, launch } of runsOf())
    body.append(element("p", { class: "note" }, `${maker}: ${launch}`));
  if (!run && !kernel().times.length)
    body.append(element("p", { class: "missing" }, "There is no timeline: make a profile with TILECC_EMU_PROFILE, or with -fprofile-tile and TILECC_PROFILE, and show it with --profile."));
  if (!run)
    return;
  state.block = Math.min(state.block, run.timelines.length - 1);
  const select = element("select", { "aria-label": "Block of the timeline", onchange: (event) => {
    state.block = Number(event.target.value);
    render();
  } });
  run.timelines.forEach(({ block }, i) => select.append(element("option", { value: i, selected: i === state.block }, block)));
  const { block, warps } = run.timelines[state.block];
  body.append(select, ...renderBlock(block, warps, linesOf(stageOf(run.stage))), renderSums(run.warpSums));
}

/** Draws the warps of a block. @returns {HTMLElement[]} */
function renderBlock(block, warps, lines) {
  const end = Math.max(1, ...warps.map((warp) => warp.end));
  const where = element("p", { class: "where" });
  const tell = (text) => { where.textContent = text; };
  const summary = () => tell(`${block[0].toUpperCase() + block.slice(1)} took ${end.toLocaleString("en")} steps; a warp executes one instruction in each. Light: waiting, with its share of the time.`);
  const table = element("div", { class: "timeline", role: "list", "aria-label": "Warps", onmouseleave: summary });
  warps.forEach((warp, i) => {
    const bar = element("div", { class: "warp" });
    const ran = element("span", { class: "ran" });
    ran.style.width = `${100 * warp.end / end}%`;
    bar.append(ran);
    for (const [from, to, row] of warp.waits) {
      const [place] = lines[row].chains.length ? placesOf(lines[row].chains[0]) : [];
      const text = `warp ${i} waits for ${to - from} steps, ${from} to ${to}` +
        (place ? ` at ${fileName(place.file)}:${place.line}` : "") + `: ${lines[row].text.trim()}`;
      const wait = element("button", { class: "wait", "aria-label": text, tabindex: -1, onmouseenter: () => tell(text),
                                       onclick: () => place && showPlace(place.file, place.line) });
      wait.style.left = `${100 * from / end}%`;
      wait.style.width = `${100 * (to - from) / end}%`;
      bar.append(wait);
    }
    const waited = warp.waits.reduce((sum, [from, to]) => sum + to - from, 0);
    table.append(element("div", { class: "warp-row", role: "listitem" }, element("span", { class: "warp-name" }, `warp ${i}`), bar,
                         element("span", { class: "amount", title: "of the time, it waited" }, `${Math.round(100 * waited / end)} %`)));
  });
  summary();
  return [where, table];
}

/** How long the warps waited in all blocks of all launches. */
function renderSums(sums) {
  const table = element("table", { class: "accesses sums" }, element("caption", {}, "Warps of all blocks and launches"),
    element("tr", {}, ...["warp", "blocks", "steps", "waited", "share"].map((name, i) =>
      element("th", { scope: "col", class: i ? "amount" : undefined }, name))));
  sums.forEach(({ blocks, steps, waited }, i) => table.append(element("tr", {}, element("td", {}, `warp ${i}`),
    ...[blocks.toLocaleString("en"), steps.toLocaleString("en"), waited.toLocaleString("en"),
        `${Math.round(100 * waited / Math.max(1, steps))} %`].map((text) => element("td", { class: "amount" }, text)))));
  return table;
}
