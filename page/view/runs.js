// Shows columns of counts beside lines: counts from runs, and counts that the code itself determines. Also shows the
// findings of runs.

/** How a metric is named, and what it means. */
const metricTitles = {
  executed: ["executed", "instructions that warps executed"],
  threads: ["threads", "the same, times the threads that took part"],
  divergent: ["divergent", "branches that only some threads of a warp took"],
  bytes: ["global bytes", "of global memory that threads asked for"],
  sectors: ["sectors", "of 32 bytes of global memory that accesses are in"],
  wavefronts: ["wavefronts", "of accesses to shared memory"],
  conflicts: ["bank conflicts", "wavefronts that only bank conflicts have added"],
  waits: ["waits", "how often warps waited at barriers"],
  waited: ["waited", "steps that warps waited at barriers"],
  samples: ["stall samples", "samples of warps, by Nsight Compute"],
  "barrier-samples": ["at barriers", "samples of warps that waited at barriers"],
  instructions: ["instructions", "instructions"],
  loaded: ["bytes loaded", "bytes of global memory that a program loads per execution"],
  stored: ["bytes stored", "bytes of global memory that a program stores per execution"],
};

const runsOf = () => variant()?.runs ?? [];

/** A metric that needs no runs and is not shown beside instructions. */
const instructionCount = "code:instructions";

/** By code; each is counted once. @type {WeakMap<Stage, Pick<Run, "maker" | "stage" | "metrics" | "rows">[]>} */
const countedCode = new WeakMap();

/** What the code has without runs, in the form of runs. */
function codeCounts() {
  const code = variant() ?? kernel().cpu[state.level];
  if (code && !countedCode.has(code))
    countedCode.set(code, countCode());
  return countedCode.get(code) ?? [];
}

function countCode() {
  const final = finalStage(), of = variant(), counts = [];
  if (final) {
    const rows = final.lines.map(({ text }, row) => [row, instructionIn(final.name, text) ? 1 : 0]);
    counts.push({ maker: "code", stage: final.kind, metrics: ["instructions"], rows: rows.filter(([, count]) => count) });
  }
  if (of && !stageOf("ttir").missing)
    counts.push({ maker: "code", stage: "ttir", metrics: ["loaded", "stored"],
                  rows: of.accesses.map(({ line, read, write, bytes }) => [line, read ? bytes : 0, write ? bytes : 0]) });
  return counts;
}

/**
 * The metrics that count anything in this variant: "emulator:executed", and last those without runs. What an emulator and
 * a GPU count is never added. @returns {string[]}
 */
function shownMetrics() {
  const makers = [...new Set(runsOf().map(({ maker }) => maker)), "code"];
  const all = makers.flatMap((maker) => Object.keys(metricTitles).map((metric) => maker + ":" + metric));
  return all.filter((metric) => {
    let isCounted = false;
    eachCount(metric, (run, row, count) => { isCounted ||= count > 0; });
    return isCounted;
  });
}

/** The name of a metric, and what it means. */
function titleOf(metric) {
  const [maker, kind] = metric.split(":"), [name, meaning] = metricTitles[kind];
  return [maker === "emulator" || maker === "code" ? name : `${maker}: ${name}`, meaning];
}

/** The metric that is shown; "": there is none. */
function shownMetric() {
  const metrics = shownMetrics();
  return metrics.includes(state.metric) ? state.metric : metrics[0] ?? "";
}

/** The keys of the source lines that a line of a stage belongs to, with those of its callers. @param {Line} line */
function keysOf(line) {
  return new Set(line.chains.flatMap((chain) => placesOf(chain).map(({ file, line }) => placeKey(file, line))));
}

/** Calls `use(run, row, count)` for each row on a stage that has the metric. */
function eachCount(metric, use) {
  const [maker, kind] = metric.split(":");
  for (const run of maker === "code" ? codeCounts() : runsOf()) {
    const at = run.metrics.indexOf(kind) + 1;
    if (at && run.maker === maker)
      run.rows.forEach((row) => use(run, row[0], row[at]));
  }
}

/** The counts of the lines of a stage. @param {string} stage @returns {Map<number, number>} */
function countsOfStage(stage, metric) {
  const counts = new Map();
  eachCount(metric, (run, row, count) => run.stage === stage && counts.set(row, (counts.get(row) ?? 0) + count));
  return counts;
}

/** The counts of the code of each origin. @returns {Map<number, number>} by chain */
function countsOfChains(metric) {
  const counts = new Map(), lines = new Map();
  eachCount(metric, (run, row, count) => {
    if (run.stage === "source")
      return;
    if (!lines.has(run.stage))
      lines.set(run.stage, linesOf(stageOf(run.stage)));
    for (const chain of lines.get(run.stage)[row].chains)
      counts.set(chain, (counts.get(chain) ?? 0) + count);
  });
  return counts;
}

/** The counts of source lines, including those of the functions that they call. @returns {Map<string, number>} */
function countsOfSource(metric) {
  const counts = new Map(), lines = new Map();
  eachCount(metric, (run, row, count) => {
    if (!lines.has(run.stage) && run.stage !== "source")
      lines.set(run.stage, linesOf(stageOf(run.stage)));
    const keys = run.stage === "source" ? [placeKey(run.file, row)] : keysOf(lines.get(run.stage)[row]);
    for (const key of keys)
      counts.set(key, (counts.get(key) ?? 0) + count);
  });
  return counts;
}

/** The findings at the lines of a stage. @returns {Map<number, string[]>} */
function findingsOfStage(stage) {
  const found = new Map();
  for (const run of runsOf().filter((run) => run.stage === stage))
    for (const { row, text } of run.findings)
      found.set(row, [...(found.get(row) ?? []), text]);
  return found;
}

/** The findings at source lines: where the code is, not where it is called. @returns {Map<string, string[]>} */
function findingsOfSource() {
  const found = new Map();
  for (const run of runsOf().filter((run) => run.findings.length)) {
    const lines = linesOf(stageOf(run.stage));
    for (const { row, text } of run.findings)
      for (const chain of lines[row].chains) {
        const { file, line } = placesOf(chain)[0], key = placeKey(file, line);
        found.set(key, [...(found.get(key) ?? []), text]);
      }
  }
  return found;
}

/** Adds the count and the notes of a line to what is shown. @param {ShownLine} line */
function annotate(line, count, most, notes) {
  return { ...line, count: count ?? 0, share: (count ?? 0) / most, notes };
}

/** Lists the metrics above a pane, and says which profiles are not shown. @param {HTMLElement} body */
function renderMetrics(body) {
  for (const note of model.notes)
    body.append(element("p", { class: "remark" }, note[0].toUpperCase() + note.slice(1) + "."));
  const metrics = shownMetrics();
  if (!metrics.length)
    return;
  const select = element("select", { class: "metrics", "aria-label": "Counts beside the lines", onchange: (event) => {
    state.metric = event.target.value;
    render();
  } });
  for (const metric of metrics) {
    let sum = 0;
    eachCount(metric, (_, row, count) => { sum += count; });
    const [name, meaning] = titleOf(metric);
    select.append(element("option", { value: metric, title: meaning, selected: metric === shownMetric() },
                          `${name}: ${sum.toLocaleString("en")}`));
  }
  body.append(select);
}

/** A count in four characters. */
function shortCount(count) {
  if (count < 10000)
    return String(count);
  const unit = count < 1e6 ? "k" : count < 1e9 ? "M" : "G";
  const scaled = count / { k: 1e3, M: 1e6, G: 1e9 }[unit];
  return (scaled < 10 ? scaled.toFixed(1) : Math.floor(scaled)) + unit;
}
