// The text of the page is not indented.
// swift-format-ignore-file

extension ConsolePage {
    /// The views of features, experiments and differences.
    static let featureViews = #"""
  <section data-view="features" aria-labelledby="features-title" hidden>
    <h2 id="features-title" tabindex="-1">Features</h2>
    <div class="error" data-role="section-error" hidden></div>
    <p class="hint" data-changing>A change made here is an override: it takes effect in this process at once, and
      nowhere else.</p>
    <div class="bar">
      <input type="search" data-role="filter" placeholder="Name, title or description"
        aria-label="Search features by name, title or description">
      <span class="chips" role="group" aria-label="Show only features that are">
        <button type="button" data-chip="overridden">Overridden <span data-role="chip-count"></span></button>
        <button type="button" data-chip="differing">Differing from the default
          <span data-role="chip-count"></span></button>
        <button type="button" data-chip="stale">Stale <span data-role="chip-count"></span></button>
      </span>
      <span class="muted" data-role="shown" role="status"></span>
      <button type="button" class="end" data-role="remove-overrides" data-changing disabled></button>
    </div>
    <p class="empty" data-role="empty" hidden></p>
    <div data-role="list" hidden>
      <div class="card">
        <table class="stacks features" data-role="table">
          <thead><tr>
            <th scope="col"><button type="button" data-sort="name">Feature</button></th>
            <th scope="col"><button type="button" data-sort="enabled">On</button></th>
            <th scope="col">Source</th>
            <th scope="col"><button type="button" data-sort="variables">Values</button></th>
            <th scope="col"><button type="button" data-sort="evaluations"
              title="Evaluations by rules or experiments; reads of plain values are not counted">Evaluations</button></th>
            <th scope="col"><button type="button" data-sort="lastEvaluation">Last evaluated</button></th>
            <th scope="col" data-changing>Override</th>
          </tr></thead>
        </table>
      </div>
      <div class="bar">
        <button type="button" data-role="open-all" aria-pressed="false">Show all values</button>
        <span class="bar end" data-role="pages" hidden>
          <span class="muted" data-role="page-range"></span>
          <button type="button" data-role="previous-page">Previous</button>
          <button type="button" data-role="next-page">Next</button>
        </span>
      </div>
    </div>
  </section>

  <section data-view="experiments" aria-labelledby="experiments-title" hidden>
    <h2 id="experiments-title" tabindex="-1">Experiments</h2>
    <div class="error" data-role="section-error" hidden></div>
    <p class="empty" data-role="empty" hidden></p>
    <div data-role="experiments">
      <div class="bar">
        <input type="search" data-role="filter" placeholder="Filter by id" aria-label="Filter experiments by id">
        <span class="muted" data-role="shown" role="status"></span>
      </div>
      <div class="cards" data-role="cards"></div>
    </div>
    <div data-role="questions">
      <h3>Who gets what</h3>
      <form class="card stack" data-role="assignment-form" autocomplete="off">
        <p class="hint">What a context gets from experiments and features, and why. It is a preview: it changes nothing
          and records no exposure.</p>
        <div class="fields">
          <div class="fields" data-role="units"></div>
          <label>Country <input data-role="country" size="6" placeholder="US"></label>
          <label>Language <input data-role="language" size="6" placeholder="en"></label>
          <label>Attributes <input data-role="attributes" size="28" spellcheck="false" placeholder='{"plan":"pro"}'></label>
          <button type="submit" class="primary">Show</button>
        </div>
        <div data-role="assignments" aria-live="polite"></div>
      </form>
      <h3>Exposures and stored assignments</h3>
      <dl class="card counters" data-role="counters"></dl>
    </div>
  </section>

