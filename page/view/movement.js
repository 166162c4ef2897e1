// How elements get from one layout to another, step by step: by a conversion, from register to register of the result;
// through shared memory, by each access of a warp, with its bank conflicts.

/**
 * An operation of TTGIR that moves a tile: the numbers of its layouts, and its line.
 * @typedef {{row: number, name: string, from: number, to: number}} Movement
 * @typedef {{tells: string, shows: (index: number) => number}} Step
 *   `shows` gives the number by which an element is colored; -1: the element does not move in this step.
 */

/** The operations that move a tile from or to layout `number`. @returns {Movement[]} */
function movementsOf(number) {
  const stage = stageOf("ttgir"), layouts = variant()?.layouts ?? [];
  if (stage.missing)
    return [];
  const numbers = new Map(layouts.map(({ type }, i) => [type, i]));
  const seen = new Set(), found = [];
  linesOf(stage).forEach(({ text }, row) => {
    const [, name, types] = text.match(/\bttg\.(convert_layout|local_load|local_store|local_alloc) [^:]*: (.*)$/) ?? [];
    if (!name)
      return;
    const [from, to] = types.split(/ -> |, (?=!ttg)/).map((type) => numbers.get(type.replace(/^\((.*)\)$/, "$1")));
    const key = `${name} ${from} ${to}`;
    if (from === undefined || to === undefined || (from !== number && to !== number) || seen.has(key))
      return;
    seen.add(key);
    found.push({ row, name, from, to });
  });
  return found;
}

/** The number of an element in row-major order. */
const indexOf = (layout, at) => at.reduce((sum, coordinate, axis) => sum * layout.shape[axis] + coordinate, 0);
const threadOf = (by) => (by.warp ?? 0) * 32 + (by.lane ?? 0);

/** A conversion, by registers of the result. @param {Layout} from @param {Layout} to @returns {{summary: string, steps: Step[]}} */
function conversionSteps(from, to) {
  const holders = new Map();
  for (const { at, by } of placesInLayout(from)) {
    const index = indexOf(from, at);
    holders.set(index, [...(holders.get(index) ?? []), by]);
  }
  const all = { thread: 0, lane: 0, warp: 0 }, byRegister = new Map();
  for (const { at, by } of placesInLayout(to)) {
    const index = indexOf(to, at), sources = holders.get(index) ?? [];
    const own = sources.find((source) => threadOf(source) === threadOf(by));
    const near = own ?? sources.find((source) => (source.warp ?? 0) === (by.warp ?? 0)) ?? sources[0];
    if (!near)
      continue;
    const kind = own ? "thread" : (near.warp ?? 0) === (by.warp ?? 0) ? "lane" : "warp";
    const register = by.register ?? 0;
    const step = byRegister.get(register) ?? { thread: 0, lane: 0, warp: 0, threads: new Map() };
    step[kind]++;
    all[kind]++;
    step.threads.set(index, threadOf(near));
    byRegister.set(register, step);
  }
  const tell = ({ thread, lane, warp }) =>
    `${thread} elements stay in their thread, ${lane} come from another lane of the warp, ${warp} from another warp`;
  const steps = [...byRegister].sort(([a], [b]) => a - b).map(([register, step]) => ({
    tells: `register ${register} of each thread: ${tell(step)}; coloured by the thread that had them`,
    shows: (index) => step.threads.get(index) ?? -1,
  }));
  return { summary: `In all, ${tell(all)}.`, steps };
}

/** The wavefronts of one access: `words` of 4 bytes for each lane, from address / 4 on. */
function wavefrontsOf(words, starts) {
  const lanesAtOnce = 32 / words;
  let wavefronts = 0;
  for (let first = 0; first < starts.length; first += lanesAtOnce) {
    const inBank = Array.from({ length: banks }, () => new Set());
    for (const start of starts.slice(first, first + lanesAtOnce))
      for (let word = start; word < start + words; word++)
        inBank[word % banks].add(word);
    wavefronts += Math.max(...inBank.map(({ size }) => size));
  }
  return wavefronts;
}

