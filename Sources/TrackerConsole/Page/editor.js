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

  focus() { this.field.input.focus(); }

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
    this.isSaving = this.parts.save.disabled = this.parts.cancel.disabled = isSaving;
  }
}

/** The field for a type: its element, its input, what is in it, and `read`, which gives JSON or throws in words. */
function fieldFor(item) {
  const label = `New value of ${nameOfRow(item)}`;
  const { type, value } = item;
  if (type === "boolean") return switchField(label, item);
  const read = readers[type] ?? readJSON;
  const start = value === undefined ? "" : type === "string" ? value : JSON.stringify(value, null, 2);
  // An input would lose line breaks without a word. A wheel cannot change a number that is typed as text.
  const isLine = read !== readJSON && !start.includes("\n");
  const input = isLine ? make("input", { size: type === "string" && 48, inputmode: type !== "string" && "decimal" })
    : make("textarea", { rows: Math.min(20, Math.max(4, start.split("\n").length)) });
  setAttributes(input, { autocomplete: "off", spellcheck: "false", "data-role": "input" });
  input.value = start;
  const element = make("label", {}, hint(read === readJSON ? `${label}, as JSON` : label), make("br"), input);
  return { element, input, text: () => input.value, read: () => read(input.value, type) };
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

/** Numbers are sent as they are written. */
const readers = {
  integer: text => readNumber(text.trim(), /^-?(0|[1-9]\d*)$/, "a whole number"),
  number: text => readNumber(text.trim(), /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/, "a number", ", as 1.5 is"),
  string: text => JSON.stringify(text),
};

function readNumber(text, form, what, example = "") {
  if (form.test(text)) return text;
  throw new Error(text === "" ? `Enter ${what}.` : `${text} is not ${what}${example}.`);
}

function readJSON(text, type) {
  let value;
  try { value = JSON.parse(text); } catch (error) { throw new Error(`This is not JSON: ${error.message}.`); }
  const found = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  const article = word => word === "null" ? "null" : /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
  if (found !== type) throw new Error(`This is ${article(found)}; the variable takes ${article(type)}.`);
  return text;
}
