// ---------------------------------------------------------------------------------------------------- Difference

function queryOfDifference() {
  const { from, to } = views.difference.options;
  return Object.entries({ from, to }).filter(([, id]) => id).map(([name, id]) => `${name}=${segment(id)}`).join("&");
}

/** Follows a link to what a version changed: it is compared with the one in use, or if that is it, with the one before. */
function followVersion({ versions }) {
  const { options } = views.difference;
  const { version } = options;
  if (!version) return;
  const found = versions.find(each => String(each.version) === version);
  const choice = found === undefined ? { from: "current", to: `version-${version}` }
    : found.id === "current" ? { from: "", to: "" } : { from: "current", to: found.id };
  Object.assign(options, choice, { version: "" });
  keepInAddress({ ...choice, version: "" });
  views.difference.reload();
}

function showDifference(data, parts) {
  followVersion(data);
  const groups = data.isKnown ? groupsOfDifference(data) : [];
  showChoices(data, parts);
  showText(parts.versions, data.isKnown && sentenceOfDifference(data));
  showText(parts.unread, data.warnings && `Not listed: ${data.warnings.join("; ")}`);
  showText(parts.empty, groups.length === 0 && reasonForNoDifference(data));
  inSlices("difference", reconcile(parts.groups, groups, group => group.title, () => new ChangeGroup()));
}

function reasonForNoDifference({ isKnown, from, to, versions }) {
  if (isKnown) return "Both have the same content.";
  if (versions.length < 2) return "The service has no other document, so there is nothing to compare.";
  const missing = [from, to].find(id => !versions.some(version => version.id === id));
  return missing === "current" ? "The default is in use, so there is nothing to compare it with."
    : `The service does not have this document any more: ${(missing ?? "").replace(/^(stored|version)-/, "version ")}.`;
}

function sentenceOfDifference({ from, to, oldVersion, newVersion, oldInUse, versions }) {
  const isReverted = id => versions.find(version => version.id === id)?.isReverted === true;
  const before = `${oldVersion === null ? "no version" : `version ${oldVersion}`}${isReverted(from) ? ", which was reverted," : ""}`;
  const isLastStep = to === "current" && (from === "previous" || (from === "default" && !oldInUse));
  if (!isLastStep || views.difference.options.from || isReverted(from)) {
    return `From ${from === "default" ? `the default, ${before}` : before} to version ${newVersion}${
      to === "current" ? ", in use now" : isReverted(to) ? ", which was reverted" : ""}.`;
  }
  return `From ${before}${oldInUse ? "" : ", the default"}, in use before, to version ${newVersion}, in use now.`;
}

const rolesOfDocuments = { current: "in use", previous: "in use before", default: "the default" };

/** The documents that can be compared: what is chosen stays, and the default cannot come after another document. */
function showChoices({ versions, from, to }, parts) {
  parts.choices.hidden = versions.length < 2;
  const textOf = ({ id, version, isReverted }) => [
    version === null ? "No version" : `Version ${version}`,
    isReverted ? "reverted" : rolesOfDocuments[id] ?? "stored",
  ].join(", ");
  for (const [select, id, choices] of [
    [parts.from, from, versions], [parts.to, to, versions.filter(version => version.id !== "default")],
  ]) {
    if (document.activeElement === select) continue;
    const options = choices.map(each => make("option", { value: each.id }, textOf(each)));
    if (!choices.some(each => each.id === id)) options.unshift(make("option", { value: id ?? "" }, "not available"));
    select.replaceChildren(...options);
    select.value = id ?? "";
  }
}

function chooseDocuments() {
  const { options, parts } = views.difference;
  Object.assign(options, { from: parts.from.value, to: parts.to.value });
  keepInAddress(options);
  views.difference.reload();
}

async function copyDifference() {
  try {
    await navigator.clipboard.writeText(JSON.stringify(views.difference.data, null, 2));
    notify("The difference is copied as JSON.");
  } catch (error) {
    notify(`Not copied: ${error.message}`);
  }
}

function listenToDifference() {
  const { parts } = views.difference;
  parts.from.addEventListener("change", chooseDocuments);
  parts.to.addEventListener("change", chooseDocuments);
  parts["copy-difference"].addEventListener("click", copyDifference);
}

