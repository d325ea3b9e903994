// ---------------------------------------------------------------------------------------------------- Palette

const foundFeatures = 20;                  // of the service's answer; more letters find the others
const chordPause = 1_500;                  // between the two keys of a shortcut

const titlesOfViews = {
  overview: "Overview", trackers: "Trackers", features: "Features", experiments: "Experiments",
  difference: "Difference",
};

const palette = { items: [], active: 0, names: [], features: [], search: null };

const go = fragment => () => { location.hash = fragment; };

/** What can be done from anywhere; what the console does not allow is left out. */
function actionsOfPalette() {
  const isAllowed = document.documentElement.dataset.changes === "allowed";
  const { overrides = 0, forced = 0 } = overview()?.counts ?? {};
  return [
    { title: "Refresh the document", keys: "r", isAllowed: !find("[data-role=refresh]").disabled, act: refresh },
    { title: "Copy the status as JSON", isAllowed: true, act: copyStatus },
    { title: "Download the configuration in effect", isAllowed: true, act: downloadConfiguration },
    { title: "Show features with an override", isAllowed: true, act: go("#features?chips=overridden") },
    { title: "Show stale features", isAllowed: true, act: go("#features?chips=stale") },
    { title: "Remove all overrides", isAllowed: isAllowed && overrides + forced > 0, act: removeOverridesFromAnywhere },
    { title: "Show keyboard shortcuts", keys: "?", isAllowed: true, act: showShortcuts },
  ].filter(action => action.isAllowed).map(action => ({ kind: "action", ...action }));
}

async function removeOverridesFromAnywhere() {
  location.hash = "#features?chips=overridden";
  await views.features.reload();
  askToRemoveOverrides();
}

function openPalette() {
  if (connection.state === "locked" || document.querySelector("dialog[open]")) return;
  const input = find("[data-role=palette-input]");
  input.value = "";
  Object.assign(palette, { names: namesOfTrackers(), features: [] });
  find("[data-role=palette]").showModal();
  input.focus();
  showPalette();
  loadExperiments();
}

function namesOfTrackers() {
  return Object.keys(latest?.trackers ?? {}).map(name =>
    ({ kind: "tracker", title: name, act: go(`#trackers/${segment(name)}`) }));
}

/** Experiments are few; they are read when the palette opens. */
async function loadExperiments() {
  try {
    const { experiments } = await request("experiments");
    palette.names.push(...experiments.map(({ id }) =>
      ({ kind: "experiment", title: id, act: go(`#experiments/${segment(id)}`) })));
    showPalette();
  } catch (error) {
    setText(find("[data-role=palette-state]"), `Experiments could not be read: ${error.message}`);
  }
}

function searchPalette() {
  palette.active = 0;
  showPalette();
  clearTimeout(palette.search);
  palette.search = setTimeout(findFeatures, searchPause);
}

/** Features are many; the service searches them. */
async function findFeatures() {
  const needle = find("[data-role=palette-input]").value.trim();
  try {
    const { features } = needle === "" ? { features: [] }
      : await request(`features?limit=${foundFeatures}&filter=${segment(needle)}`);
    if (needle !== find("[data-role=palette-input]").value.trim()) return;
    palette.features = features.map(({ name }) => ({
      kind: "feature", title: name, isFound: true, act: go(`#features/${segment(name)}?open=${segment(segment(name))}`),
    }));
    showPalette();
  } catch (error) {
    setText(find("[data-role=palette-state]"), `Features could not be read: ${error.message}`);
  }
}

function showPalette() {
  const { value: needle } = find("[data-role=palette-input]");
  const places = Object.entries(titlesOfViews).map(([name, title]) =>
    ({ kind: "view", title, keys: `g ${name[0]}`, act: go(find(`[data-tab=${name}]`).getAttribute("href")) }));
  const all = [...places, ...actionsOfPalette(), ...palette.features, ...palette.names];
  palette.items = all.filter(item => item.isFound || matches(item.title, needle));
  palette.active = Math.max(0, Math.min(palette.active, palette.items.length - 1));
  find("[data-role=palette-list]").replaceChildren(...palette.items.map((item, index) => {
    const end = make("span", { class: "hint" }, item.kind, item.keys && " ", item.keys && make("kbd", {}, item.keys));
    return make("li", {
      id: `palette-${index}`, role: "option", "data-command": item.title, "data-kind": item.kind,
      "aria-selected": String(index === palette.active),
    }, make("span", {}, item.title), end);
  }));
  const count = palette.items.length;
  setText(find("[data-role=palette-state]"), count === 0 ? "Nothing matches." : plural(count, "result"));
  const input = find("[data-role=palette-input]");
  setAttributes(input, { "aria-activedescendant": palette.items.length > 0 && `palette-${palette.active}` });
  find(`#palette-${palette.active}`)?.scrollIntoView({ block: "nearest" });
}

function steerPalette(press) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[press.key];
  if (step) {
    palette.active = (palette.active + step + palette.items.length) % Math.max(1, palette.items.length);
    showPalette();
  } else if (press.key === "Enter") {
    choose(palette.active);
  } else return;
  press.preventDefault();
}

function choose(index) {
  const item = palette.items[index];
  if (!item) return;
  find("[data-role=palette]").close();
  item.act();
}

// ---------------------------------------------------------------------------------------------------- Shortcuts

const shortcuts = [
  ["Ctrl K or ⌘ K, /", "Search views, features, experiments, trackers and actions"],
  ...Object.entries(titlesOfViews).map(([name, title]) => [`g ${name[0]}`, title]),
  ["r", "Refresh the document"], ["?", "This list"], ["Esc", "Close a dialog, or an editor without changes"],
];

let chord = { key: null, time: 0 };

function showShortcuts() {
  find("[data-role=shortcut-list]").replaceChildren(...shortcuts.flatMap(([keys, text]) =>
    [make("dt", {}, make("kbd", {}, keys)), make("dd", {}, text)]));
  find("[data-role=shortcuts]").showModal();
}

function handleShortcut(press) {
  const isControl = (press.ctrlKey || press.metaKey) && !press.altKey && !press.shiftKey;
  if (isControl && press.key.toLowerCase() === "k") {
    press.preventDefault();
    return openPalette();
  }
  if (press.ctrlKey || press.metaKey || press.altKey || press.repeat || connection.state === "locked") return;
  if (press.target.closest("input, textarea, select, dialog")) return;
  const isSecond = chord.key === "g" && Date.now() - chord.time < chordPause;
  chord = { key: press.key, time: Date.now() };
  const view = Object.keys(titlesOfViews).find(name => name[0] === press.key);
  if (isSecond && view) location.hash = find(`[data-tab=${view}]`).getAttribute("href");
  else if (press.key === "/") openPalette();
  else if (press.key === "?") showShortcuts();
  else if (press.key === "r" && !find("[data-role=refresh]").disabled) refresh();
  else return;
  chord = { key: null, time: 0 };
  press.preventDefault();
}

function listenToPalette() {
  const input = find("[data-role=palette-input]");
  input.addEventListener("input", searchPalette);
  input.addEventListener("keydown", steerPalette);
  find("[data-role=palette-list]").addEventListener("click", ({ target }) => {
    const item = target.closest("[role=option]");
    if (item) choose(Number(item.id.slice("palette-".length)));
  });
  addEventListener("keydown", handleShortcut);
}

