// The text of the page is not indented.
// swift-format-ignore-file

extension ConsolePage {
    /// The script's third part: overview, trackers and recent events.
    static let trackerScript = #"""
// ---------------------------------------------------------------------------------------------------- Overview

let showsWholeHistory = false;

function showOverview(data, parts) {
  showHeader();
  showOverrideCount();
  showFacts(parts.facts, factsOf(data));
  showDifferences(data, parts);
  showHistory(data, parts);
  const meta = Object.entries(data.meta ?? {});
  showFacts(parts.meta, meta.map(([name, value]) => ({ name, content: valueElement(value) })), "No meta.");
}

function factsOf(data) {
  const [last] = data.outcomes;
  const trouble = data.outcomes.find(({ isTrouble }) => isTrouble);
  return [
    data.user !== null && { name: "User", content: make("code", {}, data.user) },
    data.instanceID !== null && { name: "Instance", content: make("code", {}, data.instanceID) },
    { name: "Last fetch", role: "last-fetch", content: last ? outcomeElement(last) : "none yet" },
    trouble && trouble !== last && { name: "Last trouble", role: "last-trouble",
      content: make("span", {}, timeElement(trouble.time), ": ", trouble.text) },
    { name: "Next poll", role: "next-poll", content: "" },
    { name: "Overrides", role: "overrides", content: overridesText() || "none" },
  ].filter(Boolean);
}

function showFacts(list, facts, ifNone = "") {
  list.replaceChildren(...facts.flatMap(({ name, role, content }) =>
    [make("dt", {}, name), make("dd", { "data-role": role }, content)]));
  if (facts.length === 0) list.append(make("dd", { class: "muted" }, ifNone));
  tick();
}

function outcomeElement(outcome) {
  return make("span", {}, timeElement(outcome.time), outcome.isTrouble ? ", with trouble: " : ": ", outcome.text);
}

function nextPollText({ nextPoll, pollIntervalSeconds, isFetching }) {
  if (isFetching) return "fetching now";
  if (nextPoll === null) return pollIntervalSeconds === null ? "none: polling is off" : "not planned";
  const wait = nextPoll - clock.now();
  const interval = pollIntervalSeconds ? ` (about every ${span(pollIntervalSeconds * 1000)})` : "";
  return `${wait > 0 ? `in ${span(wait)}` : "due now"}${interval}`;
}

const groupOfDifference = { tracker: "Tracker", variable: "Feature", feature: "Feature", variant: "Experiment" };
const tabOfDifference = { tracker: "trackers", variable: "features", feature: "features", variant: "experiments" };
const subjectOf = difference => difference.namespace ?? difference.feature ?? difference.name;

function showDifferences(data, parts) {
  const all = data.differences;
  const chosen = all.filter(each => matches(JSON.stringify(each), parts.filter.value));
  parts.differences.hidden = all.length === 0;
  parts.filter.hidden = all.length < longTable && parts.filter.value === "";
  const more = data.moreDifferences > 0 ? `, and ${numbers.format(data.moreDifferences)} more that are not listed` : "";
  setText(parts.shown, `${partOfAll(chosen, all, "difference")}${more}${originsOf(chosen)}`);
  showText(parts.empty, all.length === 0 && (data.state === null
    ? "No document is in use yet." : "Nothing differs: all is as the default says."));
  const groups = Map.groupBy(chosen, each => `${groupOfDifference[each.kind]} ${subjectOf(each)}`);
  const items = [...groups].map(([title, differences]) => ({ title, differences }));
  const table = parts.differences.querySelector("table");
  inSlices("differences", reconcile(table, items, item => item.title, () => new DifferenceGroup()));
}

/** Who makes the differences, most first. */
function originsOf(differences) {
  const counts = [...Map.groupBy(differences, each => originText(each.origin) ?? "removal")]
    .map(([origin, all]) => [origin, all.length]).sort((one, other) => other[1] - one[1]);
  return counts.length < 2 ? "" : `: ${counts.map(([origin, count]) => `${count} by ${origin}`).join("; ")}`;
}

class DifferenceGroup {
  element = make("tbody");