/** All that differs, as groups of members that have a value before and one now. */
function groupsOfDifference({ trackers, meta, rollout, segments, features, returnedFeatures, experiments }) {
  const added = trackers.added.map(({ namespace }) => namespace);
  const former = Object.fromEntries(trackers.dropped.map(({ namespace, settings }) => [namespace, { settings }]));
  const dropped = [
    ...trackers.removed.map(name => ({ name, old: former[name], new: { text: "removed" } })),
    ...trackers.kept.map(name => ({
      name, old: former[name], new: { text: "not in the document any more; stays as it was" },
    })),
  ];
  const returned = returnedFeatures.map(({ name, enabled }) =>
    ({ name, new: { text: `returns to the default${enabled === null ? "" : enabled ? ": on" : ": off"}` } }));
  const groups = [
    { title: "Trackers", members: [...comingAndGoing({ added, removed: [] }), ...dropped] },
    ...trackers.changed.map(({ namespace, settings }) =>
      ({ title: `Tracker ${namespace}`, members: Object.entries(settings).map(memberOfSetting) })),
    { title: "Meta", members: membersOf(meta) },
    { title: "Rollout", members: membersOf(rollout) },
    { title: "Segments", members: [...comingAndGoing(segments), ...segments.changed.map(memberOfSegment)] },
    { title: "Features", members: [...comingAndGoing(features), ...returned] },
    ...features.changed.map(feature => ({
      title: `Feature ${feature.name}`, remark: remarkOfRuleMoves(feature.moves), members: membersOfFeature(feature),
    })),
    { title: "Experiments", members: comingAndGoing(experiments) },
    ...experiments.changed.map(experiment => ({
      title: `Experiment ${experiment.id}`, remark: remarkOfMoves(experiment), members: membersOf(experiment.settings),
    })),
  ];
  return groups.filter(({ members }) => members.length > 0);
}

const comingAndGoing = ({ added, removed }) => [
  ...added.map(name => ({ name, new: { text: "added" } })),
  ...removed.map(name => ({ name, old: { text: "defined" }, new: { text: "removed" } })),
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

function membersOfFeature({ enabled, disabled, metadata, variables, rules }) {
  const side = value => value === null ? undefined : { text: value ? "on" : "off" };
  const members = [
    ...disabled.old === disabled.new ? []
      : [{ name: "disabled", old: { text: String(disabled.old) }, new: { text: String(disabled.new) } }],
    ...membersOf(metadata).map(member => ({ ...member, name: `metadata ${member.name}` })),
    ...membersOf(variables, ({ value, encrypted }) => ({ value, isSecret: encrypted }))
      .map(member => ({ ...member, note: noteOfVariable(variables.changed[member.name]) })),
    ...membersOfRules(rules),
  ];
  if (enabled.old === enabled.new) return members;
  return [{ name: "on or off", old: side(enabled.old), new: side(enabled.new) }, ...members];
}

/** What people are told about a variable may differ where its value does not. */
function noteOfVariable(change) {
  const told = ["title", "description", "group"].filter(name => change?.old[name] !== change?.new[name]);
  return told.length > 0 && `other ${told.join(", ")}`;
}

/** What becomes of the variants that are stored for units. */
const stickinesses = {
  kept: "Units with a stored variant keep it if it still exists.",
  ended: "It is no longer sticky: units whose stored variant is not the hash's move besides.",
  begun: "It is sticky from now on: no variant is stored yet.",
  unused: "Stored variants stay, but are not used.",
};

function remarkOfMoves({ moves, disabled, targetingDiffers, drawnAnew, redrawn }) {
  const { share, method, stickiness, audienceDiffers } = moves;
  const how = method === "exact" ? "" : ", as unit, seed or hash differ";
  return [
    share === 0 ? "No unit moves to another variant."
      : `${percents.format(share)} of the units fall on another variant${how}.`,
    drawnAnew ? "Units with a stored variant are drawn anew." : stickinesses[stickiness],
    redrawn.length > 0 && `Units of removed variants are drawn anew: ${redrawn.map(flowOfUnits).join(", ")} of the units.`,
    disabled !== null && `It is ${disabled}, so no unit gets a variant.`,
    targetingDiffers && "Condition, prerequisites, filters or schedule differ, so units come or go besides.",
    audienceDiffers && "The countries or languages differ, so units come or go besides.",
  ].filter(Boolean).join(" ");
}

const flowOfUnits = ({ from, to, share }) => `${visible(from)} → ${to === null ? "none" : visible(to)} ${percents.format(share)}`;

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
  if (side.settings) {
    return cell(label, ...Object.entries(side.settings).map(([field, { value }]) =>
      make("div", {}, nameElement(field), " = ", valueElement(value ?? undefined))));
  }
  const mark = side.layer === undefined ? null : layerMark(side.layer, side.version);
  return cell(label, side.isSecret ? secretElement() : valueElement(side.value), " ", mark);
}

