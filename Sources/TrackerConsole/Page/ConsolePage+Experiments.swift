// The text of the page is not indented.
// swift-format-ignore-file

extension ConsolePage {
    /// The script's last part: experiments, assignments, the difference between documents, and the start.
    static let experimentScript = #"""
// ---------------------------------------------------------------------------------------------------- Experiments

const counterTitles = {
  exposuresTracked: "exposures tracked", exposuresLost: "exposures lost", exposuresForgotten: "exposures forgotten",
  assignmentsKept: "assignments kept", assignmentsLost: "assignments lost", storeFailures: "failures of the store",
};

function showExperiments({ experiments, counters, units }, parts) {
  showText(parts.empty, experiments.length === 0 && "There is no experiment: the document in use has none.");
  parts.experiments.hidden = experiments.length === 0;
  const chosen = experiments.filter(experiment => matches(experiment.id, parts.filter.value));
  setText(parts.shown, partOfAll(chosen, experiments, "experiment"));
  inSlices("experiments", reconcile(parts.cards, chosen, experiment => experiment.id, () => new ExperimentCard()));
  parts.questions.hidden = units.length === 0;
  atOnce(reconcile(parts.units, units, unit => unit, () => new UnitField()));
  parts.counters.replaceChildren(...Object.entries(counterTitles).map(([name, title]) => {
    const count = make("dd", { "data-counter": name }, numbers.format(counters[name]));
    return make("div", {}, make("dt", {}, `${title} `), count);
  }));
  warnOfOldAssignments(experiments);
}

class ExperimentCard {
  element = copy("experiment");
  parts = partsOf(this.element);

  constructor() {
    this.parts.force.addEventListener("click", () => this.force());
    this.parts["stop-forcing"].addEventListener("click", () => this.stopForcing());
  }

  update(experiment) {
    const { parts } = this;
    this.element.dataset.experiment = this.id = experiment.id;
    setText(parts.id, experiment.id);
    const forced = `forced: ${experiment.forced}, for all units of this service`;
    const marks = [
      experiment.forced !== null && ["forced", forced],
      !experiment.isEnabled && ["disabled", "disabled: no unit gets a variant"],
      !experiment.isUsable && ["unusable", "unusable here: no unit gets a variant"],
    ].filter(Boolean);
    parts.forced.replaceChildren(
      ...marks.map(([mark, text]) => make("span", { class: "mark caution", "data-mark": mark }, text)));
    setText(parts.summary, summaryOfExperiment(experiment));
    showShares(parts.share, experiment);
    parts.variants.replaceChildren(...experiment.variants.map(variant => rowOfVariant(variant, experiment.forced)));
    this.#showChoices(experiment);
  }

  /** The choice that somebody has made stays while its variant does. */
  #showChoices({ variants, forced }) {
    const select = this.parts["variant-choice"];
    const chosen = select.value;
    select.replaceChildren(...variants.map(({ name }) => make("option", { value: name }, name)));
    select.value = variants.some(({ name }) => name === chosen) ? chosen : forced ?? variants[0]?.name;
    this.parts["stop-forcing"].hidden = forced === null;
  }

  force() {
    const name = this.parts["variant-choice"].value;
    return this.#change("PUT", JSON.stringify(name), `${this.id} is forced to ${name}.`);
  }

  stopForcing() {
    return this.#change("DELETE", undefined, `${this.id} is no longer forced.`);
  }

  async #change(method, body, success) {
    tell(this.element, null);
    try {
      const warning = await change(method, `experiments/${segment(this.id)}/variant`, body);
      tell(this.element, warning, "warning");
      notify(success);
    } catch (error) {
      tell(this.element, `Not changed: ${error.message}`);
    }
  }
}

function summaryOfExperiment({
  unit, seed, hashVersion, coverage, sticky, countries, languages, targeting, settings,
}) {
  const only = (list, plural) => list === null ? `all ${plural}` : `${plural} ${list.join(", ")}`;
  const hash = hashVersion === null ? "a hash that is not known here" : `hash version ${hashVersion}`;
  return [
    `Drawn by ${unit}${sticky ? ", sticky: a unit keeps what it was given" : ", not sticky"}.`,
    coverage === 1 ? "It covers all units." : `It covers ${percents.format(coverage)} of the units.`,
    `For ${only(countries, "countries")} and ${only(languages, "languages")}.`,
    `Seed ${json(seed)}, ${hash}.`,
    ...targeting.length > 0 ? [`Only ${targeting.join(", ")}.`] : [],
    ...Object.entries(settings).map(([name, value]) => `${name} ${json(value)}.`),
  ].join(" ");
}

