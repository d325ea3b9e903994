// The text of the page is not indented.
// swift-format-ignore-file

extension ConsolePage {
    /// The style sheet.
    static let style = #"""
/* Colours: every text has a contrast of at least 4.5 on the ground and on the surface. */
:root {
  --ground: #f5f6f8; --surface: #fff; --sunken: #eef0f3; --line: #d3d8df; --edge: #7b8794;
  --text: #1b2027; --muted: #56606b; --accent: #0b57b0; --on-accent: #fff;
  --trouble: #b3261e; --caution: #7a4b00; --good: #17652f;
  --bar-1: #cfe2fa; --bar-2: #e3daf5; --bar-3: #d3eedb; --bar-4: #f7e5c4;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #13161a; --surface: #1b2026; --sunken: #252b33; --line: #363e48; --edge: #8a95a1;
    --text: #e5e9ee; --muted: #a3adb8; --accent: #7cb5fa; --on-accent: #10161d;
    --trouble: #ff9d94; --caution: #eabd66; --good: #83d3a2;
    --bar-1: #1f4470; --bar-2: #463a6b; --bar-3: #1f5434; --bar-4: #5c4716;
  }
}

/* Ground */
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
/* What is scrolled to is not under the navigation or the notice. */
html { scroll-padding: 64px 0 88px; scrollbar-gutter: stable; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 14px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 20px; } h2 { font-size: 18px; } h3 { font-size: 15px; } h3.name { font-size: 14px; }
h2:focus { outline: none; }
a { color: var(--accent); }
code, pre, .name { font-family: var(--mono); font-size: 12.5px; unicode-bidi: isolate; }
code, pre { white-space: pre-wrap; }
.muted { color: var(--muted); }
.trouble { color: var(--trouble); } .caution { color: var(--caution); } .good { color: var(--good); }
.hint { color: var(--muted); font-size: 13px; }
.hint strong { font-weight: 400; }
::placeholder { color: var(--muted); opacity: 1; }
.empty { padding: 24px 16px; color: var(--muted); border: 1px dashed var(--line); border-radius: 8px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

/* Controls */
button, input, select, textarea { font: inherit; color: inherit; }
button, select, input:not([type=checkbox]), textarea {
  background: var(--surface); border: 1px solid var(--edge); border-radius: 6px; padding: 4px 10px; max-width: 100%;
}
button { cursor: pointer; text-align: start; }
button:hover:not(:disabled) { border-color: var(--accent); color: var(--accent); }
button:disabled { color: var(--muted); border-style: dashed; cursor: not-allowed; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.primary:hover:not(:disabled) { color: var(--on-accent); filter: brightness(1.08); }
button.primary:disabled { background: none; color: var(--muted); border-color: var(--edge); }
input[type=checkbox] { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); vertical-align: -3px; }
textarea { width: 100%; font-family: var(--mono); font-size: 12.5px; resize: vertical; }
label.choice { display: inline-flex; gap: 6px; align-items: center; }
[aria-invalid=true] { border-color: var(--trouble) !important; }
.error, .warning { border-inline-start: 3px solid; padding: 4px 10px; background: var(--sunken); }
.error { color: var(--trouble); } .warning { color: var(--caution); }
:root:not([data-changes=allowed]) [data-changing] { display: none !important; }

/* Page */
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: -999px; }
.skip:focus { inset: 8px auto auto 8px; z-index: 3; background: var(--surface); padding: 6px 12px; }
body > header, body > main, nav > ul { max-width: 1400px; margin: 0 auto; padding-inline: 20px; }
body > header { display: grid; grid-template-columns: 1fr auto; gap: 4px 24px; padding-block: 16px 12px; }
body > header .controls { display: flex; flex-wrap: wrap; gap: 8px; align-items: start; justify-content: end; }
body > header .wide { grid-column: 1 / -1; }
.connection { min-height: 1.45em; }
.lines { display: grid; gap: 2px; margin-block-end: 16px; font-size: 15px; min-height: 1.45em; }
.lines li { display: grid; grid-template-columns: 18px minmax(0, 1fr); }
[data-line=problem] > .sign { color: var(--trouble); } [data-line=warning] > .sign { color: var(--caution); }
[data-line=news] > .sign { color: var(--accent); } [data-line=normal] > .sign { color: var(--good); }
[data-line=problem] { font-weight: 600; }
[data-line=normal] { color: var(--muted); }
nav { position: sticky; top: 0; z-index: 2; background: var(--ground); border-block-end: 1px solid var(--line); }
nav > ul { display: flex; flex-wrap: wrap; gap: 0 4px; }
nav a { display: block; padding: 8px 12px 6px; color: var(--muted); text-decoration: none; white-space: nowrap;
  border-block-end: 3px solid transparent; }
