// ---------------------------------------------------------------------------------------------------- Users

let askedOf = null;                        // the mark of features and experiments before the answer
let contextInForm = null;                  // the context of the URL, as text, that the form has

function showUsers(parts, { units, experiments, features }) {
  showText(parts.empty, experiments.length + features.length === 0 && "There is no feature and no experiment.");
  parts["assignment-form"].hidden = units.length === 0;
  reconcile(parts.units, units, unit => unit, () => new UnitField());
  warnOfOldAssignments();
  if (units.length > 0) followContext();
}

class UnitField {
  element = make("label");
  input = make("input", { autocomplete: "off", spellcheck: "false", size: 18 });

  update(unit) {
    setAttributes(this.input, { "data-unit": unit });
    this.element.replaceChildren(`${visible(unit)} `, this.input);
  }
}

async function showAssignments(submission) {
  submission.preventDefault();
  const { parts } = views.users;
  const { mark } = sources.features;
  const ids = partsIn(parts.units).map(({ key, input }) => [key, input.value]);
  const [country, language] = [parts.country, parts.language].map(input => input.value.trim() || undefined);
  const question = { units: Object.fromEntries(ids.filter(([, id]) => id !== "")), country, language, attributes: undefined };
  tell(submission.target, null);
  try {
    question.attributes = readAttributes(parts.attributes.value);
    contextInForm = JSON.stringify(question);
    keepInAddress({ context: contextInForm });
    const { assignments, features } = await request("assignments", { method: "POST", body: JSON.stringify(question) });
    askedOf = mark;
    parts.assignments.replaceChildren(
      ...tableOfAssignments(question, assignments), ...tableOfAnswers(features, question));
    warnOfOldAssignments();
  } catch (error) {
    parts.assignments.replaceChildren();
    tell(submission.target, `Not answered: ${error.message}`);
  }
}

/** Asks for the context that the URL has, so that a link shows its answer. */
function followContext() {
  const { parts, options } = views.users;
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
  try { return text.trim() === "" ? undefined : parse(text); } catch { throw new Error("the attributes are not JSON."); }
}

const evaluationReasons = {
  STATIC: "the same for all contexts", DEFAULT: "no rule matches", TARGETING_MATCH: "a rule matches",
  SPLIT: "in the rollout", CACHED: "kept from earlier (sticky)", DISABLED: "disabled, or turned off by a gate",
};

/**
 * What the context gets from features: a row for each feature and variable, with the reason and the rule. Those that rules or
 * experiments decide come first: they are what is asked about.
 */
function tableOfAnswers(features, question) {
  const answers = features.flatMap(({ name, enabled, variables }) => [
    { feature: name, variable: null, answer: enabled },
    ...Object.entries(variables).map(([variable, answer]) => ({ feature: name, variable, answer })),
  ]);
  const isPlain = ({ answer: { reason, rule } }) => rule === null && ["STATIC", "DEFAULT"].includes(reason);
  const sorted = answers.toSorted((one, other) => Number(isPlain(one)) - Number(isPlain(other)));
  const body = make("tbody");
  const filter = make("input", { type: "search", placeholder: "Feature or variable", "aria-label": "Filter what features give" });
  const shown = make("span", { class: "muted", role: "status" });
  const show = () => {
    const chosen = sorted.filter(({ feature, variable }) =>
      matches(variable === null ? feature : `${feature}.${variable}`, filter.value));
    const rows = chosen.slice(0, mostRows);
    body.replaceChildren(...rows.map(row => rowOfAnswer(row, question)));
    setText(shown, `${numbers.format(rows.length)} of ${plural(sorted.length, "value")}`);
  };
  filter.addEventListener("input", show);
  filter.addEventListener("keydown", press => { if (press.key === "Enter") press.preventDefault(); });
  show();
  const bar = sorted.length >= fewRows && make("div", { class: "bar" }, filter, shown);
  return sorted.length === 0 ? [] : [bar, tableOf(["Feature", "Value", "Why"], body)].filter(Boolean);
}

/** Why a context gets a value: each source, rule and experiment with its verdict; read when it is opened. */
function traceElement(feature, variable, question) {
  const text = make("pre", { "data-role": "trace" }, "Reading…");
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

/** What the value would be without the override that gives it. */
function wordsWithoutOverride(without) {
  if (without == null) return null;
  const value = without.value === undefined ? secretElement() : without.value === null ? "none" : valueElement(without.value);
  return make("div", { class: "muted", "data-role": "without-override" }, "without the override: ", value,
    without.source ? ` (${without.rule == null ? "" : `rule ${without.rule}, `}${without.source})` : "");
}

function rowOfAnswer({ feature, variable, answer }, question) {
  const { value, source, reason, rule, isEncrypted, withoutOverride } = answer;
  const name = variable === null ? feature : `${feature}.${variable}`;
  const shown = source === "fallback" ? muted("none, the caller's default")
    : isEncrypted ? secretElement() : variable === null ? make("strong", {}, value ? "on" : "off") : valueElement(value);
  const why = rule === null ? evaluationReasons[reason] ?? reason : `rule ${rule}: ${evaluationReasons[reason] ?? reason}`;
  return make("tr", { "data-answer": name, "data-reason": reason, "data-rule": rule },
    headCell(nameElement(name)), cell("Value", shown),
    cell("Why", why, source === "fallback" ? null : ` (${source})`, wordsWithoutOverride(withoutOverride),
      traceElement(feature, variable, question)));
}

function tableOfAssignments({ units, country, language, attributes }, assignments) {
  const given = Object.entries({ ...units, country, language, attributes }).filter(([, value]) => value !== undefined);
  const whom = given.map(([name, value]) => `${name} ${json(value)}`).join(", ") || "no unit";
  const asked = make("p", { class: "hint", "data-role": "asked" }, `For ${whom}, asked at ${moment(clock.now())}`);
  const rows = assignments.map(({ experiment, variant, reason, text }) =>
    make("tr", { "data-assignment": experiment, "data-reason": reason },
      headCell(nameElement(experiment)),
      cell("Variant", variant === null ? muted("none, the caller's default") : make("strong", {}, variant)),
      cell("Why", text)));
  const table = tableOf(["Experiment", "Variant", "Why"], make("tbody", {}, ...rows));
  return rows.length === 0 ? [asked] : [asked, table];
}

function warnOfOldAssignments() {
  if (askedOf === null || askedOf === sources.features.mark) return;
  askedOf = null;
  tell(views.users.parts.assignments, "Features or experiments have changed since; ask again.", "warning");
}
