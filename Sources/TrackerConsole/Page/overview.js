// ---------------------------------------------------------------------------------------------------- Overview

function showOverview(parts, status) {
  showText(parts.empty, status.document.state === undefined && "No document is in use yet.");
  showWarnings(status.document, parts);
  showExceptions(status, parts);
  drawHour(parts.hour, status.samples, status.changes);
  showFacts(parts.facts, factsOf(status));
}

function factsOf({ document: { source, user, meta }, process, ...status }) {
  const text = value => value === undefined ? null : make("code", {}, value);
  return [
    ["Service", text(process.service)], ["Source", text(source) ?? "none"], ["User", text(user)],
    ["Next fetch", nextFetch(status), "next-poll"], ["Instance", text(process.instanceID)],
    ["State directory", text(process.stateDirectory) ?? "none: unsent events are kept in memory only"],
    ["Cache directory", text(process.cacheDirectory)],
    ...Object.entries(meta).map(([name, value]) => [`meta: ${name}`, valueElement(value)]),
  ].filter(([, content]) => content !== null).map(([name, content, role]) => ({ name, content, role }));
}

/** @param {Record<string, any>} status */
function nextFetch({ nextFetchTime, pollIntervalSeconds, isFetching }) {
  if (isFetching) return "fetching now";
  if (nextFetchTime === undefined) return pollIntervalSeconds === undefined ? "none: polling is off" : "not planned";
  return make("span", {}, timeElement(nextFetchTime, "within"), ` (about every ${span(pollIntervalSeconds * 1000)})`);
}

function showFacts(list, facts) {
  list.replaceChildren(...facts.flatMap(({ name, role, content }) =>
    [make("dt", {}, name), make("dd", { "data-role": role }, content)]));
}

function showWarnings({ warnings, version }, parts) {
  parts.warnings.hidden = warnings.length === 0;
  const of = version == null ? "the document" : `version ${version}`;
  setText(parts["warnings-title"], `${plural(warnings.length, "warning")} in ${of}`);
  parts["warning-list"].replaceChildren(...warnings.map(elementOfWarning));
}

function elementOfWarning({ place, reason, line, column }) {
  const position = line == null ? null : hint(` (line ${line}${column == null ? "" : `, column ${column}`})`);
  const start = place === "" ? [] : [make("code", {}, place), ": "];
  return make("li", { "data-warning": place }, ...start, reason, position);
}

// ---------------------------------------------------------------------------------------------------- Exceptions

/** What the document does not give: overrides, and trackers that it no longer has. */
function showExceptions({ overrides, trackers }, parts) {
  const kept = trackers.filter(({ isKept: isOver }) => isOver).map(({ namespace }) => ({ kind: "kept", namespace }));
  const all = [...overrides.map(override => ({ kind: "override", ...override })), ...kept];
  parts.exceptions.hidden = all.length === 0;
  setText(parts["exceptions-title"], `Overrides and exceptions (${numbers.format(all.length)})`);
  const key = ({ kind, namespace, feature, experiment, variable }) =>
    JSON.stringify([kind, namespace, feature, experiment, variable]);
  reconcile(parts["exception-rows"], all.slice(0, mostRows), key, () => new ExceptionRow());
}

class ExceptionRow {
  element = make("tr");

  update(item) {
    const { kind, namespace, feature, experiment, variable, value } = item;
    const subject = namespace ?? feature ?? experiment;
    setAttributes(this.element, { "data-exception": kind, "data-subject": subject, "data-name": variable });
    const link = make("a", { href: `#${namespace == null ? "features" : "trackers"}/${segment(subject)}`, class: "name" },
      nameOfOverride(item));
    if (kind === "kept") {
      return this.element.replaceChildren(headCell(link, hint(" tracker")), cell("Value", muted("kept")),
        cell("Source", make("span", { class: "mark caution" }, "no longer in the document")), make("td"), make("td"));
    }
    const action = make("button", { type: "button", "data-role": "reset-override" }, "Reset");
    action.setAttribute("aria-label", `Reset ${visible(nameOfOverride(item))}`);
    action.addEventListener("click", () => resetOverride(item, action));
    const show = shown => feature != null && variable == null && typeof shown === "boolean" ? onOrOff(shown) : valueElement(shown);
    const below = item.documentValue === undefined ? muted("–") : show(item.documentValue);
    this.element.replaceChildren(
      headCell(link), cell("Value", value === undefined ? secretElement() : show(value)),
      cell("Source", make("span", { class: "mark caution" }, "override"), " ", ...wordsOfOverride(item)),
      cell("Document", value === undefined ? muted("not shown") : below), make("td", { "data-changing": true }, action));
  }
}

