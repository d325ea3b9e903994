// ---------------------------------------------------------------------------------------------------- Experiments

const counterTitles = {
  exposuresTracked: "exposures tracked", exposuresLost: "exposures lost", exposuresEvicted: "exposures evicted",
  assignmentsStored: "assignments stored", assignmentsLost: "assignments lost",
  assignmentsEvicted: "assignments evicted", storeFailures: "failures of the store",
};

function showExperiments(experiments, counters, parts) {
  parts.experiments.hidden = experiments.length === 0;
  const chosen = experiments.filter(({ id }) => matches(id, views.features.needle)).slice(0, mostRows);
  reconcile(parts.cards, chosen, experiment => experiment.id, () => new ExperimentCard());
  parts.counters.replaceChildren(...Object.entries(counterTitles).filter(([name]) => counters[name] > 0)
    .map(([name, title]) => make("div", {}, make("dt", {}, `${title} `),
      make("dd", { "data-counter": name }, numbers.format(counters[name])))));
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

/** "Assigned by userId, sticky. For 50% of the units in US, DE." */
function summaryOfExperiment({ unit, coverage, sticky, countries, languages, targeting }) {
  const only = [
    countries.length > 0 && ` in ${countries.join(", ")}`, languages.length > 0 && ` with ${languages.join(", ")}`,
  ].filter(Boolean).join("");
  const share = coverage === 1 ? "all" : `${shareFormat.format(coverage)} of the`;
  const rest = targeting.length > 0 ? ` Only ${targeting.join(", ")}.` : "";
  return `Assigned by ${unit}${sticky ? ", sticky" : ""}. For ${share} units${only}.${rest}`;
}

const shareFormat = new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 3 });

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
  const { name, share } = variant;
  const overridden = elementsOfVariant(variant);
  return make("tr", { "data-variant": name },
    headCell(nameElement(name), name === forced && " (forced)"),
    cell("Of all units", shareFormat.format(share)),
    cell("Overrides", ...overridden.length > 0 ? overridden : [muted("nothing")]),
    make("td", { class: "actions", "data-changing": true }, buttonOfVariant(name, forced)));
}

function buttonOfVariant(name, forced) {
  if (name === forced) return make("button", { type: "button", "data-role": "stop-forcing" }, "Stop forcing");
  return make("button", { type: "button", "data-force": name, "aria-label": `Force ${visible(name)}` }, "Force");
}
