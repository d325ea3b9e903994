// ---------------------------------------------------------------------------------------------------- Overview

let showsWholeHistory = false;
let showsAllWarnings = false;
const shortWarnings = 5;

function showOverview(data, parts) {
  showHeader();
  showText(parts.empty, data.document.state == null && "No document is in use yet.");
  showRollout(data.rollout, parts);
  showWarnings(data.document, parts);
  showExceptions(data, parts);
  drawHour(parts.hour, data.hour, data.changes);
  setText(parts["hour-changes"], changesOfHour(data).map(wordsOfChange).join(" · "));
  showDifferencesTitle(data, parts);
  showHistory(data, parts);
  showFacts(parts.facts, factsOf(data));
  const meta = Object.entries(data.meta ?? {});
  parts["meta-title"].hidden = parts.meta.hidden = meta.length === 0;
  showFacts(parts.meta, meta.map(([name, value]) => ({ name, content: valueElement(value) })));
  if (differences.mark !== views.overview.mark) loadDifferences();
}

function factsOf({ document: { source, user, fetchTime }, process, ...data }) {
  const text = value => value == null ? null : make("code", {}, value);
  const facts = [
    ["Service", text(process.service)], ["Source", text(source) ?? "none"],
    ["User", text(user)],
    ["Fetched", fetchTime == null ? null : timeElement(fetchTime)],
    ["Last fetch", data.lastFetchTime === null ? "none yet" : timeElement(data.lastFetchTime)],
    ["Next fetch", "", "next-poll"], ["Fetches", fetchesText(data.fetches)], ...factsOfStream(data),
    ["Instance", text(process.instanceID)], ["Started", timeElement(process.startTime, "moment")],
    ["State directory", text(process.stateDirectory) ?? "none: unsent events are kept in memory only"],
    ["Cache directory", text(process.cacheDirectory)],
  ];
  return facts.filter(([, content]) => content !== null).map(([name, content, role]) => ({ name, content, role }));
}

/** @param {Record<string, any>} data */
function factsOfStream({ streaming }) {
  if (streaming === null) return [];
  const { connectedSince, lastHintTime, reconnections, outage } = streaming;
  const why = outage == null ? null : make("span", {}, "down, ", timeElement(outage.lastTime), `: ${outage.text}`);
  const open = connectedSince == null ? null : make("span", {}, "open for ", timeElement(connectedSince, "span"));
  return [
    ["Stream", open ?? why ?? "being opened", "stream"],
    ["Last hint", lastHintTime == null ? "none yet" : timeElement(lastHintTime), "last-hint"],
    ["Reconnections", numbers.format(reconnections), "reconnections"],
  ];
}

function showFacts(list, facts) {
  list.replaceChildren(...facts.flatMap(({ name, role, content }) =>
    [make("dt", {}, name), make("dd", { "data-role": role }, content)]));
  showNextFetch();
}

function fetchesText(fetches) {
  const counts = Object.entries(fetches).filter(([, count]) => count > 0);
  return counts.map(([kind, count]) => `${numbers.format(count)} ${nameOfKind(kind)}`).join(", ") || "none";
}

function showNextFetch() {
  const element = find("[data-role=next-poll]");
  if (element && overview()) setText(element, nextFetchText(overview()));
}

function nextFetchText({ nextFetchTime, pollIntervalSeconds, isFetching }) {
  if (isFetching) return "fetching now";
  if (nextFetchTime === null) return pollIntervalSeconds === null ? "none: polling is off" : "not planned";
  const wait = nextFetchTime - clock.now();
  const interval = pollIntervalSeconds ? ` (about every ${span(pollIntervalSeconds * 1000)})` : "";
  return `${wait > 0 ? `in ${span(wait)}` : "due now"}${interval}`;
}

// ---------------------------------------------------------------------------------------------------- Rollout

