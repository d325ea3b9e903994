"""The stream of the document's source, as the page shows it."""

CONNECTED = {"connectedSince": -60_000, "lastSignalTime": -5_000, "isFailing": False,
             "lastFailure": {"since": -90_000, "lastTime": -70_000, "tries": 3, "text": "silent for 45 s"},
             "signals": {"connected": 2, "changed": 7, "ignored": 1}}


def show(page, streaming, count, total):
    """Draws the facts of a source with a stream; the console of a file by itself polls nothing and follows no stream.

    Returns the texts of the facts by their roles, in one step, because the page draws its own facts again each second."""
    return page.script(
        """
        const [streaming, count, sum] = arguments;
        const now = clock.now();
        for (const part of [streaming, streaming.lastFailure].filter(Boolean)) {
          for (const name of ["connectedSince", "lastSignalTime", "lastTime", "since"]) {
            if (name in part) part[name] += now;
          }
        }
        showFacts(views.overview.parts.facts, factsOf({ ...overview(), streaming, propagation: { count, sum } }));
        const roles = ["stream", "last-signal", "signals", "stream-failure", "propagation"];
        return roles.map(role => document.querySelector(`[data-role=${role}]`)?.textContent);
        """, streaming, count, total)


def test_a_stream_is_shown_with_its_last_signal_and_its_last_failure(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=next-poll]", "none: polling is off")
    # This service has none.
    assert page.all("[data-role=stream], [data-role=stream-failure], [data-role=propagation]") == []
    assert show(page, CONNECTED, 2, 0.094) == [
        "open for 60 seconds", "5 seconds ago", "7 changed, 2 connected, 1 ignored", "70 seconds ago: silent for 45 s",
        "47 ms after publication on average (2 documents)"]
    down = {**CONNECTED, "isFailing": True}
    del down["connectedSince"]
    shown = show(page, down, 1, 130)
    assert (shown[0], shown[-1]) == ("down", "2 minutes after publication on average (1 document)")
