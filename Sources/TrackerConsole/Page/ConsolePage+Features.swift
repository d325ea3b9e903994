// The text of the page is not indented.
// swift-format-ignore-file

extension ConsolePage {
    /// The script's fourth part: features, editor and overrides.
    static let featureScript = #"""
// ---------------------------------------------------------------------------------------------------- Features

let variableRows = [];                     // all rows, in order, as the service last told them

function showFeatures({ features }, parts) {
  showText(parts.empty, features.length === 0 && "There is no feature: no document, provider or override names one.");
  variableRows = features.flatMap(feature =>
    [rowOfSwitch(feature), ...feature.variables.map(variable => rowOfVariable(feature, variable))]);
  const groups = [...Map.groupBy(variableRows, row => row.group)].map(([title, rows]) => ({ title, rows }));
  inSlices("features", reconcile(parts.groups, groups, group => group.title, () => new VariableGroup()));
  countVariables();
}

/** A feature's switch is where its first variable is: in that one's group, else under the feature's name. */
function rowOfSwitch({ name, enabled, variables, rules }) {
  return {
    ...enabled, list: rules, value: enabled.value ?? undefined, feature: name, name: null, type: "boolean",
    group: variables[0]?.group ?? name, path: `features/${segment(name)}/enabled`, haystack: name.toLowerCase(),
  };
}

function rowOfVariable({ name: feature }, variable) {
  const { name, title = "", description = "", group = feature } = variable;
  const haystack = `${feature}.${name}\n${title}\n${description}`.toLowerCase();
  return { ...variable, feature, group, haystack, path: `features/${segment(feature)}/variables/${segment(name)}` };
}

const nameOfRow = ({ feature, name }) => name === null ? feature : `${feature}.${name}`;

function isChosen(row) {
  const { filter, "only-overridden": onlyOverridden } = views.features.parts;
  return (row.isOverridden || !onlyOverridden.checked) && row.haystack.includes(filter.value.trim().toLowerCase());
}

function filterFeatures() {
  inSlices("filter", filterGroups());
  countVariables();
}

function* filterGroups() {
  for (const group of partsIn(views.features.parts.groups)) yield group.filter();
}

function countVariables() {
  const isVariable = row => row.name !== null;
  const all = variableRows.filter(isVariable).length;
  const chosen = variableRows.filter(isChosen);
  const shown = `${numbers.format(chosen.filter(isVariable).length)} of ${plural(all, "variable")}`;
  setText(views.features.parts.shown, chosen.length === 0 && variableRows.length > 0 ? "Nothing matches." : shown);
}

class VariableGroup {
  element = copy("group");
  parts = partsOf(this.element);
  guessed = 0;

  * update({ title, rows }) {
    this.element.dataset.group = title;
    setText(this.parts["group-title"], title);
    yield* reconcile(this.parts.rows, rows, nameOfRow, () => new VariableRow());
    this.filter();
  }

  get rows() { return partsIn(this.parts.rows); }
  get isBusy() { return this.rows.some(row => row.isBusy); }

  /** What is not being edited goes; the rest is built anew where the group comes back. */
  leave() {
    this.signature = null;
    for (const row of this.rows) row.isBusy ? row.leave() : row.element.remove();
  }

  /** Hides what is not asked for, but never an edit that is under way; the height is a guess until it has been seen. */
  filter() {
    let shown = 0;
    for (const row of this.rows) {
      row.element.hidden = !row.isBusy && !isChosen(row.item);
      if (!row.element.hidden) shown += 1;
    }
    this.element.hidden = shown === 0;
    if (shown !== this.guessed) this.element.style.containIntrinsicSize = `auto none auto ${56 + shown * 59}px`;
    this.guessed = shown;
  }
}

class VariableRow {
  element = copy("variable");
  parts = partsOf(this.element);
  editor = null;
  item = null;
  isGone = false;

  constructor() {
    this.parts.edit.addEventListener("click", () => this.edit());
    this.parts.reset.addEventListener("click", () => this.reset());
  }

  get isBusy() { return this.editor !== null; }

  update(item) {
    const { element, parts } = this;
    const isSwitch = item.name === null;
    this.item = item;
    this.isGone = false;
    setAttributes(element, {
      "data-feature": item.feature, "data-variable": item.name,
      "data-switch": isSwitch, "data-overridden": item.isOverridden,
    });
    setText(parts.title, isSwitch ? item.feature : item.title);
    setText(parts.name, isSwitch ? "" : nameOfRow(item));
    setText(parts.type, isSwitch ? "the feature itself, on or off" : item.type);
    showText(parts.description, item.description);
    parts.value.replaceChildren(valueOfRow(item, item.value));
    showText(parts.source, item.source);
    setAttributes(parts.source, { "data-layer": item.source?.split(",")[0] });
    this.#showOver();
    const deciding = [["Rules", item.rules], ["Experiments", item.experiments]].filter(([, ids]) => ids?.length > 0);
    const others = deciding.map(([kind, ids]) => `${kind} ${ids.join(", ")}`).join("; ");
    showText(parts.experiments, others && `For some contexts decided by: ${others}.`);
    parts.rules.replaceChildren(...(item.list ?? []).map(elementOfRule));
    parts.rules.hidden = parts.rules.children.length === 0;
    this.#showActions();
    this.editor?.compare(item);
  }

