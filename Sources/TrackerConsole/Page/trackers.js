// ---------------------------------------------------------------------------------------------------- Trackers

/** Lost events before delayed ones. */
const standings = ["losing", "failing", "dropping", "paused", "kept", "waiting", "delivering", "idle"];
const patience = 10_000;                   // events that wait for less are on their way

/** How a tracker does, by what matters most: the key of its order, its level, a word or two, and the reason. */
function standingOf({ isFailing, isLosing, isPaused, isKept: isOver, lastFailingResponse: response, waiting, dropped, ...tracker }) {
  const { failingSince, failuresInARow, hour, lastSuccess } = tracker;
  const lost = hour.dropped > 0 && `${plural(hour.dropped, "event")} dropped in the last hour`;
  if (isFailing) {
    const start = `since ${moment(failingSince)}${wordsOfCause(tracker)}`;
    const tries = failuresInARow > 0 && plural(failuresInARow, "try", "tries");
    const reason = [response == null ? start : `${start}: ${response}`, lost, tries].filter(Boolean).join(", ");
    return { key: isLosing ? "losing" : "failing", level: "trouble", text: isLosing ? "losing events" : "failing", reason };
  }
  if (lost) {
    const last = response == null ? "" : ` (last at ${moment(tracker.lastFailingResponseTime)}: ${response})`;
    return { key: "dropping", level: isLosing ? "trouble" : "caution", text: "lost events", reason: `${lost}${last}` };
  }
  if (isPaused) return { key: "paused", level: "caution", text: "paused" };
  if (isOver) return { key: "kept", level: "caution", text: "ending: not in the document" };
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

/** By harm, then by namespace: numbers that change do not move rows. */
function inOrder(trackers) {
  const rank = tracker => standings.indexOf(standingOf(tracker).key);
  return trackers.toSorted((one, other) => rank(one) - rank(other) || (one.namespace < other.namespace ? -1 : 1));
}

function showTrackers(parts) {
  if (latest === null) return;
  const { open = null } = views.trackers.options;
  const trackers = Object.values(latest.trackers);
  const chosen = trackers.filter(({ namespace }) => matches(namespace, views.trackers.needle));
  const all = statusNow()?.trackers.length ?? 0;
  showText(parts.empty, trackers.length === 0 ? "There is no tracker: no document configures one."
    : trackers.length < all && `The first ${numbers.format(trackers.length)} of ${numbers.format(all)} trackers are listed.`);
  parts.table.hidden = trackers.length === 0;
  views.trackers.showCount(chosen.length, trackers.length, "tracker");
  const { trackers: mark } = latest.sections;
  const items = inOrder(chosen)
    .map(tracker => ({ ...tracker, isOpen: tracker.namespace === open, mark, zone: zone.name, second: Math.floor(clock.now() / 1000) }));
  reconcile(parts.table, items, item => item.namespace, () => new TrackerRow());
}

/** What all trackers together send; what waits is worth a word once it waits for long. */
function showTotals() {
  if (latest === null) return;
  const { waiting, oldestEvent, perMinute, dropped } = latest.totals;
  const age = oldestEvent === null ? 0 : clock.now() - oldestEvent;
  const wait = waiting > 0 && age > patience ? `${plural(waiting, "event")} waiting (the oldest for ${span(age)}) · ` : "";
  const lost = `${dropped > 0 ? numbers.format(dropped) : "none"} dropped in the last hour`;
  for (const { parts } of [views.overview, views.trackers]) {
    parts.total.replaceChildren(wait, `${numbers.format(perMinute)} sent in the last minute · `,
      make("span", { class: dropped > 0 && "trouble" }, lost));
  }
}

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
      views.trackers.choose({ open: this.tracker.isOpen ? null : this.tracker.namespace }));
  }

  update(tracker) {
    const { parts, counters } = this;
    this.tracker = tracker;
    const { namespace, isOpen, collector, lastSuccess, oldestEvent } = tracker;
    const { key, level, text, reason } = standingOf(tracker);
    setAttributes(this.element, { "data-tracker": namespace, "data-mark": key });
    setText(parts.open, namespace);
    setAttributes(parts.open, { "aria-expanded": String(isOpen), title: visible(namespace) });
    setText(parts.status, text);
    parts.status.className = level;
    setText(parts.collector, (collector ?? "").replace(/^https?:\/\//, ""));
    this.showReason(reason, level, tracker.isFailing ? tracker.failingSinceVersion : null);
    setText(counters.rate, numbers.format(tracker.perMinute));
    for (const name of ["waiting", "dropped"]) setText(counters[name], numbers.format(tracker[name]));
    counters.dropped.className = tracker.dropped > 0 ? "trouble" : "";
    const age = oldestEvent === null ? 0 : clock.now() - oldestEvent;
    setText(parts.oldest, age > patience ? `oldest ${span(age)}` : "");
    setText(parts.success, lastSuccess === null ? "never" : ago(lastSuccess));
    parts.details.hidden = !isOpen;
    if (isOpen) (this.details ??= new TrackerDetails(parts.details.firstElementChild)).update(tracker);
  }

  /** With a link to what the version changed with which the failure began. */
  showReason(reason, level, version) {
    const { reason: row } = this.parts;
    row.hidden = !reason;
    const text = JSON.stringify([reason, level, version]);
    if (this.reasonText === text) return;
    this.reasonText = text;
    const link = version != null && linkToVersion(version);
    row.firstElementChild.replaceChildren(make("span", { class: level }, reason ?? ""), " ", link || "");
  }
}

class TrackerDetails {
  element = copy("tracker-details");
  parts = partsOf(this.element);
  mark = null;

  constructor(host) {
    host.append(this.element);
    this.parts["show-built-in"].addEventListener("change", () => this.showSettings());
  }

  /** The settings are read anew when they have changed. */
  update(tracker) {
    const { tracked, sent, retried, requests, droppedByReason } = tracker;
    const reasons = Object.entries(droppedByReason).map(([reason, count]) => [`dropped: ${reason}`, count]);
    const all = [...Object.entries({ tracked, sent, retried, requests }), ...reasons];
    this.parts.counters.replaceChildren(...all.map(([title, count]) =>
      make("div", {}, make("dt", {}, `${title} `), make("dd", { "data-counter": title }, numbers.format(count)))));
    const own = statusNow()?.trackers.find(({ namespace }) => namespace === tracker.namespace);
    drawHour(this.parts.hour, own?.samples ?? []);
    if (this.mark === tracker.mark) return;
    this.mark = tracker.mark;
    this.load(tracker);
  }

  async load({ namespace }) {
    try {
      this.settings = (await request(`trackers?namespace=${segment(namespace)}`)).tracker.settings;
      this.showSettings();
      showText(this.parts["details-error"], null);
    } catch (error) {
      this.mark = null;
      showText(this.parts["details-error"], `Not read: ${error.message}`);
    }
  }

  showSettings() {
    const { parts, settings = [] } = this;
    const chosen = settings.filter(({ source }) => parts["show-built-in"].checked || source !== "builtin");
    parts.settings.replaceChildren(...chosen.map(rowOfSetting));
  }
}

function rowOfSetting({ field, source, version, value, overridden }) {
  return make("tr", { "data-setting": field, "data-layer": source },
    headCell(nameElement(field)), cell("Value", valueElement(value ?? undefined)), cell("Source", layerMark(source, version)),
    cell("Overridden", ...overridden.map(other =>
      make("div", {}, valueElement(other.value ?? undefined), " ", layerMark(other.source, other.version)))));
}

/** Shows what the last message has: status lines on every view, numbers and events where they can be seen. */
function showLive() {
  showLines();
  showHeader();
  showTotals();
  for (const view of [views.trackers, views.live]) view.show();
}
