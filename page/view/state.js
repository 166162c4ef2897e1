// The state of the page, and its representation in a link: a.html#k=add&t=sm_90a&v=a16&p=source,ptx&l=7

const paneKinds = {
  source: "Source",
  ttir: "TTIR",
  ttgir: "TTGIR",
  llvm: "LLVM IR",
  ptx: "PTX",
  sass: "SASS",
  "cpu-llvm": "CPU LLVM IR",
  "cpu-asm": "CPU assembly",
  passes: "Passes",
  layouts: "Layouts",
  costs: "Costs",
  timeline: "Timeline",
};

const hasTimeline = model.kernels.some(({ variants, times }) =>
  times.length || variants.some(({ runs }) => runs.some(({ timelines }) => timelines.length)));

const state = {
  kernel: 0,
  target: "",
  variant: "",
  level: 0,
  panes: innerWidth < 700 ? ["source", "ptx"] : ["source", hasTimeline ? "timeline" : "ttgir", "ptx"],
  file: 0,
  /** The selected line of `file`; 0: none. */
  line: 0,
  pass: -1,
  layout: 0,
  /** The block whose timeline is shown. */
  block: 0,
  /** The metric beside lines; "": the first that there is. */
  metric: "",
};

const kernel = () => model.kernels[state.kernel];
const targetsOf = (kernel) => [...new Set(kernel.variants.map((variant) => variant.target))];
/** @returns {Variant | undefined} */
const variant = () =>
  kernel().variants.find(({ target, name }) => target === state.target && name === state.variant);
const fileNumber = (path) => Math.max(0, model.files.findIndex(({ name }) => name === path));

/** Replaces selections that no longer exist by existing ones. */
function settleState() {
  const targets = targetsOf(kernel());
  // Those whose own code is in a profile are of most interest; metrics of source lines may be of any variant.
  const ran = kernel().variants.filter(({ runs }) => runs.some(({ stage }) => stage !== "source"));
  if (!targets.includes(state.target))
    state.target = ran[0]?.target ?? targets[targets.length - 1] ?? "";
  const names = kernel().variants.filter(({ target }) => target === state.target).map(({ name }) => name);
  if (!names.includes(state.variant))
    state.variant = ran.find(({ target }) => target === state.target)?.name ?? names[0] ?? "";
  state.level = Math.min(state.level, Math.max(0, kernel().cpu.length - 1));
}

/** @param {string} kind @returns {Stage} */
function stageOf(kind) {
  const forCpu = kind.startsWith("cpu-");
  const name = forCpu ? kind.slice(4) : kind;
  const code = forCpu || !variant() ? kernel().cpu[state.level] : variant();
  const why = forCpu && kernel().noCpuCode ? kernel().noCpuCode : "this target has no such stage";
  return code?.stages.find((stage) => stage.name === name) ?? { name, missing: why };
}

function writeHash() {
  const parts = [["k", kernel().name], ["t", state.target], ["v", state.variant], ["p", state.panes.join(",")]];
  if (state.level)
    parts.push(["c", kernel().cpu[state.level].level]);
  if (model.files[state.file].name !== kernel().file)
    parts.push(["f", model.files[state.file].name]);
  if (state.metric)
    parts.push(["m", state.metric]);
  if (state.line)
    parts.push(["l", state.line]);
  const hash = parts.map(([name, value]) => name + "=" + encodeURIComponent(value).replace(/%2C/g, ",")).join("&");
  history.replaceState(null, "", "#" + hash);
}

function readHash() {
  const parts = new Map(location.hash.slice(1).split("&").map((part) => {
    const [name, value = ""] = part.split("=");
    try {
      return [name, decodeURIComponent(value)];
    } catch {
      return [name, value]; // a name with a percent sign, written by hand
    }
  }));
  const named = model.kernels.findIndex(({ name, symbol }) => name === parts.get("k") || symbol === parts.get("k"));
  if (named >= 0)
    state.kernel = named;
  state.target = parts.get("t") ?? state.target;
  state.variant = parts.get("v") ?? state.variant;
  state.level = Math.max(0, kernel().cpu.findIndex(({ level }) => level === parts.get("c")));
  state.metric = parts.get("m") ?? "";
  const panes = (parts.get("p") ?? "").split(",").filter((kind) => kind in paneKinds).slice(0, 3);
  if (panes.length)
    state.panes = panes;
  state.file = fileNumber(parts.get("f") ?? kernel().file);
  state.line = Number(parts.get("l")) || 0;
  settleState();
}