function showRollout(rollout, parts) {
  parts.rollout.hidden = rollout === null;
  if (rollout === null) return;
  const { version, percent, position, isIncluded, state, trackers } = rollout;
  const place = position == null ? "without an instance id" : `at position ${numbers.format(position)}`;
  const { expectedRevertTime } = rollout;
  showFacts(parts["rollout-facts"], [
    { name: "Version", role: "rollout-version", content: String(version) },
    { name: "Share", role: "rollout-share", content: `${numbers.format(percent)} % of the instances; `
      + `this one, ${place}, is ${isIncluded ? "included" : "not included"}` },
    { name: "State", role: "rollout-state", content: stateOfRollout(rollout) },
    ...state === "baking" && expectedRevertTime != null
      ? [{ name: "Verdict", role: "rollout-verdict", content: make("span", { class: "trouble" },
          "reverts ", timeElement(expectedRevertTime, "within"), " if requests keep failing") }] : [],
    ...Object.entries(trackers).map(([namespace, rates]) =>
      ({ name: `Requests of ${namespace}`, role: "rollout-rates", content: textOfRates(rates) })),
  ]);
}

/** @param {Record<string, any>} rollout */
function stateOfRollout({ state, bakeEnd, isIncluded }) {
  if (state === "reverted") return make("span", { class: "trouble" }, "reverted; it is not applied again");
  if (state === "passed") return "bake time passed";
  if (state !== "baking" || bakeEnd == null) return isIncluded ? "not observed" : "held back: other instances try it first";
  return make("span", {}, "baking until ", timeElement(bakeEnd, "moment"), ", ", timeElement(bakeEnd, "left"));
}

/** "9 of 9 failed (100%), before: 0%". */
function textOfRates({ failureRateBefore, failureRateAfter, requests, failedRequests }) {
  const before = failureRateBefore == null ? "before: too few requests" : `before: ${percents.format(failureRateBefore)}`;
  if (!requests) return `none yet, ${before}`;
  return `${numbers.format(failedRequests)} of ${numbers.format(requests)} failed (${percents.format(failureRateAfter)}), ${before}`;
}

function showWarnings({ warnings, version }, parts) {
  parts.warnings.hidden = warnings.length === 0;
  const of = version == null ? "the document" : `version ${version}`;
  setText(parts["warnings-title"], `${plural(warnings.length, "warning")} in ${of}`);
  const chosen = showsAllWarnings ? warnings : warnings.slice(0, shortWarnings);
  parts["warning-list"].replaceChildren(...chosen.map(elementOfWarning));
  showText(parts["all-warnings"], chosen.length < warnings.length && `Show all ${warnings.length} warnings`);
}

function elementOfWarning({ place, reason, line, column }) {
  const position = line == null ? null : hint(` (line ${line}${column == null ? "" : `, column ${column}`})`);
  const start = place === "" ? [] : [make("code", {}, place), ": "];
  return make("li", { "data-warning": place }, ...start, reason, position);
}

// --------------------------------------------------------------------------------------------Not from the document

function showExceptions({ exceptions, moreExceptions, document: { state } }, parts) {
  const count = exceptions.length + moreExceptions;
  setText(parts["exceptions-title"], `Not from the document (${numbers.format(count)})`);
  parts.exceptions.hidden = count === 0;
  showText(parts["no-exceptions"], count === 0 && (state == null
    ? "Nothing: no override and no setting of the service's code."
    : "Nothing: all values are those of the document in use and of the default."));
  showText(parts["more-exceptions"], moreExceptions > 0
    && `${plural(moreExceptions, "more row is", "more rows are")} found by the search below.`);
  const key = ({ kind, namespace, feature, experiment, name }) =>
    JSON.stringify([kind, namespace, feature, experiment, name]);
  inSlices("exceptions", reconcile(parts["exception-rows"], exceptions, key, () => new ExceptionRow()));
}

/** What the document does not give: an override, a setting of code, a provider's value, a tracker that is kept. */
class ExceptionRow {
  element = make("tr");

  update(item) {
    const { kind, namespace, feature, experiment, name } = item;
    const subject = namespace ?? feature ?? experiment;
    setAttributes(this.element, { "data-exception": kind, "data-subject": subject, "data-name": name });
    const target = `#${tabOfException(item)}/${segment(subject)}`;
    const below = item.isSecret ? muted("not shown")
      : "instead" in item ? valueOfException(item, item.instead) : muted("unset");
    const value = kind === "kept" ? muted("kept")
      : item.isSecret ? secretElement() : valueOfException(item, item.value);
    const link = make("a", { href: target, class: "name" }, nameOfException(item));
    const action = kind === "override" && make("button", { type: "button", "data-role": "reset-override" }, "Reset");
    if (action) action.setAttribute("aria-label", `Reset ${visible(nameOfException(item))}`);
    if (action) action.addEventListener("click", () => resetOverride(item, action));
    this.element.replaceChildren(
      headCell(link, namespace == null ? "" : hint(" tracker")), cell("Value", value),
      cell("Source", ...sourceOfException(item)), cell("Without it", kind === "kept" ? muted("removed") : below),
      make("td", { "data-changing": true }, action || ""));
  }
}