const onOrOff = value => make("strong", {}, value ? "on" : "off");

/** Removes an override; until the notice goes, it can be put back as it was. */
async function resetOverride(item, button) {
  const host = button.closest(".card");
  button.disabled = true;
  tell(host, null);
  try {
    await askForAuthor();
    const text = `The override of ${nameOfOverride(item)} is removed.`;
    tell(host, await changeOverride(removalOf(pathOfOverrideOf(item)), text), "warning");
  } catch (error) {
    button.disabled = false;
    tell(host, `Not reset: ${error.message}`);
  }
}

// ---------------------------------------------------------------------------------------------------- Last hour

const wordsOfChange = ({ kind, version, lastTime, text }) => {
  const what = kind.startsWith("override") ? text : `${nameOfKind(kind)}${version == null ? "" : ` ${version}`}`;
  return `${zone.formats.minute.format(at(lastTime))} ${what}`;
};

/** The rows of changes below the chart, in their order: a title, and the kinds that it has. */
const rowsOfChanges = {
  applied: ["applied"], reverted: ["reverted", "rollbackFailed"], rejected: ["rejected"], "held back": ["held"], stale: ["stale"],
  "fetch failed": ["failed"], overrides: ["overrideSet", "overrideChanged", "overrideRemoved", "overrideExpired"],
};
const seriesOfHour = { sent: "sent", failed: "retried", dropped: "dropped" };

/** The events in each minute of the last hour: [sent, retried, dropped]. */
function minutesOfHour(samples, start) {
  const minutes = Array.from({ length: 60 }, () => [0, 0, 0]);
  for (const { time, sent, failed, dropped } of samples) {
    const minute = minutes[Math.floor((at(time) - start) / 60_000)];
    if (minute) [sent, failed, dropped].forEach((count, kind) => { minute[kind] += count; });
  }
  return minutes;
}

/** Bars of the events of each minute: sent, retried above it, dropped on top; below it a row for each kind of change. */
function drawHour(figure, samples, changes = []) {
  const start = (Math.floor(clock.now() / 60_000) - 59) * 60_000;
  const end = start + 60 * 60_000;
  const minutes = minutesOfHour(samples, start);
  const totals = Object.keys(seriesOfHour).map((_, kind) => sum(minutes.map(counts => counts[kind])));
  const most = Math.max(...minutes.map(sum));
  const [, retried, dropped] = totals.map(count => numbers.format(count));
  const total = `${plural(totals[0], "event")} sent, ${retried} retried, ${dropped} dropped`;
  const text = sum(totals) === 0 ? "No event in the last hour" : `${total}; at most ${numbers.format(most)} a minute`;
  const rows = Object.entries(rowsOfChanges)
    .map(([title, kinds]) => ({ title, own: changes.filter(({ kind, lastTime }) => kinds.includes(kind) && at(lastTime) >= start) }))
    .filter(({ own }) => own.length > 0);
  const [from, middle, to] = [start, (start + end) / 2, end].map(time => zone.formats.minute.format(time));
  figure.replaceChildren(
    make("div", { class: "scale", "aria-hidden": "true" }, make("span", {}, `${numbers.format(most)}/min`), make("span", {}, "0")),
    barsOfHour(minutes, most, `${text}, from ${from} to ${to}${zone.suffix}`),
    ...rows.flatMap(({ title, own }) => [make("span", { class: "hint" }, title), trackOfChanges(title, own, start, end)]),
    make("div", { class: "axis hint", "aria-hidden": "true" },
      make("span", {}, from), make("span", {}, middle), make("span", {}, `${to}${zone.suffix}`)),
    make("figcaption", { class: "hint" }, make("span", {}, text),
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
    const [first, last] = [change.firstTime, change.lastTime].map(at).map(share);
    [mark.style.left, mark.style.width] = [`${first}%`, `${last - first}%`];
    track.append(mark);
  }
  return track;
}
