// ---------------------------------------------------------------------------------------------------- Trackers

/** Lost events before delayed ones. */
const standings = ["losing", "failing", "dropping", "paused", "kept", "waiting", "delivering", "idle"];
const columns = {
  namespace: "Tracker", standing: "Status", collector: "Collector", rate: "Sent/min", sent: "Sent", waiting: "Waiting",
  dropped: "Dropped", success: "Last success",
};
const trackerChips = { "": "All", failing: "Failing", dropping: "Dropping", waiting: "Waiting", paused: "Paused" };

/** How a tracker does, by what matters most: the key of its order, its level, a word or two, and the reason. */
function standingOf({ isFailing, isLosing, isPaused, isKept, lastFailingResponse, waiting, dropped, ...tracker }) {
  const { failingSince, failuresInARow, hour, lastSuccess } = tracker;
  const lost = hour.dropped > 0 && `${plural(hour.dropped, "event")} dropped in the last hour`;
  if (isFailing) {
    const start = `since ${moment(failingSince)}${wordsOfCause(tracker)}`;
    const reason = [
      lastFailingResponse == null ? start : `${start}: ${lastFailingResponse}`, lost,
      failuresInARow > 0 && `${plural(failuresInARow, "failure")} in a row`,
    ].filter(Boolean).join(", ");
    return isLosing ? { key: "losing", level: "trouble", text: "losing events", reason }
      : { key: "failing", level: "trouble", text: "failing", reason };
  }
  if (lost) {
    return { key: "dropping", level: "trouble", text: "lost events", reason: `${lost}${wordsOfLastFailure(lastFailingResponse, tracker)}` };
  }
  if (isPaused) return { key: "paused", level: "caution", text: "paused" };
  if (isKept) return { key: "kept", level: "caution", text: "kept: no longer in the document" };
  if (waiting > 0 && hour.sent === 0) return { key: "waiting", level: "caution", text: "events wait" };
  return lastSuccess === null ? { key: "idle", level: "muted", text: dropped > 0 ? "nothing sent" : "no events yet" }
    : { key: "delivering", level: "good", text: "delivering" };
}

/**
 * The change with which a failure began: ", when version 3000 changed network.endpoint"; empty if there was none.
 * @param {Record<string, any>} tracker
 */
function wordsOfCause({ failingSinceVersion: version, failingSinceSettings: settings }) {
  if (version == null) return "";
  return `, when version ${version} ${settings.length === 0 ? "was applied" : `changed ${settings.join(", ")}`}`;
}

/**
 * The last failure, also after later successes: " (last at 22:03:04 UTC: the collector answered 400)".
 * @param {string | null} response
 * @param {Record<string, any>} tracker
 */
function wordsOfLastFailure(response, { lastFailingResponseTime: time }) {
  return response == null ? "" : ` (last at ${moment(time)}: ${response})`;
}

/** Whether a tracker is among those of a chip: a failing one has waiting events too. */
function isOfChip(tracker, chip) {
  if (chip === "waiting") return tracker.waiting > 0;
  if (chip === "paused") return tracker.isPaused;
  if (chip === "dropping") return tracker.hour.dropped > 0;
  return chip === "failing" ? tracker.isFailing : true;
}

const orders = {
  namespace: tracker => tracker.namespace, collector: tracker => tracker.collector ?? "", standing: tracker => standings.indexOf(standingOf(tracker).key),
  rate: tracker => tracker.perMinute, sent: tracker => tracker.sent, waiting: tracker => tracker.waiting,
  dropped: tracker => tracker.dropped, success: tracker => tracker.lastSuccess ?? 0,
};

function sorted(trackers, sort) {
  const name = sort.replace("-", "");
  const order = orders[name] ?? orders.standing;
  const sign = sort.startsWith("-") ? -1 : 1;
  return trackers.toSorted((one, other) => {
    const [first, second] = [order(one), order(other)];
    return first < second ? -sign : first > second ? sign : one.namespace < other.namespace ? -1 : 1;
  });
}

function showTrackers({ trackers }, parts) {
  const { only = "", sort = "standing", open = null } = views.trackers.options;
  showText(parts.empty, trackers.length === 0 && "There is no tracker: no document configures one.");
  parts.table.hidden = trackers.length === 0;
  showTrackerChips(trackers, only, parts);
  showHeads(sort, parts);
  const named = trackers.filter(({ namespace }) => matches(namespace, parts.filter.value));
  const chosen = named.filter(tracker => isOfChip(tracker, only));
  setText(parts.shown, chosen.length === 0 && trackers.length > 0 ? "Nothing matches."
    : partOfAll(chosen, trackers, "tracker"));
  const items = sorted(chosen, sort)
    .map(tracker => ({ ...tracker, isOpen: tracker.namespace === open, zone: zone.name }));
  inSlices("trackers", reconcile(parts.table, items, item => item.namespace, () => new TrackerRow()));
}

