// ---------------------------------------------------------------------------------------------------- Connection

const connection = {
  state: "connecting", detail: "", since: Date.now(), lastAnswer: null, retryAt: null, isInterrupted: true,
  refusal: null,                           // why the service gives this page no stream, in its words
};
let connecting = null;                     // aborts the present connection
let cursor = null;

function connect() {
  connecting?.abort();
  connecting = new AbortController();
  connection.isInterrupted = true;
  keepConnected(connecting.signal);
}

function disconnect(state) {
  connecting?.abort();
  setConnection(state);
}

function setConnection(state, detail = "") {
  if (state === "disconnected" && connection.state !== state) {
    connection.since = connection.lastAnswer ?? Date.now();
  }
  Object.assign(connection, { state, detail });
  showConnection();
}

/** Asks once, then follows the stream; where that fails, polls, and tries the stream again later. */
async function keepConnected(signal) {
  let failures = 0;
  let streamFrom = 0;
  while (!signal.aborted) {
    try {
      accept(await poll(signal));
      failures = 0;
      if (Date.now() >= streamFrom) streamFrom = await followStream(signal) ? 0 : Date.now() + streamRetry;
      if (signal.aborted) return;
      if (streamFrom) setConnection("polling");
      await pause(streamFrom ? pollPause : 500, signal);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      connection.isInterrupted = true;
      const wait = Math.min(longestBackoff, 1_000 * 2 ** (failures - 1));
      connection.retryAt = Date.now() + wait;
      setConnection("disconnected", error.message);
      await pause(wait, signal);
    }
  }
}

async function poll(signal) {
  const bounded = abortSignal.any([signal, abortSignal.timeout(requestTimeout)]);
  return request(cursor === null ? "live" : `live?after=${segment(cursor)}`, { signal: bounded });
}

/** Follows the stream until it ends or falls silent. Not EventSource, which cannot send the token. */
async function followStream(signal) {
  const watchdog = new AbortController();
  let timer = setTimeout(() => watchdog.abort(), silence);
  let hasSpoken = false;
  connection.refusal = null;
  try {
    const response = await ask("stream", { signal: abortSignal.any([signal, watchdog.signal]) });
    if (!response.ok) await read(response);
    const parser = new EventStreamParser();
    for await (const text of chunks(response.body)) {
      for (const data of parser.feed(text)) {
        clearTimeout(timer);
        timer = setTimeout(() => watchdog.abort(), silence);
        accept(parse(data));
        if (!hasSpoken) { hasSpoken = true; setConnection("live"); }
      }
    }
  } catch (error) {
    // Whatever it was: the poll that follows says whether the service can be reached.
    if (error.status === 503) connection.refusal = error.message;
  } finally {
    clearTimeout(timer);
  }
  return hasSpoken;
}

async function* chunks(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

/** Cuts server-sent events out of a stream of text. */
class EventStreamParser {
  #rest = "";

  /** The data of each event that is complete now. */
  * feed(text) {
    const blocks = (this.#rest + text).split(/\r\n\r\n|\n\n|\r\r/);
    this.#rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split(/\r\n|\n|\r/).filter(line => line.startsWith("data:"));
      if (lines.length > 0) yield lines.map(line => line.slice(5).replace(/^ /, "")).join("\n");
    }
  }
}

function pause(milliseconds, signal) {
  return new Promise(resume => {
    const timer = setTimeout(resume, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); resume(); }, { once: true });
  });
}

/** Takes in what is live. After an interruption everything is read anew: it may be another process that answers. */
function accept(live) {
  const { isInterrupted } = connection;
  clock.offset = live.now - Date.now();
  clock.stopped = null;
  connection.lastAnswer = Date.now();
  cursor = live.cursor;
  for (const view of Object.values(views)) {
    view.mark = live.sections[view.name];
    if (isInterrupted) view.isOutdated = true;
  }
  if (isInterrupted) {
    connection.isInterrupted = false;
    setConnection("connecting");
    events.since = live.now;
  }
  takeEvents(live);
  latest = live;
  requestAnimationFrame(showLive);
  loadWhatIsDue();
}

/** How long the stream has been silent; null unless it is longer than it should be. */
function silentFor() {
  const { state, lastAnswer } = connection;
  const past = Date.now() - (lastAnswer ?? Date.now());
  return ["live", "polling"].includes(state) && past > quiet + (state === "polling" ? pollPause : 0) ? past : null;
}

function showConnection() {
  const { state, detail, since, lastAnswer, retryAt, refusal } = connection;
  const silent = silentFor();
  document.documentElement.dataset.connection = silent === null ? state : "silent";
  const isOutOfDate = lastAnswer !== null && (silent !== null || state === "disconnected");
  const stopped = isOutOfDate ? lastAnswer : null;
  if (clock.stopped !== stopped) {
    clock.stopped = stopped;
    showTimes(document);
  }
  const words = {
    connecting: "Connecting…",
    live: "Connected",
    polling: "Polling every 2 seconds",
    disconnected: `Disconnected since ${moment(since + clock.offset)}`,
    resting: "Resting while this page is hidden",
    locked: "Waiting for the token",
  };
  const details = {
    polling: refusal === null ? "The stream of live data does not arrive here; a proxy may hold it back."
      : `The service gives this page no stream: ${refusal}.`,
    disconnected: `${detail} Next try ${retryAt > Date.now() ? `in ${span(retryAt - Date.now())}` : "now"}.`,
  };
  const element = find("[data-role=connection]");
  const level = { live: "good", polling: "caution", disconnected: "trouble" }[state] ?? "muted";
  element.className = silent === null ? level : "trouble";
  setText(element, silent === null ? words[state] : `No answer since ${moment(lastAnswer + clock.offset)}`);
  showText(find("[data-role=connection-detail]"), silent === null && details[state]);
  showText(find("[data-role=stale]"),
    isOutOfDate && `Out of date: what is below was true at ${moment(lastAnswer + clock.offset)}.`);
  showProblems();
  showTitle();
}

