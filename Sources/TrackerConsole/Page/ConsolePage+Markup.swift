// The text of the page is not indented.
// swift-format-ignore-file

extension ConsolePage {
    /// The content of the body before the script: views, dialogs and templates.
    static let markup = #"""
<a class="skip" href="#overview" data-role="skip">To the content</a>
<header>
  <h1><span data-role="title">Configuration</span></h1>
  <div class="controls">
    <span class="mark caution" data-role="read-only" hidden>read-only</span>
    <button type="button" data-role="refresh" aria-describedby="refresh-reason" disabled>Refresh now</button>
    <button type="button" data-role="forget-token" hidden>Forget token</button>
  </div>
  <p class="sentence wide" data-role="sentence">Asking the service…</p>
  <p class="wide trouble" data-role="trouble" hidden></p>
  <p class="wide"><span data-role="connection" role="status">Connecting…</span>
    <span class="muted" data-role="connection-detail"></span></p>
  <p class="hint wide" id="refresh-reason" data-role="refresh-reason" hidden></p>
  <div class="wide" data-role="refresh-outcome"></div>
  <noscript><p class="wide error">This page needs JavaScript to show anything.</p></noscript>
</header>
<nav aria-label="Views">
  <ul>
    <li><a href="#overview" data-tab="overview">Overview</a></li>
    <li><a href="#trackers" data-tab="trackers">Trackers <span class="count" data-count="namespaces"></span></a></li>
    <li><a href="#features" data-tab="features">Features <span class="count" data-count="features"></span></a></li>
    <li><a href="#experiments" data-tab="experiments">Experiments
      <span class="count" data-count="experiments"></span></a></li>
    <li><a href="#difference" data-tab="difference">Difference</a></li>
  </ul>
</nav>
<main tabindex="-1">
  <p class="banner trouble" data-role="stale" hidden></p>

  <section data-view="token" aria-labelledby="token-title" hidden>
    <h2 id="token-title" tabindex="-1">This console wants a token</h2>
    <form class="card stack" data-role="token-form" autocomplete="off">
      <p>Whoever runs the service knows it. It is kept in this tab only, until the tab is closed.</p>
      <div class="fields">
        <label>Token <input type="password" data-role="token" autocomplete="off" spellcheck="false"></label>
        <button type="submit" class="primary">Use this token</button>
      </div>
    </form>
  </section>

  <section data-view="overview" aria-labelledby="overview-title">
    <h2 id="overview-title" tabindex="-1">Overview</h2>
    <div class="error" data-role="section-error" hidden></div>
    <dl class="facts card" data-role="facts"></dl>
    <h3>What differs from the default, and why</h3>
    <p class="empty" data-role="empty" hidden></p>
    <div data-role="differences" hidden>
      <div class="bar">
        <input type="search" data-role="filter" placeholder="Filter by name, value or origin"
          aria-label="Filter what differs">
        <span class="muted" data-role="shown" role="status"></span>
      </div>
      <div class="card">
        <table class="stacks">
          <thead><tr><th scope="col">What</th><th scope="col">Value</th><th scope="col">Because of</th>
            <th scope="col">The default says</th></tr></thead>
        </table>
      </div>
    </div>
    <h3>What the last fetches brought</h3>
    <ol class="card history" data-role="history"></ol>
    <button type="button" data-role="whole-history" hidden></button>
    <h3>Meta</h3>
    <dl class="facts card" data-role="meta"></dl>
  </section>

  <section data-view="trackers" aria-labelledby="trackers-title" hidden>
    <h2 id="trackers-title" tabindex="-1">Trackers</h2>
    <div class="error" data-role="section-error" hidden></div>
    <div class="bar">
      <input type="search" data-role="filter" placeholder="Filter by namespace"
        aria-label="Filter trackers by namespace">
      <label class="choice"><input type="checkbox" data-role="show-built-in"> Also settings that are built in</label>
      <span class="muted" data-role="shown" role="status"></span>
      <button type="button" class="to-events" data-role="to-events">To the recent events</button>
    </div>
    <div class="columns">
      <div>
        <p class="empty" data-role="empty" hidden></p>
        <div class="cards" data-role="cards"></div>
      </div>
      <section class="card events" aria-labelledby="events-title">
        <div class="title"><h3 id="events-title" tabindex="-1">Recent events</h3>
          <span class="hint" data-role="events-since"></span></div>
        <div class="bar">
          <input type="search" data-role="event-filter" placeholder="Namespace, type or name"
            aria-label="Filter events">
          <button type="button" data-role="pause">Pause</button>
        </div>
        <p class="hint" data-role="events-state"></p>
        <ol data-role="events" tabindex="0" aria-label="Recent events, newest first"></ol>
      </section>
    </div>
  </section>