  #showOver() {
    const { item, parts } = this;
    const lost = (item.over ?? []).flatMap(({ value, source }) => [", over ", valueOfRow(item, value), ` (${source})`]);
    parts.over.replaceChildren(...lost.slice(lost.length > 0 ? 1 : 0));
    if (lost.length > 0) parts.over.prepend("over ");
    parts.over.hidden = lost.length === 0;
  }

  #showActions() {
    const { item, parts } = this;
    const name = nameOfRow(item);
    const [under] = item.over ?? [];
    parts.edit.hidden = item.isEncrypted === true;
    setAttributes(parts.edit, { "aria-label": `Change ${visible(name)}` });
    const target = under ? `to ${textOfRow(item, under.value)} (${under.source})` : "(nothing else gives a value)";
    showText(parts.reset, item.isOverridden && `Reset ${target}`);
    setAttributes(parts.reset, { "aria-label": `Reset ${visible(name)} ${visible(target)}` });
  }

  edit() {
    if (this.editor) return this.editor.focus();
    tell(this.element, null);
    tell(this.element, null, "warning");
    this.editor = new Editor(this.item, () => this.close());
    this.element.append(this.editor.element);
    this.parts.edit.disabled = true;
    this.editor.focus();
  }

  close() {
    this.editor.element.remove();
    this.editor = null;
    this.parts.edit.disabled = false;
    if (this.isGone) this.element.remove();
    else this.parts.edit.focus();
    filterFeatures();
  }

  /** The variable is gone, but somebody is editing it: the row stays until that ends. */
  leave() {
    this.signature = null;
    this.editor.warn("It is gone from the configuration meanwhile.");
    this.isGone = true;
  }

  async reset() {
    const name = nameOfRow(this.item);
    this.parts.reset.disabled = true;
    tell(this.element, null);
    try {
      const warning = await change("DELETE", this.item.path);
      tell(this.element, warning, "warning");
      notify(`The override of ${name} is removed.`);
      if (this.parts.reset.hidden) this.parts.edit.focus();
    } catch (error) {
      tell(this.element, `Not reset: ${error.message}`);
    }
    this.parts.reset.disabled = false;
  }
}

function elementOfRule({ id, for: audience, gives, isUsable }) {
  const mark = isUsable ? null : make("span", { class: "mark unusable", "data-mark": "unusable" }, "unusable");
  return make("li", { "data-rule": id }, nameElement(id), " ", mark, ` ${audience} → ${gives}`);
}

function textOfRow({ name, isEncrypted }, value) {
  if (name === null) return value === undefined || value === null ? "not said" : value ? "on" : "off";
  return isEncrypted && value === undefined ? "encrypted" : brief(value);
}

function valueOfRow(item, value) {
  if (item.name === null) return make(value == null ? "span" : "strong", {}, textOfRow(item, value));
  return item.isEncrypted && value === undefined ? secretElement() : valueElement(value);
}

// ---------------------------------------------------------------------------------------------------- Editor

/** Edits one value. It keeps what was typed, whatever arrives meanwhile, and says what did. */
class Editor {
  element = copy("editor");
  parts = partsOf(this.element);
  isSaving = false;
  isWrong = false;

  constructor(item, close) {
    this.item = item;
    this.close = close;
    this.field = fieldFor(item);
    this.start = this.field.text();
    this.parts.field.append(this.field.element);
    this.parts.cancel.addEventListener("click", close);
    this.element.addEventListener("submit", submission => { submission.preventDefault(); this.save(); });
    this.element.addEventListener("change", () => this.check());
    this.element.addEventListener("input", () => { if (this.isWrong) this.check(); });
    this.element.addEventListener("keydown", press => {
      if (press.key === "Enter" && (press.ctrlKey || press.metaKey)) this.save();
      if (press.key === "Escape" && !this.isChanged) close();
    });
  }

  get isChanged() { return this.field.text() !== this.start; }

  focus() {
    this.field.input.focus();
  }

  /** The text to send, or null where it is not one; then it says why. */
  check() {
    try {
      const text = this.field.read();
      this.#mind(null);
      return text;
    } catch (error) {
      this.#mind(error.message);
      return null;
    }
  }

