// ---------------------------------------------------------------------------------------------------- Overrides

/** The name of the person who makes changes: that of the host's login, else one that is kept in this browser. */
const author = {
  get name() { return statusNow()?.author ?? localStorage.getItem("console.author") ?? ""; },
  set name(name) { localStorage.setItem("console.author", name); },
};

const expiries = [
  ["for 15 minutes", 900], ["for 1 hour", 3600], ["for 4 hours", 14_400], ["for 1 day", 86_400], ["for 1 week", 604_800],
  ["until it is removed", "never"],
];
const usualExpiry = 14_400;                // the service's too

/** The body of a change. The value is JSON text, because numbers are sent as they were written. */
function bodyOfOverride(text, details) {
  const members = Object.entries(details).filter(([, value]) => value != null && value !== "")
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{"value":${text}${members.join("")}}`;
}

/** @param {Record<string, any>} target */
function pathOfOverrideOf({ feature, variable, experiment }) {
  if (experiment != null) return `experiments/${segment(experiment)}/variant`;
  return `features/${segment(feature)}/${variable == null ? "enabled" : `variables/${segment(variable)}`}`;
}

/** @param {Record<string, any>} target */
function nameOfOverride({ namespace, feature, variable, experiment }) {
  if (experiment != null) return `${experiment}: forced variant`;
  return [namespace ?? feature, variable].filter(part => part != null).join(".");
}

/** Removes an override, in the name of the person whom this browser knows. */
const removalOf = path => ({ method: "DELETE", path: `${path}?by=${segment(author.name)}` });

/** The change that puts an override back as it was; without a body for a secret, whose value is not known here. */
const restorationOf = ({ value, by, note, expiry, ...target }) => ({
  method: "PUT", path: pathOfOverrideOf(target), name: nameOfOverride(target),
  body: value === undefined ? null : bodyOfOverride(JSON.stringify(value), { by: by ?? author.name, note, expiry }),
});

const isPossible = ({ method, body }) => method === "DELETE" || body !== null;

const send = ({ method, path, body = undefined }) => request(path, { method, body });

/** Says what was done, with a button that undoes it by other changes. */
function notifyWithUndo(text, changes) {
  notify(text, changes.some(isPossible) ? () => undo(changes) : null);
}

/** Makes all changes, even if some fail; the notice names those and tries them again. */
async function undo(changes) {
  const failed = [];
  const reasons = [];
  for (const each of changes) {
    try {
      if (!isPossible(each)) throw new Error("its value is secret");
      await send(each);
    } catch ({ message }) {
      failed.push(each);
      reasons.push(!each.name || message.includes(each.name) ? message : `${each.name}: ${message}`);
    }
  }
  await reloadShown();
  if (failed.length === 0) return notify("It is undone.");
  const words = failed.length < changes.length ? "Not all is undone" : "Not undone";
  notifyWithUndo(`${words}: ${reasons.join("; ")}`, failed);
}

/** Makes a change of one override, and gives the service's warning if there is one. */
async function changeOverride(step, text) {
  const { previous, warning } = await send(step);
  await reloadShown();
  notifyWithUndo(text, [previous == null ? removalOf(step.path.split("?")[0]) : restorationOf(previous)]);
  return warning;
}

/** A field for the name of the person who makes a change: each change is recorded with one. */
class NameField {
  constructor() {
    this.by = make("input", { size: 14, maxlength: 100, autocomplete: "name", "aria-required": "true", "data-role": "by" });
    this.by.value = author.name;
    this.element = make("div", { class: "fields" }, statusNow()?.author == null && make("label", {}, "Your name ", this.by));
  }

  read() {
    const name = this.by.value.trim();
    if (name === "") throw new Error("enter your name: a change is recorded with it.");
    author.name = name;
    return { by: name };
  }
}

/** Asks for the name of the person who makes a change if this browser does not know it. */
function askForAuthor() {
  if (author.name !== "") return Promise.resolve();
  return new Promise((resolve, reject) => {
    askToConfirm({
      title: "Your name", verb: "Continue", isHarmless: true, fields: new NameField(),
      text: "A change is recorded with the name of the person who makes it. This browser keeps the name.",
    }, async () => resolve());
    find("[data-role=confirm]").addEventListener("close", () => reject(new Error("no name was given.")), { once: true });
  });
}

/** Fields for the name, the reason and the end of an override. */
class DetailFields extends NameField {
  constructor() {
    super();
    this.note = make("input", {
      size: 24, maxlength: 500, autocomplete: "off", "data-role": "note", placeholder: "INC-412",
    });
    this.expiry = make("select", { "data-role": "expiry" },
      ...expiries.map(([text, seconds]) => make("option", { value: seconds, selected: seconds === usualExpiry }, text)));
    this.element.append(make("label", {}, "Reason ", this.note), make("label", {}, "In effect ", this.expiry));
  }

  read() {
    const { value: expiry } = this.expiry;
    return { ...super.read(), note: this.note.value.trim(), expiry: expiry === "never" ? expiry : Number(expiry) };
  }
}

/** When an override was set, by which person, why and for how long: "4 min ago by dana, “INC-412”, until 18:00:00". */
function wordsOfOverride(override) {
  const { time, by, note, expiry } = override ?? {};
  return [
    time != null && timeElement(time), by != null && ` by ${visible(by)}`, note != null && `, “${visible(note)}”`,
    expiry != null && ", until ", expiry != null && timeElement(expiry, "moment"),
  ].filter(Boolean);
}

/** What sets, changes and removes the override of one value; the row of a feature or of a variable has one. */
class OverrideControls {
  editor = null;
  isChanging = false;
  isGone = false;
  item = null;

  constructor(owner, parts) {
    this.owner = owner;
    this.parts = parts;
    parts.toggle.addEventListener("click", () => this.toggle());
    parts.edit.addEventListener("click", () => this.edit());
    parts.reset.addEventListener("click", () => this.reset());
  }

  get isBusy() { return this.editor !== null; }
  get host() { return this.parts.editing; }

  show(item) {
    const { parts } = this;
    this.item = item;
    this.isGone = false;
    parts.value.replaceChildren(valueOfRow(item, item.value));
    showText(parts.source, item.source);
    setAttributes(parts.source, { "data-layer": item.source?.split(",")[0] });
    parts.override.replaceChildren(...wordsOfOverride(item.override));
    this.#showOverridden();
    this.#showActions();
    this.editor?.compare(item);
  }

  #showOverridden() {
    const { item, parts } = this;
    const words = (item.overridden ?? []).flatMap(({ value, source }) => [", ", valueOfRow(item, value), ` (${source})`]);
    parts.overridden.replaceChildren(...words.slice(1));
    if (words.length > 0) parts.overridden.prepend("over ");
    parts.overridden.hidden = words.length === 0;
  }

  #showActions() {
    const { item, parts } = this;
    const name = nameOfRow(item);
    const [under] = item.overridden ?? [];
    const isBoolean = item.type === "boolean" && !item.isEncrypted;
    parts.toggle.hidden = !isBoolean;
    setAttributes(parts.toggle, { "aria-checked": String(item.value === true), "aria-label": visible(name) });
    parts.edit.hidden = item.isEncrypted === true;
    setAttributes(parts.edit, { "aria-label": `Change ${visible(name)}` });
    const target = under ? `to ${textOfRow(item, under.value)} (${under.source})` : "(nothing else gives a value)";
    const shown = item.name === null && under ? `to ${textOfRow(item, under.value)}` : target;
    showText(parts.reset, item.isOverridden && `Reset ${shown}`);
    setAttributes(parts.reset, { "aria-label": `Reset ${visible(name)} ${visible(target)}` });
  }

  /** Applies at once, for the usual time; the notice undoes it. */
  toggle() {
    const value = this.item.value !== true;
    const body = () => bodyOfOverride(String(value), { by: author.name });
    const words = this.item.name === null ? (value ? "on" : "off") : String(value);
    const [usual] = expiries.find(([, seconds]) => seconds === usualExpiry);
    const text = `${nameOfRow(this.item)} is now ${words}, ${usual}.`;
    return this.#make(() => ({ method: "PUT", path: this.item.path, body: body() }), text, "changed");
  }

  async reset() {
    const text = `The override of ${nameOfRow(this.item)} is removed.`;
    await this.#make(() => removalOf(this.item.path), text, "reset");
    if (this.parts.reset.hidden) this.parts.edit.focus();
  }

  /** One change at a time: the undo of a second one would restore the first one. */
  async #make(step, text, verb) {
    if (this.isChanging) return;
    this.isChanging = true;
    const buttons = [this.parts.toggle, this.parts.reset];
    for (const button of buttons) setAttributes(button, { "aria-disabled": "true" });
    tell(this.host, null);
    try {
      await askForAuthor();
      tell(this.host, await changeOverride(step(), text), "warning");
    } catch (error) {
      tell(this.host, `Not ${verb}: ${error.message}`);
    }
    for (const button of buttons) setAttributes(button, { "aria-disabled": null });
    this.isChanging = false;
  }

  edit() {
    if (this.editor) return this.editor.focus();
    tell(this.host, null);
    tell(this.host, null, "warning");
    this.editor = new Editor(this.item, () => this.close());
    this.host.append(this.editor.element);
    this.parts.edit.disabled = true;
    this.editor.focus();
  }

  close() {
    this.editor.element.remove();
    this.editor = null;
    this.parts.edit.disabled = false;
    if (this.isGone) this.owner.removeIfDone();
    else this.parts.edit.focus();
  }

  /** The value is not listed any more, but the user is editing it: the row stays until that ends. */
  leave() {
    this.editor.warn(views.features.needle === "" ? "It is gone from the configuration meanwhile."
      : "The list does not have it any more.");
    this.isGone = true;
  }
}

function overridesText() {
  const all = statusNow()?.overrides ?? [];
  const forced = all.filter(({ experiment }) => experiment !== undefined).length;
  const own = all.length - forced;
  return [own > 0 && plural(own, "override"), forced > 0 && plural(forced, "forced variant")].filter(Boolean).join(" and ");
}

function showOverrideCount() {
  const text = overridesText();
  const button = views.features.parts["remove-overrides"];
  button.hidden = text === "";
  setText(button, `Remove all overrides (${text})`);
}

// ---------------------------------------------------------------------------------------------------- Confirmation

let confirmation = null;                   // what the dialog is about: { act, fields, isActing }

/** Asks before a change that affects all units of the service. `act` gets the details and may throw. */
function askToConfirm({ title, text, verb, fields = null, isHarmless = false }, act) {
  confirmation = { act, fields, isActing: false };
  setText(find("#confirm-title"), title);
  setText(find("[data-role=confirm-text]"), text);
  setText(find("[data-role=do]"), verb);
  find("[data-role=do]").className = isHarmless ? "primary" : "danger";
  find("[data-role=confirm-fields]").replaceChildren(...fields ? [fields.element] : []);
  tell(find("[data-role=confirm-error]"), null);
  find("[data-role=confirm]").showModal();
  (fields?.by.value === "" ? fields.by : find("[data-role=keep]")).focus();
}

async function confirmChange(submission) {
  submission.preventDefault();
  const asked = confirmation;
  if (asked.isActing) return;
  asked.isActing = true;
  try {
    await asked.act(asked.fields?.read());
    find("[data-role=confirm]").close();
  } catch (error) {
    tell(find("[data-role=confirm-error]"), `Not changed: ${error.message}`);
  }
  asked.isActing = false;
}

function askToRemoveOverrides() {
  const text = overridesText();
  askToConfirm({
    title: "Remove all overrides?", verb: "Remove all", fields: author.name === "" ? new NameField() : null,
    text: `This removes ${text}. The values then come from the layers below, at once, for all units of this service.`,
  }, async () => {
    const { previous, warning } = await send(removalOf("overrides"));
    await reloadShown();
    notifyWithUndo(["All overrides are removed.", warning].filter(Boolean).join(" "), previous.map(restorationOf));
  });
}

