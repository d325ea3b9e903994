// ---------------------------------------------------------------------------------------------------- Start

/** What time alone changes. */
function tick() {
  if (document.hidden) return;
  showHeader();
  showConnection();
  showTimes(find("[data-role=lines]"));
  showTimes(shownView().root);
}

function rest() {
  if (connection.state === "locked") return;
  if (document.hidden) disconnect("resting");
  else { setConnection("connecting"); connect(); }
}

function listen() {
  const on = (role, kind, act) => find(`[data-role=${role}]`).addEventListener(kind, act);
  on("skip", "click", click => { click.preventDefault(); find("main").focus(); });
  on("forget-token", "click", () => token.forget());
  on("token-form", "submit", submitToken);
  on("close-notice", "click", () => notify(""));
  on("confirm-form", "submit", confirmChange);
  on("keep", "click", () => find("[data-role=confirm]").close());
  for (const view of Object.values(views)) {
    view.parts.filter?.addEventListener("input", () => { keepInAddress({ filter: view.needle }); view.show(); });
  }
  listenToHeader();
  listenToFeatures();
  listenToEvents();
  listenToChanges();
  find("[data-role=assignment-form]").addEventListener("submit", showAssignments);
  addEventListener("hashchange", followFragment);
  addEventListener("beforeunload", departure => { if (hasUnsavedEdit()) departure.preventDefault(); });
  document.addEventListener("visibilitychange", rest);
}

listen();
find("[data-role=forget-token]").hidden = token.value === null;
showView(viewOfFragment());
if (!document.hidden) connect();
setInterval(tick, 1_000);