function showShares(bar, { variants }) {
  const rest = 1 - variants.reduce((sum, { share }) => sum + share, 0);
  const shares = variants.map(({ name, share }) => ({ name, share }));
  if (rest > 0.0005) shares.push({ name: "no variant", share: rest, isNobody: true });
  const textOf = ({ name, share }) => visible(`${name} ${percents.format(share)}`);
  setAttributes(bar, { "aria-label": shares.map(textOf).join(", ") });
  bar.replaceChildren(...shares.map(each => {
    const part = make("span", { class: each.isNobody && "nobody", title: textOf(each) }, textOf(each));
    part.style.width = `${each.share * 100}%`;
    part.hidden = each.share === 0;
    return part;
  }));
}

function rowOfVariant({ name, weight, share, values, enabled, isBlocked }, forced) {
  const switched = Object.entries(enabled).map(([feature, isOn]) =>
    make("div", {}, nameElement(feature), ` is ${isOn ? "on" : "off"}`));
  const overridden = Object.entries(values ?? {}).flatMap(([feature, variables]) =>
    Object.entries(variables).map(([variable, value]) =>
      make("div", {}, nameElement(`${feature}.${variable}`), " = ", valueElement(value)))).concat(switched);
  return make("tr", { "data-variant": name },
    headCell(nameElement(name), name === forced && " (forced)", isBlocked && " (blocked: its units take part no more)"),
    cell("Weight", weight === null ? "not given" : numbers.format(weight)),
    cell("Of all units", percents.format(share)),
    cell("Overrides", ...overridden.length > 0 ? overridden : [muted("nothing")]));
}

class UnitField {
  element = make("label");
  input = make("input", { autocomplete: "off", spellcheck: "false", size: 18 });

  update(unit) {
    setAttributes(this.input, { "data-unit": unit });
    this.element.replaceChildren(`${visible(unit)} `, this.input);
  }
}

// ---------------------------------------------------------------------------------------------------- Assignments

const reasons = {
  assigned: "given by the hash",
  sticky: "kept from earlier (sticky)",
  forced: "forced by an override",
  unknown: "the document in use has no such experiment",
  filtered: "left out by countries or languages",
  prerequisite: "left out by a prerequisite",
  blocked: "the unit's variant or bucket version is blocked",
  disabled: "the experiment is disabled",
  unusable: "this version of the SDK cannot use the experiment",
  condition: "left out by a condition",
  notCovered: "not covered by the experiment's shares or filters",
  notLoaded: "not known yet: the store has not told what was given earlier",
};
let askedOf = null;                        // the experiments as they were at the answer

async function showAssignments(submission) {
  submission.preventDefault();
  const { parts, data } = views.experiments;
  const ids = partsIn(parts.units).map(({ key, input }) => [key, input.value]);
  const [country, language] = [parts.country, parts.language].map(input => input.value.trim() || undefined);
  const question = { units: Object.fromEntries(ids.filter(([, id]) => id !== "")), country, language };
  tell(submission.target, null);
  try {
    if (parts.attributes.value.trim() !== "") question.attributes = readAttributes(parts.attributes.value);
    const { assignments, features } = await request("assignments", { method: "POST", body: JSON.stringify(question) });
    askedOf = JSON.stringify(data.experiments);
    parts.assignments.replaceChildren(
      ...tableOfAssignments(question, assignments, data.experiments), ...tableOfAnswers(features));
  } catch (error) {
    parts.assignments.replaceChildren();
    tell(submission.target, `Not answered: ${error.message}`);
  }
}

function readAttributes(text) {
  let value;
  try { value = parse(text); } catch { throw new Error("the attributes are not JSON."); }
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error("the attributes are no object.");
  return value;
}

const evaluationReasons = {
  STATIC: "the same for all contexts", DEFAULT: "no rule matches", TARGETING_MATCH: "a rule matches",
  SPLIT: "by the hash of the unit", CACHED: "kept from earlier (sticky)", DISABLED: "turned off by a gate",
};