  <section data-view="difference" aria-labelledby="difference-title" hidden>
    <h2 id="difference-title" tabindex="-1">Difference</h2>
    <div class="error" data-role="section-error" hidden></div>
    <div class="bar" data-role="choices" hidden>
      <label>From <select data-role="from"></select></label>
      <label>to <select data-role="to"></select></label>
      <button type="button" class="end" data-role="copy-difference">Copy as JSON</button>
    </div>
    <p class="bar" data-role="versions"></p>
    <p class="hint" data-role="unread" hidden></p>
    <p class="empty" data-role="empty" hidden></p>
    <div class="groups" data-role="groups"></div>
  </section>
"""#

    /// Their templates and dialogs.
    static let featureTemplates = #"""
<template id="feature">
  <tbody>
    <tr>
      <th scope="row"><button type="button" class="opener" data-role="open" aria-expanded="false"><span
        class="name" data-role="title"></span></button> <span data-role="marks"></span></th>
      <td data-label="On"><button type="button" role="switch" class="switch" data-role="toggle" data-changing></button>
        <span data-role="value"></span></td>
      <td data-label="Source"><span class="mark" data-role="source"></span>
        <span class="hint" data-role="override"></span></td>
      <td data-label="Values" data-role="count"></td>
      <td data-label="Evaluations" data-role="evaluations"></td>
      <td data-label="Last evaluated" data-role="evaluated"></td>
      <td class="actions" data-changing>
        <button type="button" data-role="edit">Change</button>
        <button type="button" data-role="reset"></button>
      </td>
    </tr>
    <tr class="editing"><td colspan="7" data-role="editing"></td></tr>
    <tr class="details" data-role="details" hidden><td colspan="7">
      <p class="hint" data-role="overridden"></p>
      <p class="hint" data-role="experiments"></p>
      <ol class="rules" data-role="rules" hidden></ol>
      <p class="hint" data-role="evaluations-by-reason" hidden></p>
      <ul data-role="rows"></ul>
      <p class="hint" data-role="no-values" hidden></p>
      <p class="hint" data-role="narrowed" hidden></p>
      <button type="button" data-role="show-all" hidden></button>
    </td></tr>
  </tbody>
</template>

<template id="variable">
  <li class="variable">
    <div>
      <div><strong data-role="title"></strong> <code data-role="name"></code>
        <span class="hint" data-role="type"></span></div>
      <p class="muted" data-role="description"></p>
    </div>
    <div>
      <div><button type="button" role="switch" class="switch" data-role="toggle" data-changing></button>
        <span data-role="value"></span> <span class="mark" data-role="source"></span>
        <span class="hint" data-role="override"></span></div>
      <p class="hint" data-role="overridden"></p>
      <p class="hint" data-role="experiments"></p>
    </div>
    <div class="actions" data-changing>
      <button type="button" data-role="edit">Change</button>
      <button type="button" data-role="reset"></button>
    </div>
    <div class="editing" data-role="editing"></div>
  </li>
</template>

<template id="editor">
  <form class="editor" data-role="editor" autocomplete="off">
    <div data-role="field"></div>
    <p class="caution" data-role="caution" hidden></p>
    <div data-role="details"></div>
    <div class="warning" data-role="meanwhile" role="status" hidden></div>
    <div class="bar">
      <button type="submit" class="primary" data-role="save">Save</button>
      <button type="button" data-role="cancel">Cancel</button>
    </div>
  </form>
</template>

<template id="experiment">
  <article class="card">
    <div class="title"><h3 class="name" data-role="id"></h3><span data-role="forced"></span></div>
    <p class="caution" data-role="override" hidden></p>
    <p data-role="summary"></p>
    <div class="share" data-role="share" role="img"></div>
    <ul class="legend" data-role="legend" aria-hidden="true"></ul>
    <table class="stacks variants">
      <thead><tr><th scope="col">Variant</th><th scope="col">Weight</th><th scope="col">Of all units</th>
        <th scope="col">Overrides</th><th scope="col" data-changing>For all units</th></tr></thead>
      <tbody data-role="variants"></tbody>
    </table>
    <div data-role="outcome"></div>
  </article>
</template>

<template id="changes">
  <section class="card">
    <h3 data-role="group-title"></h3>
    <p data-role="remark"></p>
    <table class="stacks">
      <thead><tr><th scope="col">What</th><th scope="col">Before</th><th scope="col">Now</th></tr></thead>
      <tbody data-role="members"></tbody>
    </table>
  </section>
</template>

<dialog data-role="confirm" aria-labelledby="confirm-title">
  <h2 id="confirm-title"></h2>
  <form data-role="confirm-form" autocomplete="off">
    <p data-role="confirm-text"></p>
    <div data-role="confirm-fields"></div>
    <div data-role="confirm-error"></div>
    <div class="bar">
      <button type="button" data-role="keep">Cancel</button>
      <button type="submit" class="danger" data-role="do"></button>
    </div>
  </form>
</dialog>

<dialog class="palette" data-role="palette" aria-label="Go to or do">
  <input type="text" data-role="palette-input" role="combobox" aria-expanded="true" aria-controls="palette-list"
    aria-autocomplete="list" aria-label="View, feature, experiment, tracker or action"
    placeholder="View, feature, experiment, tracker or action" autocomplete="off" spellcheck="false">
  <ul id="palette-list" role="listbox" aria-label="Results" data-role="palette-list"></ul>
  <p class="hint" data-role="palette-state" role="status"></p>
</dialog>

<dialog data-role="shortcuts" aria-labelledby="shortcuts-title">
  <h2 id="shortcuts-title">Keyboard shortcuts</h2>
  <dl class="facts" data-role="shortcut-list"></dl>
  <form method="dialog" class="bar"><button type="submit">Close</button></form>
</dialog>
"""#
}
