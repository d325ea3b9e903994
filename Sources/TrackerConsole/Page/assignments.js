// ---------------------------------------------------------------------------------------------------- Assignments

const reasons = {
  assigned: "given by the hash",
  sticky: "kept from earlier (sticky)",
  forced: "forced by an override",
  unknown: "the document in use has no such experiment",
  filtered: "left out by countries or languages",
  prerequisite: "left out by a prerequisite",
  blocked: "the unit was given a variant under an excluded bucket version",
  disabled: "the experiment is disabled",
  unusable: "this version of the SDK cannot use the experiment",
  condition: "left out by a condition",
  refused: "refused: the unit's id is longer than 1,024 bytes, or there are too many rules and patterns for one read",
  notCovered: "not covered by the experiment's shares or filters",
  notLoaded: "not known yet: the store has not answered yet",
};
let askedOf = null;                        // the mark of features and experiments before the answer
let contextInForm = null;                  // the context of the URL, as text, that the form has

async function showAssignments(submission) {
  submission.preventDefault();
  const { parts, data, mark } = views.experiments;
  const ids = partsIn(parts.units).map(({ key, input }) => [key, input.value]);
  const [country, language] = [parts.country, parts.language].map(input => input.value.trim() || undefined);
  const question = { units: Object.fromEntries(ids.filter(([, id]) => id !== "")), country, language, attributes: undefined };
  tell(submission.target, null);
  try {
    if (parts.attributes.value.trim() !== "") question.attributes = readAttributes(parts.attributes.value);
    contextInForm = JSON.stringify(question);
    keepInAddress({ context: contextInForm });
    const { assignments, features } = await request("assignments", { method: "POST", body: JSON.stringify(question) });
    askedOf = mark;
    parts.assignments.replaceChildren(
      ...tableOfAssignments(question, assignments, data.experiments), ...new AnswerTable(features, question).elements);
    warnOfOldAssignments();
  } catch (error) {
    parts.assignments.replaceChildren();
    tell(submission.target, `Not answered: ${error.message}`);
  }
}

/** Asks for the context that the URL has, so that a link shows its answer. */
function followContext() {
  const { parts, options } = views.experiments;
  if (options.context === undefined || options.context === contextInForm) return;
  contextInForm = options.context;
  let context;
  try { context = parse(options.context); } catch { return; }
  if (context === null || typeof context !== "object") return;
  const { units = {}, country = "", language = "", attributes } = context;
  for (const { key, input } of partsIn(parts.units)) input.value = units?.[key] ?? "";
  [parts.country.value, parts.language.value] = [country, language];
  parts.attributes.value = attributes === undefined ? "" : json(attributes);
  find("[data-role=assignment-form]").requestSubmit();
}

function readAttributes(text) {
  let value;
  try { value = parse(text); } catch { throw new Error("the attributes are not JSON."); }
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error("the attributes are no object.");
  return value;
}

const evaluationReasons = {
  STATIC: "the same for all contexts", DEFAULT: "no rule matches", TARGETING_MATCH: "a rule matches",
  SPLIT: "in the rollout", CACHED: "kept from earlier (sticky)", DISABLED: "disabled, or turned off by a gate",
};

const answersAtFirst = 200;
const shortAnswers = 12;                   // so few need no filter

/** What the context gets from features: a row for each feature and variable, with the reason and the rule. */
class AnswerTable {
  body = make("tbody");
  filter = make("input", { type: "search", placeholder: "Feature or variable", "aria-label": "Filter what features give" });
  shown = make("span", { class: "muted", role: "status", "data-role": "answers-shown" });

  /** Those that rules or experiments decide come first: they are what is asked about. */
  constructor(features, question) {
    this.question = question;
    const answers = features.flatMap(({ name, enabled, variables, rules }) => [
      { feature: name, variable: null, answer: { ...enabled, rules } },
      ...Object.entries(variables).map(([variable, answer]) => ({ feature: name, variable, answer })),
    ]);
    const isDecided = ({ answer: { reason, rule } }) => rule !== null || !["STATIC", "DEFAULT"].includes(reason);
    this.answers = [...answers.filter(isDecided), ...answers.filter(each => !isDecided(each))];
    this.filter.addEventListener("input", () => this.show());
    this.filter.addEventListener("keydown", press => { if (press.key === "Enter") press.preventDefault(); });
    this.show();
  }

  show() {
    const chosen = this.answers.filter(({ feature, variable }) =>
      matches(variable === null ? feature : `${feature}.${variable}`, this.filter.value));
    const rows = chosen.slice(0, answersAtFirst);
    this.body.replaceChildren(...rows.map(({ feature, variable, answer }) => rowOfAnswer(feature, variable, answer, this.question)));
    const all = plural(this.answers.length, "value");
    setText(this.shown, rows.length === this.answers.length ? all
      : `${numbers.format(rows.length)} of ${all}${rows.length < chosen.length ? "; filter to see others" : ""}`);
  }

  get elements() {
    if (this.answers.length === 0) return [];
    const heads = ["Feature", "Value", "Why"].map(title => make("th", { scope: "col" }, title));
    const table = make("table", { class: "stacks" }, make("thead", {}, make("tr", {}, ...heads)), this.body);
    const bar = this.answers.length > shortAnswers && make("div", { class: "bar" }, this.filter, this.shown);
    return [bar, table].filter(Boolean);
  }
}