/** What the context gets of features: a row for each feature and variable, with the reason and the rule. */
function tableOfAnswers(features) {
  if (features.length === 0) return [];
  const heads = ["Feature", "Value", "Why"].map(title => make("th", { scope: "col" }, title));
  const rows = features.flatMap(({ name, enabled, variables }) => [
    rowOfAnswer(name, null, enabled),
    ...Object.entries(variables).map(([variable, answer]) => rowOfAnswer(name, variable, answer)),
  ]);
  return [make("table", { class: "stacks" },
    make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows))];
}

function rowOfAnswer(feature, variable, { value, source, reason, rule, isEncrypted }) {
  const name = variable === null ? feature : `${feature}.${variable}`;
  const shown = source === "fallback" ? muted("none, the caller's default")
    : isEncrypted ? secretElement() : variable === null ? make("strong", {}, value ? "on" : "off") : valueElement(value);
  const why = rule === null ? evaluationReasons[reason] ?? reason : `rule ${rule}: ${evaluationReasons[reason] ?? reason}`;
  return make("tr", { "data-answer": name, "data-reason": reason, "data-rule": rule },
    headCell(nameElement(name)), cell("Value", shown), cell("Why", why, source === "fallback" ? null : ` (${source})`));
}

function tableOfAssignments({ units, country, language, attributes }, assignments, experiments) {
  const given = Object.entries({ ...units, country, language, attributes }).filter(([, value]) => value !== undefined);
  const whom = given.map(([name, value]) => `${name} ${json(value)}`).join(", ") || "nobody";
  const caption = `For ${whom}, asked at ${moment(clock.now())}`;
  const unitOf = id => experiments.find(experiment => experiment.id === id)?.unit ?? "unit";
  const heads = ["Experiment", "Variant", "Why"].map(title => make("th", { scope: "col" }, title));
  const rows = assignments.map(({ experiment, variant, reason, isSticky }) =>
    make("tr", { "data-assignment": experiment, "data-reason": reason },
      headCell(nameElement(experiment)),
      cell("Variant", variant === null ? muted("none, the caller's default") : make("strong", {}, variant)),
      cell("Why", reason === "noUnit" ? `no ${unitOf(experiment)} was given` : reasons[reason] ?? reason,
        isSticky && reason !== "sticky" ? ", and kept" : null)));
  const [head, body] = [make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)];
  const asked = make("p", { class: "hint", "data-role": "asked" }, caption);
  return rows.length === 0 ? [asked] : [asked, make("table", { class: "stacks" }, head, body)];
}

function warnOfOldAssignments(experiments) {
  if (askedOf === null || askedOf === JSON.stringify(experiments)) return;
  askedOf = null;
  tell(views.experiments.parts.assignments, "The experiments have changed since; ask again.", "warning");
}

// ---------------------------------------------------------------------------------------------------- Difference

function showDifference(data, parts) {
  const groups = data.isKnown ? groupsOfDifference(data) : [];
  const before = data.oldVersion === null ? "no version" : `version ${data.oldVersion}`;
  const whose = data.oldInUse ? "" : ", the default";
  showText(parts.versions, data.isKnown
    && `From ${before}${whose}, in use before, to version ${data.newVersion}, in use now.`);
  showText(parts.empty, groups.length === 0 && (data.isKnown
    ? "Both say the same." : "This process has used only one document so far, so there is nothing to compare."));
  inSlices("difference", reconcile(parts.groups, groups, group => group.title, () => new ChangeGroup()));
}

/** All that differs, as groups of members that have a value before and one now. */
function groupsOfDifference({ trackers, meta, rollout, segments, features, experiments }) {
  const added = trackers.added.map(({ namespace }) => namespace);
  const kept = trackers.kept.map(name => ({ name, new: { text: "not in the document any more; stays as it was" } }));
  const groups = [
    { title: "Trackers", members: [...comingAndGoing({ ...trackers, added }), ...kept] },
    ...trackers.changed.map(({ namespace, settings }) =>
      ({ title: `Tracker ${namespace}`, members: Object.entries(settings).map(memberOfSetting) })),
    { title: "Meta", members: membersOf(meta) },
    { title: "Rollout", members: membersOf(rollout) },
    { title: "Segments", members: [...comingAndGoing(segments), ...segments.changed.map(memberOfSegment)] },
    { title: "Features", members: comingAndGoing(features) },
    ...features.changed.map(feature => ({
      title: `Feature ${feature.name}`, remark: remarkOfRuleMoves(feature.moves), members: membersOfFeature(feature),
    })),
    { title: "Experiments", members: comingAndGoing(experiments) },
    ...experiments.changed.map(({ id, settings, moves, ...more }) =>
      ({ title: `Experiment ${id}`, remark: remarkOfMoves(moves, more), members: membersOf(settings) })),
  ];
  return groups.filter(({ members }) => members.length > 0);
}