const tabOfException = ({ namespace, experiment }) =>
  namespace != null ? "trackers" : experiment != null ? "experiments" : "features";

/** @param {Record<string, any>} item */
function nameOfException({ namespace, feature, experiment, name }) {
  if (experiment != null) return `${experiment}: forced variant`;
  return [namespace ?? feature, name].filter(part => part != null).join(".");
}

function valueOfException({ feature, name }, value) {
  return feature != null && name == null && typeof value === "boolean" ? onOrOff(value) : valueElement(value);
}

const onOrOff = value => make("strong", {}, value ? "on" : "off");

function sourceOfException({ kind, origin, time, by, note, expiry }) {
  return [
    make("span", { class: "mark caution" }, kind === "override" ? "override" : originText(origin)),
    time == null ? "" : " ", time == null ? "" : timeElement(time),
    by == null ? "" : ` by ${by}`, note == null ? "" : ` “${note}”`,
    expiry == null ? "" : ", until ", expiry == null ? "" : timeElement(expiry, "moment"),
  ];
}

/** Removes an override; until the notice goes, it can be put back as it was. */
async function resetOverride(item, button) {
  const host = button.closest(".card");
  button.disabled = true;
  tell(host, null);
  try {
    await askForAuthor();
    const path = pathOfOverrideOf({ ...item, variable: item.name });
    const warning = await changeOverride(removalOf(path), `The override of ${nameOfException(item)} is removed.`);
    tell(host, warning, "warning");
  } catch (error) {
    button.disabled = false;
    tell(host, `Not reset: ${error.message}`);
  }
}

// ---------------------------------------------------------------------------------------------------- Last hour

const alwaysListed = ["applied", "reverted", "rollbackFailed"];
const mostListed = 12;

/** What changed in the last hour, the oldest first; versions that were applied or reverted give no place to others. */
function changesOfHour({ changes, hour }) {
  const all = changes.filter(({ kind, lastTime }) => lastTime >= hour.start && !["notModified", "unchanged"].includes(kind));
  const most = mostListed - all.filter(({ kind }) => alwaysListed.includes(kind)).length;
  const others = all.filter(({ kind }) => !alwaysListed.includes(kind)).slice(0, Math.max(0, most));
  return all.filter(change => alwaysListed.includes(change.kind) || others.includes(change)).reverse();
}

const wordsOfChange = ({ kind, version, lastTime, text }) => {
  const what = kind.startsWith("override") ? text : `${nameOfKind(kind)}${version == null ? "" : ` ${version}`}`;
  return `${zone.formats.minute.format(lastTime)} ${what}`;
};

/** The rows of changes below the chart, in their order: a title, and the kinds that it has. */
const rowsOfChanges = {
  applied: ["applied"], reverted: ["reverted", "rollbackFailed"], rejected: ["rejected"], "held back": ["held"], stale: ["stale"],
  "fetch failed": ["failed"], overrides: ["overrideSet", "overrideChanged", "overrideRemoved", "overrideExpired"],
};
const seriesOfHour = { sent: "sent", failed: "attempts failed", dropped: "dropped" };

/** Bars of the events of each minute: sent, failed attempts above it, dropped on top; below it a row for each kind of change. */
function drawHour(figure, { start, minutes }, changes = []) {
  const end = start + minutes.length * 60_000;
  const totals = Object.keys(seriesOfHour).map((_, kind) => sum(minutes.map(counts => counts[kind])));
  const most = Math.max(...minutes.map(sum));
  const [sent, failed, dropped] = totals;
  const total = `${plural(sent, "event")} sent, ${plural(failed, "attempt")} failed, ${plural(dropped, "event")} dropped`;
  const text = sum(totals) === 0 ? "No event in the last hour" : `${total}; at most ${numbers.format(most)} a minute`;
  const rows = Object.entries(rowsOfChanges)
    .map(([title, kinds]) => ({ title, own: changes.filter(({ kind, lastTime }) => kinds.includes(kind) && lastTime >= start) }))
    .filter(({ own }) => own.length > 0);
  const [from, middle, to] = [start, (start + end) / 2, end].map(time => zone.formats.minute.format(time));
  figure.replaceChildren(
    make("div", { class: "scale", "aria-hidden": "true" }, make("span", {}, `${numbers.format(most)}/min`), make("span", {}, "0")),
    barsOfHour(minutes, most, `${text}, from ${from} to ${to}${zone.suffix}`),
    ...rows.flatMap(({ title, own }) => [make("span", { class: "hint" }, title), trackOfChanges(title, own, start, end)]),
    make("div", { class: "axis hint", "aria-hidden": "true" },
      make("span", {}, from), make("span", {}, middle), make("span", {}, `${to}${zone.suffix}`)),
    make("figcaption", { class: "hint" }, make("span", { "data-role": "hour-text" }, text),
      make("ul", { class: "legend", "data-role": "hour-legend" },
        ...Object.entries(seriesOfHour).map(([name, title]) => make("li", { "data-series": name }, title)))));
}

