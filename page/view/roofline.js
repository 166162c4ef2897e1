// Computes the arithmetic intensity, and the performance that it allows at most on a GPU.

/**
 * GPUs that are usual for an architecture: the peak of their matrix units for 16-bit floats (dense) and of their f32
 * arithmetic in TFLOP/s, and the bandwidth of their memory in TB/s, as their data sheets say.
 */
const peaks = {
  80: { gpu: "A100 (80 GB, SXM)", matrix: 312, vector: 19.5, memory: 2.04 },
  86: { gpu: "A10", matrix: 125, vector: 31.2, memory: 0.6 },
  89: { gpu: "L40S", matrix: 362, vector: 91.6, memory: 0.864 },
  90: { gpu: "H100 (SXM)", matrix: 989, vector: 67, memory: 3.35 },
  100: { gpu: "B200", matrix: 2250, vector: 80, memory: 8 },
  120: { gpu: "RTX 5090", matrix: 209, vector: 105, memory: 1.79 },
};

const peaksOf = (target) => peaks[target.match(/^(?:sm|compute)_(\d+)/)?.[1]];

/** Includes bytes that caches may save, so a kernel may perform better than its point. @param {Work} work */
function boundOf(work, { matrix, vector, memory }) {
  const intensity = (work.matrixFlops + work.otherFlops) / work.bytes;
  const peak = work.matrixFlops > work.otherFlops ? matrix : vector;
  return { intensity, peak, attainable: Math.min(peak, intensity * memory), ridge: peak / memory };
}

function renderWork(body) {
  const of = variant();
  const stage = of && stageOf("ttir");
  if (!of?.work.length || stage.missing)
    return;
  const lines = linesOf(stage), known = peaksOf(of.target);
  const table = element("table", { class: "accesses work" }, element("caption", {}, "Work of a program"),
    element("tr", {}, ...["", "FLOPs of dots", "other FLOPs", "bytes", "FLOPs a byte"].map((name) => element("th", { scope: "col", class: "amount" }, name))));
  const points = [];
  for (const work of of.work) {
    const place = work.line >= 0 && lines[work.line].chains.length ? placesOf(lines[work.line].chains[0]).at(-1) : null;
    const flops = work.matrixFlops + work.otherFlops, name = work.line < 0 ? "outside loops" : place ? `the loop in line ${place.line}` : "a loop";
    if (flops && work.bytes)
      points.push({ name, work });
    table.append(element("tr", {}, element("td", {}, place ? placeLink(place.file, place.line, name) : name, work.line < 0 ? "" : ", an iteration"),
      ...[work.matrixFlops, work.otherFlops, work.bytes].map((count) => element("td", { class: "amount" }, count.toLocaleString("en"))),
      element("td", { class: "amount" }, work.bytes && flops ? (flops / work.bytes).toPrecision(3) : "")));
  }
  body.append(table);
  if (!points.length)
    return;
  if (!known) {
    body.append(element("p", { class: "note" }, `There is no roofline: the peaks of GPUs of ${of.target} are not in the page's table.`));
    return;
  }
  for (const { name, work } of points) {
    const { intensity, peak, attainable, ridge } = boundOf(work, known);
    body.append(element("p", { class: "note roof" }, `${known.gpu}: ${name} has at most ${attainable.toPrecision(3)} of ${peak} TFLOP/s, ` +
      (intensity < ridge ? `as memory is the limit below ${ridge.toPrecision(3)} FLOPs a byte` : "as arithmetic is the limit") +
      ", if caches save no access."));
  }
  body.append(drawRoofline(known, points));
}

/** Both axes are logarithmic. */
function drawRoofline(known, points) {
  const width = 420, height = 210, left = 44, bottom = 26;
  const bounds = points.map(({ work }) => boundOf(work, known));
  const low = Math.min(0.1, ...bounds.map(({ intensity }) => intensity / 2)), high = Math.max(2000, ...bounds.map(({ intensity }) => intensity * 2));
  const most = known.matrix * 3, least = Math.min(low * known.memory, ...bounds.map(({ attainable }) => attainable / 2));
  const x = (intensity) => left + (width - left) * Math.log(intensity / low) / Math.log(high / low);
  const y = (speed) => (height - bottom) * Math.log(most / speed) / Math.log(most / least);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const add = (tag, attributes, text = "") => {
    const made = document.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes))
      made.setAttribute(name, value);
    made.textContent = text;
    svg.append(made);
  };
  for (const [name, value] of Object.entries({ class: "roofline", viewBox: `0 0 ${width} ${height}`, role: "img",
                                               "aria-label": `Roofline of ${known.gpu}` }))
    svg.setAttribute(name, value);
  for (const [name, peak] of [["matrix units", known.matrix], ["f32", known.vector]]) {
    const ridge = peak / known.memory;
    add("polyline", { class: "roof", points: `${x(low)},${y(low * known.memory)} ${x(ridge)},${y(peak)} ${x(high)},${y(peak)}` });
    add("text", { x: width - 4, y: y(peak) - 4, "text-anchor": "end" }, `${name}: ${peak} TFLOP/s`);
  }
  for (let tick = Math.ceil(Math.log10(low)); tick <= Math.log10(high); tick++)
    add("text", { x: x(10 ** tick), y: height - 8, "text-anchor": "middle" }, String(10 ** tick));
  add("text", { x: left, y: 12 }, "TFLOP/s over FLOPs a byte");
  bounds.forEach(({ intensity, attainable }, i) => {
    add("circle", { cx: x(intensity), cy: y(attainable), r: 4 });
    add("text", { x: x(intensity) - 7, y: y(attainable) - 4, "text-anchor": "end" }, points[i].name);
  });
  return svg;
}