/** Accesses to shared memory, by registers and warps. @returns {{summary: string, steps: Step[]}} */
function accessSteps(registers, shared, verb) {
  const bytes = Math.max(1, shared.elementBits / 8), offsets = new Map();
  for (const { at, by } of placesInLayout(shared))
    offsets.set(indexOf(shared, at), by.offset ?? 0);
  // A shared tile of several slots has the shape of one behind the number of the slot.
  const offsetOf = (at) => offsets.get(indexOf(shared, [...new Array(shared.shape.length - at.length).fill(0), ...at]));
  // The register bits that move by 1, 2, 4 ... elements make one wide access of a thread.
  const bases = registers.inputs.find(({ name }) => name === "register")?.bases ?? [];
  const wide = [];
  for (let reach = 1; reach * bytes < 16; reach *= 2) {
    const bit = bases.findIndex((basis) => offsetOf(basis) === reach);
    if (bit < 0)
      break;
    wide.push(bit);
  }
  const width = bytes << wide.length, words = Math.max(1, width / 4);
  const wideMask = wide.reduce((mask, bit) => mask | 1 << bit, 0);
  const accesses = new Map();
  for (const { at, by } of placesInLayout(registers)) {
    const register = by.register ?? 0, key = `${by.warp ?? 0} ${register & ~wideMask}`;
    const access = accesses.get(key) ?? { warp: by.warp ?? 0, register: register & ~wideMask, starts: [], elements: new Map() };
    const offset = offsetOf(at);
    if (!(register & wideMask))
      access.starts[by.lane ?? 0] = Math.floor(offset * bytes / 4);
    access.elements.set(indexOf(registers, at), Math.floor(offset * bytes / 4) % banks);
    accesses.set(key, access);
  }
  let all = 0, conflicts = 0;
  const steps = [...accesses.values()].map(({ warp, register, starts, elements }) => {
    const wavefronts = wavefrontsOf(words, starts), extra = wavefronts - words;
    all += wavefronts;
    conflicts += Math.max(0, extra);
    return { tells: `warp ${warp}, register ${register}: ${wavefronts} wavefront${wavefronts === 1 ? "" : "s"}` +
                    (extra > 0 ? `, ${extra} of them by bank conflicts` : ", no bank conflicts") + "; coloured by bank",
             shows: (index) => elements.get(index) ?? -1 };
  });
  return { summary: `${steps.length} ${verb}s of warps, with ${width} byte${width === 1 ? "" : "s"} for each thread: ${all} wavefronts, ` +
                    `${conflicts} of them by bank conflicts. (Dots may read the memory by ldmatrix or the matrix unit instead.)`, steps };
}

const movementView = { key: "", step: 0 };

/** The choice of a movement, and its steps. Returns the elements of the shown step. @returns {((index: number) => number) | null} */
function renderMovement(body, number) {
  const layouts = variant().layouts, movements = movementsOf(number).filter(({ from, to }) =>
    !layouts[from].shared || !layouts[to].shared);
  if (!movements.length)
    return null;
  const keyOf = ({ name, from, to }) => `${name} ${layouts[from].type} ${layouts[to].type}`;
  const shown = movements.find((movement) => keyOf(movement) === movementView.key);
  const select = element("select", { "aria-label": "Movement of the tile", onchange: (event) => {
    movementView.key = event.target.value;
    movementView.step = 0;
    render();
  } }, element("option", { value: "" }, `moved by ${movements.length} operation${movements.length === 1 ? "" : "s"} \u2026`));
  for (const movement of movements)
    select.append(element("option", { value: keyOf(movement), selected: movement === shown },
                          `line ${movement.row + 1}: ${movement.name}, ${movement.from === number ? "to" : "from"} ` +
                          layouts[movement.from === number ? movement.to : movement.from].type));
  const tools = element("div", { class: "layout-tools" }, select);
  body.append(tools);
  if (!shown)
    return null;
  const from = layouts[shown.from], to = layouts[shown.to];
  const { summary, steps } = from.shared ? accessSteps(to, from, "load") : to.shared ? accessSteps(from, to, "store") : conversionSteps(from, to);
  movementView.step = Math.min(movementView.step, steps.length - 1);
  const move = (by) => { movementView.step = (movementView.step + by + steps.length) % steps.length; render(); };
  tools.append(element("span", { role: "group", "aria-label": "Step" },
                       element("button", { onclick: () => move(-1), title: "Previous step" }, "\u2039"),
                       element("button", { onclick: () => move(1), title: "Next step" }, "\u203a")));
  body.append(element("p", { class: "where movement", "aria-live": "polite" },
                      `${summary} Step ${movementView.step + 1} of ${steps.length}: ${steps[movementView.step].tells}.`));
  return steps[movementView.step].shows;
}
