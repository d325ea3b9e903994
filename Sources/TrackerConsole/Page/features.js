// ---------------------------------------------------------------------------------------------------- Features

const searchPause = 150;                   // ms without a key until the service is asked
const variablesAtFirst = 200;              // of one feature; the rest is built when it is asked for
const allOpen = "*";
const chipTitles = {
  overridden: "An override is in effect", differing: "A value is another one than the default's",
  stale: "Not evaluated for 7 days",
  disabled: "A source disables it: without an override, the default of the code applies",
};

let featureSearch = null;

const listOf = text => (text || null)?.split(",").map(decoded) ?? [];

/** What is asked of the service: the filter, chips, sort and page. */
function queryOfFeatures() {
  const { needle, options: { chips, sort, offset } } = views.features;
  return Object.entries({ filter: needle.trim(), chips, sort, offset }).filter(([, value]) => value)
    .map(([name, value]) => `${name}=${segment(value)}`).join("&");
}

/** Keeps options in the view and in the URL. */
function chooseFeatures(options) {
  Object.assign(views.features.options, options);
  keepInAddress(options);
}

/** Another filter, chip or sort leads to the first page. */
function askForFeatures(options = {}, pause = 0) {
  chooseFeatures({ offset: "", ...options });
  clearTimeout(featureSearch);
  featureSearch = setTimeout(() => views.features.reload(), pause);
}

function showFeatures(data, parts) {
  const { total, matching, features } = data;
  showText(parts.empty, total === 0 && "There is no feature: no document, provider or override names one.");
  parts.list.hidden = total === 0;
  showChips(data.counts);
  showSort();
  showPages(data);
  const words = matching === 0 ? "Nothing matches." : matching < total
    ? `${numbers.format(matching)} of ${plural(total, "feature")}`
    : `${plural(total, "feature")}, ${plural(data.variables, "value")}`;
  setText(parts.shown, words);
  showOverrideCount();
  const items = features.map(feature => ({ ...feature, isOpen: isOpen(feature) }));
  inSlices("features", reconcile(parts.table, items, feature => feature.name, () => new FeatureBlock()));
  const isAllOpen = views.features.options.open === allOpen;
  setText(parts["open-all"], isAllOpen ? "Hide all values" : "Show all values");
  setAttributes(parts["open-all"], { "aria-pressed": String(isAllOpen) });
}

/** Whether the service has no other features than those of the list. */
function isWholeList() {
  const { data: { total, offset, limit }, needle, options: { chips } } = views.features;
  return needle.trim() === "" && !chips && offset === 0 && total <= limit;
}

/** Opened by the user, or because the search leads to some of its variables. */
function isOpen({ name, variables, isNarrowed }) {
  const { open } = views.features.options;
  return open === allOpen || listOf(open).includes(name) || (isNarrowed && variables.length > 0);
}

function showChips(counts) {
  const chosen = listOf(views.features.options.chips);
  for (const chip of views.features.root.querySelectorAll("[data-chip]")) {
    const { chip: name } = chip.dataset;
    setAttributes(chip, { "aria-pressed": String(chosen.includes(name)), title: chipTitles[name] });
    setText(chip.querySelector("[data-role=chip-count]"), counts[name] === null ? "" : numbers.format(counts[name]));
    chip.hidden = counts[name] === null;
  }
}

function toggleChip(name) {
  const chosen = listOf(views.features.options.chips);
  const chips = chosen.includes(name) ? chosen.filter(each => each !== name) : [...chosen, name];
  askForFeatures({ chips: chips.join(",") });
}

function showSort() {
  const { sort = "name" } = views.features.options;
  const key = (sort || "name").replace("-", "");
  for (const button of views.features.root.querySelectorAll("[data-sort]")) {
    const isKey = button.dataset.sort === key;
    setAttributes(button.closest("th"), {
      "aria-sort": isKey && (sort.startsWith("-") ? "descending" : "ascending"),
    });
  }
}

/** Numbers begin with the largest, names with the first. */
function sortFeatures(key) {
  const { sort = "" } = views.features.options;
  const first = key === "name" ? "name" : `-${key}`;
  const other = key === "name" ? "-name" : key;
  askForFeatures({ sort: (sort || "name") === first ? other : first });
}

