// The data of the page, written by PageWriter.cpp.

/**
 * @typedef {{name: string, missing?: string, lines?: number[], chains?: (number | number[])[]}} Stage
 *   Lines are indices into Model.strings; the chains of a line are indices into Model.chains, -1 if there is none.
 * @typedef {{name: string, ms: number, lines?: number[], chains?: (number | number[])[]}} Pass
 *   A pass without lines has changed nothing. The entry without a name is the IR before all passes.
 * @typedef {{name: string, bases: number[][]}} LayoutInput
 * @typedef {{type: string, shape: number[], elementBits: number, shared: boolean, inputs: LayoutInput[]}} Layout
 * @typedef {{kind: string, width: number, lanes: number, inner: number, addresses: LayoutInput[], padding: number[][]}} SharedAccess
 *   See Movement::Access in Model.h.
 * @typedef {{line: number, name: string, from: number, to: number, access?: SharedAccess}} Movement
 *   An operation of TTGIR that moves a tile: the numbers of its layouts, -1 for the matrix unit.
 * @typedef {{line: number, read: boolean, write: boolean, bytes: number}} Access
 * @typedef {{line: number, matrixFlops: number, otherFlops: number, bytes: number}} Work
 *   Of one iteration of the loop at this line of TTIR; -1: outside all loops.
 * @typedef {{kind: string, text: string, file?: number, line?: number}} Remark
 * @typedef {{registers: number, spillStores: number, spillLoads: number, stack: number, shared: number,
 *            threads: number, blocks: number, warps: number, maxWarps: number, limit: string,
 *            remarks: string[]}} Costs
 * @typedef {{target: string, name: string, symbol: string, assumption: string, stages: Stage[], passes: Pass[],
 *            layouts: Layout[], movements: Movement[], accesses: Access[], work: Work[], remarks: Remark[], runs: Run[], costs?: Costs, noCosts?: string}} Variant
 * @typedef {{maker: string, stage: string, file: number, launch: string, metrics: string[], rows: number[][],
 *            findings: {row: number, text: string}[],
 *            timelines: {block: string, warps: {end: number, waits: number[][]}[]}[],
 *            warpSums: {blocks: number, steps: number, waited: number}[]}} Run
 *   A row is the line of the stage, or of the file if the stage is "source", and its count of each metric. A wait is
 *   its begin, its end and its row.
 * @typedef {{launch: string, trackCount: number, tracks: {name: string, scopes: [string, number, number, number, number][]}[]}} Times
 *   A scope is its name, its begin and end in microseconds, its file (-1: not in the page), and its line.
 * @typedef {{level: string, symbol: string, stages: Stage[]}} CpuCode
 * @typedef {{name: string, symbol: string, file: string, line: number, variants: Variant[], cpu: CpuCode[],
 *            noCpuCode: string, times: Times[]}} Kernel
 * @typedef {{source: string, version: string, notes: string[], kernels: Kernel[], files: {name: string, text?: string}[],
 *            chains: number[][], strings: string[]}} Model
 *   A chain is file, line, file of the call, its line, and so on to the outermost one.
 */

/** Reads the model, which is JSON, compressed, as base64. @returns {Promise<Model>} */
async function readModel() {
  const bytes = Uint8Array.from(atob(document.getElementById("model").textContent), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

const model = await readModel();

/** @typedef {{text: string, chains: number[]}} Line */

/** @param {Stage | Pass} stage @returns {Line[]} */
function linesOf(stage) {
  return stage.lines.map((string, i) => {
    const chains = stage.chains[i];
    return { text: model.strings[string], chains: Array.isArray(chains) ? chains : chains < 0 ? [] : [chains] };
  });
}

/** @param {number} file */
function fileName(file) {
  return model.files[file].name.split("/").pop();
}

/** The lines of a chain with their files, the innermost first. @param {number} chain */
function placesOf(chain) {
  const numbers = model.chains[chain], places = [];
  for (let i = 0; i < numbers.length; i += 2)
    places.push({ file: numbers[i], line: numbers[i + 1] });
  return places;
}

/** Makes an element. What is text stays text. @returns {HTMLElement} */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith("on"))
      made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : value);
  made.append(...children);
  return made;
}
