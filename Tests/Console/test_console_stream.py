"""The stream of the document's source, as the page shows it."""

OPEN = {"connectedSince": -60_000, "lastHintTime": -5_000, "reconnections": 2}
DOWN = {"reconnections": 0, "outage": {"since": -90_000, "lastTime": -70_000, "tries": 3, "text": "silent for 45 s"}}


def show(page, streaming):
    """Draws the facts of a source with a stream; the console of a file by itself polls nothing and follows no stream.

    Returns the texts of the facts by their roles, in one step, because the page draws its own facts again each second."""
    return page.script(
        """
        const [streaming] = arguments;
        const now = clock.now();
        for (const part of [streaming, streaming.outage].filter(Boolean)) {
          for (const name of ["connectedSince", "lastHintTime", "lastTime", "since"]) {
            if (name in part) part[name] += now;
          }
        }
        showFacts(views.overview.parts.facts, factsOf({ ...overview(), streaming }));
        const roles = ["stream", "last-hint", "reconnections"];
        return roles.map(role => document.querySelector(`[data-role=${role}]`)?.textContent);
        """, streaming)


def test_a_stream_is_shown_with_its_last_hint_or_its_last_failure(service, open_page):
    page = open_page(service.url)
    page.wait_text("[data-role=next-poll]", "none: polling is off")
    # This service has none.
    assert page.all("[data-role=stream], [data-role=last-hint]") == []
    assert show(page, OPEN) == ["open for 60 seconds", "5 seconds ago", "2"]
    assert show(page, DOWN) == ["down, 70 seconds ago: silent for 45 s", "none yet", "0"]
