// The text of the page is not indented.
// swift-format-ignore-file

extension ConsolePage {
    /// The style sheet's part of features, experiments, differences and dialogs; it follows ``style``.
    static let featureStyle = #"""
/* Features */
.features thead button { border: 0; padding: 0; background: none; }
.features [aria-sort=ascending] button::after { content: " ↑"; }
.features [aria-sort=descending] button::after { content: " ↓"; }
.features .actions { text-align: end; }
.features .editing td { border: 0; padding: 0; }
.features .editing > td:empty { display: none; }
.features > tbody[data-overridden] > tr:first-child > th { box-shadow: -13px 0 var(--surface), -16px 0 var(--caution); }
.features > tbody > tr > * { overflow-wrap: anywhere; }
@media (min-width: 721px) {
  .features { table-layout: fixed; }
  .features th:nth-child(1) { width: 24%; } .features th:nth-child(3) { width: 22%; } .features th:nth-child(7) { width: 15%; }
}
.switch { width: 34px; height: 20px; padding: 1px; border-radius: 999px; vertical-align: -5px; background: var(--sunken); }
.switch::before { content: ""; display: block; width: 16px; height: 16px; border-radius: 50%; background: var(--edge); }
.switch[aria-checked=true] { background: var(--accent); border-color: var(--accent); }
.switch[aria-checked=true]::before { background: var(--on-accent); margin-inline-start: 14px; }
.switch[aria-disabled] { opacity: .6; }
button.danger { background: var(--trouble); border-color: var(--trouble); color: var(--on-accent); }
button.danger:hover:not(:disabled) { color: var(--on-accent); filter: brightness(1.08); }
.variable > .editing { grid-column: 1 / -1; }
.variable > .editing:empty { display: none; }
.fields { min-width: 0; } .fields label, .bar label { min-width: 0; max-width: 100%; }

/* Experiments */
.share > span { padding: 0; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin-block-end: 8px; font-size: 13px; }
.legend li { min-width: 0; }
.legend li::before { content: ""; display: inline-block; width: 12px; height: 12px; margin-inline-end: 6px;
  vertical-align: -1px; border: 1px solid var(--edge); border-radius: 2px; }
.legend > :nth-child(4n + 1)::before { background: var(--bar-1); }
.legend > :nth-child(4n + 2)::before { background: var(--bar-2); }
.legend > :nth-child(4n + 3)::before { background: var(--bar-3); }
.legend > :nth-child(4n)::before { background: var(--bar-4); }
.legend > .rest::before { background: repeating-linear-gradient(45deg, var(--surface) 0 3px, var(--sunken) 3px 6px); }
@media (min-width: 721px) { .variants { table-layout: fixed; } .variants th:nth-child(4) { width: 44%; } }

/* Dialogs */
.palette { width: min(560px, calc(100vw - 32px)); max-width: none; margin-block-start: 12vh; padding: 12px; }
.palette input { width: 100%; padding: 8px 10px; }
.palette ul { max-height: 50vh; overflow-y: auto; margin-block: 8px; }
.palette li { display: flex; gap: 12px; justify-content: space-between; padding: 6px 10px; border-radius: 6px; cursor: pointer; }
.palette li > :first-child { min-width: 0; }
.palette li[aria-selected=true] { background: var(--sunken); outline: 2px solid var(--accent); outline-offset: -2px; }
kbd { font: inherit; font-family: var(--mono); font-size: 12.5px; border: 1px solid var(--edge); border-radius: 4px;
  padding: 0 5px; }

@media (max-width: 720px) {
  table.features thead { position: static; clip-path: none; }
  table.features thead tr { display: flex; flex-wrap: wrap; gap: 4px 14px; }
  table.features thead th:not(:has(button)) { display: none; }
  table.features .actions { text-align: start; }
}
@media (forced-colors: active) {
  .switch, .legend li::before { forced-color-adjust: none; }
}
"""#
}
