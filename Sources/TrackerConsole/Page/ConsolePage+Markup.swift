// The text of the page is not indented.
// swift-format-ignore-file

extension ConsolePage {
    /// The content of the body before the script: views, dialogs and templates.
    static let markup = #"""
<a class="skip" href="#content" data-role="skip">Skip to the content</a>
<header>
  <h1><span data-role="title">Configuration</span></h1>
  <div class="controls">
    <span class="mark caution" data-role="read-only" hidden>read-only</span>
    <button type="button" data-role="zone">UTC</button>
    <button type="button" data-role="copy-status">Copy JSON</button>
    <button type="button" data-role="download">Download configuration</button>
    <button type="button" data-role="refresh" aria-describedby="refresh-reason" disabled>Refresh</button>
    <button type="button" data-role="forget-token" hidden>Forget token</button>
  </div>
  <p class="muted wide" data-role="identity">&nbsp;</p>
  <p class="wide connection"><span data-role="connection" role="status">Connecting…</span>
    <span class="muted" data-role="connection-detail"></span></p>
  <p class="unseen" id="refresh-reason" data-role="refresh-reason"></p>
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
<main tabindex="-1" id="content">
  <p class="unseen" role="alert" data-role="announcement"></p>
  <p class="banner trouble" data-role="stale" role="status" hidden></p>
  <ol class="lines" data-role="lines" aria-label="Status"></ol>
  <button type="button" data-role="all-lines" hidden></button>
  <div data-role="refresh-outcome"></div>

  <section data-view="token" aria-labelledby="token-title" hidden>
    <h2 id="token-title" tabindex="-1">Enter the access token</h2>
    <form class="card stack" data-role="token-form" autocomplete="off">
      <p>Ask the operator of this service for it. It is kept in this tab only, until the tab is closed.</p>
      <div class="fields">
        <label>Token <input type="password" data-role="token" autocomplete="off" spellcheck="false"></label>
        <button type="submit" class="primary">Use this token</button>
      </div>
    </form>
  </section>

  <section data-view="overview" aria-labelledby="overview-title">
    <h2 id="overview-title" class="unseen" tabindex="-1">Overview</h2>
    <div class="error" data-role="section-error" hidden></div>
    <p class="empty" data-role="empty" hidden></p>
    <section class="card" aria-labelledby="exceptions-title">
      <h3 id="exceptions-title" data-role="exceptions-title">Not from the document</h3>
      <p class="muted" data-role="no-exceptions" hidden></p>
      <table class="stacks" data-role="exceptions" hidden>
        <thead><tr><th scope="col">What</th><th scope="col">Value</th><th scope="col">Source</th>
          <th scope="col">Without it</th><th scope="col"><span class="unseen">Action</span></th></tr></thead>
        <tbody data-role="exception-rows"></tbody>
      </table>
      <p class="hint" data-role="more-exceptions" hidden></p>
    </section>
    <section class="card" aria-labelledby="hour-title">
      <h3 id="hour-title">Last hour</h3>
      <figure class="chart" data-role="hour"></figure>
      <p class="hint" data-role="hour-changes"></p>
    </section>
    <section class="card" data-role="rollout" aria-labelledby="rollout-title" hidden>
      <h3 id="rollout-title">Rollout</h3>
      <dl class="facts" data-role="rollout-facts"></dl>
    </section>
    <section class="card" data-role="warnings" aria-labelledby="warnings-title" hidden>
      <h3 id="warnings-title" data-role="warnings-title"></h3>
      <ul data-role="warning-list"></ul>
      <button type="button" data-role="all-warnings" hidden></button>
    </section>
    <details class="card" data-role="differences">
      <summary><h3 data-role="differences-title">From the document</h3></summary>
      <div class="bar">
        <input type="search" data-role="filter" placeholder="Filter by name, value or source"
          aria-label="Filter what differs from the default">
        <span class="muted" data-role="shown" role="status"></span>
        <button type="button" data-role="previous-page">Previous</button>
        <button type="button" data-role="next-page">Next</button>
      </div>
      <div class="error" data-role="differences-error" hidden></div>
      <table class="stacks">
        <thead><tr><th scope="col">What</th><th scope="col">Value</th><th scope="col">Source</th>
          <th scope="col">Default</th></tr></thead>
        <tbody data-role="difference-rows"></tbody>
      </table>
    </details>
    <h3>History</h3>
    <ol class="card history" data-role="history"></ol>
    <button type="button" data-role="whole-history" hidden></button>
    <h3>About</h3>
    <dl class="facts card" data-role="facts"></dl>
    <h3>Meta</h3>
    <dl class="facts card" data-role="meta"></dl>
  </section>

