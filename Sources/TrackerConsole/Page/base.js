"use strict";

// ---------------------------------------------------------------------------------------------------- Bounds

const keptEvents = 200;
const eventsAtTop = 50;                    // built while the list moves; more are when the user scrolls down in it
const quiet = 2_000;                       // after so long without a word from the stream the page says so
const silence = 5_000;                     // a stream that is silent for so long is held back by a proxy, or dead
const pollPause = 2_000;
const agesIn = 5_000;                      // what no mark tells of (evaluations, exposures) is read anew after so long
const streamRetry = 60_000;                // after a stream that never said anything
const longestBackoff = 30_000;
const requestTimeout = 15_000;
const noticeTime = 12_000;
const shownLines = 6;                      // status lines that are shown before the user asks for all
const fewRows = 9;                         // a table with fewer rows needs no filter
const mostRows = 200;                      // of a table; the filter finds the others

// ---------------------------------------------------------------------------------------------------- Words

/** What cannot be seen, or turns the direction of what follows, is spelled out: names come from anywhere. */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const visible = text =>
  String(text).replace(unseen, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The service's clock: "3 minutes ago" must not depend on how the viewer's clock is set. While the service does not answer
 * it stands at the last answer: how old things are is not known from then on. */
const clock = { offset: 0, stopped: null, now() { return (this.stopped ?? Date.now()) + this.offset; } };

const numbers = new Intl.NumberFormat("en");
const timeOfDay = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };

