// ---------------------------------------------------------------------------------------------------- Header

const overview = () => views.overview.data;

let latest = null;                         // the last message of what is live

function showHeader() {
  const data = overview();
  if (!data) return;
  setText(find("[data-role=title]"), data.title ?? data.process.service);
  showIdentity(data.process);
  document.documentElement.dataset.changes = data.allowsChanges ? "allowed" : "forbidden";
  find("[data-role=read-only]").hidden = data.allowsChanges;
  for (const element of findAll("[data-count]")) {
    setText(element, numbers.format(data.counts[element.dataset.count]));
  }
  const reason = reasonAgainstRefresh(data);
  find("[data-role=refresh]").disabled = refreshing || reason !== null;
  setAttributes(find("[data-role=refresh]"), { title: reason });
  setText(find("[data-role=refresh-reason]"), reason);
  if (troubleOfRefresh !== null && data.lastFetchTime > troubleOfRefresh && data.outage === null) {
    tell(find("[data-role=refresh-outcome]"), null);
    troubleOfRefresh = null;
  }
  showTitle();
}

/** Which process this is: "orders-7f9c · pid 41 · up 3 hours · SDK 0.2.0". */
function showIdentity({ host, processID, startTime, sdkVersion }) {
  const up = `up ${span(clock.now() - startTime)}`;
  setText(find("[data-role=identity]"), [host, `pid ${processID}`, up, `SDK ${sdkVersion}`].join(" · "));
}

function reasonAgainstRefresh({ allowsChanges, document: { source } }) {
  if (!allowsChanges) return "Read-only: nothing can be changed or refreshed from here.";
  return source == null ? "There is no remote source to refresh from." : null;
}

function showZone() {
  const button = find("[data-role=zone]");
  setText(button, zone.name);
  const [now, other] = zone.isLocal ? ["your zone", "UTC"] : ["UTC", "your zone"];
  setAttributes(button, { title: `Times are in ${now}; show them in ${other}` });
}

function switchZone() {
  zone.choose(!zone.isLocal);
  localStorage.setItem("console.zone", zone.isLocal ? "local" : "utc");
  showZone();
  showTimes(document);
  shownView().show();
  showLines();
}

// ---------------------------------------------------------------------------------------------------- Status lines

const signs = { problem: "▲", warning: "▲", news: "●", normal: "●" };
const ranks = ["problem", "warning", "news", "normal"];
const colours = { problem: "#c8281e", warning: "#b97700", news: "#2f7d46", normal: "#2f7d46" };
const tabOfTopic = {
  document: "overview", rollout: "overview", fetch: "overview", tracker: "trackers", override: "overview",
  code: "overview",
};

let showsAllLines = false;
let announced = null;                      // the lines of which was said that they are there

const keyOfLine = ({ level, topic, namespace, since }) => JSON.stringify([level, topic, namespace, since]);

/** The worst level among lines; "normal" without any. */
const worst = lines => ranks.find(level => lines.some(line => line.level === level)) ?? "normal";

/** Which document is in use: it is shown however many lines come before it. */
const saysWhatIsInUse = ({ level, topic }) => level === "normal" && topic === "document";

/** What the service says of itself, problems first; on every view. */
function showLines() {
  if (latest === null) return;
  const { lines } = latest;
  const chosen = lines.filter((line, index) => showsAllLines || index < shownLines || saysWhatIsInUse(line));
  const items = chosen.map((line, index) => ({ ...line, index, zone: zone.name, isKept: line.level !== "normal" && isKept(line.version),
    isHeld: line.topic === "document" && line.level === "problem" && overview()?.heldVersions.includes(line.version) }));
  atOnce(reconcile(find("[data-role=lines]"), items, ({ topic, namespace, index }) => `${topic} ${namespace} ${index}`,
    () => new StatusLine()));
  const hidden = lines.length - chosen.length;
  showText(find("[data-role=all-lines]"), hidden > 0 && `Show ${plural(hidden, "more line")}`);
  showMarks(lines);
  announce(lines);
  showProblems();
  showTitle();
}

/** Whether the service has the document of a version, so that it can be compared: the one in use, or one that was reverted. */
function isKept(version) {
  const data = overview();
  return version != null && data !== null && (version === data.document.version
    || data.changes.some(change => change.kind === "reverted" && change.version === version));
}

class StatusLine {
  element = make("li");

  update({ level, text, since, topic, namespace, version, isKept: hasLink, isHeld }) {
    setAttributes(this.element, { "data-line": level, "data-topic": topic, "data-namespace": namespace });
    const word = ["problem", "warning"].includes(level) && make("span", { class: "unseen" }, `${level}: `);
    const time = since != null && [", since ", timeElement(since, "moment"), " (", timeElement(since, "span"), ")"];
    const target = namespace == null ? tabOfTopic[topic]
      : `trackers/${segment(namespace)}?${new URLSearchParams({ open: namespace })}`;
    const link = topic === "tracker" && level !== "normal"
      && make("a", { href: `#${target}` }, namespace == null ? "Trackers" : "Tracker");
    const release = isHeld && make("button", { type: "button", "data-role": "release", "data-changing": true }, `Release ${version}`);
    if (release) release.addEventListener("click", () => releaseVersion(version));
    this.element.replaceChildren(
      make("span", { class: "sign", "aria-hidden": "true" }, signs[level]),
      make("span", {}, word || "", text, ...time || [], " ", link || "", " ", hasLink ? linkToVersion(version) : "", " ", release || ""));
  }
}