/** Why a context gets a value: each source, rule and experiment with its verdict; read when it is opened. */
function traceElement(feature, variable, question) {
  const text = make("pre", { class: "trace", "data-role": "trace" }, "Reading…");
  const element = make("details", { "data-role": "why" }, make("summary", {}, "Each step"), text);
  element.addEventListener("toggle", async () => {
    if (!element.open) return;
    try {
      const body = JSON.stringify({ ...question, feature, variable: variable ?? undefined });
      setText(text, (await request("explanation", { method: "POST", body })).text);
    } catch (error) {
      setText(text, `Not answered: ${error.message}`);
    }
  });
  return element;
}

const shortVerdicts = 8;                   // so many rules are listed at once; more are folded

/** A line for each rule, in the order in which they are tried: whether it matches, and why. */
function verdictsOf(rules) {
  if (rules.length === 0) return null;
  const list = make("ol", { class: "verdicts", "data-role": "verdicts" }, ...rules.map(({ id, verdict, text }) => {
    const isMatch = verdict === "matches";
    return make("li", { "data-rule": id, "data-verdict": verdict, class: isMatch ? "good" : "muted" },
      make("span", { "aria-hidden": "true" }, isMatch ? "✓" : "✗"), make("span", { class: "unseen" }, isMatch ? "matches: " : "no: "),
      " ", nameElement(id), `: ${text}`);
  }));
  return rules.length <= shortVerdicts ? list : make("details", {}, make("summary", {}, plural(rules.length, "rule")), list);
}

/** What the value would be without the override that gives it. */
function wordsWithoutOverride(without) {
  if (without == null) return null;
  const value = without.value === undefined ? secretElement() : without.value === null ? "none" : valueElement(without.value);
  return make("div", { class: "muted", "data-role": "without-override" }, "without the override: ", value,
    without.source ? ` (${without.rule == null ? "" : `rule ${without.rule}, `}${without.source})` : "");
}

function rowOfAnswer(feature, variable, { value, source, reason, rule, variants, isEncrypted, ...answer }, question) {
  const name = variable === null ? feature : `${feature}.${variable}`;
  const shown = source === "fallback" ? muted("none, the caller's default")
    : isEncrypted ? secretElement() : variable === null ? make("strong", {}, value ? "on" : "off") : valueElement(value);
  const why = rule === null ? evaluationReasons[reason] ?? reason : `rule ${rule}: ${evaluationReasons[reason] ?? reason}`;
  const given = Object.entries(variants ?? {}).filter(([id, each]) => source !== `experiment ${id}, variant ${each}`);
  const left = given.length === 0 ? null : `; ${given.map(([id, each]) => `${id}: variant ${each}`).join(", ")}`;
  return make("tr", { "data-answer": name, "data-reason": reason, "data-rule": rule },
    headCell(nameElement(name)), cell("Value", shown),
    cell("Why", why, source === "fallback" ? null : ` (${source})`, left, wordsWithoutOverride(answer.withoutOverride),
      verdictsOf(answer.rules ?? []), traceElement(feature, variable, question)));
}

function tableOfAssignments({ units, country, language, attributes }, assignments, experiments) {
  const given = Object.entries({ ...units, country, language, attributes }).filter(([, value]) => value !== undefined);
  const whom = given.map(([name, value]) => `${name} ${json(value)}`).join(", ") || "no unit";
  const caption = `For ${whom}, asked at ${moment(clock.now())}`;
  const of = id => experiments.find(experiment => experiment.id === id);
  const unitOf = id => of(id)?.unit ?? "unit";
  const heads = ["Experiment", "Variant", "Its values", "Why"].map(title => make("th", { scope: "col" }, title));
  const rows = assignments.map(({ experiment, variant, reason, isSticky, storedSince, text }) =>
    make("tr", { "data-assignment": experiment, "data-reason": reason },
      headCell(nameElement(experiment)),
      cell("Variant", variant === null ? muted("none, the caller's default") : make("strong", {}, variant)),
      cell("Its values", ...valuesOfVariant(of(experiment)?.variants.find(({ name }) => name === variant))),
      cell("Why", reason === "noUnit" ? `no ${unitOf(experiment)} was given` : reasons[reason] ?? reason,
        isSticky && reason !== "sticky" ? ", and kept" : null,
        ...storedSince == null ? [] : [", stored since ", timeElement(storedSince, "moment")],
        text === "" || ["disabled", "unusable"].includes(reason) ? null : make("div", { class: "muted" }, visible(text)))));
  const [head, body] = [make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)];
  const asked = make("p", { class: "hint", "data-role": "asked" }, caption);
  return rows.length === 0 ? [asked] : [asked, make("table", { class: "stacks" }, head, body)];
}

function valuesOfVariant(variant) {
  if (variant === undefined) return [muted("–")];
  const values = elementsOfVariant(variant);
  return values.length > 0 ? values : [muted("none")];
}

function warnOfOldAssignments() {
  const { mark, parts } = views.experiments;
  if (askedOf === null || askedOf === mark) return;
  askedOf = null;
  tell(parts.assignments, "Features or experiments have changed since; ask again.", "warning");
}

