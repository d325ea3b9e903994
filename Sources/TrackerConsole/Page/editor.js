// ---------------------------------------------------------------------------------------------------- Editor

/** Edits one value. It keeps what was typed, whatever arrives meanwhile, and says what did. */
class Editor {
  element = copy("editor");
  parts = partsOf(this.element);
  details = new DetailFields();
  isSaving = false;
  isWrong = false;

  constructor(item, close) {
    this.item = item;
    this.close = close;
    this.field = fieldFor(item);
    this.start = this.field.text();
    this.parts.field.append(this.field.element);
    this.parts.details.replaceWith(this.details.element);
    showText(this.parts.caution, item.isOverridden && "An override is in effect; what you save takes its place.");
    this.parts.cancel.addEventListener("click", close);
    this.element.addEventListener("submit", submission => { submission.preventDefault(); this.save(); });
    this.element.addEventListener("change", () => this.check());
    this.element.addEventListener("input", () => { if (this.isWrong) this.check(); });
    this.element.addEventListener("keydown", press => {
      if (press.key === "Enter" && (press.ctrlKey || press.metaKey)) this.save();
      if (press.key === "Escape" && !this.isChanged) close();
    });
  }

  get isChanged() { return this.field.text() !== this.start || this.details.note.value !== ""; }

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
    const now = `${textOfRow(item, item.value)} (${item.source ?? "no source has it"})${type}`;
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
    const { path, name } = this.item;
    const shown = name === null ? (text === "true" ? "on" : "off") : text.length > 60 ? "changed" : text;
    try {
      const body = bodyOfOverride(text, this.details.read());
      const warning = await changeOverride({ method: "PUT", path, body }, `${nameOfRow(this.item)} is now ${shown}.`);
      const host = this.element.parentElement;
      this.close();
      tell(host, warning, "warning");
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

