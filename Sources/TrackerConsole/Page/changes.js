// ---------------------------------------------------------------------------------------------------- Changes

const kindNames = {
  held: "held back", rollbackFailed: "rollback failed", overrideSet: "override set", overrideChanged: "override changed",
  overrideRemoved: "override removed", overrideExpired: "override expired", failed: "fetch failed",
};
const nameOfKind = kind => kindNames[kind] ?? kind;

function showChanges(parts, { changes }, difference) {
  const shown = changes.filter(({ kind }) => kind !== "notModified" && kind !== "unchanged");
  parts.history.replaceChildren(...shown.map(rowOfHistory));
  if (shown.length === 0) parts.history.append(make("li", { class: "muted" }, "No change yet."));
  followVersion(difference);
  showDifference(difference, parts);
}

function rowOfHistory({ firstTime, lastTime, kind, text, needsAttention, count, author: by }) {
  const repeated = count > 1 && hint(" (");
  if (repeated) repeated.append("since ", timeElement(firstTime, "moment"), ")");
  return make("li", { "data-outcome": kind, "data-trouble": needsAttention },
    timeElement(lastTime), make("span", { class: kind === "reverted" ? "caution" : needsAttention ? "trouble" : "muted" }, nameOfKind(kind)),
    make("span", {}, text, by !== undefined && ` by ${by}`, repeated));
}

// ---------------------------------------------------------------------------------------------------- Difference

const queryOfDifference = () => new URLSearchParams(Object.entries(views.changes.options)
  .filter(([name, id]) => ["from", "to"].includes(name) && id));

/** Follows a link to what a version changed: it is compared with the one in use, or if that is it, with the one before. */
function followVersion({ versions }) {
  const { version } = views.changes.options;
  if (!version || !sources.difference.isCurrent) return;
  const found = versions.find(each => String(each.version) === version);
  chooseDifference(found?.id === "current" ? { from: "", to: "" } : { from: "current", to: found?.id ?? `version-${version}` });
}

function chooseDifference(options) {
  views.changes.choose({ ...options, version: "" });
  sources.difference.reload();
}

function showDifference({ isKnown, lines = [], warnings, versions, from, to }, parts) {
  const titles = { current: "in use", previous: "in use before", default: "the default" };
  const options = versions.map(({ id, version, isReverted }) => {
    const title = isReverted ? "reverted" : titles[id] ?? "stored";
    return { id, text: `${version === null ? "No version" : `Version ${version}`}, ${title}` };
  });
  // What was chosen is kept: it may not be answered yet.
  for (const [name, chosen] of Object.entries({ from, to, ...Object.fromEntries(queryOfDifference()) })) {
    const own = name === "to" ? options.filter(({ id }) => id !== "default") : options;
    parts[name].replaceChildren(...own.map(({ id, text }) => make("option", { value: id, selected: id === chosen }, text)));
  }
  parts.choices.hidden = versions.length < 2;
  showText(parts.unread, warnings && `Not listed: ${warnings.join("; ")}`);
  showText(parts.empty, !isKnown && (versions.length < 2 ? "The service has no other document, so there is nothing to compare."
    : "The service does not have both of these documents any more."));
  parts.difference.replaceChildren(...lines.map(({ indent, mark, text }) => {
    const line = make("li", { "data-mark": mark }, make("span", { "aria-hidden": "true" }, mark ?? ""), make("span", {}, text));
    line.style.paddingInlineStart = `${2 * indent}ch`;
    return line;
  }));
  parts.difference.hidden = lines.length === 0;
}

function listenToChanges() {
  const { parts } = views.changes;
  for (const name of ["from", "to"]) {
    parts[name].addEventListener("change", () => chooseDifference({ from: parts.from.value, to: parts.to.value }));
  }
}