const comingAndGoing = ({ added, removed }) => [
  ...added.map(name => ({ name, new: { text: "added" } })),
  ...removed.map(name => ({ name, new: { text: "removed" } })),
];

/** A side of a change that is absent was not there at all. */
const membersOf = ({ added, removed, changed }, side = value => ({ value })) => [
  ...Object.entries(added).map(([name, value]) => ({ name, new: side(value) })),
  ...Object.entries(removed).map(([name, value]) => ({ name, old: side(value) })),
  ...Object.entries(changed).map(([name, each]) => ({ name, old: side(each.old), new: side(each.new) })),
];

function memberOfSetting([name, { old, new: now, effective }]) {
  const isAlike = json(old.value) === json(now.value);
  const note = effective ? isAlike && "a secret in it differs" : "the same value, from another layer";
  return { name, old: sideOfSetting(old), new: sideOfSetting(now), note };
}

const sideOfSetting = ({ value, source, version }) => ({ value: value ?? undefined, layer: source, version });

const memberOfSegment = ({ name, added, removed, count }) =>
  ({ name, new: { text: `${plural(count, "member")}: ${added} added, ${removed} removed` } });

function membersOfRules({ added, removed, changed, moved, order }) {
  const text = rule => ({ value: rule });
  return [
    ...added.map(rule => ({ name: `rule ${rule.id}`, new: text(rule) })),
    ...removed.map(rule => ({ name: `rule ${rule.id}`, old: text(rule) })),
    ...changed.flatMap(({ id, settings, segmentsDiffer }) => [
      ...membersOf(settings).map(member => ({ ...member, name: `rule ${id}: ${member.name}` })),
      ...segmentsDiffer ? [{ name: `rule ${id}`, new: { text: "a segment of its condition has other members" } }] : [],
    ]),
    ...moved.length > 0 ? [{ name: "order of the rules", new: { text: order.join(", ") } }] : [],
  ];
}

const obstacles = {
  experiments: "experiments decide the feature too", prerequisites: "a feature that a prerequisite names changes too",
  default: "the default has rules for the feature too",
  size: "there are too many rules, conditions or seeds to try all cases",
};

function remarkOfRuleMoves(moves) {
  if (moves === null) return null;
  const { share, matchingShares, method, obstacle } = moves;
  if (method === "unknown") return `How many units get something else is unknown: ${obstacles[obstacle]}.`;
  const how = method === "exact" ? "" : ", several units or seeds taken as independent";
  if (matchingShares === null) return `${percents.format(share)} of the units get something else${how}.`;
  const bounds = [...new Set(matchingShares.map(each => percents.format(each)))].join(" to ");
  return `${bounds} of the units that the conditions match get something else, and ${percents.format(share)} of the others${how}.`;
}

function membersOfFeature({ enabled, variables, rules }) {
  const side = value => value === null ? undefined : { text: value ? "on" : "off" };
  const members = membersOf(variables, ({ value, encrypted }) => ({ value, isSecret: encrypted }));
  for (const member of members) member.note = noteOfVariable(variables.changed[member.name]);
  members.push(...membersOfRules(rules));
  if (enabled.old === enabled.new) return members;
  return [{ name: "on or off", old: side(enabled.old), new: side(enabled.new) }, ...members];
}

/** What people are told about a variable may differ where its value does not. */
function noteOfVariable(change) {
  const told = ["title", "description", "group"].filter(name => change?.old[name] !== change?.new[name]);
  return told.length > 0 && `other ${told.join(", ")}`;
}

