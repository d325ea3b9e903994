// ---------------------------------------------------------------------------------------------------- Features

const allOpen = "*";

const listOf = text => (text || null)?.split(",").map(decoded) ?? [];

/** All that the filter is compared with. */
const textOfFeature = ({ name, variables }) => [name, ...variables.map(variable => textOfVariable(name, variable))].join("\n");
const textOfVariable = (feature, { name, title, description, group }) =>
  [`${feature}.${name}`, title, description, group].filter(Boolean).join("\n");

function showFeatures(parts, { total, features, experiments, counters }) {
  const { needle } = views.features;
  const chosen = features.filter(feature => matches(textOfFeature(feature), needle));
  showText(parts.empty, total === 0 && "There is no feature: no document, provider or override names one.");
  parts.list.hidden = total === 0;
  views.features.showCount(chosen.length, features.length, "feature");
  const isCut = Math.min(chosen.length, mostRows) < chosen.length;
  showText(parts.cut, [isCut && `The first ${mostRows} are shown; filter to see others.`,
    features.length < total && `The service sends the first ${numbers.format(features.length)} of ${numbers.format(total)} features.`,
  ].filter(Boolean).join(" "));
  showOverrideCount();
  const items = chosen.slice(0, mostRows).map(feature => narrowed(feature, needle));
  reconcile(parts.table, items, feature => feature.name, () => new FeatureBlock());
  const isAllOpen = views.features.options.open === allOpen;
  setText(parts["open-all"], isAllOpen ? "Hide all values" : "Show all values");
  setAttributes(parts["open-all"], { "aria-pressed": String(isAllOpen) });
  showExperiments(experiments, counters, parts);
}

/** A feature with the variables that match, all if its name does; it is open if the user has opened it or some match alone. */
function narrowed(feature, needle) {
  const { name, variables } = feature;
  const { open } = views.features.options;
  const own = matches(name, needle) ? variables : variables.filter(each => matches(textOfVariable(name, each), needle));
  const isOpen = open === allOpen || listOf(open).includes(name) || own.length < variables.length;
  return { ...feature, variables: own, count: variables.length, isOpen };
}

/** Opens or closes a feature; the URL keeps it. */
function openFeature(name, isIn) {
  const { features } = sources.features.data;
  const { open } = views.features.options;
  const others = (open === allOpen ? features.map(feature => feature.name) : listOf(open)).filter(each => each !== name);
  views.features.choose({ open: (isIn ? [...others, name] : others).map(segment).join(",") });
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

  constructor() {
    this.parts.open.addEventListener("click", () => openFeature(this.feature.name, !this.isOpen));
  }

  get rows() { return partsIn(this.parts.rows); }
  get isBusy() { return this.own.isBusy || this.rows.some(row => row.isBusy); }
  get hasUnsavedEdit() {
    return [this.own, ...this.rows.map(row => row.controls)].some(each => each.editor?.isChanged);
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
    const overridden = feature.variables.filter(({ isOverridden }) => isOverridden).length;
    setText(parts.count, `${numbers.format(feature.count)}${overridden > 0 ? `, ${plural(overridden, "override")}` : ""}`);
    setText(parts.evaluations, count === 0 ? "–" : numbers.format(count));
    const never = feature.isNotEvaluatedYet ? "not evaluated yet" : "never";
    parts.evaluated.replaceChildren(lastEvaluation === null ? muted(never) : timeElement(lastEvaluation));
    const stale = isStale
      && make("span", { class: "mark", "data-mark": "stale", title: "Not evaluated for 7 days" }, "stale");
    const disabled = isDisabled && make("span", { class: "mark", "data-mark": "disabled",
      title: "A source disables it: without an override, the default of the code applies" }, "disabled");
    parts.marks.replaceChildren(...[disabled, stale].filter(Boolean));
    showText(parts.experiments, textOfDeciders(enabled));
    parts.rules.replaceChildren(...rules.map(elementOfRule));
    parts.rules.hidden = rules.length === 0;
    this.#showDetails();
  }

  /** The details; they are built when they are opened for the first time. */
  #showDetails() {
    const { parts, feature: { name, variables, isOpen } } = this;
    this.isOpen = isOpen;
    setAttributes(parts.open, { "aria-expanded": String(isOpen) });
    parts.details.hidden = !isOpen;
    if (!isOpen && !this.isBusy) return;
    const rows = variables.map(variable => ({
      ...variable, feature: name, path: `features/${segment(name)}/variables/${segment(variable.name)}`,
    }));
    reconcile(parts.rows, rows, row => row.name, () => new VariableRow());
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

/** What else may decide; not of a value that overrides the documents with their rules. */
function textOfDeciders({ rules, experiments, source }) {
  if (source != null && !/^(remote|default)/.test(source)) return "";
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
  const { parts } = views.features;
  parts["open-all"].addEventListener("click", () =>
    views.features.choose({ open: views.features.options.open === allOpen ? "" : allOpen }));
  parts["remove-overrides"].addEventListener("click", askToRemoveOverrides);
}
