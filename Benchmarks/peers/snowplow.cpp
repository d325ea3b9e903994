// Tracks and sends the benchmark's event with Snowplow's C++ tracker 2.x, and prints the figures as JSON.
//
//     snowplow-cpp COLLECTOR EVENTS BATCH STORE
//
// STORE is the path of an SQLite database, or ":memory:". Run with 2.0.0.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <iostream>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "snowplow/snowplow.hpp"

using namespace snowplow;

static double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static const int standard_error = dup(STDERR_FILENO);
static std::mutex lock;
static std::condition_variable has_changed;
static int acknowledged = 0;
static double acknowledged_at = 0;

static void fail(const char *message) {
  dprintf(standard_error, "the C++ tracker %s\n", message);
  _exit(1);
}

// The tracker calls it on a thread of its own for each request.
static void on_request(const std::list<std::string> &ids, EmitStatus status) {
  if (status != SUCCESS) fail("had a request fail");
  std::lock_guard<std::mutex> guard(lock);
  acknowledged += ids.size();
  acknowledged_at = seconds();
  has_changed.notify_all();
}

// Sends until the collector acknowledged `events` in all, and returns when it did: a flush may sleep 5 s after that.
static double deliver(Tracker &tracker, int events) {
  for (int before = -1;;) {
    // A flush ends the emitter's thread; after 2.0.0 it gives up after 30 s, whatever is left.
    tracker.start();
    tracker.flush();
    std::unique_lock<std::mutex> guard(lock);
    // It does not wait for the callbacks.
    const auto patience = std::chrono::milliseconds(100);
    if (has_changed.wait_for(guard, patience, [events] { return acknowledged >= events; })) return acknowledged_at;
    if (acknowledged == before) fail("did not send all events");
    before = acknowledged;
  }
}

static void track(Tracker &tracker) {
  SelfDescribingJson order("iglu:com.acme.shop/order_placed/jsonschema/1-0-0",
                           {{"orderId", "o-2f81c0d94e7a"},
                            {"total", 129.95},
                            {"currency", "EUR"},
                            {"items", 3},
                            {"isFirst", false},
                            {"channel", "storefront"}});
  SelfDescribingJson customer("iglu:com.acme.shop/customer/jsonschema/1-0-0",
                              {{"id", "c-77120493"}, {"tier", "gold"}, {"country", "DE"}, {"ordersBefore", 41}});
  SelfDescribingEvent event(order);
  event.set_context(std::vector<SelfDescribingJson>{customer});
  tracker.track(event);
}

int main(int count, char **arguments) {
  if (count != 5) {
    std::cerr << "usage: snowplow-cpp COLLECTOR EVENTS BATCH STORE\n";
    return 64;
  }
  const int events = std::stoi(arguments[2]);
  // The tracker has libcurl log each request to the standard error itself, not to std::cerr.
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
  TrackerConfiguration configuration("benchmarks", "benchmarks", srv);
  // The other trackers add no entity about the machine.
  configuration.set_desktop_context(false);
  NetworkConfiguration network(arguments[1], POST);
  EmitterConfiguration emitter(std::make_shared<SqliteStorage>(arguments[4]));
  emitter.set_batch_size(std::stoi(arguments[3]));
  // The events of a request count, as with the other trackers; by default it ends at 40,000 bytes.
  emitter.set_byte_limit_post(std::numeric_limits<int>::max());
  emitter.set_request_callback(on_request, SUCCESS | FAILED_WILL_RETRY | FAILED_WONT_RETRY);
  auto tracker = Snowplow::create_tracker(configuration, network, emitter);

  // As the SDK's run does; but each request of this tracker opens a connection.
  for (int i = 0; i < 1000; i++) track(*tracker);
  deliver(*tracker, 1000);
  tracker->start();

  const double cpu = cpu_seconds(), start = seconds();
  for (int i = 0; i < events; i++) track(*tracker);
  const double tracked = seconds();
  const double end = deliver(*tracker, 1000 + events);
  std::cout << "{\"track\":" << (tracked - start) / events * 1e6 << ",\"delivered\":" << events / (end - start)
            << ",\"cpu\":" << (cpu_seconds() - cpu) / events * 1e5 << "}\n";
}