function barsOfHour(minutes, most, text) {
  const [width, height] = [600, 60];
  const step = width / minutes.length;
  const draw = (name, attributes, ...children) => {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
    setAttributes(shape, attributes);
    shape.append(...children);
    return shape;
  };
  const bars = minutes.flatMap((counts, index) => {
    let top = height;
    return counts.map((count, kind) => {
      const size = count === 0 ? 0 : Math.max(1.5, count / most * (height - 4));
      top -= size;
      const place = { x: index * step + 1, y: top, width: step - 2, height: size };
      return size > 0 && draw("rect", { "data-series": Object.keys(seriesOfHour)[kind], ...place });
    }).filter(Boolean);
  });
  const viewBox = `0 0 ${width} ${height}`;
  return draw("svg", { viewBox, preserveAspectRatio: "none", role: "img", "aria-label": text }, ...bars);
}

/** The changes of a row in time: a mark for each, as long as it was repeated. */
function trackOfChanges(title, changes, start, end) {
  const share = time => Math.min(1, Math.max(0, (time - start) / (end - start))) * 100;
  const words = changes.toReversed().map(wordsOfChange).map(visible);
  const track = make("div", { class: "track", role: "img", "aria-label": `${title}: ${words.join(", ")}`, "data-track": title });
  for (const change of changes) {
    const mark = make("span", { "data-kind": change.kind, title: visible(wordsOfChange(change)) });
    mark.style.left = `${share(change.firstTime)}%`;
    mark.style.width = `${share(change.lastTime) - share(change.firstTime)}%`;
    track.append(mark);
  }
  return track;
}

// ------------------------------------------------------------------------------------------------From the document

const differences = { offset: 0, mark: undefined, request: 0 };

function showDifferencesTitle({ counts, document: { state, version } }, parts) {
  const values = `${plural(counts.features, "feature")} (${plural(counts.variables, "value")})`;
  const all = [plural(counts.namespaces, "tracker"), values, plural(counts.experiments, "experiment")].join(", ");
  const from = state == null ? "In effect" : version == null ? "From the default" : `From version ${version}`;
  setText(parts["differences-title"], `${from}: ${all}`);
  if (parts.filter.value !== "") parts.differences.open = true;
}

/** Reads what differs from the default, as far as it matches the filter: a page of it, while it is open. */
async function loadDifferences() {
  const { parts } = views.overview;
  if (!parts.differences.open) return;
  const [number, mark] = [differences.request += 1, views.overview.mark];
  differences.mark = mark;
  try {
    const [filter, { offset }] = [segment(parts.filter.value.trim()), differences];
    const found = await request(`overview?filter=${filter}&offset=${offset}&limit=${pageSize}`);
    if (number !== differences.request) return;
    showText(parts["differences-error"], null);
    showDifferences(found, parts);
  } catch (error) {
    if (number !== differences.request) return;
    differences.mark = undefined;
    showText(parts["differences-error"], `Not read: ${error.message}`);
  }
}