// ---------------------------------------------------------------------------------------------------- Token

function lock(reason) {
  disconnect("locked");
  showView("token");
  tell(find("[data-role=token-form]"), reason);
  find("[data-role=token]").focus();
}

function submitToken(submission) {
  submission.preventDefault();
  const form = submission.target;
  const text = find("[data-role=token]").value.trim();
  const isToken = /^[\x21-\x7e]+$/.test(text);
  if (!isToken) return tell(form, text ? "A token has no blanks and only ASCII signs." : "Enter the token.");
  tell(form, null);
  token.keep(text);
  find("[data-role=token]").value = "";
  find("[data-role=forget-token]").hidden = false;
  setConnection("connecting");
  showView(viewOfFragment());
  connect();
}

// ---------------------------------------------------------------------------------------------------- Views

/** A view and its section of the service; it reads when it is shown and the section's mark has changed. */
class View {
  constructor(name, render, query = () => "") {
    this.name = name;
    this.render = render;
    this.query = query;                    // what the user has chosen of the section, as a query
    this.options = {};                     // what the URL says beside the filter
    this.root = find(`[data-view=${name}]`);
    this.parts = partsOf(this.root);
    this.data = null;
    this.mark = undefined;                 // what the service says now
    this.loadedMark = undefined;           // what the data is of
    this.loadedPath = name;
    this.loading = null;
    this.notBefore = 0;
    this.loadedAt = 0;
    this.isOutdated = true;
  }

  get isShown() { return !this.root.hidden; }
  get isNeeded() { return this.isShown || this.name === "overview"; }
  get isDue() {
    return !connection.isInterrupted && this.isNeeded && !this.loading && Date.now() >= this.notBefore
      && (this.isOutdated || this.mark !== this.loadedMark || this.path !== this.loadedPath || this.hasAged);
  }

  get path() {
    const query = String(this.query());
    return query === "" ? this.name : `${this.name}?${query}`;
  }

  /** A tracker's health, an experiment's exposures and a feature's evaluations change without a mark. */
  get hasAged() {
    return ["trackers", "features", "experiments"].includes(this.name) && Date.now() - this.loadedAt > agesIn;
  }

  load() {
    this.loading ??= this.#load().finally(() => { this.loading = null; });
    return this.loading;
  }

  /** Reads anew after a change: what is on its way already may be of before it. */
  async reload() {
    await this.loading;
    await this.load();
  }

  async #load() {
    const { mark, path } = this;
    try {
      this.data = await request(path);
      this.loadedMark = mark;
      this.loadedPath = path;
      this.isOutdated = false;
      this.loadedAt = Date.now();
      this.notBefore = this.loadedAt + 1_000;
      this.show();
      showText(this.parts["section-error"], null);
    } catch (error) {
      this.notBefore = Date.now() + 3_000;
      const consequence = this.data ? "What is below is of before." : "";
      showText(this.parts["section-error"], `This part could not be read: ${error.message} ${consequence}`);
    }
  }

  show() {
    if (this.data && (this.isShown || this.name === "overview")) this.render(this.data, this.parts);
  }

  get needle() { return this.parts.filter?.value ?? ""; }
}

/** What the user has chosen of a section, as the query of its request. */
const queries = { features: () => queryOfFeatures(), difference: () => queryOfDifference() };

const views = Object.fromEntries(Object.entries({
  overview: showOverview, trackers: showTrackers, features: showFeatures, experiments: showExperiments,
  difference: showDifference,
}).map(([name, render]) => [name, new View(name, render, queries[name])]));

function loadWhatIsDue() {
  for (const view of Object.values(views)) if (view.isDue) view.load();
}

const partOfAll = (chosen, all, noun) =>
  `${chosen.length < all.length ? `${numbers.format(chosen.length)} of ` : ""}${plural(all.length, noun)}`;

const shownView = () => Object.values(views).find(view => view.isShown) ?? views.overview;

/** The view that the fragment names; without one it is the overview. */
function viewOfFragment() {
  const { name } = address();
  return Object.hasOwn(views, name) ? name : "overview";
}

function showView(name) {
  for (const root of findAll("[data-view]")) root.hidden = root.dataset.view !== name;
  for (const tab of findAll("[data-tab]")) {
    setAttributes(tab, { "aria-current": tab.dataset.tab === name && "page" });
  }
  const view = views[name];
  if (!view) return;
  const { filter, settings } = address();
  if (view.parts.filter) view.parts.filter.value = filter;
  view.options = Object.fromEntries(settings);
  view.show();
  showLive();
  loadWhatIsDue();
}

function followFragment() {
  if (connection.state === "locked") return;
  showView(viewOfFragment());
  window.scrollTo(0, 0);
  find(`#${viewOfFragment()}-title`).focus({ preventScroll: true });
}

