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
  for (const source of Object.values(sources)) {
    source.mark = live.sections[source.section];
    if (isInterrupted) source.isOutdated = true;
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

/** What the service answers to one request; it is read while a view needs it and its section's mark has changed. */
class Source {
  data = null;
  mark = undefined;                        // what the service says now
  loading = null;
  error = null;                            // why the last reading failed
  isOutdated = true;
  #loadedMark = undefined;                 // what the data is of
  #loadedPath = "";
  #loadedAt = 0;
  #notBefore = 0;

  constructor(name, section, path = () => name, age = Infinity) {
    this.name = name;
    this.section = section;                // whose mark says that it has changed
    this.path = path;
    this.age = age;                        // after which it is read anew without a mark
  }

  /** The status is needed by the header too. */
  get isDue() {
    const isNeeded = this.name === "status" || shownView().sources.includes(this.name);
    return isNeeded && !connection.isInterrupted && !this.loading && Date.now() >= this.#notBefore
      && (this.isOutdated || this.mark !== this.#loadedMark || this.path() !== this.#loadedPath
        || Date.now() - this.#loadedAt > this.age);
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
    const [mark, path] = [this.mark, this.path()];
    try {
      this.data = await request(path);
      this.isOutdated = false;
      this.error = null;
      [this.#loadedMark, this.#loadedPath, this.#loadedAt] = [mark, path, Date.now()];
      this.#notBefore = this.#loadedAt + 1_000;
      if (this.name === "status") showLines();
      showHeader();
      shownView().show();
    } catch (error) {
      this.#notBefore = Date.now() + 3_000;
      const consequence = this.data ? "The values below are older." : "";
      this.error = `This part could not be read: ${error.message} ${consequence}`;
    }
    showErrors();
  }

  /** Whether the data is of what the service says now. */
  get isCurrent() { return !this.isOutdated && this.mark === this.#loadedMark; }
}

/** The error of what the view needs: another view's is not shown. */
function showErrors() {
  const needed = ["status", ...shownView().sources].map(name => sources[name].error);
  showText(find("[data-role=section-error]"), needed.find(error => error !== null));
}

const sources = {
  status: new Source("status", "overview", () => `status?samples=${segment(views.trackers.options.open ?? "")}`),
  features: new Source("features", "features", undefined, agesIn),
  difference: new Source("difference", "difference", () => `difference?${queryOfDifference()}`),
};
const statusNow = () => sources.status.data;

/** A view of the page, drawn from sources and from what is live. */
class View {
  constructor(name, draw, ...needs) {
    this.name = name;
    this.draw = draw;
    this.sources = needs;
    this.options = {};                     // what the URL says beside the filter
    this.root = find(`[data-view=${name}]`);
    this.parts = partsOf(this.root);
  }

  get isShown() { return !this.root.hidden; }
  get needle() { return this.parts.filter?.value ?? ""; }

  show() {
    const data = this.sources.map(name => sources[name].data);
    if (this.isShown && !data.includes(null)) this.draw(this.parts, ...data);
  }

  /** Takes what the user has chosen into the URL and shows it. */
  choose(options) {
    Object.assign(this.options, options);
    keepInAddress(options);
    this.show();
  }

  /** Says how many rows of how many are shown; few need no filter. */
  showCount(shown, all, noun) {
    this.parts["filter-bar"].hidden = all < fewRows && this.needle === "";
    setText(this.parts.shown, shown === 0 && all > 0 ? "Nothing matches."
      : `${shown < all ? `${numbers.format(shown)} of ` : ""}${plural(all, noun)}`);
  }
}

/** @type {Record<string, View>} */
const views = Object.fromEntries([
  new View("overview", showOverview, "status"), new View("trackers", showTrackers),
  new View("features", showFeatures, "features"), new View("users", showUsers, "features"),
  new View("changes", showChanges, "status", "difference"), new View("live", showEvents),
].map(view => [view.name, view]));

function loadWhatIsDue() {
  for (const source of Object.values(sources)) if (source.isDue) source.load();
}

/** Reads anew what the shown view and the header need. */
async function reloadShown() {
  const names = new Set(["status", ...shownView().sources]);
  await Promise.all([...names].map(name => sources[name].reload()));
}

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
  showErrors();
  showLive();
  loadWhatIsDue();
}

function followFragment() {
  if (connection.state === "locked") return;
  showView(viewOfFragment());
  window.scrollTo(0, 0);
  find(`#${viewOfFragment()}-title`).focus({ preventScroll: true });
}