  <section data-view="features" aria-labelledby="features-title" hidden>
    <h2 id="features-title" tabindex="-1">Features</h2>
    <div class="error" data-role="section-error" hidden></div>
    <p class="hint" data-changing>A change made here is an override: it takes effect in this service at once, and
      nowhere else.</p>
    <div class="bar">
      <input type="search" data-role="filter" placeholder="Name, title or description ( / )" aria-keyshortcuts="/"
        aria-label="Search features by name, title or description">
      <label class="choice"><input type="checkbox" data-role="only-overridden"> Only what is overridden</label>
      <span class="muted" data-role="shown" role="status"></span>
      <button type="button" class="end" data-role="remove-overrides" data-changing disabled></button>
    </div>
    <p class="empty" data-role="empty" hidden></p>
    <div class="groups" data-role="groups"></div>
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
        <p class="hint">What a context gets of experiments and features, and why. Asking changes nothing and records no
          exposure.</p>
        <div class="fields">
          <div class="fields" data-role="units"></div>
          <label>Country <input data-role="country" size="6" placeholder="US"></label>
          <label>Language <input data-role="language" size="6" placeholder="en"></label>
          <label>Attributes <input data-role="attributes" size="28" spellcheck="false" placeholder='{"plan":"pro"}'></label>
          <button type="submit" class="primary">Show</button>
        </div>
        <div data-role="assignments" aria-live="polite"></div>
      </form>
      <h3>Exposures and kept assignments</h3>
      <dl class="card counters" data-role="counters"></dl>
    </div>
  </section>

  <section data-view="difference" aria-labelledby="difference-title" hidden>
    <h2 id="difference-title" tabindex="-1">Difference</h2>
    <div class="error" data-role="section-error" hidden></div>
    <p class="bar" data-role="versions"></p>
    <p class="empty" data-role="empty" hidden></p>
    <div class="groups" data-role="groups"></div>
  </section>
</main>
<div class="notice">
  <p role="status" data-role="notice"></p>
  <button type="button" data-role="close-notice">Close</button>
</div>

<dialog data-role="confirm" aria-labelledby="confirm-title">
  <h2 id="confirm-title">Remove all overrides?</h2>
  <p data-role="confirm-text"></p>
  <div data-role="confirm-error"></div>
  <div class="bar">
    <button type="button" data-role="keep">Keep them</button>
    <button type="button" class="primary" data-role="remove">Remove all</button>
  </div>
</dialog>

<template id="tracker">
  <article class="card tracker">
    <div class="title"><h3 class="name" data-role="namespace"></h3><span data-role="marks"></span></div>
    <p class="muted">Sends to <code data-role="endpoint"></code> <span data-role="health"></span></p>
    <dl class="counters" data-role="counters"></dl>
    <p class="trouble" data-role="dropped" hidden></p>
    <figure class="queue" data-role="queue">
      <svg viewBox="0 0 300 36" preserveAspectRatio="none" role="img"><path></path></svg>
      <figcaption class="hint"></figcaption>
    </figure>
    <table class="stacks">
      <thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">Given by</th>
        <th scope="col">Over</th></tr></thead>
      <tbody data-role="settings"></tbody>
    </table>
    <p class="hint" data-role="settings-note"></p>
  </article>
</template>

<template id="event">
  <li><details>
    <summary><time class="muted"></time> <span class="name" data-role="event-name"></span>
      <span class="muted" data-role="event-type"></span>
      <span class="mark" data-role="event-namespace"></span></summary>
    <div></div>
  </details></li>
</template>

<template id="group">
  <section class="card"><h3 data-role="group-title"></h3><ul data-role="rows"></ul></section>
</template>

<template id="variable">
  <li class="variable">
    <div>
      <div><strong data-role="title"></strong> <code data-role="name"></code>
        <span class="hint" data-role="type"></span></div>
      <p class="muted" data-role="description"></p>
    </div>
    <div>
      <div><span data-role="value"></span> <span class="mark" data-role="source"></span></div>
      <p class="hint" data-role="over"></p>
      <p class="hint" data-role="experiments"></p>
      <ol class="rules" data-role="rules" hidden></ol>
    </div>
    <div class="actions" data-changing>
      <button type="button" data-role="edit">Change</button>
      <button type="button" data-role="reset"></button>
    </div>
  </li>
</template>

<template id="editor">
  <form class="editor" data-role="editor" autocomplete="off">
    <div data-role="field"></div>
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
    <p data-role="summary"></p>
    <div class="share" data-role="share" role="img"></div>
    <table class="stacks">
      <thead><tr><th scope="col">Variant</th><th scope="col">Weight</th><th scope="col">Of all units</th>
        <th scope="col">Overrides</th></tr></thead>
      <tbody data-role="variants"></tbody>
    </table>
    <div class="bar" data-changing>
      <label>For all units of this service: <select data-role="variant-choice"></select></label>
      <button type="button" data-role="force">Force this variant</button>
      <button type="button" data-role="stop-forcing">Stop forcing</button>
    </div>
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
"""#
}
