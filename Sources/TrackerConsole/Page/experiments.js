// ---------------------------------------------------------------------------------------------------- Experiments

const counterTitles = {
  exposuresTracked: "exposures tracked", exposuresLost: "exposures lost", exposuresEvicted: "exposures evicted",
  assignmentsStored: "assignments stored", assignmentsLost: "assignments lost",
  assignmentsEvicted: "assignments evicted", storeFailures: "failures of the store",
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
  warnOfOldAssignments();
  if (units.length > 0) followContext();
}

class ExperimentCard {
  element = copy("experiment");
  parts = partsOf(this.element);
  isChanging = false;

  constructor() {
    this.parts.variants.addEventListener("click", ({ target }) => {
      const { force } = target.closest("[data-force]")?.dataset ?? {};
      if (force !== undefined) this.#askToForce(force);
      if (target.closest("[data-role=stop-forcing]")) this.#stopForcing();
    });
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
    const words = wordsOfOverride(experiment.override);
    parts.override.replaceChildren(...words.length > 0 ? ["Forced ", ...words] : []);
    parts.override.hidden = words.length === 0;
    setText(parts.summary, summaryOfExperiment(experiment));
    showShares(parts, experiment);
    parts.variants.replaceChildren(...experiment.variants.map(variant => rowOfVariant(variant, experiment.forced)));
  }

  /** All units of the service get the variant, so it is asked for. */
  #askToForce(name) {
    askToConfirm({
      title: `Force ${visible(name)}?`, verb: "Force this variant", fields: new DetailFields(),
      text: `All units of this service get the variant ${name} of ${this.id}, at once. No exposure is recorded.`,
    }, details => this.#change(
      { method: "PUT", path: this.path, body: bodyOfOverride(JSON.stringify(name), details) },
      `${this.id} is forced to ${name}.`));
  }

  async #stopForcing() {
    if (this.isChanging) return;
    this.isChanging = true;
    try {
      await askForAuthor();
      await this.#change(removalOf(this.path), `${this.id} is no longer forced.`);
    } catch (error) {
      tell(this.parts.outcome, `Not changed: ${error.message}`);
    }
    this.isChanging = false;
  }

  get path() { return `experiments/${segment(this.id)}/variant`; }

  async #change(step, text) {
    tell(this.parts.outcome, null);
    const warning = await changeOverride(step, text);
    tell(this.parts.outcome, warning, "warning");
  }
}

function summaryOfExperiment({
  unit, seed, hashVersion, coverage, sticky, countries, languages, targeting, settings,
}) {
  const only = (list, plural) => list === null ? `all ${plural}` : `${plural} ${list.join(", ")}`;
  const hash = hashVersion === null ? "a hash that is not known here" : `hash version ${hashVersion}`;
  return [
    `Assigned by ${unit}; ${sticky ? "sticky" : "not sticky"}.`,
    coverage === 1 ? "It covers all units." : `It covers ${shareFormat.format(coverage)} of the units.`,
    `For ${only(countries, "countries")} and ${only(languages, "languages")}.`,
    `Seed ${json(seed)}, ${hash}.`,
    ...targeting.length > 0 ? [`Only ${targeting.join(", ")}.`] : [],
    ...Object.entries(settings).map(([name, value]) => `${name} ${json(value)}.`),
  ].join(" ");
}

const shareFormat = new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 3 });

/**
 * A bar that shows the proportions, and a legend that says the names: a share may be too small for any text.
 * @param {Record<string, any>} parts
 */
function showShares({ share: bar, legend }, { variants }) {
  const rest = 1 - variants.reduce((sum, { share }) => sum + share, 0);
  const shares = variants.map(({ name, share }) => ({ name, share }));
  if (rest > 0.00005) shares.push({ name: "no variant", share: rest, isRest: true });
  const textOf = ({ name, share }) => visible(`${name} ${shareFormat.format(share)}`);
  setAttributes(bar, { "aria-label": shares.map(textOf).join(", ") });
  bar.replaceChildren(...shares.map(each => {
    const part = make("span", { class: each.isRest && "rest", title: textOf(each) });
    part.style.width = `${each.share * 100}%`;
    part.style.minWidth = each.share > 0 ? "3px" : "0";
    return part;
  }));
  legend.replaceChildren(...shares.map(each => make("li", { class: each.isRest && "rest" }, textOf(each))));
}

/** What a variant overrides: its values, and the features that it turns on or off. */
function elementsOfVariant({ values, enabled }) {
  const switched = Object.entries(enabled).map(([feature, isOn]) =>
    make("div", {}, nameElement(feature), ` is ${isOn ? "on" : "off"}`));
  const given = Object.entries(values ?? {}).flatMap(([feature, variables]) =>
    Object.entries(variables).map(([variable, value]) =>
      make("div", {}, nameElement(`${feature}.${variable}`), " = ", valueElement(value)))).concat(switched);
  return given;
}

function rowOfVariant(variant, forced) {
  const { name, weight, share } = variant;
  const overridden = elementsOfVariant(variant);
  return make("tr", { "data-variant": name },
    headCell(nameElement(name), name === forced && " (forced)"),
    cell("Weight", weight === null ? "not given" : numbers.format(weight)),
    cell("Of all units", shareFormat.format(share)),
    cell("Overrides", ...overridden.length > 0 ? overridden : [muted("nothing")]),
    make("td", { class: "actions", "data-changing": true }, buttonOfVariant(name, forced)));
}

function buttonOfVariant(name, forced) {
  if (name === forced) return make("button", { type: "button", "data-role": "stop-forcing" }, "Stop forcing");
  return make("button", { type: "button", "data-force": name, "aria-label": `Force ${visible(name)}` }, "Force");
}

class UnitField {
  element = make("label");
  input = make("input", { autocomplete: "off", spellcheck: "false", size: 18 });

  update(unit) {
    setAttributes(this.input, { "data-unit": unit });
    this.element.replaceChildren(`${visible(unit)} `, this.input);
  }
}

function listenToExperiments() {
  find("[data-role=assignment-form]").addEventListener("submit", showAssignments);
}