/** The zone in which times are shown: UTC, or the viewer's own. */
const zone = {
  isLocal: localStorage.getItem("console.zone") === "local",
  formats: {},
  choose(isLocal) {
    this.isLocal = isLocal;
    const format = options =>
      new Intl.DateTimeFormat("en-GB", isLocal ? options : { ...options, timeZone: "UTC" });
    this.formats = {
      time: format(timeOfDay), exact: format({ ...timeOfDay, fractionalSecondDigits: 3 }),
      minute: format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
      date: format({ day: "numeric", month: "short", year: "numeric" }),
    };
  },
  /** "UTC", or the name of the viewer's zone. */
  get name() { return this.isLocal ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC"; },
  get suffix() { return this.isLocal ? "" : " UTC"; },
};
zone.choose(zone.isLocal);

function moment(time) {
  const { time: clockTime, date } = zone.formats;
  const [day, today] = [time, clock.now()].map(each => date.format(each));
  return `${day === today ? "" : `${day}, `}${clockTime.format(time)}${zone.suffix}`;
}

function plural(count, one, many = `${one}s`) {
  return `${numbers.format(count)} ${count === 1 ? one : many}`;
}

/** In one unit and rounded down, as the status lines have it: "40 s", "6 min", "3 h", "2 days". */
function span(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

function ago(time) {
  const past = clock.now() - time;
  return past < 2_000 ? "just now" : `${span(past)} ago`;
}

const json = value => value === undefined ? "unset" : JSON.stringify(value);

function brief(value, most = 32) {
  const text = json(value);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

const sum = values => values.reduce((total, each) => total + each, 0);
const matches = (haystack, needle) => haystack.toLowerCase().includes(needle.trim().toLowerCase());

// ---------------------------------------------------------------------------------------------------- Address

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** What the fragment says: "#trackers/shop?open=shop" is a view, a filter and the view's settings. */
function address() {
  const [, name = "", filter, query = ""] = location.hash.match(/^#([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s) ?? [];
  return { name, filter: decoded(filter ?? ""), settings: new URLSearchParams(query) };
}

/** Keeps a filter or settings in the fragment and in the view's tab: they survive a reload and can be shared. */
function keepInAddress({ filter = undefined, ...settings }) {
  const old = address();
  for (const [name, value] of Object.entries(settings)) {
    value ? old.settings.set(name, value) : old.settings.delete(name);
  }
  const name = viewOfFragment();
  const [path, query] = [segment(filter ?? old.filter), old.settings.toString()];
  const fragment = `#${name}${path && `/${path}`}${query && `?${query}`}`;
  history.replaceState(null, "", fragment);
  find(`[data-tab=${name}]`)?.setAttribute("href", fragment);
}

// ---------------------------------------------------------------------------------------------------- Elements

const find = selector => document.querySelector(selector);
const findAll = selector => document.querySelectorAll(selector);
const copy = template => document.importNode(find(`#${template}`).content.firstElementChild, true);

/**
 * All parts of an element that have a role, by role.
 * @returns {Record<string, any>}
 */
function partsOf(element) {
  const parts = {};
  for (const part of element.querySelectorAll("[data-role]")) parts[part.dataset.role] = part;
  return parts;
}

/** Makes an element. Children that are texts become text nodes, so nothing the service says is ever read as markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  const present = children.filter(child => child != null && child !== false);
  element.append(...present.map(child => child instanceof Node ? child : visible(child)));
  return element;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/** Writes a text only where it differs, so that selections stay and nothing is laid out in vain. */
function setText(element, text) {
  const shown = visible(text ?? "");
  if (element.textContent !== shown) element.textContent = shown;
}

function showText(element, text) {
  setText(element, text || "");
  element.hidden = !text;
}

const timeWords = {
  ago, moment, span: time => span(clock.now() - time),
  within: time => time > clock.now() ? `within ${span(time - clock.now())}` : "now",
};

/** A time in milliseconds since 1970: the status has it as a text. */
const at = time => typeof time === "string" ? Date.parse(time) : time;

/** A time in words that `showTimes` keeps true: "3 min ago", the moment itself, or the time since then. */
function timeElement(given, words = "ago") {
  const time = at(given);
  const stamp = new Date(time).toISOString();
  const attributes = { datetime: stamp, title: stamp, "data-time": time, "data-words": words };
  return make("time", attributes, timeWords[words](time));
}

function showTimes(root) {
  for (const element of root.querySelectorAll("[data-time]")) {
    setText(element, timeWords[element.dataset.words](Number(element.dataset.time)));
  }
}

function valueElement(value) {
  if (value === undefined) return muted("unset");
  const text = JSON.stringify(value);
  if (text.length <= 240) return make("code", {}, text);
  const start = make("code", {}, `${text.slice(0, 120)}…`);
  const summary = make("summary", {}, start, ` ${plural(text.length, "character")}`);
  return make("details", {}, summary, make("pre", {}, JSON.stringify(value, null, 2)));
}

const muted = text => make("span", { class: "muted" }, text);
const hint = text => make("span", { class: "hint" }, text);
const nameElement = name => make("span", { class: "name" }, name);
const headCell = (...content) => make("th", { scope: "row" }, ...content);
const secretElement = () => muted("encrypted");
function layerMark(layer, version) {
  const name = layer === "builtin" ? "built in" : layer === "remote" && version != null ? `remote v${version}` : layer;
  return make("span", { class: "mark", "data-layer": layer }, name);
}
const tableOf = (heads, body) => make("table", { class: "stacks" },
  make("thead", {}, make("tr", {}, ...heads.map(title => make("th", { scope: "col" }, title)))), body);
const cell = (label, ...content) => make("td", { "data-label": label }, ...content);

/** Shows an error or a warning where it happened, and has it read out; without a text it goes. */
function tell(host, text, kind = "error") {
  host.querySelector(`:scope > [data-role=${kind}]`)?.remove();
  if (text) host.append(make("p", { class: kind, "data-role": kind, role: "alert" }, text));
}

let noticeTimer = null;

/** Says what was done, with a button that undoes it if `undo` is given. The page shows it too, so that it may go. */
function notify(text, undo = null) {
  clearTimeout(noticeTimer);
  setText(find("[data-role=notice]"), text);
  const button = find("[data-role=undo]");
  button.hidden = undo === null;
  button.onclick = undo && (async () => {
    notify("");
    try { await undo(); } catch (error) { notify(`Not undone: ${error.message}`); }
  });
  noticeTimer = setTimeout(() => notify(""), noticeTime);
}

// ---------------------------------------------------------------------------------------------------- Building

const partOf = new WeakMap();              // element → its part: { element, update(item), isBusy?, leave?() }

/** Brings a container in line with items, by key: builds what is new, updates what differs, leaves the rest. */
function reconcile(container, items, key, build) {
  const keys = new Set(items.map(key));
  const parts = new Map();
  for (const element of [...container.children]) {
    const part = partOf.get(element);
    if (!part) continue;
    if (keys.has(part.key)) parts.set(part.key, part);
    else if (part.isBusy) part.leave();
    else element.remove();
  }
  let next = container.firstElementChild;
  for (const item of items) {
    while (next && !keys.has(partOf.get(next)?.key)) next = next.nextElementSibling;
    const part = parts.get(key(item)) ?? adopt(build(item), key(item));
    if (part.element === next) next = next.nextElementSibling;
    else container.insertBefore(part.element, next);
    const signature = JSON.stringify(item);
    if (part.signature !== signature) {
      part.update(item);
      part.signature = signature;
    }
  }
}

function adopt(part, key) {
  part.key = key;
  partOf.set(part.element, part);
  return part;
}

const partsIn = container => [...container.children].map(element => partOf.get(element)).filter(Boolean);

// ---------------------------------------------------------------------------------------------------- The service

class ServiceError extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

const token = {
  value: sessionStorage.getItem("console.token"),
  keep(value) { this.value = value; sessionStorage.setItem("console.token", value); },
  forget() { sessionStorage.removeItem("console.token"); location.reload(); },
};

/** Numbers that a double cannot hold stay as they are written: the page must not show another value than is in use. */
function parse(text) {
  if (!JSON.rawJSON || !/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, { source }) => {
    const isInexact = typeof value === "number" && source !== String(value) && /\d{16}/.test(source);
    return isInexact ? JSON.rawJSON(source) : value;
  });
}

/**
 * What makes signals; the compiler that checks the script is older than these two.
 * @type {{ timeout(milliseconds: number): AbortSignal, any(signals: AbortSignal[]): AbortSignal }}
 */
const abortSignal = /** @type {any} */ (AbortSignal);

async function ask(path, options = {}) {
  const headers = token.value ? { Authorization: `Bearer ${token.value}` } : {};
  if (options.method) headers["Content-Type"] = "application/json";
  try {
    const signal = abortSignal.timeout(requestTimeout);
    // Not relative: if the page's address has a login, browsers refuse a request whose address inherits it.
    return await fetch(new URL(path, location.origin + location.pathname), { signal, cache: "no-store", ...options, headers });
  } catch (error) {
    const isLate = error.name === "TimeoutError";
    throw new ServiceError(isLate ? "The service did not answer in time." : "No service answers here.");
  }
}

/** Reads an answer; errors in the service's words. */
async function read(response) {
  const text = await response.text().catch(() => {
    throw new ServiceError("The connection broke during the answer.");
  });
  let answer = null;
  try { answer = parse(text || "{}"); } catch { /* told below */ }
  if (response.ok && answer !== null) return answer;
  const code = response.status;
  const words = answer?.error ?? (code === 413 ? "The body is larger than the service takes." : `The service answered ${code}, without a reason.`);
  if (response.status === 401) lock(token.value ? words : null);
  throw new ServiceError(response.ok ? "What answers here is not the service." : words, response.status);
}

const request = async (path, options) => read(await ask(path, options));
const segment = encodeURIComponent;