function showDifferences({ differences: rows, offset, matching, total }, parts) {
  differences.offset = offset;
  const of = matching === total ? plural(total, "value differs", "values differ")
    : `${numbers.format(matching)} of ${plural(total, "value that differs", "values that differ")}`;
  const range = matching > rows.length ? `; shown are ${offset + 1} to ${offset + rows.length}` : "";
  setText(parts.shown, total === 0 ? "Nothing differs: all is as the default says."
    : matching === 0 ? `Nothing matches among ${plural(total, "value that differs", "values that differ")}.`
      : `${of} from the default${range}.`);
  parts["previous-page"].hidden = parts["next-page"].hidden = matching <= rows.length;
  parts["previous-page"].disabled = offset === 0;
  parts["next-page"].disabled = offset + rows.length >= matching;
  inSlices("differences", reconcile(parts["difference-rows"], rows,
    row => JSON.stringify([row.kind, subjectOf(row), row.name]), () => new DifferenceRow()));
}

function turnDifferences(pages) {
  differences.offset = Math.max(0, differences.offset + pages * pageSize);
  loadDifferences();
}

const tabOfDifference = { tracker: "trackers", variable: "features", feature: "features", variant: "experiments" };
const subjectOf = difference => difference.namespace ?? difference.feature ?? difference.name;

class DifferenceRow {
  element = make("tr");

  update(difference) {
    const { kind, name, value, origin, isSecret, isAdded, isRemoved, isFromDocument } = difference;
    const subject = subjectOf(difference);
    setAttributes(this.element, { "data-difference": kind, "data-subject": subject, "data-name": name });
    const detail = isAdded || isRemoved ? " (the whole tracker)" : kind === "variant" ? ": forced variant"
      : kind === "feature" ? "" : `.${name}`;
    const shown = isRemoved ? muted("removed") : isSecret ? secretElement()
      : kind === "feature" ? onOrOff(value) : isAdded && value === null ? "added" : valueElement(value);
    const { instead } = difference;
    const target = `#${tabOfDifference[kind]}/${segment(subject)}`;
    const below = isSecret ? muted("not shown") : isRemoved ? "has it" : instead === undefined ? muted("unset")
      : kind === "feature" ? onOrOff(instead) : valueElement(instead);
    this.element.replaceChildren(
      headCell(make("a", { href: target, class: "name" }, `${subject}${detail}`)),
      cell("Value", isAdded ? "added, sends to " : "", shown),
      cell("Source", isFromDocument ? muted("document") : originMark(origin)),
      cell("Default", below));
  }
}

const originText = origin => origin === "runtime" ? "the service's code" : origin;
const originMark = origin => make("span", { class: "mark", "data-layer": origin.split(",")[0] }, originText(origin));

// ---------------------------------------------------------------------------------------------------- History

const kindNames = {
  notModified: "not modified", held: "held back", rollbackFailed: "rollback failed", overrideSet: "override set",
  overrideChanged: "override changed", overrideRemoved: "override removed", overrideExpired: "override expired",
};
const nameOfKind = kind => kindNames[kind] ?? kind;

function showHistory({ changes }, parts) {
  const chosen = showsWholeHistory ? changes : changes.slice(0, shortHistory);
  parts.history.replaceChildren(...chosen.map(rowOfHistory));
  if (changes.length === 0) parts.history.append(make("li", { class: "muted" }, "No fetch yet."));
  const troubles = changes.filter(({ needsAttention }) => needsAttention).length;
  const words = troubles === 0 ? "none needs attention" : `${troubles} ${troubles === 1 ? "needs" : "need"} attention`;
  showText(parts["whole-history"], chosen.length < changes.length && `Show all ${changes.length} rows (${words})`);
}

function rowOfHistory({ firstTime, lastTime, kind, text, needsAttention, count }) {
  const repeated = count > 1 && hint(" (");
  if (repeated) repeated.append(plural(count, "time"), " since ", timeElement(firstTime, "moment"), ")");
  return make("li", { "data-outcome": kind, "data-trouble": needsAttention },
    timeElement(lastTime), make("span", { class: needsAttention ? "trouble" : "muted" }, nameOfKind(kind)),
    make("span", {}, text, repeated));
}

function listenToOverview() {
  const { parts } = views.overview;
  const search = () => { differences.offset = 0; loadDifferences(); };
  parts.filter.addEventListener("input", search);
  parts.differences.addEventListener("toggle", loadDifferences);
  parts["previous-page"].addEventListener("click", () => turnDifferences(-1));
  parts["next-page"].addEventListener("click", () => turnDifferences(1));
  parts["whole-history"].addEventListener("click", () => { showsWholeHistory = true; views.overview.show(); });
  parts["all-warnings"].addEventListener("click", () => { showsAllWarnings = true; views.overview.show(); });
}

