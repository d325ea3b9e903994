// ---------------------------------------------------------------------------------------------------- Header

let latest = null;                         // the last message of what is live

function showHeader() {
  const status = statusNow();
  if (!status || !latest) return;
  const { title, allowsChanges } = latest;
  const { service, host, processID, startTime, sdkVersion } = status.process;
  setText(find("[data-role=title]"), title ?? service);
  const up = `up ${span(clock.now() - at(startTime))}`;
  setText(find("[data-role=identity]"), ["This instance", host, `pid ${processID}`, up, `SDK ${sdkVersion}`].join(" · "));
  document.documentElement.dataset.changes = allowsChanges ? "allowed" : "forbidden";
  find("[data-role=read-only]").hidden = allowsChanges;
  const reason = reasonAgainstRefresh(allowsChanges, status.document);
  find("[data-role=refresh]").disabled = refreshing || reason !== null;
  setAttributes(find("[data-role=refresh]"), { title: reason });
  setText(find("[data-role=refresh-reason]"), reason);
  showTitle();
}

function reasonAgainstRefresh(allowsChanges, { source }) {
  if (!allowsChanges) return "Read-only: nothing can be changed or refreshed from here.";
  return source == null ? "There is no remote source to refresh from." : null;
}

function showZone() {
  setText(find("[data-role=zone]"), `Show times in ${zone.isLocal ? "UTC" : "your zone"}`);
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

const signs = { problem: "▲", warning: "◆", news: "●", normal: "●" };
const ranks = ["problem", "warning", "news", "normal"];
const colours = { problem: "#c8281e", warning: "#b97700", news: "#2f7d46", normal: "#2f7d46" };
const tabOfTopic = {
  document: "overview", rollout: "overview", fetch: "overview", tracker: "trackers", override: "overview", code: "overview",
};

let showsAllLines = false;
let announced = null;                      // the lines of which was said that they are there

const keyOfLine = ({ level, topic, namespace, since }) => JSON.stringify([level, topic, namespace, since]);

/** The worst level among lines; "normal" without any. */
const worst = lines => ranks.find(level => lines.some(line => line.level === level)) ?? "normal";

/** Which document is in use, and what is delivered: they are shown however many lines come before them. */
const isEssential = ({ level, topic }) => level === "normal" && (topic === "document" || topic === "tracker");

/** Whether a line on the same topic or version says that something is wrong: then this one is no good news. */
const isDoubtful = (line, lines) => line.level === "normal" && lines.some(({ level, topic, version }) =>
  isBad(level) && (topic === line.topic || version != null && version === line.version));

const isBad = level => level === "problem" || level === "warning";

/** What the service says of itself, problems first; on every view. */
function showLines() {
  if (latest === null) return;
  const { lines } = latest;
  const short = lines.filter((line, index) => index < shownLines || isEssential(line));
  // A button is as high as a line.
  const chosen = showsAllLines || short.length === lines.length - 1 ? lines : short;
  const items = chosen.map((line, index) => ({
    ...line, index, zone: zone.name, isDoubtful: isDoubtful(line, lines),
    isKept: line.level !== "normal" && isKept(line.version),
    isHeld: line.topic === "document" && line.level === "problem" && statusNow()?.heldVersions.includes(line.version),
  }));
  reconcile(find("[data-role=lines]"), items, ({ topic, namespace, index }) => `${topic} ${namespace} ${index}`,
    () => new StatusLine());
  const hidden = lines.length - chosen.length;
  showText(find("[data-role=all-lines]"), hidden > 0 && `Show ${plural(hidden, "more line")}`);
  showMarks(lines);
  announce(lines);
  showProblems();
  showTitle();
}

/** Whether the service has the document of a version, so that it can be compared: the one in use, or one that was reverted. */
function isKept(version) {
  const status = statusNow();
  return version != null && status !== null && (version === status.document.version
    || status.changes.some(change => change.kind === "reverted" && change.version === version));
}

class StatusLine {
  element = make("li");

  update({ level, text, since, topic, namespace, version, isKept: hasLink, isHeld, isDoubtful: hasNoSign }) {
    setAttributes(this.element, { "data-line": level, "data-topic": topic, "data-namespace": namespace });
    const word = isBad(level) && make("span", { class: "unseen" }, `${level}: `);
    const time = since != null && [
      make("span", { class: "moment" }, ", since ", timeElement(since, "moment")), " (", timeElement(since, "span"), ")"];
    const target = namespace == null ? tabOfTopic[topic]
      : `trackers/${segment(namespace)}?${new URLSearchParams({ open: namespace })}`;
    const link = topic === "tracker" && level !== "normal"
      && make("a", { href: `#${target}` }, namespace == null ? "Trackers" : "Tracker");
    const release = isHeld && make("button", { type: "button", "data-role": "release", "data-changing": true }, `Release ${version}`);
    if (release) release.addEventListener("click", () => releaseVersion(version));
    this.element.replaceChildren(
      make("span", { class: "sign", "aria-hidden": "true" }, hasNoSign ? "" : signs[level]),
      make("span", {}, word || "", text, ...time || [], " ", link || "", " ", hasLink ? linkToVersion(version) : "", " ",
        release || ""));
  }
}

/** Leads to what a version changed. */
const linkToVersion = version =>
  make("a", { href: `#changes?version=${version}`, "data-version": version }, `What ${version} changed`);

/** Puts a mark on the tab of each view that has a problem or a warning. */
function showMarks(lines) {
  for (const tab of findAll("[data-tab]")) {
    const own = lines.filter(({ topic }) => tabOfTopic[topic] === tab.dataset.tab);
    const level = worst(own);
    const count = own.filter(line => line.level === level).length;
    setAttributes(tab, { "data-level": isBad(level) && level, title: isBad(level) && plural(count, level) });
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
  const bad = lines.filter(({ level }) => isBad(level));
  const fresh = bad.filter(line => !announced?.has(keyOfLine(line)));
  if (announced !== null && fresh.length > 0) {
    setText(find("[data-role=announcement]"), fresh.map(({ text }) => text).join(". "));
  }
  announced = new Set(bad.map(keyOfLine));
}

/** What the bar that stays in view says of the lines, "▲ 2 ◆ 1"; it leads to them. */
function showProblems() {
  const button = find("[data-role=problems]");
  const counts = ["problem", "warning"].map(level => [level, (latest?.lines ?? []).filter(line => line.level === level).length])
    .filter(([, count]) => count > 0);
  showText(button, counts.map(([level, count]) => `${signs[level]} ${count}`).join(" "));
  const words = counts.map(([level, count]) => plural(count, level)).join(", ");
  setAttributes(button, { "aria-label": words, title: words });
  button.className = worst(latest?.lines ?? []) === "problem" ? "trouble" : "caution";
}

function goToLines() {
  window.scrollTo(0, 0);
  find("[data-role=lines]").focus({ preventScroll: true });
}

function showTitle() {
  const status = statusNow();
  const lost = connection.state === "disconnected" ? "(disconnected) " : silentFor() === null ? "" : "(no answer) ";
  const problems = (latest?.lines ?? []).filter(({ level }) => level === "problem").length;
  const marks = problems > 0 ? `▲ ${plural(problems, "problem")} – ` : "";
  const { version, state } = status?.document ?? {};
  const now = !status ? "" : state == null ? "No document – "
    : version == null ? "Default – " : `Version ${version} – `;
  document.title = visible(`${lost}${marks}${now}${latest?.title ?? status?.process.service ?? "Configuration"}`);
}

// ---------------------------------------------------------------------------------------------------- Actions

let refreshing = false;

async function refresh() {
  refreshing = true;
  setText(find("[data-role=refresh]"), "Refreshing…");
  showHeader();
  try {
    const { outcome } = await request("refresh", { method: "POST", signal: abortSignal.timeout(4 * requestTimeout) });
    notify(outcome.isTrouble ? `The refresh failed: ${outcome.text}` : `Refreshed at ${moment(outcome.time)}: ${outcome.text}`);
    await reloadShown();
  } catch (error) {
    notify(`No refresh: ${error.message}`);
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
  } catch (error) {
    notify(`Not released: ${error.message}`);
  }
}

/** Reads the text of an answer, which only a request with the token gets. */
async function textOf(path) {
  const response = await ask(path);
  if (!response.ok) await read(response);
  return response.text();
}

async function copyStatus() {
  try {
    await navigator.clipboard.writeText(await textOf("status"));
    notify("The status is copied as JSON.");
  } catch (error) {
    notify(`Not copied: ${error.message}`);
  }
}

async function downloadConfiguration() {
  try {
    const address = URL.createObjectURL(new Blob([await textOf("configuration")], { type: "application/json" }));
    make("a", { href: address, download: `${statusNow().process.service}.json` }).click();
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
  find(".menu").addEventListener("click", ({ target }) => { if (target.closest("button")) find(".menu").open = false; });
  on("all-lines", () => { showsAllLines = true; showLines(); });
  setInterval(showConnection, 500);        // a stream that falls silent is noticed before the next second
}