function showPages({ matching, offset, limit, features }) {
  const { pages, "page-range": range, "previous-page": previous, "next-page": next } = views.features.parts;
  pages.hidden = matching <= limit && offset === 0;
  const [first, last, all] = [offset + 1, offset + features.length, matching].map(each => numbers.format(each));
  setText(range, `${first}–${last} of ${all}`);
  previous.disabled = offset === 0;
  next.disabled = offset + limit >= matching;
}

function turnPage(direction) {
  const { offset, limit } = views.features.data;
  const target = Math.max(0, offset + direction * limit);
  chooseFeatures({ offset: target === 0 ? "" : String(target) });
  views.features.reload();
  find("#features-title").scrollIntoView();
}

/** Opens or closes a feature; the URL keeps it. */
function openFeature(name, isIn) {
  const { options, data } = views.features;
  const open = options.open === allOpen ? data.features.map(feature => feature.name) : listOf(options.open);
  const others = open.filter(each => each !== name);
  chooseFeatures({ open: (isIn ? [...others, name] : others).map(segment).join(",") });
}

const nameOfRow = ({ feature, name }) => name === null ? feature : `${feature}.${name}`;

function hasUnsavedEdit() {
  return partsIn(views.features.parts.table).some(block => block.hasUnsavedEdit);
}

/** A feature: one row, and its details on demand. */
class FeatureBlock {
  element = copy("feature");
  parts = partsOf(this.element);
  own = new OverrideControls(this, this.parts);
  isOpen = false;
  showsAll = false;

  constructor() {
    this.parts.open.addEventListener("click", () => this.open(!this.isOpen));
    this.parts["show-all"].addEventListener("click", () => { this.showsAll = true; this.#show(); });
  }

  get rows() { return partsIn(this.parts.rows); }
  get isBusy() { return this.own.isBusy || this.rows.some(row => row.isBusy); }
  get hasUnsavedEdit() {
    return [this.own, ...this.rows.map(row => row.controls)].some(each => each.editor?.isChanged);
  }

  open(isIn) {
    openFeature(this.feature.name, isIn);
    this.feature = { ...this.feature, isOpen: isIn };
    this.#show();
  }

  update(feature) {
    const { element, parts } = this;
    const { name, enabled, rules, lastEvaluation, isStale, isDisabled } = feature;
    this.feature = feature;
    setAttributes(element, { "data-feature": name, "data-switch": true, "data-overridden": enabled.isOverridden });
    setText(parts.title, name);
    this.own.show({
      ...enabled, value: enabled.value ?? undefined, feature: name, name: null, type: "boolean",
      path: `features/${segment(name)}/enabled`,
    });
    const count = sum(Object.values(feature.evaluations));
    setText(parts.count, `${numbers.format(feature.variableCount)}${
      feature.overrideCount > 0 ? `, ${plural(feature.overrideCount, "override")}` : ""}`);
    setText(parts.evaluations, count === 0 ? "–" : numbers.format(count));
    setAttributes(parts.evaluations, { title: textOfEvaluations(feature.evaluations) });
    parts.evaluated.replaceChildren(lastEvaluation === null ? muted(feature.isNotEvaluatedYet ? "not evaluated yet" : "never") : timeElement(lastEvaluation));
    const mark = isStale && make("span", { class: "mark", "data-mark": "stale", title: chipTitles.stale }, "stale");
    const off = isDisabled
      && make("span", { class: "mark", "data-mark": "disabled", title: chipTitles.disabled }, "disabled");
    parts.marks.replaceChildren(...[off, mark].filter(Boolean));
    showText(parts.experiments, textOfDeciders(enabled));
    parts.rules.replaceChildren(...rules.map(elementOfRule));
    parts.rules.hidden = rules.length === 0;
    showText(parts["evaluations-by-reason"], count > 0 && `Evaluations: ${textOfEvaluations(feature.evaluations)}.`);
    return this.#parts();
  }

  #show() {
    atOnce(this.#parts());
  }

  /** The details; they are built when they are opened for the first time. */
  * #parts() {
    const { parts, feature: { name, variables, variableCount, isNarrowed, isOpen } } = this;
    this.isOpen = isOpen;
    setAttributes(parts.open, { "aria-expanded": String(isOpen) });
    parts.details.hidden = !isOpen;
    if (!isOpen && !this.isBusy) return;
    const shown = this.showsAll ? variables : variables.slice(0, variablesAtFirst);
    const rows = shown.map(variable => ({
      ...variable, feature: name, path: `features/${segment(name)}/variables/${segment(variable.name)}`,
    }));
    yield* reconcile(parts.rows, rows, row => row.name, () => new VariableRow());
    const matching = numbers.format(variables.length);
    showText(parts.narrowed, isNarrowed && `${matching} of ${plural(variableCount, "value")} match.`);
    showText(parts["show-all"], shown.length < variables.length && `Show all ${plural(variables.length, "value")}`);
    showText(parts["no-values"], variableCount === 0 && "It has no variables.");
  }

  /** What is not being edited goes; the rest is built anew if the feature comes back. */
  leave() {
    this.signature = null;
    if (this.own.isBusy) this.own.leave();
    for (const row of this.rows) row.isBusy ? row.leave() : row.element.remove();
  }

  removeIfDone() {
    if (!this.isBusy && this.signature === null) this.element.remove();
  }
}

const sum = values => values.reduce((total, each) => total + each, 0);

function textOfEvaluations(evaluations) {
  return Object.entries(evaluations).map(([reason, count]) =>
    `${numbers.format(count)} ${evaluationReasons[reason] ?? reason}`).join(", ");
}

function textOfDeciders({ rules, experiments }) {
  const deciding = [["rule", rules ?? []], ["experiment", experiments ?? []]].filter(([, ids]) => ids.length > 0)
    .map(([kind, ids]) => `${kind}${ids.length === 1 ? "" : "s"} ${ids.join(", ")}`).join(" and ");
  return deciding && `${deciding[0].toUpperCase()}${deciding.slice(1)} can change this.`;
}

/** A variable in the details of its feature. */
class VariableRow {
  element = copy("variable");
  parts = partsOf(this.element);
  controls = new OverrideControls(this, this.parts);

