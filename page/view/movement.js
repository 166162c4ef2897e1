// Shows how elements move from one layout to another, step by step. A conversion has a step for each register of the
// result; a transfer through shared memory has a step for each access of a warp, with its bank conflicts; an operand of
// the matrix unit has a step for each matrix of 8 rows of 16 bytes that the unit reads.

/**
 * @typedef {{tells: string, shows: (index: number) => number}} Step
 *   `shows` gives the number by which an element is colored; -1: the element does not move in this step.
 */

/** The operations that move a tile from or to layout `number`. @returns {Movement[]} */
function movementsOf(number) {
  return stageOf("ttgir").missing ? [] : variant().movements.filter(({ from, to }) => from === number || to === number);
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

/** Offsets in bytes in a tile in shared memory, whose padding is that of an access. @returns {(element: number) => number} */
function byteOffset(shared, padding) {
  const bytes = Math.max(1, shared.elementBits / 8);
  return (offset) => padding.reduce((sum, [run, unused]) => sum + Math.floor(offset / run) * unused, offset) * bytes;
}

/**
 * The steps of accesses: of each, the addresses of its lanes in bytes, and the offsets of its elements.
 * @param {{name: string, starts: number[], offsets: number[]}[]} accesses @param {Layout} shared
 */
function wavefrontSteps(accesses, shared, words, toBytes) {
  const indices = new Map(); // by offset; a tile of several slots is shown by its first one
  for (const { at, by } of placesInLayout(shared))
    indices.set(by.offset ?? 0, indexOf(shared, at));
  let all = 0, conflicts = 0;
  const steps = accesses.map(({ name, starts, offsets }) => {
    const wavefronts = wavefrontsOf(words, starts.map((start) => Math.floor(start / 4)));
    // Without conflicts, a wavefront has 128 bytes; lanes that access the same word share it.
    const extra = wavefronts - Math.max(1, Math.ceil(starts.length * words / 32));
    all += wavefronts;
    conflicts += Math.max(0, extra);
    const shown = new Map(offsets.map((offset) => [indices.get(offset), Math.floor(toBytes(offset) / 4) % banks]));
    return { tells: `${name}: ${wavefronts} wavefront${wavefronts === 1 ? "" : "s"}` +
                    (extra > 0 ? `, ${extra} of them by bank conflicts` : ", no bank conflicts") + "; coloured by bank",
             shows: (index) => shown.get(index) ?? -1 };
  });
  return { counts: `${all} wavefronts, ${conflicts} of them by bank conflicts.`, steps };
}

/** Accesses of warps to shared memory. @param {Movement} movement @returns {{summary: string, steps: Step[]}} */
function accessSteps({ access }, shared, verb) {
  const { kind, width, lanes, inner, addresses, padding } = access;
  const toBytes = byteOffset(shared, padding), bytes = Math.max(1, shared.elementBits / 8);
  const basesOf = (name) => addresses.find((input) => input.name === name)?.bases ?? [];
  const address = (name, number) => basesOf(name).reduce((sum, [basis], bit) => number >> bit & 1 ? sum ^ basis : sum, 0);
  const accesses = [];
  for (let warp = 0; warp < 1 << basesOf("warp").length; warp++)
    for (let register = 0; register < 1 << basesOf("register").length; register++) {
      if (register & inner)
        continue;
      const begins = Array.from({ length: lanes }, (_, lane) => address("warp", warp) ^ address("register", register) ^ address("lane", lane));
      accesses.push({ name: `warp ${warp}, register ${register}`, starts: begins.map(toBytes),
                      offsets: begins.flatMap((begin) => Array.from({ length: width }, (_, i) => begin + i)) });
    }
  const words = Math.max(1, width * bytes / 4);
  const { counts, steps } = wavefrontSteps(accesses, shared, words, toBytes);
  const how = kind === "matrices" ? `of ${lanes / 8} ${lanes === 8 ? "matrix" : "matrices"} of 8 rows of 16 bytes (${verb === "load" ? "ldmatrix" : "stmatrix"})`
                                  : `with ${width * bytes} byte${width * bytes === 1 ? "" : "s"} for each thread`;
  return { summary: `${steps.length} ${verb}s of warps, ${how}: ${counts}`, steps };
}

/** The matrices of 8 rows of 16 bytes that the matrix unit reads. @param {Movement} movement @param {Layout} shared */
function operandSteps({ access }, shared) {
  const toBytes = byteOffset(shared, access.padding), bytes = Math.max(1, shared.elementBits / 8), width = 16 / bytes;
  const offsets = new Map();
  for (const { at, by } of placesInLayout(shared))
    offsets.set(indexOf(shared, at), by.offset ?? 0);
  // Rows are contiguous; the other axis numbers them. Only the last two axes of a tile of several slots count.
  const rank = shared.shape.length;
  const [rowBasis] = shared.inputs.find(({ name }) => name === "offset").bases;
  const along = rowBasis[rank - 1] ? rank - 1 : rank - 2, across = along === rank - 1 ? rank - 2 : rank - 1;
  const accesses = [];
  for (let row = 0; row < shared.shape[across]; row += 8)
    for (let column = 0; column < shared.shape[along]; column += width) {
      const at = (i, j) => {
        const place = new Array(rank).fill(0);
        place[across] = row + i;
        place[along] = column + j;
        return offsets.get(indexOf(shared, place));
      };
      const rows = Array.from({ length: Math.min(8, shared.shape[across]) }, (_, i) => i);
      accesses.push({ name: `rows ${row} to ${row + rows.length - 1}, elements ${column} to ${column + width - 1}`,
                      starts: rows.map((i) => toBytes(at(i, 0))),
                      offsets: rows.flatMap((i) => Array.from({ length: width }, (_, j) => at(i, j))) });
    }
  const { counts, steps } = wavefrontSteps(accesses, shared, 4, toBytes);
  return { summary: `${steps.length} matrices of 8 rows of 16 bytes, which the matrix unit reads: ${counts}`, steps };
}

const movementView = { key: "", step: 0 };

/** The steps of a movement. @param {Movement} movement @param {Layout[]} layouts */
function stepsOf(movement, layouts) {
  if (!movement.access)
    return conversionSteps(layouts[movement.from], layouts[movement.to]);
  if (movement.access.kind === "operand")
    return operandSteps(movement, layouts[movement.from]);
  const isLoad = layouts[movement.from].shared;
  return accessSteps(movement, layouts[isLoad ? movement.from : movement.to], isLoad ? "load" : "store");
}

/** The choice of a movement, and its steps. Returns the elements of the shown step. @returns {((index: number) => number) | null} */
function renderMovement(body, number) {
  const layouts = variant().layouts, movements = movementsOf(number);
  if (!movements.length)
    return null;
  const typeOf = (layout) => layouts[layout]?.type ?? "the matrix unit";
  const keyOf = ({ name, from, to }) => `${name} ${typeOf(from)} ${typeOf(to)}`;
  const shown = movements.find((movement) => keyOf(movement) === movementView.key);
  const select = element("select", { "aria-label": "Movement of the tile", onchange: (event) => {
    movementView.key = event.target.value;
    movementView.step = 0;
    render();
  } }, element("option", { value: "" }, `moved by ${movements.length} operation${movements.length === 1 ? "" : "s"} \u2026`));
  for (const movement of movements)
    select.append(element("option", { value: keyOf(movement), selected: movement === shown },
                          `line ${movement.line + 1}: ${movement.name}, ${movement.from === number ? "to" : "from"} ` +
                          typeOf(movement.from === number ? movement.to : movement.from)));
  const tools = element("div", { class: "layout-tools" }, select);
  body.append(tools);
  if (!shown)
    return null;
  const { summary, steps } = stepsOf(shown, layouts);
  movementView.step = Math.min(movementView.step, steps.length - 1);
  const move = (by) => { movementView.step = (movementView.step + by + steps.length) % steps.length; render(); };
  tools.append(element("span", { role: "group", "aria-label": "Step" },
                       element("button", { onclick: () => move(-1), title: "Previous step" }, "\u2039"),
                       element("button", { onclick: () => move(1), title: "Next step" }, "\u203a")));
  body.append(element("p", { class: "where movement", "aria-live": "polite" },
                      `${summary} Step ${movementView.step + 1} of ${steps.length}: ${steps[movementView.step].tells}.`));
  return steps[movementView.step].shows;
}