/** Leads to what a version changed. */
const linkToVersion = version =>
  make("a", { href: `#difference?version=${version}`, "data-version": version }, `What ${version} changed`);

/** Puts a mark on the tab of each view that has a problem or a warning. */
function showMarks(lines) {
  for (const tab of findAll("[data-tab]")) {
    const own = lines.filter(({ topic }) => tabOfTopic[topic] === tab.dataset.tab);
    const level = worst(own);
    const count = own.filter(line => line.level === level).length;
    const isMarked = level === "problem" || level === "warning";
    setAttributes(tab, { "data-level": isMarked && level, title: isMarked && plural(count, level) });
  }
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${
    worst(lines) === "problem" ? `<path fill="${colours.problem}" d="M8 1l8 14H0z"/>`
      : `<circle cx="8" cy="8" r="7" fill="${colours[worst(lines)]}"/>`}</svg>`;
  const address = `data:image/svg+xml,${segment(icon)}`;
  const link = find("link[rel=icon]");
  if (link.getAttribute("href") !== address) link.setAttribute("href", address);
}

/** Has new problems read out, each once; what only changes its numbers is not said again. */
function announce(lines) {
  const bad = lines.filter(({ level }) => level === "problem" || level === "warning");
  const fresh = bad.filter(line => !announced?.has(keyOfLine(line)));
  if (announced !== null && fresh.length > 0) {
    setText(find("[data-role=announcement]"), fresh.map(({ text }) => text).join(". "));
  }
  announced = new Set(bad.map(keyOfLine));
}

/** The number of lines of each level that needs attention: "2 problems, 1 warning". */
const problemsText = () => ["problem", "warning"]
  .map(level => [(latest?.lines ?? []).filter(line => line.level === level).length, level])
  .filter(([count]) => count > 0).map(([count, level]) => plural(count, level)).join(", ");

/** What the bar that stays in view says of the lines; it leads to them. */
function showProblems() {
  const text = problemsText();
  const button = find("[data-role=problems]");
  showText(button, text && `▲ ${text}`);
  button.className = worst(latest?.lines ?? []) === "problem" ? "trouble" : "caution";
}

function goToLines() {
  window.scrollTo(0, 0);
  find("[data-role=lines]").focus({ preventScroll: true });
}

function showTitle() {
  const data = overview();
  const lost = connection.state === "disconnected" ? "(disconnected) " : silentFor() === null ? "" : "(no answer) ";
  const problems = (latest?.lines ?? []).filter(({ level }) => level === "problem").length;
  const marks = problems > 0 ? `▲ ${plural(problems, "problem")} – ` : "";
  const { version, state } = data?.document ?? {};
  const now = !data ? "" : state == null ? "No document – "
    : version == null ? "Default – " : `Version ${version} – `;
  document.title = visible(`${lost}${marks}${now}${data?.title ?? data?.process.service ?? "Configuration"}`);
}

// ---------------------------------------------------------------------------------------------------- Actions

let refreshing = false;
let troubleOfRefresh = null;               // when the refresh of this page that had trouble ended

async function refresh() {
  const host = find("[data-role=refresh-outcome]");
  refreshing = true;
  setText(find("[data-role=refresh]"), "Refreshing…");
  showHeader();
  try {
    const { outcome } = await request("refresh", { method: "POST", signal: abortSignal.timeout(4 * requestTimeout) });
    tell(host, outcome.isTrouble ? `The refresh failed: ${outcome.text}` : null);
    troubleOfRefresh = outcome.isTrouble ? outcome.time : null;
    if (!outcome.isTrouble) notify(`Refreshed at ${moment(outcome.time)}: ${outcome.text}`);
    await Promise.all([views.overview.reload(), shownView().reload()]);
  } catch (error) {
    tell(host, `No refresh: ${error.message}`);
  }
  refreshing = false;
  setText(find("[data-role=refresh]"), "Refresh");
  showHeader();
}

/** Releases a version that is held back because of its processes, and fetches the document. */
async function releaseVersion(version) {
  try {
    await askForAuthor();
    await request(`versions/${version}/release?by=${segment(author.name)}`, { method: "POST" });
    await refresh();
  } catch (error) { tell(find("[data-role=refresh-outcome]"), `Not released: ${error.message}`); }
}

/** The text of an answer, for the clipboard or a file. */
async function textOf(path) {
  const response = await ask(path);
  if (!response.ok) await read(response);
  return response.text();
}

async function copyStatus() {
  try {
    if (!navigator.clipboard) throw new Error("a browser gives the clipboard to pages of https or localhost only");
    await navigator.clipboard.writeText(await textOf("status"));
    notify("The status is copied as JSON.");
  } catch (error) {
    notify(`Not copied: ${error.message}`);
  }
}

async function downloadConfiguration() {
  try {
    const file = new Blob([await textOf("configuration")], { type: "application/json" });
    const address = URL.createObjectURL(file);
    const { process, document: { version } } = overview();
    make("a", { href: address, download: `${process.service}-${version ?? "default"}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  } catch (error) {
    notify(`No download: ${error.message}`);
  }
}

function listenToHeader() {
  const on = (role, act) => find(`[data-role=${role}]`).addEventListener("click", act);
  showZone();
  on("zone", switchZone);
  on("refresh", refresh);
  on("copy-status", copyStatus);
  on("download", downloadConfiguration);
  on("problems", goToLines);
  on("all-lines", () => { showsAllLines = true; showLines(); });
  setInterval(showConnection, 500);        // a stream that falls silent is noticed before the next second
}