function remarkOfMoves({ share, method, keepsAssigned, audienceDiffers }, { disabled, targetingDiffers, drawnAnew }) {
  const how = method === "exact" ? "" : ", as unit, seed or hash differ";
  return [
    share === 0 ? "No unit moves to another variant."
      : `${percents.format(share)} of the units fall on another variant${how}.`,
    keepsAssigned && share > 0 && "Units that were given a variant keep it.",
    disabled !== null && `It is ${disabled}, so no unit gets a variant.`,
    targetingDiffers && "Condition, prerequisites or filters differ, so units come or go besides.",
    drawnAnew && "Units with a stored variant are drawn anew.",
    audienceDiffers && "The countries or languages differ, so units come or go besides.",
  ].filter(Boolean).join(" ");
}

class ChangeGroup {
  element = copy("changes");
  parts = partsOf(this.element);

  update({ title, remark, members }) {
    this.element.dataset.changed = title;
    setText(this.parts["group-title"], title);
    showText(this.parts.remark, remark);
    this.parts.members.replaceChildren(...members.map(rowOfMember));
  }
}

function rowOfMember(member) {
  return make("tr", { "data-member": member.name },
    headCell(nameElement(member.name), member.note && hint(` ${member.note}`)),
    sideOfChange("Before", member.old), sideOfChange("Now", member.new));
}

function sideOfChange(label, side) {
  if (side === undefined) return cell(label, muted("–"));
  if (side.text) return cell(label, side.text);
  const mark = side.layer === undefined ? null : layerMark(side.layer, side.version);
  return cell(label, side.isSecret ? secretElement() : valueElement(side.value), " ", mark);
}

// ---------------------------------------------------------------------------------------------------- Start

/** What time alone changes. */
function tick() {
  if (document.hidden) return;
  showHeader();
  showConnection();
  for (const element of views.overview.root.querySelectorAll("[data-time]")) {
    setText(element, ago(Number(element.dataset.time)));
  }
  const nextPoll = find("[data-role=next-poll]");
  if (nextPoll) setText(nextPoll, nextPollText(overview()));
}

function focusFilter(press) {
  if (press.key !== "/" || press.ctrlKey || press.metaKey || press.altKey) return;
  if (press.target.closest("input, textarea, select, dialog")) return;
  const filter = shownView().parts.filter;
  if (!filter?.offsetParent) return;
  press.preventDefault();
  filter.focus();
  filter.select();
}

function rest() {
  if (connection.state === "locked") return;
  if (document.hidden) disconnect("resting");
  else { setConnection("connecting"); connect(); }
}

function warnBeforeLeaving(departure) {
  const rows = partsIn(views.features.parts.groups).flatMap(group => group.rows);
  if (rows.some(row => row.editor?.isChanged)) departure.preventDefault();
}

function listen() {
  const on = (role, kind, act) => find(`[data-role=${role}]`).addEventListener(kind, act);
  const { overview, trackers, features, experiments } = views;
  on("skip", "click", click => { click.preventDefault(); find("main").focus(); });
  on("refresh", "click", refresh);
  on("forget-token", "click", () => token.forget());
  on("token-form", "submit", submitToken);
  on("close-notice", "click", () => notify(""));
  on("whole-history", "click", () => { showsWholeHistory = true; overview.show(); });
  for (const view of [overview, trackers, experiments]) view.parts.filter.addEventListener("input", () => view.show());
  on("show-built-in", "change", () => trackers.show());
  on("to-events", "click", () => { find("#events-title").scrollIntoView(); find("#events-title").focus(); });
  on("event-filter", "input", showEvents);
  on("pause", "click", () => pauseEvents(!events.isPaused));
  trackers.parts.events.addEventListener("toggle", followReading, true);   // it does not bubble
  trackers.parts.events.addEventListener("scroll", followReading, { passive: true });
  features.parts.filter.addEventListener("input", filterFeatures);
  on("only-overridden", "change", filterFeatures);
  on("remove-overrides", "click", askToRemoveOverrides);
  on("remove", "click", removeOverrides);
  on("keep", "click", () => find("[data-role=confirm]").close());
  on("assignment-form", "submit", showAssignments);
  addEventListener("hashchange", followFragment);
  addEventListener("keydown", focusFilter);
  addEventListener("beforeunload", warnBeforeLeaving);
  document.addEventListener("visibilitychange", rest);
}

listen();
find("[data-role=forget-token]").hidden = token.value === null;
showView(viewOfFragment());
if (!document.hidden) connect();
setInterval(tick, 1_000);
"""#
}
