// Shows the resources that a kernel uses.

const instructionKinds = {
  sass: [
    ["matrix units", /^(HMMA|IMMA|DMMA|BMMA|QMMA|OMMA|HGMMA|IGMMA|QGMMA|BGMMA|WARPGROUP|UTC)/],
    ["global memory", /^(LDG|STG|RED|ATOM(?!S)|LDGSTS|UBLKCP|UTMA|UBLKPF|CCTL|LD\b|ST\b)/],
    ["shared memory", /^(LDS|STS|ATOMS|LDSM|STSM|SYNCS)/],
    ["local memory", /^(LDL|STL)/],
    ["constants", /^(LDC|ULDC|LDCU)/],
    ["synchronization", /^(BAR|DEPBAR|MEMBAR|LDGDEPBAR|WARPSYNC|ERRBAR|FENCE|ACQBULK|ARRIVES|UCGABAR)/],
    ["control", /^(BRA|EXIT|RET|CALL|BSSY|BSYNC|NOP|JMP|YIELD|ELECT)/],
    ["floating point", /^(F|H(ADD|MUL|FMA|MNMX|SET)|D(ADD|MUL|FMA|SETP)|MUFU|I2F|F2)/],
    ["integers and addresses", /./],
  ],
  ptx: [
    ["matrix units", /^(mma|wgmma|wmma|ldmatrix|stmatrix|tcgen05)/],
    ["global memory", /^(ld|st|red|atom|cp)\.(?!.*shared|.*param).*(global|bulk|async)/],
    ["shared memory", /^(ld|st|red|atom|mbarrier).*shared/],
    ["parameters", /^ld\.param/],
    ["synchronization", /^(bar|barrier|fence|membar|mbarrier|cp\.async\.(wait|commit)|elect)/],
    ["control", /^(bra|ret|exit|call|setmaxnreg)/],
    ["floating point", /\.(f16|f16x2|bf16|bf16x2|f32|f32x2|f64)\b/],
    ["integers and addresses", /./],
  ],
  asm: [
    ["vectors", /^(v|[a-z]+[ps][sd]$)/],
    ["matrix unit", /^(tdp|tile|ldtile|sttile)/],
    ["control", /^(j|call|ret)/],
    ["integers and addresses", /./],
  ],
};

/** Counts the instructions of each kind. @param {string} stage @param {Line[]} lines */
function instructionMix(stage, lines) {
  const counts = new Map(instructionKinds[stage].map(([name]) => [name, 0]));
  for (const { text } of lines) {
    const instruction = instructionIn(stage, text);
    if (instruction) {
      const [name] = instructionKinds[stage].find(([, pattern]) => pattern.test(instruction));
      counts.set(name, counts.get(name) + 1);
    }
  }
  return [...counts].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
}

/** Returns the lowest-level code that is available. */
function finalStage() {
  for (const kind of variant() ? ["sass", "ptx"] : ["cpu-asm"]) {
    const stage = stageOf(kind);
    if (!stage.missing)
      return { kind, name: stage.name, lines: linesOf(stage) };
  }
  return null;
}

function factsTable(caption, rows) {
  return element("table", { class: "facts" }, element("caption", {}, caption), ...rows.map(([name, value, note = ""]) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, String(value)), element("td", { class: "note" }, note))));
}

function bars(caption, counts) {
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const table = element("table", { class: "bars" }, element("caption", {}, `${caption}: ${all}`));
  for (const [name, count] of counts) {
    const bar = element("span", { class: "bar" });
    bar.style.width = `${100 * count / counts[0][1]}%`;
    table.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "amount" }, String(count)),
                         element("td", {}, bar)));
  }
  return table;
}

function renderCosts(body) {
  const of = variant();
  if (of?.costs) {
    const costs = of.costs, spills = costs.spillStores + costs.spillLoads;
    const rows = [
      ["registers", costs.registers, "of a thread"],
      ["spills", spills ? `${costs.spillStores} bytes stored, ${costs.spillLoads} loaded` : "none", spills ? "of a thread: too many values are live at once" : ""],
      ["stack", costs.stack + " bytes", "of a thread"],
      ["shared memory", costs.shared.toLocaleString("en") + " bytes", "of a block"],
      ["threads", costs.threads, "of a block"],
    ];
    if (costs.maxWarps)
      rows.push(["occupancy", Math.floor(100 * costs.warps / costs.maxWarps) + " %",
                 `${costs.warps} of ${costs.maxWarps} warps: ${costs.blocks} ${costs.blocks === 1 ? "block" : "blocks"} at once, limited by ${costs.limit}`]);
    body.append(factsTable(`${of.target}, ${of.name}`, rows));
    for (const remark of costs.remarks)
      body.append(element("p", { class: "remark" }, remark));
  } else {
    body.append(element("p", { class: "missing" }, of?.noCosts ?? "This kernel has no code for GPUs."));
  }
  const final = finalStage();
  if (final)
    body.append(bars("Instructions of " + paneKinds[final.kind], instructionMix(final.name, final.lines)));
  renderWork(body);
  renderAccesses(body);
  renderRemarks(body);
}

/** Makes a link to a source line. */
function placeLink(file, line, text = `${fileName(file)}:${line}`) {
  return element("a", { href: "#", onclick: (event) => { event.preventDefault(); showPlace(file, line); } },
                 text);
}

/** Lists the accesses to global memory, with their source lines. */
function renderAccesses(body) {
  const of = variant();
  const stage = of && stageOf("ttir");
  if (!of?.accesses.length || stage.missing)
    return;
  const lines = linesOf(stage);
  const table = element("table", { class: "accesses" }, element("caption", {}, "Global memory accesses, per execution by a program"),
    element("tr", {}, ...["line", "access", "bytes"].map((name) => element("th", { scope: "col" }, name))));
  for (const access of of.accesses) {
    const place = lines[access.line].chains.length ? placesOf(lines[access.line].chains[0]).at(-1) : null;
    table.append(element("tr", {}, element("td", {}, place ? placeLink(place.file, place.line) : ""),
                         element("td", {}, access.read && access.write ? "atomic" : access.read ? "load" : "store"),
                         element("td", { class: "amount" }, access.bytes.toLocaleString("en"))));
  }
  body.append(table);
}

/** Lists the remarks of -Rtile=, with their source lines. */
function renderRemarks(body) {
  const of = variant();
  if (!of?.remarks.length)
    return;
  const table = element("table", { class: "accesses" }, element("caption", {}, "Decisions"),
    element("tr", {}, ...["line", "remark"].map((name) => element("th", { scope: "col" }, name))));
  for (const remark of of.remarks)
    table.append(element("tr", {}, element("td", {}, remark.line ? placeLink(remark.file, remark.line) : ""),
                         element("td", {}, remark.text)));
  body.append(table);
}