  <section data-view="trackers" aria-labelledby="trackers-title" hidden>
    <h2 id="trackers-title" tabindex="-1">Trackers</h2>
    <div class="error" data-role="section-error" hidden></div>
    <div class="bar">
      <input type="search" data-role="filter" placeholder="Filter by namespace"
        aria-label="Filter trackers by namespace">
      <div class="chips" role="group" aria-label="Which trackers" data-role="chips"></div>
      <span class="muted" data-role="shown" role="status"></span>
      <button type="button" class="to-events" data-role="to-events">To the recent events</button>
    </div>
    <div class="columns">
      <div>
        <p class="empty" data-role="empty" hidden></p>
        <table class="stacks card trackers" data-role="table">
          <thead><tr data-role="heads"></tr></thead>
        </table>
      </div>
      <section class="card events" aria-labelledby="events-title">
        <div class="title"><h3 id="events-title" tabindex="-1">Recent events</h3>
          <span class="hint" data-role="events-since"></span></div>
        <div class="bar">
          <input type="search" data-role="event-filter" placeholder="Namespace, type or name"
            aria-label="Filter events">
          <label class="choice"><input type="checkbox" data-role="only-dropped"> Only dropped</label>
          <button type="button" data-role="pause">Pause</button>
        </div>
        <p class="hint" data-role="events-state"></p>
        <ol data-role="events" tabindex="0" aria-label="Recent events, newest first"></ol>
      </section>
    </div>
  </section>

\#(featureViews)
</main>
<div class="notice">
  <p role="status" data-role="notice"></p>
  <button type="button" data-role="undo" hidden>Undo</button>
  <button type="button" data-role="close-notice">Close</button>
</div>

<template id="tracker">
  <tbody>
    <tr data-role="row">
      <th scope="row"><button type="button" class="opener" data-role="open" aria-expanded="false"></button></th>
      <td data-label="Status"><span data-role="status"></span></td>
      <td data-label="Sent per minute" data-counter="rate"></td>
      <td data-label="Sent" data-counter="sent"></td>
      <td data-label="Waiting"><span data-counter="waiting"></span> <span class="hint" data-role="oldest"></span></td>
      <td data-label="Dropped" data-counter="dropped"></td>
      <td data-label="Last success" data-role="success"></td>
    </tr>
    <tr class="details" data-role="details" hidden><td colspan="7"></td></tr>
  </tbody>
</template>

<template id="tracker-details">
  <div>
    <p class="error" data-role="details-error" hidden></p>
    <p class="muted">Sends to <code data-role="endpoint"></code> <span data-role="health"></span></p>
    <dl class="counters" data-role="counters"></dl>
    <figure class="chart" data-role="hour"></figure>
    <label class="choice"><input type="checkbox" data-role="show-built-in"> Include built-in settings</label>
    <table class="stacks">
      <thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">Source</th>
        <th scope="col">Overridden</th></tr></thead>
      <tbody data-role="settings"></tbody>
    </table>
    <p class="hint" data-role="settings-note"></p>
  </div>
</template>

<template id="event">
  <li><details>
    <summary><time class="muted"></time> <span class="name" data-role="event-name"></span>
      <span class="muted"><span data-role="event-type"></span> <span data-role="event-outcome"></span></span>
      <span class="mark" data-role="event-namespace"></span></summary>
    <div></div>
  </details></li>
</template>

\#(featureTemplates)
"""#
}