/** What all trackers together send, and what waits; also while nothing is wrong. */
function showTotals() {
  if (latest === null) return;
  const { waiting, oldestEvent, perMinute, dropped } = latest.totals;
  const oldest = oldestEvent === null ? "" : ` (the oldest for ${shortSpan(clock.now() - oldestEvent)})`;
  const lost = `${dropped > 0 ? numbers.format(dropped) : "none"} dropped in the last hour`;
  for (const { parts } of [views.overview, views.trackers]) {
    parts.total.replaceChildren(
      make("strong", {}, plural(waiting, "event")), ` waiting${oldest} · ${numbers.format(perMinute)} sent in the last minute · `,
      make("span", { class: dropped > 0 && "trouble" }, lost));
  }
}

/** The place of a collector without the scheme: "collector.example.com/path". */
const placeOfCollector = url => (url ?? "").replace(/^https?:\/\//, "");

function showTrackerChips(trackers, only, parts) {
  parts.chips.replaceChildren(...Object.entries(trackerChips).map(([key, title]) => {
    const count = trackers.filter(tracker => isOfChip(tracker, key)).length;
    const isBad = count > 0 && ["failing", "dropping"].includes(key);
    const chip = make("button", { type: "button", class: isBad && "trouble", "data-chip": key || "all",
      "aria-pressed": String(key === only) }, `${title} ${numbers.format(count)}`);
    chip.addEventListener("click", () => {
      chooseOfTrackers({ only: key });
      parts.chips.querySelector(`[data-chip="${key || "all"}"]`).focus();
    });
    return chip;
  }));
}

function showHeads(sort, parts) {
  if (parts.heads.children.length === 0) {
    parts.heads.append(...Object.entries(columns).map(([name, title]) => {
      const button = make("button", { type: "button", "data-sort": name }, title);
      button.addEventListener("click", () => {
        const now = views.trackers.options.sort ?? "standing";
        chooseOfTrackers({ sort: now === name ? `-${name}` : name });
      });
      return make("th", { scope: "col" }, button);
    }));
  }
  for (const head of parts.heads.children) {
    const { sort: name } = head.firstElementChild.dataset;
    setAttributes(head, { "aria-sort": name === sort ? "ascending" : `-${name}` === sort && "descending" });
  }
}

/** Takes what the user has chosen into the URL and shows it. */
function chooseOfTrackers(options) {
  Object.assign(views.trackers.options, options);
  keepInAddress(options);
  views.trackers.show();
}

const namesOfCounters = { tracked: "tracked", sent: "sent", retried: "retried", requests: "requests" };

/** A tracker's row, and its details below it once the user has opened it. */
class TrackerRow {
  element = copy("tracker");
  parts = partsOf(this.element);
  counters = Object.fromEntries(
    [...this.element.querySelectorAll("[data-counter]")].map(each => [each.dataset.counter, each]));
  details = null;
  tracker = null;

  constructor() {
    this.parts.open.addEventListener("click", () =>
      chooseOfTrackers({ open: this.tracker.isOpen ? null : this.tracker.namespace }));
  }

  update(tracker) {
    const { parts } = this;
    this.tracker = tracker;
    this.element.dataset.tracker = tracker.namespace;
    setText(parts.open, tracker.namespace);
    setAttributes(parts.open, { "aria-expanded": String(tracker.isOpen), title: visible(tracker.namespace) });
    parts.details.hidden = !tracker.isOpen;
    this.goOn(tracker);
    if (tracker.isOpen) (this.details ??= new TrackerDetails(parts.details.firstElementChild)).load(tracker);
  }

  /** Takes in live numbers; the place of the row changes with the next reading only, so that rows do not jump. */
  goOn(numbersNow) {
    Object.assign(this.tracker, numbersNow);
    const { tracker, parts, counters } = this;
    const { key, level, text, reason } = standingOf(tracker);
    setAttributes(this.element, { "data-mark": key });
    setText(parts.status, text);
    parts.status.className = level;
    setText(parts.collector, placeOfCollector(tracker.collector));
    setAttributes(parts.collector, { title: tracker.collector && visible(tracker.collector) });
    this.showReason(reason, tracker.isFailing ? tracker.failingSinceVersion : null);
    setText(counters.rate, numbers.format(tracker.perMinute));
    for (const name of ["sent", "waiting", "dropped"]) setText(counters[name], numbers.format(tracker[name]));
    counters.dropped.className = tracker.dropped > 0 ? "trouble" : "";
    setText(parts.oldest, tracker.oldestEvent === null ? "" : `oldest ${shortSpan(clock.now() - tracker.oldestEvent)}`);
    const { lastSuccess } = tracker;
    setText(parts.success, lastSuccess === null ? "never" : `${shortSpan(clock.now() - lastSuccess)} ago`);
    this.details?.goOn(tracker);
  }

  /** One line, with a link to what the version changed with which the failure began. */
  showReason(reason, version) {
    const { reason: row } = this.parts;
    const text = JSON.stringify([reason, version]);
    if (this.reasonText === text) return;
    this.reasonText = text;
    row.hidden = !reason;
    row.firstElementChild.replaceChildren(make("div", {},
      make("span", { title: reason && visible(reason) }, reason ?? ""), version != null && linkToVersion(version)));
  }
}

class TrackerDetails {
  element = copy("tracker-details");
  parts = partsOf(this.element);
  settings = [];

  constructor(host) {
    host.append(this.element);
    this.parts["show-built-in"].addEventListener("change", () => this.showSettings());
  }

  async load({ namespace }) {
    try {
      this.show(await request(`trackers?namespace=${segment(namespace)}`));
      showText(this.parts["details-error"], null);
    } catch (error) {
      showText(this.parts["details-error"], `Not read: ${error.message}`);
    }
  }

  show({ tracker: { endpoint, hour, settings } }) {
    const { parts } = this;
    setText(parts.endpoint, endpoint);
    drawHour(parts.hour, hour);
    this.settings = settings;
    this.showSettings();
  }

  goOn(tracker) {
    const reasons = Object.entries(tracker.droppedByReason).map(([reason, count]) => [`dropped: ${reason}`, count]);
    const all = [...Object.entries(namesOfCounters).map(([name, title]) => [title, tracker[name]]), ...reasons];
    const text = JSON.stringify(all);
    if (this.countersText === text) return;
    this.countersText = text;
    this.parts.counters.replaceChildren(...all.map(([title, count]) =>
      make("div", {}, make("dt", {}, `${title} `), make("dd", { "data-counter": title }, numbers.format(count)))));
  }

  showSettings() {
    const { parts, settings } = this;
    const chosen = settings.filter(({ layer }) => parts["show-built-in"].checked || layer !== "builtin");
    const hidden = settings.length - chosen.length;
    const note = `${plural(hidden, "setting has its built-in value", "settings have their built-in values")}.`;
    setText(parts["settings-note"], hidden === 0 ? "" : note);
    atOnce(reconcile(parts.settings, chosen, setting => setting.field, () => new SettingRow()));
  }
}

class SettingRow {
  element = make("tr");

  update({ field, layer, version, value, time, overridden }) {
    setAttributes(this.element, { "data-setting": field, "data-layer": layer });
    this.element.replaceChildren(
      headCell(nameElement(field)),
      cell("Value", valueElement(value)),
      cell("Source", layerMark(layer, version), time && hint(` ${moment(time)}`)),
      cell("Overridden", ...(overridden ?? []).map(other =>
        make("div", {}, valueElement(other.value), " ", layerMark(other.layer, other.version)))));
  }
}

/** Shows what the last message has: status lines on every view, numbers and events where they can be seen. */
function showLive() {
  showLines();
  showTotals();
  if (!views.trackers.isShown) return;
  for (const row of latest ? partsIn(views.trackers.parts.table) : []) {
    if (Object.hasOwn(latest.trackers, row.key)) row.goOn(latest.trackers[row.key]);
  }
  showEvents();
}

// ---------------------------------------------------------------------------------------------------- Recent events

const events = {
  kept: [], waiting: [], known: new Set(), notShown: 0, since: null, isPaused: false, isPausedByReading: false,
  outcomes: new Map(),                     // by the event's id
};
const unsettledFor = 3_000;                // the outcome of an older event is unknown if no event of its tracker waits
const eventTypes = {
  ue: "self-describing", se: "structured", pv: "page view", pp: "page ping", tr: "transaction", ti: "transaction item",
};

const matchesFilter = event =>
  matches(`${event.namespace}\n${eventTypes[event.type]}\n${event.name}`, views.trackers.parts["event-filter"].value);

/** Keeps what is new and matches, newest first. While paused it waits, so that what is read does not move. */
function takeEvents(live) {
  for (const outcome of live.outcomes) events.outcomes.set(outcome.id, outcome);
  for (const id of events.outcomes.keys()) {
    if (events.outcomes.size <= 20 * keptEvents) break;
    events.outcomes.delete(id);
  }
  const fresh = live.events.filter(event => !events.known.has(event.id));
  if (events.known.size > 10 * keptEvents) {
    events.known = new Set([...events.kept, ...events.waiting].map(event => event.id));
  }
  for (const event of fresh) events.known.add(event.id);
  const chosen = fresh.filter(matchesFilter).reverse();
  const all = [...chosen, ...events.isPaused ? events.waiting : events.kept];
  events.notShown += live.skipped + (events.isPaused ? Math.max(0, all.length - keptEvents) : 0);
  events[events.isPaused ? "waiting" : "kept"] = all.slice(0, keptEvents);
}

function showEvents() {
  const { parts } = views.trackers;
  const chosen = events.kept.filter(matchesFilter).map(event => ({ ...event, outcome: outcomeOf(event) }))
    .filter(({ outcome }) => !parts["only-dropped"].checked || outcome.key === "dropped");
  setText(parts["events-since"], events.since === null ? "" : `newest first, since ${moment(events.since)}`);
  const states = [
    events.isPaused && `Paused${events.isPausedByReading ? " while you read" : ""}; `
      + `waiting: ${plural(events.waiting.length, "newer event")}.`,
    events.notShown > 0 && `${numbers.format(events.notShown)} not shown, because they were too many.`,
    chosen.length === 0 && (events.kept.length > 0 ? "No event matches." : "No event yet."),
  ];
  showText(parts["events-state"], states.filter(Boolean).join(" "));
  const shown = chosen.slice(0, events.isPaused ? keptEvents : eventsAtTop);
  inSlices("events", reconcile(parts.events, shown, event => event.id, () => new EventRow()));
}

/** What became of an event: sent, waiting, or dropped with the response. */
function outcomeOf({ id, namespace, time }) {
  const outcome = events.outcomes.get(id);
  if (outcome?.reason) {
    const detail = outcome.detail && `: ${outcome.detail}`;
    return { key: "dropped", level: "trouble", text: `dropped (${outcome.reason})${detail}` };
  }
  if (outcome) return { key: "sent", level: "good", text: "sent" };
  const tracker = latest?.trackers[namespace];
  const isOver = tracker?.waiting === 0 && clock.now() - time > unsettledFor;
  if (isOver) return { key: "unknown", level: "muted", text: "no longer waiting" };
  const isFailing = tracker?.isFailing === true;
  return { key: "waiting", level: isFailing ? "caution" : "muted",
    text: isFailing && tracker.lastFailingResponse != null ? `waiting: ${tracker.lastFailingResponse}` : "waiting" };
}

class EventRow {
  element = copy("event");
  parts = partsOf(this.element);

  update(event) {
    setAttributes(this.element, { "data-event": event.id, "data-namespace": event.namespace, "data-type": event.type });
    const { outcome } = event;
    setAttributes(this.element, { "data-outcome-of-event": outcome.key });
    setText(this.parts["event-outcome"], outcome.text);
    this.parts["event-outcome"].className = outcome.level;
    setText(this.element.querySelector("time"), zone.formats.exact.format(event.time));
    setText(this.parts["event-name"], event.name);
    setText(this.parts["event-type"], eventTypes[event.type] ?? event.type);
    setText(this.parts["event-namespace"], event.namespace);
    this.event = event;
  }

  /** Data and entities are built when the user opens the event. */
  open() {
    const { schema, data, entities, id } = this.event;
    this.element.querySelector("details > div").replaceChildren(
      make("p", { class: "hint" }, schema ?? "parameters", ` · event ${id}`),
      make("pre", { "data-role": "event-data" }, JSON.stringify(data, null, 2)),
      ...(entities ?? []).flatMap(entity => [
        make("p", { class: "hint" }, `Entity ${entity.schema}`),
        make("pre", { "data-role": "event-entity" }, JSON.stringify(entity.data, null, 2))]));
  }
}

function pauseEvents(isPaused, isByReading = false) {
  Object.assign(events, { isPaused, isPausedByReading: isPaused && isByReading });
  if (!isPaused) {
    events.kept = [...events.waiting, ...events.kept].slice(0, keptEvents);
    events.waiting = [];
  }
  const button = views.trackers.parts.pause;
  setText(button, isPaused ? "Resume" : "Pause");
  showEvents();
}

/** What the user reads must not be pushed out by newer events: an open one, or one further down, pauses them. */
function followReading({ type, target }) {
  if (type === "toggle" && target.open) partOf.get(target.closest("li")).open();
  const list = views.trackers.parts.events;
  const isReading = list.scrollTop > 0 || list.querySelector("details[open]") !== null;
  if (isReading && !events.isPaused) pauseEvents(true, true);
  if (!isReading && events.isPausedByReading) pauseEvents(false);
}

function listenToTrackers() {
  const { parts } = views.trackers;
  parts.filter.addEventListener("input", () => views.trackers.show());
  parts["to-events"].addEventListener("click", () => {
    find("#events-title").scrollIntoView();
    find("#events-title").focus();
  });
  for (const role of ["event-filter", "only-dropped"]) parts[role].addEventListener("input", showEvents);
  parts.pause.addEventListener("click", () => pauseEvents(!events.isPaused));
  parts.events.addEventListener("toggle", followReading, true);   // it does not bubble
  parts.events.addEventListener("scroll", followReading, { passive: true });
}

