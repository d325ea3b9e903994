// ---------------------------------------------------------------------------------------------------- Recent events

const events = {
  kept: [], newer: 0, known: new Set(), notShown: 0, since: null, isPausedByReading: false,
  paused: null,                            // what is shown while newer events wait
  outcomes: new Map(),                     // by the event's id
};
const unsettledFor = 3_000;                // the outcome of an older event is unknown if no event of its tracker waits
const eventTypes = {
  ue: "self-describing", se: "structured", pv: "page view", pp: "page ping", tr: "transaction", ti: "transaction item",
};

const matchesFilter = event =>
  matches(`${event.namespace}\n${eventTypes[event.type]}\n${event.name}`, views.live.parts["event-filter"].value);

/** Keeps what is new and matches, newest first. */
function takeEvents(live) {
  for (const outcome of live.outcomes) events.outcomes.set(outcome.id, outcome);
  for (const id of events.outcomes.keys()) {
    if (events.outcomes.size <= 20 * keptEvents) break;
    events.outcomes.delete(id);
  }
  const fresh = live.events.filter(event => !events.known.has(event.id));
  if (events.known.size > 10 * keptEvents) events.known = new Set(events.kept.map(event => event.id));
  for (const event of fresh) events.known.add(event.id);
  const chosen = fresh.filter(matchesFilter).reverse();
  events.newer += chosen.length;
  events.notShown += live.skipped;
  events.kept = [...chosen, ...events.kept].slice(0, keptEvents);
}

function showEvents(parts = views.live.parts) {
  const { kept, newer, paused, isPausedByReading, notShown, since } = events;
  const chosen = (paused ?? kept).filter(matchesFilter).map(event => ({ ...event, outcome: outcomeOf(event) }))
    .filter(({ outcome }) => !parts["only-dropped"].checked || outcome.key === "dropped");
  setText(parts["events-since"], since === null ? "" : `newest first, since ${moment(since)}`);
  showText(parts["events-state"], [
    paused && `Paused${isPausedByReading ? " while you read" : ""}; waiting: ${plural(newer, "newer event")}.`,
    notShown > 0 && `${numbers.format(notShown)} not shown, because they were too many.`,
    chosen.length === 0 && (kept.length > 0 ? "No event matches." : "No event yet."),
  ].filter(Boolean).join(" "));
  reconcile(parts.events, chosen.slice(0, paused ? keptEvents : eventsAtTop), event => event.id, () => new EventRow());
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
    text: isFailing ? "waiting, the collector fails" : "waiting" };
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
  Object.assign(events, { paused: isPaused ? events.kept : null, newer: 0, isPausedByReading: isPaused && isByReading });
  setText(views.live.parts.pause, isPaused ? "Resume" : "Pause");
  showEvents();
}

/** What the user reads must not be pushed out by newer events: an open one, or one further down, pauses them. */
function followReading({ type, target }) {
  if (type === "toggle" && target.open) partOf.get(target.closest("li")).open();
  const list = views.live.parts.events;
  const isReading = list.scrollTop > 0 || list.querySelector("details[open]") !== null;
  if (isReading && !events.paused) pauseEvents(true, true);
  if (!isReading && events.isPausedByReading) pauseEvents(false);
}

function listenToEvents() {
  const { parts } = views.live;
  for (const role of ["event-filter", "only-dropped"]) parts[role].addEventListener("input", () => showEvents());
  parts.pause.addEventListener("click", () => pauseEvents(!events.paused));
  parts.events.addEventListener("toggle", followReading, true);   // it does not bubble
  parts.events.addEventListener("scroll", followReading, { passive: true });
}
