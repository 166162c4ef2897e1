// The timeline of one block's warps: when each ran, and where it waited. Steps are those of the emulator.

function renderTimeline(body) {
  const run = runsOf().find(({ timeline }) => timeline.length);
  for (const { maker, launch } of runsOf())
    body.append(element("p", { class: "note" }, `${maker}: ${launch}`));
  if (!run) {
    body.append(element("p", { class: "missing" }, "There is no timeline: make a profile with TILECC_EMU_PROFILE, and show it with --profile."));
    return;
  }
  const lines = linesOf(stageOf(run.stage));
  const end = Math.max(1, ...run.timeline.map((warp) => warp.end));
  const where = element("p", { class: "where" });
  const tell = (text) => { where.textContent = text; };
  const summary = () => tell(`Block 0 took ${end.toLocaleString("en")} steps; a warp executes one instruction in each. Light: waiting, with its share of the time.`);
  const table = element("div", { class: "timeline", role: "list", "aria-label": "Warps", onmouseleave: summary });
  run.timeline.forEach((warp, i) => {
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
  body.append(where, table);
}
