// Starts the page: tabs, keyboard, and links to a place.

function say(text) {
  document.getElementById("status").textContent = text;
}

/** Fills `nav` with a tab for each name; leaves it empty if there is only one. */
function renderTabs(id, names, current, choose) {
  const nav = document.getElementById(id);
  nav.replaceChildren();
  if (!names.length || (names.length === 1 && id !== "targets"))
    return;
  if (names.length > 6) {
    const select = element("select", { "aria-label": nav.getAttribute("aria-label"), onchange: (event) => choose(Number(event.target.value)) });
    names.forEach((name, i) => select.append(element("option", { value: i, selected: i === current }, name)));
    nav.append(select);
    return;
  }
  const list = element("div", { role: "tablist", "aria-label": nav.getAttribute("aria-label") });
  names.forEach((name, i) => list.append(element("button", { role: "tab", "aria-selected": String(i === current),
                                                             tabindex: i === current ? 0 : -1, onclick: () => choose(i) }, name)));
  list.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step)
      return;
    choose((current + step + names.length) % names.length);
    document.querySelector(`#${id} [aria-selected=true]`).focus();
  });
  nav.append(list);
}

function renderHeader() {
  document.querySelector("h1").textContent = model.source.split("/").pop();
  renderTabs("kernels", model.kernels.map(({ name }) => name), state.kernel, (i) => {
    state.kernel = i;
    state.file = fileNumber(kernel().file);
    state.line = 0;
    state.pass = -1;
    state.layout = 0;
    render();
  });
  const targets = targetsOf(kernel());
  renderTabs("targets", targets, targets.indexOf(state.target), (i) => { state.target = targets[i]; state.pass = -1; render(); });
  const names = kernel().variants.filter(({ target }) => target === state.target).map(({ name }) => name);
  renderTabs("variants", names, names.indexOf(state.variant), (i) => { state.variant = names[i]; state.pass = -1; render(); });
  const showsCpu = state.panes.some((kind) => kind.startsWith("cpu-"));
  renderTabs("levels", showsCpu ? kernel().cpu.map(({ level }) => level) : [], state.level, (i) => { state.level = i; render(); });
  const counts = document.getElementById("counts");
  counts.replaceChildren(...[1, 2, 3].map((count) =>
    element("button", { "aria-pressed": String(count === state.panes.length), title: `${count} panes (${count})`,
                        onclick: () => setPaneCount(count) }, String(count))));
}

function setPaneCount(count) {
  const others = ["source", "ttgir", "ptx", "ttir", "cpu-asm"].filter((kind) => !state.panes.includes(kind));
  while (state.panes.length < count)
    state.panes.push(others.shift());
  state.panes.length = count;
  render();
}

/** Shows the state. A pane keeps its scroll position as long as it shows the same content. */
function render() {
  settleState();
  const scrolled = new Map(panes.map(({ kind, body }) => [kind, (body.querySelector(".code") ?? body).scrollTop]));
  renderHeader();
  panes = state.panes.map((_, i) => makePane(i));
  document.getElementById("panes").replaceChildren(...panes.map(({ root }) => root));
  for (const { kind, body } of panes)
    (body.querySelector(".code") ?? body).scrollTop = scrolled.get(kind) ?? 0;
  kept = state.line ? lightOfPlace(state.file, state.line) : null;
  light(kept);
  if (kept) {
    const source = panes.find(({ kind }) => kind === "source");
    if (source?.rows.length)
      moveTo(source, state.line - 1);
    bringIntoView(null);
  } else {
    const source = panes.find(({ kind }) => kind === "source");
    if (!scrolled.has("source") && model.files[state.file].name === kernel().file)
      {
      const row = source?.rows[kernel().line - 1];
      if (row)
        scrollTo(row);
    }
  }
  writeHash();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
    return;
  const focused = panes.find(({ root }) => root.contains(document.activeElement)) ?? panes[0];
  const step = (by) => {
    if (!focused.rows.length)
      return;
    let next = focused.at + by;
    while (focused.rows[next]?.hidden)
      next += by;
    moveTo(focused, next);
    scrollTo(focused.rows[focused.at], "nearest");
    light(lightOfRow(focused, focused.at) ?? kept);
  };
  const marked = (by) => {
    const rows = focused.rows;
    for (let i = focused.at + by; i >= 0 && i < rows.length; i += by)
      if (rows[i].matches(".hit, .lit")) {
        moveTo(focused, i);
        scrollTo(rows[i]);
        return;
      }
  };
  const actions = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => focused.at >= 0 && keep(focused, focused.at),
    Escape: () => { kept = null; state.line = 0; light(null); writeHash(); },
    f: () => focused.rows[focused.at]?.querySelector("button.fold")?.click(),
    n: () => marked(1),
    p: () => marked(-1),
    "/": () => focused.root.querySelector("input").focus(),
    d: toggleTheme,
    "?": () => document.getElementById("keys").showModal(),
  };
  if (/^[123]$/.test(event.key))
    actions[event.key] = () => setPaneCount(Number(event.key));
  const isControl = event.target.closest("button, a, summary, [role=tablist]");
  if (!actions[event.key] || (isControl && /^(Enter|Arrow)/.test(event.key)))
    return;
  event.preventDefault();
  actions[event.key]();
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
}

document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("help").addEventListener("click", () => document.getElementById("keys").showModal());
document.addEventListener("keydown", onKey);
addEventListener("hashchange", () => { readHash(); render(); });
readHash();
render();