  #mind(text) {
    this.isWrong = text !== null;
    tell(this.parts.field, text);
    setAttributes(this.field.input, { "aria-invalid": text !== null && "true" });
  }

  compare(item) {
    if (this.isSaving) return;
    const gist = ({ value, source, type }) => JSON.stringify([value, source, type]);
    if (gist(item) === gist(this.item)) return this.warn(null);
    const type = item.type === this.item.type ? "" : `, and of the type ${item.type}`;
    const now = `${textOfRow(item, item.value)} (${item.source ?? "nobody says it"})${type}`;
    this.warn(`Changed meanwhile: it is now ${now}. What you save takes its place.`);
  }

  warn(text) {
    showText(this.parts.meanwhile, text);
    setText(this.parts.save, text ? "Save all the same" : "Save");
  }

  async save() {
    const text = this.check();
    if (text === null || this.isSaving) return;
    this.#setSaving(true);
    try {
      const warning = await change("PUT", this.item.path, text);
      const host = this.element.parentElement;
      this.close();
      tell(host, warning, "warning");
      const shown = this.item.name === null ? (text === "true" ? "on" : "off") : text.length > 60 ? "changed" : text;
      notify(`${nameOfRow(this.item)} is now ${shown}.`);
    } catch (error) {
      this.#setSaving(false);
      this.#mind(`Not saved: ${error.message}`);
    }
  }

  #setSaving(isSaving) {
    this.isSaving = isSaving;
    this.parts.save.disabled = isSaving;
    this.parts.cancel.disabled = isSaving;
  }
}

/** The field for a type: its element, its input, what is in it, and `read`, which gives JSON or throws in words. */
function fieldFor(item) {
  const label = `New value of ${nameOfRow(item)}`;
  switch (item.type) {
    case "boolean": return switchField(label, item);
    case "integer": return lineField(label, item.value, readInteger, "numeric");
    case "number": return lineField(label, item.value, readNumber, "decimal");
    case "string": return textField(label, item.value ?? "");
    default: return jsonField(label, item.value, item.type);
  }
}

function labelled(label, input) {
  input.dataset.role = "input";
  return make("label", {}, hint(label), make("br"), input);
}

function switchField(label, { name, value }) {
  const [on, off] = name === null ? ["on", "off"] : ["true", "false"];
  const input = make("input", { type: "checkbox", role: "switch", "data-role": "input" });
  const state = make("strong");
  const show = () => setText(state, input.checked ? on : off);
  input.checked = value === true;
  input.addEventListener("input", show);
  show();
  const element = make("label", { class: "choice" }, hint(label), input, state);
  return { element, input, text: () => String(input.checked), read: () => String(input.checked) };
}

/** Numbers are typed as text: a wheel cannot change them by mistake, and each is sent as it is written. */
function lineField(label, value, convert, inputmode) {
  const input = make("input", { inputmode, autocomplete: "off", spellcheck: "false" });
  input.value = value === undefined ? "" : JSON.stringify(value);
  return { element: labelled(label, input), input, text: () => input.value, read: () => convert(input.value.trim()) };
}

function readInteger(text) {
  if (/^-?(0|[1-9]\d*)$/.test(text)) return text;
  throw new Error(text === "" ? "Enter a whole number." : `${text} is not a whole number.`);
}

function readNumber(text) {
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) return text;
  throw new Error(text === "" ? "Enter a number." : `${text} is not a number, as 1.5 is.`);
}

/** One line where the value has one: an input would lose line breaks without a word. */
function textField(label, value) {
  const input = value.includes("\n") ? make("textarea", { rows: 6 }) : make("input", { size: 48 });
  setAttributes(input, { autocomplete: "off", spellcheck: "false" });
  input.value = value;
  return { element: labelled(label, input), input, text: () => input.value, read: () => JSON.stringify(input.value) };
}

function jsonField(label, value, type) {
  const text = value === undefined ? "" : JSON.stringify(value, null, 2);
  const input = make("textarea", { rows: Math.min(20, Math.max(4, text.split("\n").length)), spellcheck: "false" });
  input.value = text;
  const element = labelled(`${label}, as JSON`, input);
  return { element, input, text: () => input.value, read: () => readJSON(input.value, type) };
}

function readJSON(text, type) {
  let value;
  try { value = JSON.parse(text); } catch (error) { throw new Error(`This is not JSON: ${error.message}.`); }
  const found = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  if (found !== type) throw new Error(`This is ${withArticle(found)}; the variable takes ${withArticle(type)}.`);
  return text;
}

const withArticle = type => type === "null" ? "null" : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;

// ---------------------------------------------------------------------------------------------------- Overrides

function overridesText() {
  const { overrides, forced } = overview().counts;
  const texts = [overrides > 0 && plural(overrides, "override"), forced > 0 && plural(forced, "forced variant")];
  return texts.filter(Boolean).join(" and ");
}

function showOverrideCount() {
  const text = overridesText();
  const button = views.features.parts["remove-overrides"];
  button.disabled = text === "";
  setText(button, text === "" ? "No overrides to remove" : `Remove all overrides (${text})`);
}

function askToRemoveOverrides() {
  const consequence = "The values then come from the layers below, at once. It cannot be undone.";
  setText(find("[data-role=confirm-text]"), `This removes ${overridesText()}. ${consequence}`);
  tell(find("[data-role=confirm-error]"), null);
  find("[data-role=confirm]").showModal();
}

async function removeOverrides() {
  try {
    const warning = await change("DELETE", "overrides");
    find("[data-role=confirm]").close();
    notify(["All overrides are removed.", warning].filter(Boolean).join(" "));
  } catch (error) {
    tell(find("[data-role=confirm-error]"), `Not removed: ${error.message}`);
  }
}

"""#
}