nav a:focus-visible { outline-offset: -3px; }
nav a:hover { color: var(--text); }
nav a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
nav .count { font-weight: 400; color: var(--muted); }
nav a[data-level]::after { content: "▲"; margin-inline-start: 4px; font-size: 11px; }
nav a[data-level=problem]::after { color: var(--trouble); } nav a[data-level=warning]::after { color: var(--caution); }
main { padding-block: 16px 96px; }
.banner { border: 1px solid; border-inline-start-width: 5px; border-radius: 6px; padding: 6px 12px; margin: 0 0 12px;
  background: var(--surface); }
.bar { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin-block: 12px; }
.bar input[type=search] { min-width: min(300px, 100%); }
.bar .end { margin-inline-start: auto; }
main h2 { margin-block-end: 12px; }
main h3 { margin-block: 24px 8px; }
.card h3 { margin: 0; }
[data-view=overview] > .card { margin-block-end: 12px; }
[data-view=overview] > .card:not(.history):not(.facts) > h3 { margin-block-end: 8px; }
details > summary { cursor: pointer; }
summary > h3 { display: inline; }
[data-view=overview] table { table-layout: fixed; }
@media (min-width: 721px) { [data-role=exceptions] tr > :last-child { width: 90px; } }
.notice { position: fixed; inset: auto auto 16px 16px; pointer-events: none; z-index: 3;
  max-width: min(520px, calc(100vw - 32px));
  display: flex; gap: 12px; align-items: center; padding: 10px 14px; background: var(--text); color: var(--ground);
  border-radius: 8px; }
.notice:not(:has([role=status]:not(:empty))) { visibility: hidden; }
.notice button, .notice button:hover { flex: none; pointer-events: auto; background: none;
  border-color: currentColor; color: inherit !important; }
dialog { border: 1px solid var(--edge); border-radius: 10px; background: var(--surface); color: var(--text);
  max-width: min(460px, calc(100vw - 32px)); padding: 20px; }
dialog::backdrop { background: rgb(0 0 0 / .45); }
dialog .bar { margin-block-end: 0; justify-content: end; }

/* Pieces */
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px; }
.cards, .stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
.cards > *, .groups > * { content-visibility: auto; contain-intrinsic-size: auto none auto 320px; }
.mark { display: inline-block; border: 1px solid currentColor; border-radius: 4px; padding: 0 6px; font-size: 12px;
  line-height: 18px; white-space: nowrap; }
.mark[data-layer=runtime], .mark[data-layer=override] { color: var(--caution); font-weight: 600; }
.mark[data-layer=remote] { color: var(--accent); }
.mark[data-layer=default], .mark[data-layer=builtin] { color: var(--muted); }
.mark[data-layer=builtin] { border-style: dashed; }
.rules { list-style: decimal; padding-inline-start: 24px; margin-block-start: 4px; }
.rules .unusable { color: var(--trouble); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; }
.facts dt { color: var(--muted); }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: start; vertical-align: top; padding: 5px 12px 5px 0; border-block-start: 1px solid var(--line); }
thead th { color: var(--muted); font-weight: 400; font-size: 12.5px; border: 0; }
tbody th { font-weight: 400; }
tbody th[scope=rowgroup] { font-weight: 600; padding-block-start: 14px; border: 0; }
td del { text-decoration-color: var(--edge); }
.history li:not(:first-child) { border-block-start: 1px solid var(--line); }
.history li { display: grid; grid-template-columns: 15ch 13ch minmax(0, 1fr); gap: 0 12px; padding-block: 4px; }