  get isBusy() { return this.controls.isBusy; }

  update(item) {
    const { element, parts } = this;
    this.item = item;
    setAttributes(element, {
      "data-feature": item.feature, "data-variable": item.name, "data-overridden": item.isOverridden,
    });
    setText(parts.title, item.title);
    setText(parts.name, nameOfRow(item));
    setText(parts.type, [item.type, item.group].filter(Boolean).join(", "));
    showText(parts.description, item.description);
    showText(parts.experiments, textOfDeciders(item));
    this.controls.show(item);
  }

  leave() {
    this.signature = null;
    this.controls.leave();
  }

  removeIfDone() {
    const block = partOf.get(this.element.closest("tbody"));
    this.element.remove();
    block.removeIfDone();
  }
}

function elementOfRule({ id, for: audience, gives, isUsable }) {
  const mark = isUsable ? null : make("span", { class: "mark unusable", "data-mark": "unusable" }, "unusable");
  return make("li", { "data-rule": id }, nameElement(id), " ", mark, ` ${audience} → ${gives}`);
}

function textOfRow({ name, isEncrypted }, value) {
  if (name === null) return value === undefined || value === null ? "not set" : value ? "on" : "off";
  return isEncrypted && value === undefined ? "encrypted" : brief(value);
}

function valueOfRow(item, value) {
  if (item.name === null) return make(value == null ? "span" : "strong", {}, textOfRow(item, value));
  return item.isEncrypted && value === undefined ? secretElement() : valueElement(value);
}

function listenToFeatures() {
  const { root, parts } = views.features;
  parts.filter.addEventListener("input", () => askForFeatures({}, searchPause));
  root.addEventListener("click", ({ target }) => {
    const { chip } = target.closest("[data-chip]")?.dataset ?? {};
    const { sort } = target.closest("[data-sort]")?.dataset ?? {};
    if (chip) toggleChip(chip);
    if (sort) sortFeatures(sort);
  });
  parts["previous-page"].addEventListener("click", () => turnPage(-1));
  parts["next-page"].addEventListener("click", () => turnPage(1));
  parts["open-all"].addEventListener("click", () => {
    chooseFeatures({ open: views.features.options.open === allOpen ? "" : allOpen });
    views.features.show();
  });
  parts["remove-overrides"].addEventListener("click", askToRemoveOverrides);
  find("[data-role=confirm-form]").addEventListener("submit", confirmChange);
  find("[data-role=keep]").addEventListener("click", () => find("[data-role=confirm]").close());
}