  update({ title, differences }) {
    const [first] = differences;
    const target = `#${tabOfDifference[first.kind]}/${segment(subjectOf(first))}`;
    const heading = make("th", { scope: "rowgroup", colspan: 4 }, make("a", { href: target }, title));
    this.element.replaceChildren(make("tr", {}, heading), ...differences.map(rowOfDifference));
  }
}

function rowOfDifference(difference) {
  const { kind, name, value, origin, instead, isSecret, isAdded, isRemoved } = difference;
  const what = kind === "feature" ? "on or off" : kind === "variant" ? "forced variant" : name;
  const hasInstead = "instead" in difference && !(kind === "feature" && instead === null);
  const endpoint = value === undefined ? null : ["added, sends to ", valueElement(value)];
  const shown = isAdded ? endpoint ?? ["added"] : isRemoved ? ["removed"]
    : [isSecret ? secretElement() : kind === "feature" ? onOrOff(value) : valueElement(value)];
  const below = isSecret ? muted("not shown") : isRemoved ? "configures it" : !hasInstead ? muted("nothing")
    : kind === "feature" ? onOrOff(instead) : valueElement(instead);
  return make("tr", { "data-difference": kind, "data-subject": subjectOf(difference), "data-name": name },
    headCell(isAdded || isRemoved ? "the whole tracker" : what === name ? nameElement(name) : what),
    cell("Value", ...shown),
    cell("Because of", isRemoved ? "the document in use, which gives it no collector" : originMark(origin)),
    cell("The default says", below));
}

const onOrOff = value => make("strong", {}, value ? "on" : "off");
const originText = origin => origin === "runtime" ? "the service's code (runtime)" : origin;
const originMark = origin => make("span", { class: "mark", "data-layer": origin.split(",")[0] }, originText(origin));

function showHistory(data, parts) {
  const all = folded(data.outcomes);
  const chosen = showsWholeHistory ? all : all.slice(0, shortHistory);
  parts.history.replaceChildren(...chosen.map(rowOfHistory));
  if (all.length === 0) parts.history.append(make("li", { class: "muted" }, "No fetch yet."));
  const troubles = all.filter(outcome => outcome.isTrouble).length;
  showText(parts["whole-history"], !showsWholeHistory && all.length > shortHistory
    && `Show all ${all.length} rows (${troubles === 0 ? "no trouble" : `${troubles} with trouble`})`);
}

/** Fetches that brought the same one after the other are one row: what is rare must not drown in polls. */
function folded(outcomes) {
  const rows = [];
  for (const outcome of outcomes) {
    const last = rows.at(-1);
    if (last?.kind === outcome.kind && last.text === outcome.text) last.count += 1;
    else rows.push({ ...outcome, count: 1 });
  }
  return rows;
}

function rowOfHistory({ time, kind, text, isTrouble, count }) {
  return make("li", { "data-outcome": kind, "data-trouble": isTrouble },
    timeElement(time),
    make("span", { class: isTrouble ? "trouble" : "muted" }, isTrouble && "Trouble: ", kind.replace("notM", "not m")),
    make("span", {}, text, count > 1 && hint(` (${plural(count, "time")} in a row)`)));
}

// ---------------------------------------------------------------------------------------------------- Trackers

const counterNames = {
  tracked: "tracked", sent: "sent", stored: "waiting", retried: "retried", requests: "requests", dropped: "dropped",
};
let liveCounters = null;

function showTrackers({ trackers }, parts) {
  showText(parts.empty, trackers.length === 0 && "There is no tracker: no document configures one.");
  const showsBuiltIn = parts["show-built-in"].checked;
  const chosen = trackers.filter(tracker => matches(tracker.namespace, parts.filter.value));
  setText(parts.shown, partOfAll(chosen, trackers, "tracker"));
  const items = chosen.map(tracker => ({ ...tracker, showsBuiltIn }));
  inSlices("trackers", reconcile(parts.cards, items, item => item.namespace, () => new TrackerCard()));
}

/** Tells cards whether they can be seen; charts that cannot are not drawn. */
const sight = new IntersectionObserver(entries => {
  for (const entry of entries) partOf.get(entry.target)?.come(entry.isIntersecting);
});

class TrackerCard {
  element = copy("tracker");
  parts = partsOf(this.element);
  counters = {};
  queue = [];
  isSeen = false;

  constructor() {
    for (const [name, title] of Object.entries(counterNames)) {
      this.counters[name] = make("dd", { "data-counter": name });
      this.parts.counters.append(make("div", {}, make("dt", {}, `${title} `), this.counters[name]));
    }
    sight.observe(this.element);
  }

  * update(tracker) {
    const { parts } = this;
    this.element.dataset.tracker = tracker.namespace;
    setText(parts.namespace, tracker.namespace);
    setText(parts.endpoint, tracker.endpoint);
    parts.marks.replaceChildren(...marksOf(tracker));
    setText(parts.health, healthText(tracker));
    showText(parts.dropped, droppedText(tracker.counters));
    this.queue = tracker.queue;
    this.goOn(tracker.counters, clock.now());
    const chosen = tracker.settings.filter(({ layer }) => tracker.showsBuiltIn || layer !== "builtin");
    const hidden = tracker.settings.length - chosen.length;
    setText(parts["settings-note"], hidden === 0 ? "" : `${plural(hidden, "setting is", "settings are")} as built in.`);
    yield* reconcile(parts.settings, chosen, setting => setting.field, () => new SettingRow());
  }

  come(isSeen) {
    this.isSeen = isSeen;
    if (isSeen) this.draw();
  }

  /** Takes in live counters; the chart has a sample a second, of which the last is always the present. */
  goOn(counters, now) {
    for (const name in counterNames) setText(this.counters[name], numbers.format(counters[name]));
    const last = this.queue.at(-1);
    if (last && now - last[0] < 1_000) last[1] = counters.stored;
    else this.queue.push([now, counters.stored]);
    while (this.queue[0][0] < now - queueSpan) this.queue.shift();
    if (this.isSeen) this.draw();
  }

