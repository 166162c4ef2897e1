// Determines which lines belong together: lines with the same chain, and source lines that are part of it.

const placeKey = (file, line) => file + ":" + line;

/** The chains that contain a source line. @type {Map<string, number[]>} */
const chainsAt = new Map();
model.chains.forEach((_, chain) => {
  for (const { file, line } of placesOf(chain)) {
    const key = placeKey(file, line);
    if (!chainsAt.has(key))
      chainsAt.set(key, []);
    if (!chainsAt.get(key).includes(chain))
      chainsAt.get(key).push(chain);
  }
});

/**
 * The highlighted parts: code with these chains, and source lines, each of which contains the code or calls it.
 * @typedef {{chains: Set<number>, places: Map<string, "here" | "caller">}} Light
 */

/** @returns {Light} */
function lightOfChains(chains) {
  const places = new Map();
  for (const chain of chains)
    placesOf(chain).forEach(({ file, line }, depth) => {
      const key = placeKey(file, line);
      if (!places.has(key) || depth === 0)
        places.set(key, depth === 0 ? "here" : "caller");
    });
  return { chains: new Set(chains), places };
}

/** @returns {Light} */
function lightOfPlace(file, line) {
  return { chains: new Set(chainsAt.get(placeKey(file, line)) ?? []), places: new Map([[placeKey(file, line), "here"]]) };
}

const instructionPatterns = {
  ptx: /^\s+(?:@!?%p\d+\s+)?([a-z][\w.:]*)\s*[^:]*;/,
  sass: /^\s*\/\*[0-9a-f]+\*\/\s+(?:@!?U?PT?\d*\s+)?([A-Z][\w.]*)/,
  asm: /^\t([a-z][\w.]*)/,
};

/** The instruction on a line of a stage; undefined if there is none. */
function instructionIn(stage, text) {
  return text.match(instructionPatterns[stage])?.[1];
}
