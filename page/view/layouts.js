// Shows a tile's elements, colored by the register, lane or warp that holds them. Layouts are linear: the coordinates
// of an element are the XOR of the bases of all bits set in its register, lane, warp and block numbers, or in its
// offset.

/** Returns the coordinates for each combination of inputs. @param {Layout} layout @returns {{at: number[], by: Record<string, number>}[]} */
function placesInLayout(layout) {
  const rank = layout.shape.length;
  let all = [{ at: new Array(rank).fill(0), by: {} }];
  for (const { name, bases } of layout.inputs) {
    const next = [];
    for (const place of all)
      for (let value = 0; value < 1 << bases.length; value++) {
        const at = place.at.slice();
        bases.forEach((basis, bit) => {
          if (value >> bit & 1)
            basis.forEach((coordinate, axis) => at[axis] ^= coordinate);
        });
        next.push({ at, by: { ...place.by, [name]: value } });
      }
    all = next;
  }
  return all;
}

/** Maps each element, by its row-major number, to the first place that holds it and the number of such places. */
function ownersOf(layout) {
  const owners = new Map();
  for (const place of placesInLayout(layout)) {
    const index = place.at.reduce((sum, coordinate, axis) => sum * layout.shape[axis] + coordinate, 0);
    const owner = owners.get(index);
    if (owner)
      owner.copies++;
    else
      owners.set(index, { ...place, copies: 1 });
  }
  return owners;
}

const banks = 32;
/** The ways to color elements. */
function colorings(layout) {
  if (layout.shared)
    return { bank: (by) => Math.floor((by.offset ?? 0) * layout.elementBits / 32) % banks, offset: (by) => by.offset ?? 0 };
  const lanes = 1 << (layout.inputs.find(({ name }) => name === "lane")?.bases.length ?? 0);
  const result = { thread: (by) => (by.warp ?? 0) * lanes + (by.lane ?? 0), warp: (by) => by.warp ?? 0,
                   register: (by) => by.register ?? 0 };
  if (layout.inputs.some(({ name, bases }) => name === "block" && bases.length))
    result.block = (by) => by.block ?? 0;
  return result;
}

/** Returns the color of a number. Adjacent numbers differ strongly in hue, and alternate in lightness. */
function cellColor(value) {
  return `hsl(${(value * 137.508) % 360} 62% ${value % 2 ? 64 : 74}%)`;
}

const layoutView = { by: "", zoom: 0 };

function renderLayouts(body) {
  const layouts = variant()?.layouts ?? [];
  if (!layouts.length) {
    body.append(element("p", { class: "missing" }, "Only GPU code has tile layouts, and this kernel has no tile with a layout."));
    return;
  }
  state.layout = Math.min(state.layout, layouts.length - 1);
  const layout = layouts[state.layout];
  const select = element("select", { "aria-label": "Type of the tile", onchange: (event) => {
    state.layout = Number(event.target.value);
    render();
  } });
  layouts.forEach(({ type }, i) => select.append(element("option", { value: i, selected: i === state.layout }, type)));
  const kinds = colorings(layout);
  const by = layoutView.by in kinds ? layoutView.by : Object.keys(kinds)[0];
  const choice = element("span", { role: "group", "aria-label": "Colour by" });
  for (const kind of Object.keys(kinds))
    choice.append(element("button", { "aria-pressed": String(kind === by), onclick: () => { layoutView.by = kind; render(); } }, kind));
  const zoom = element("span", { role: "group", "aria-label": "Zoom" },
                       element("button", { onclick: () => { layoutView.zoom--; render(); }, title: "Smaller" }, "\u2212"),
                       element("button", { onclick: () => { layoutView.zoom++; render(); }, title: "Larger" }, "+"));
  const where = element("p", { class: "where", "aria-live": "polite" }, "Point at an element to see what holds it.");
  body.append(element("div", { class: "layout-tools" }, select, choice, zoom));
  const shows = renderMovement(body, state.layout);
  body.append(where, drawLayout(layout, kinds[by], where, shows), basesTable(layout));
}

/**
 * Draws the last two axes. `shows`, if not null, replaces the values of elements; those for which it is -1 are pale.
 * @param {(by: Record<string, number>) => number} valueOf
 */
function drawLayout(layout, valueOf, where, shows) {
  const [rows, columns] = layout.shape.length > 1 ? layout.shape.slice(-2) : [1, layout.shape[0]];
  // Wrap a vector that is longer than the screen.
  const perRow = rows === 1 ? Math.min(columns, 64) : columns;
  const shownRows = rows * columns / perRow;
  const owners = ownersOf(layout);
  const fitting = Math.max(3, Math.min(36, Math.floor(620 / Math.max(perRow, shownRows / 2))));
  const size = Math.max(2, Math.round(fitting * 1.5 ** layoutView.zoom));
  const canvas = element("canvas", { width: perRow * size, height: shownRows * size, role: "img", class: "grid",
                                     "aria-label": `${layout.type}, ${rows} by ${columns} elements` });
  const context = canvas.getContext("2d");
  for (let index = 0; index < rows * columns; index++) {
    const owner = owners.get(index), x = index % perRow * size, y = Math.floor(index / perRow) * size;
    const value = shows ? shows(index) : owner ? valueOf(owner.by) : -1;
    context.fillStyle = value >= 0 ? cellColor(value) : shows ? "#8883" : "#888";
    context.fillRect(x, y, size - (size > 4 ? 1 : 0), size - (size > 4 ? 1 : 0));
    if (value >= 0 && size >= 16) {
      context.fillStyle = "#111";
      context.font = `${Math.min(12, size * 0.42)}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(String(value), x + size / 2, y + size / 2, size - 3);
    }
  }
  canvas.addEventListener("mousemove", (event) => {
    const index = Math.floor(event.offsetY / size) * perRow + Math.floor(event.offsetX / size);
    const owner = owners.get(index);
    if (owner)
      where.textContent = `element [${owner.at.join(", ")}]: ` +
        Object.entries(owner.by).map(([name, value]) => `${name} ${value}`).join(", ") +
        (layout.shared ? `, bank ${Math.floor(owner.by.offset * layout.elementBits / 32) % banks}` : "") +
        (owner.copies > 1 ? `, and ${owner.copies - 1} copies` : "");
  });
  return element("div", { class: "scroll", tabindex: 0, "aria-label": "Elements" }, canvas);
}

function basesTable(layout) {
  const table = element("table", { class: "bases" }, element("caption", {}, "Bases of the linear layout"));
  for (const { name, bases } of layout.inputs)
    table.append(element("tr", {}, element("th", { scope: "row" }, name),
                         element("td", {}, bases.map((basis) => `[${basis.join(", ")}]`).join("  ") || "(one)")));
  return table;
}