/* Trackers */
.columns { display: grid; gap: 16px; align-items: start; }
@media (min-width: 1100px) {
  .columns { grid-template-columns: minmax(0, 1fr) 400px; }
  .events { position: sticky; top: 52px; }
  .to-events { display: none; }
}
.title { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; }
.counters { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-block: 8px; }
.counters dt { display: inline; color: var(--muted); } .counters dd { display: inline; font-weight: 600; }
.chart svg { display: block; width: 100%; height: 60px; background: var(--sunken); border-radius: 4px; }
.chart .sent { fill: var(--good); } .chart .failed { fill: var(--caution); } .chart .dropped { fill: var(--trouble); }
.chart line { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 3 2; vector-effect: non-scaling-stroke; }
.chart line.rejected, .chart line.reverted { stroke: var(--trouble); }
.chart figcaption { display: flex; justify-content: space-between; gap: 12px; }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chips button { border-radius: 999px; }
.chips [aria-pressed=true] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.trackers { border-collapse: separate; border-spacing: 0; }
.trackers thead button { border: 0; padding: 0; background: none; }
.trackers [aria-sort=ascending] button::after { content: " ↑"; }
.trackers [aria-sort=descending] button::after { content: " ↓"; }
.opener { border: 0; padding: 0; background: none; font-family: var(--mono); font-size: 12.5px; unicode-bidi: isolate; }
.opener::before { content: "▸ "; } .opener[aria-expanded=true]::before { content: "▾ "; }
.details td { padding-inline-start: 16px; } .details > td:empty { display: none; }
@media (min-width: 721px) {
  .trackers tr:not(.details) > :nth-child(n + 3) { text-align: end; white-space: nowrap; overflow-wrap: normal; }
  .trackers tr:not(.details) > :last-child { padding-inline-end: 0; }
  .trackers [data-role=oldest] { display: block; }
}
.title > span { display: inline-flex; flex-wrap: wrap; gap: 6px; }
.events ol { max-height: calc(100vh - 220px); min-height: 120px; overflow-y: auto; border-block: 1px solid var(--line);
  overflow-anchor: none; contain: strict; height: 70vh; }
.events li { border-block-end: 1px solid var(--line); }
.events summary { display: grid; grid-template: "time type mark" "name name name" / auto 1fr auto; gap: 0 8px;
  padding: 4px 2px; cursor: pointer; }
.events summary > .mark { grid-area: mark; white-space: normal; align-self: start; }
.events summary:focus-visible { outline-offset: -2px; }
.events summary .name { grid-area: name; }
.events li > details > div { padding: 4px 2px 10px 12px; }

/* Features */
.variable { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 5fr) minmax(0, 3fr); gap: 4px 20px;
  padding-block: 8px; border-block-start: 1px solid var(--line); }
.groups > * { margin-block-end: 12px; }
.groups table { table-layout: fixed; }
.groups .card h3 { margin-block-end: 8px; }
.variable .actions { display: flex; flex-wrap: wrap; gap: 6px; justify-content: end; align-items: start; }
.variable[data-overridden] { box-shadow: -13px 0 var(--surface), -16px 0 var(--caution); }
.variable > form, .variable > .error, .variable > .warning { grid-column: 1 / -1; }
.editor { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 12px;
  background: var(--sunken); border-radius: 6px; }
.editor .bar { margin: 0; }

/* Experiments */
.share { display: flex; height: 26px; margin-block: 10px; overflow: hidden;
  border: 1px solid var(--line); border-radius: 4px; }
.share > span { padding: 2px 8px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
  border-inline-end: 1px solid var(--surface); }
.share > :nth-child(4n + 1) { background: var(--bar-1); } .share > :nth-child(4n + 2) { background: var(--bar-2); }
.share > :nth-child(4n + 3) { background: var(--bar-3); } .share > :nth-child(4n) { background: var(--bar-4); }
.share > .rest { background: repeating-linear-gradient(45deg, var(--surface) 0 6px, var(--sunken) 6px 12px);
  color: var(--muted); }
.fields { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; }
.fields label { display: grid; gap: 2px; }

@media (max-width: 720px) {
  body > header { grid-template-columns: 1fr; }
  body > header .controls { justify-content: start; }
  nav a { padding: 6px 6px 4px; }
  nav .count { display: none; }
  body > header, body > main, nav > ul { padding-inline: 12px; }
  .variable, .facts { grid-template-columns: minmax(0, 1fr); }
  .facts dd { margin-block-end: 6px; }
  .variable .actions { justify-content: start; }
  .history li { grid-template-columns: 1fr auto; }
  .history li > :last-child { grid-column: 1 / -1; }
  table.stacks thead { position: absolute; clip-path: inset(50%); }
  table.stacks tr, table.stacks th, table.stacks td { display: block; width: auto; border: 0; padding-block: 1px; }
  table.stacks tr { border-block-start: 1px solid var(--line); padding-block: 6px; }
  table.stacks td[data-label]:not(:empty)::before { content: attr(data-label) ": "; color: var(--muted); }
}
@media (forced-colors: active) {
  nav a { border-color: Canvas; }
  nav a[aria-current] { border-color: Highlight; outline: 1px solid Highlight; outline-offset: -1px; }
  .chart svg { border: 1px solid CanvasText; }
  .chart .sent { fill: CanvasText; } .chart .failed, .chart .dropped { fill: Highlight; }
  .chips [aria-pressed=true] { background: Highlight; color: HighlightText; forced-color-adjust: none; }
}
@media (prefers-reduced-motion: no-preference) {
  button, nav a { transition: color .12s, border-color .12s; }
}
"""#
}