  draw() {
    drawQueue(this.parts.queue, this.queue);
  }
}

function marksOf({ isPaused, health }) {
  const marks = [];
  if (isPaused) marks.push(make("span", { class: "mark caution", "data-mark": "paused" }, "paused"));
  if (health.failuresInARow > 0) {
    const answer = health.lastAnswer === null ? "" : `, last answer ${health.lastAnswer}`;
    const text = `failing: ${plural(health.failuresInARow, "failure")} in a row${answer}`;
    marks.push(make("span", { class: "mark trouble", "data-mark": "failing" }, text));
  }
  return marks;
}

function healthText({ endpoint, health }) {
  const texts = [];
  const { collector, oldestEvent } = health;
  if (collector !== null && collector !== endpoint) texts.push(`now through the fallback ${collector}`);
  if (oldestEvent !== null) texts.push(`the oldest waiting event is of ${moment(oldestEvent)}`);
  return texts.length === 0 ? "" : `(${texts.join("; ")})`;
}

function droppedText({ dropped, droppedByReason }) {
  if (dropped === 0) return null;
  const reasons = Object.entries(droppedByReason ?? {}).map(([reason, count]) => `${numbers.format(count)} ${reason}`);
  return `${plural(dropped, "event")} dropped: ${reasons.join(", ") || "the reason is not known"}`;
}

class SettingRow {
  element = make("tr");

  update({ field, layer, version, value, time, over }) {
    setAttributes(this.element, { "data-setting": field, "data-layer": layer });
    this.element.replaceChildren(
      headCell(nameElement(field)),
      cell("Value", valueElement(value)),
      cell("Given by", layerMark(layer, version), time && hint(` ${moment(time)}`)),
      cell("Over", ...(over ?? []).map(lost =>
        make("div", {}, valueElement(lost.value), " ", layerMark(lost.layer, lost.version)))));
  }
}

function drawQueue(figure, samples) {
  const end = samples.at(-1)[0];
  const most = samples.reduce((sofar, [, count]) => Math.max(sofar, count), 0);
  const x = time => (300 - (end - time) / queueSpan * 300).toFixed(1);
  const y = count => (34 - count / Math.max(most, 1) * 32).toFixed(1);
  const line = samples.map(([time, count], index) => `${index === 0 ? "M" : "L"}${x(time)} ${y(count)}`).join("");
  figure.querySelector("path").setAttribute("d", line);
  const [now, time] = [samples.at(-1)[1], span(Math.max(1_000, end - samples[0][0]))];
  const text = `Waiting events: now ${numbers.format(now)}, most ${numbers.format(most)} in ${time}`;
  setText(figure.querySelector("figcaption"), text);
  figure.querySelector("svg").setAttribute("aria-label", text);
}

/** Shows counters and events of the last message; at most once a frame, and only where they can be seen. */
function showLive() {
  if (!views.trackers.isShown) return;
  for (const card of liveCounters ? partsIn(views.trackers.parts.cards) : []) {
    const { trackers, now } = liveCounters;
    if (Object.hasOwn(trackers, card.key)) card.goOn(trackers[card.key], now);
  }
  showEvents();
}

// ---------------------------------------------------------------------------------------------------- Recent events

const events = {
  kept: [], waiting: [], known: new Set(), notShown: 0, since: null, isPaused: false, isPausedByReading: false,
};
const eventTypes = {
  ue: "self-describing", se: "structured", pv: "page view", pp: "page ping", tr: "transaction", ti: "transaction item",
};

const matchesFilter = event =>
  matches(`${event.namespace}\n${eventTypes[event.type]}\n${event.name}`, views.trackers.parts["event-filter"].value);

/** Keeps what is new and matches, newest first. While paused it waits, so that what is read does not move. */
function takeEvents(live) {
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
  const chosen = events.kept.filter(matchesFilter);
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

class EventRow {
  element = copy("event");
  parts = partsOf(this.element);

  update(event) {
    setAttributes(this.element, { "data-event": event.id, "data-namespace": event.namespace, "data-type": event.type });
    setText(this.element.querySelector("time"), exactTimeFormat.format(event.time));
    setText(this.parts["event-name"], event.name);
    setText(this.parts["event-type"], eventTypes[event.type] ?? event.type);
    setText(this.parts["event-namespace"], event.namespace);
    this.event = event;
  }

  /** Data and entities are built when somebody wants to see them. */
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
  setText(button, isPaused ? "Go on" : "Pause");
  showEvents();
}

/** What somebody reads must not be pushed out by newer events: an open one, or one further down, pauses them. */
function followReading({ type, target }) {
  if (type === "toggle" && target.open) partOf.get(target.closest("li")).open();
  const list = views.trackers.parts.events;
  const isReading = list.scrollTop > 0 || list.querySelector("details[open]") !== null;
  if (isReading && !events.isPaused) pauseEvents(true, true);
  if (!isReading && events.isPausedByReading) pauseEvents(false);
}

"""#
}
