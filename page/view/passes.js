// The IR before and after a pass. Every pass renumbers unnamed values, so lines that differ only in these numbers are
// considered equal.

const withoutNumbers = (text) => text.replace(/%\d+/g, "%").replace(/(#map|#loc|\^bb|%[A-Za-z_]\w*?_)\d+/g, "$1");

/**
 * Myers' algorithm: the longest common subsequence, as a list of edits.
 * @param {Line[]} before @param {Line[]} after
 * @returns {ShownLine[]} the lines of `after` and removed lines; changes are marked
 */
function difference(before, after) {
  const a = before.map(({ text }) => withoutNumbers(text)), b = after.map(({ text }) => withoutNumbers(text));
  let start = 0, endA = a.length, endB = b.length;
  while (start < endA && start < endB && a[start] === b[start])
    start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1])
    endA--, endB--;
  const n = endA - start, m = endB - start, trace = [];
  const furthest = new Map([[1, 0]]);
  let found = n + m === 0;
  // If nearly everything differs, as after a dialect conversion, a shortest edit script is not useful.
  const most = 2000;
  for (let d = 0; !found && d <= Math.min(n + m, most); d++) {
    trace.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && furthest.get(k - 1) < furthest.get(k + 1)) ? furthest.get(k + 1) : furthest.get(k - 1) + 1;
      while (x < n && x - k < m && a[start + x] === b[start + x - k])
        x++;
      furthest.set(k, x);
      if (x >= n && x - k >= m) {
        found = true;
        break;
      }
    }
  }
  /** @type {ShownLine[]} */
  const middle = [];
  const removed = (x) => ({ ...before[start + x], mark: "removed", number: "" });
  const added = (y) => ({ ...after[start + y], mark: "added", number: start + y + 1 });
  const kept = (y) => ({ ...after[start + y], number: start + y + 1 });
  if (!found) {
    for (let x = 0; x < n; x++)
      middle.push(removed(x));
    for (let y = 0; y < m; y++)
      middle.push(added(y));
  } else {
    let x = n, y = m;
    for (let d = trace.length - 1; d >= 0 && (x > 0 || y > 0); d--) {
      const v = trace[d], k = x - y;
      const before = k === -d || (k !== d && v.get(k - 1) < v.get(k + 1)) ? k + 1 : k - 1;
      const fromX = d === 0 ? 0 : v.get(before), fromY = d === 0 ? 0 : fromX - before;
      while (x > fromX && y > fromY) {
        y--, x--;
        middle.push(kept(y));
      }
      if (d > 0)
        middle.push(x === fromX ? added(--y) : removed(--x));
    }
    middle.reverse();
  }
  const same = (line, i) => ({ ...line, number: i + 1 });
  return [...after.slice(0, start).map(same), ...middle,
          ...after.slice(endB).map((line, i) => same(line, endB + i))];
}

/** The title of a row in the list of passes. @param {Pass} pass */
function passTitle(pass, index) {
  return pass.name || (index === 0 ? "before the first pass" : "another attempt begins");
}

/** The IR before pass `index`. @param {Variant} variant */
function linesBefore(variant, index) {
  for (let i = index - 1; i >= 0; i--)
    if (variant.passes[i].lines)
      return linesOf(variant.passes[i]);
  return [];
}

/** Keeps `context` lines around changes, and shows how many are omitted. @param {ShownLine[]} lines */
function folded(lines, context = 3) {
  const shown = new Set();
  lines.forEach((line, i) => {
    if (line.mark)
      for (let j = i - context; j <= i + context; j++)
        shown.add(j);
  });
  const result = [];
  let hidden = 0;
  lines.forEach((line, i) => {
    if (!shown.has(i)) {
      hidden++;
      return;
    }
    if (hidden)
      result.push({ text: `... ${hidden} lines are the same`, chains: [], number: "" });
    hidden = 0;
    result.push(line);
  });
  if (hidden)
    result.push({ text: `... ${hidden} lines are the same`, chains: [], number: "" });
  return result;
}

/** Fills a pane with the passes of a variant. @returns {ShownLine[]} the difference that is shown */
function renderPasses(body) {
  const of = variant();
  if (!of?.passes.length) {
    body.append(element("p", { class: "missing" }, "There are no passes to show for this target."));
    return [];
  }
  const changed = of.passes.map((pass, i) => ({ pass, i })).filter(({ pass, i }) => pass.lines && i > 0);
  if (!changed.some(({ i }) => i === state.pass))
    state.pass = changed[0]?.i ?? -1;
  const list = element("div", { class: "pass-list", role: "listbox", "aria-label": "Passes", tabindex: 0 });
  const longest = Math.max(...of.passes.map(({ ms }) => ms), 0.001);
  for (const { pass, i } of changed) {
    const row = element("button", { class: "pass", role: "option", "aria-selected": String(i === state.pass),
                                    onclick: () => { state.pass = i; render(); } },
                        element("span", { class: "pass-name" }, passTitle(pass, i)),
                        element("span", { class: "pass-time" }, pass.name ? pass.ms.toFixed(pass.ms < 10 ? 2 : 0) + " ms" : ""));
    row.style.setProperty("--share", String(pass.ms / longest));
    list.append(row);
  }
  const rest = of.passes.filter((pass, i) => i > 0 && pass.name && !pass.lines);
  list.append(element("details", { class: "unchanged" },
                      element("summary", {}, `${rest.length} passes changed nothing`),
                      element("p", {}, rest.map((pass) => `${pass.name} (${pass.ms.toFixed(2)} ms)`).join(", "))));
  body.append(list);
  if (state.pass < 0)
    return [];
  const lines = folded(difference(linesBefore(of, state.pass), linesOf(of.passes[state.pass])));
  const name = passTitle(of.passes[state.pass], state.pass);
  body.append(codeList(lines, "ttgir", "What " + name + " changed"));
  return lines;
}
