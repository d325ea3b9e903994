"""Tracks and sends the benchmark's event with Snowplow's Python tracker, and prints the figures as JSON.

    snowplow_python.py COLLECTOR EVENTS BATCH send|async|track

`send` sends within `track()`, as `Emitter` does; `async` by a thread of `AsyncEmitter`; `track` does not send.
"""

import json
import logging
import resource
import sys
import time

import requests
import snowplow_tracker.emitters as emitters
from snowplow_tracker import AsyncEmitter, Emitter, SelfDescribing, SelfDescribingJson, Tracker


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    collector, events, batch, mode = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    is_sending = mode != "track"
    emitters.logger.setLevel(logging.WARNING)
    sent = 0

    def on_success(batch_of_events):
        nonlocal sent
        sent += len(batch_of_events)

    host, port = collector.removeprefix("http://").split(":")
    emitter = (AsyncEmitter if mode == "async" else Emitter)(
        host,
        protocol="http",
        port=int(port),
        method="post",
        batch_size=batch if is_sending else events + 1,
        buffer_capacity=events + 2,
        on_success=on_success,
        # By default each request opens a connection; with a session they share one, as this SDK's do.
        session=requests.Session(),
    )
    tracker = Tracker("benchmarks", emitter, app_id="benchmarks")

    def track():
        tracker.track(
            SelfDescribing(
                SelfDescribingJson(
                    "iglu:com.acme.shop/order_placed/jsonschema/1-0-0",
                    {
                        "orderId": "o-2f81c0d94e7a",
                        "total": 129.95,
                        "currency": "EUR",
                        "items": 3,
                        "isFirst": False,
                        "channel": "storefront",
                    },
                ),
                context=[
                    SelfDescribingJson(
                        "iglu:com.acme.shop/customer/jsonschema/1-0-0",
                        {"id": "c-77120493", "tier": "gold", "country": "DE", "ordersBefore": 41},
                    )
                ],
            )
        )

    if is_sending:
        # As the SDK's run does: the first events pay for the connection.
        for _ in range(1000):
            track()
        emitter.sync_flush()
        sent = 0
    cpu_before, start = cpu(), time.monotonic()
    for _ in range(events):
        track()
    tracked = time.monotonic()
    if is_sending:
        # `flush` of AsyncEmitter queues a request and does not wait.
        emitter.sync_flush()
        if sent != events:
            sys.exit(f"the Python tracker sent {sent} events of {events}")
    end = time.monotonic()
    figures = {
        "track": (tracked - start) / events * 1e6,
        "delivered": events / (end - start),
        "cpu": (cpu() - cpu_before) / events * 1e5,
    }
    print(json.dumps(figures))


main()
