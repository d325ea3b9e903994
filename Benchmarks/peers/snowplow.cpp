// Tracks and sends the benchmark's event with Snowplow's C++ tracker 2.x, and prints the figures as JSON.
//
//     snowplow-cpp COLLECTOR EVENTS BATCH STORE
//
// STORE is the path of an SQLite database, or ":memory:". Written by the tracker's documentation and not yet run.

#include <sys/resource.h>

#include <chrono>
#include <iostream>
#include <memory>
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
  TrackerConfiguration configuration("benchmarks", "benchmarks", srv);
  // The other trackers add no entity about the machine.
  configuration.set_desktop_context(false);
  NetworkConfiguration network(arguments[1], POST);
  EmitterConfiguration emitter(std::make_shared<SqliteStorage>(arguments[4]));
  emitter.set_batch_size(std::stoi(arguments[3]));
  auto tracker = Snowplow::create_tracker(configuration, network, emitter);

  // As the SDK's run does: the first events pay for the connection.
  for (int i = 0; i < 1000; i++) track(*tracker);
  tracker->flush();
  // A flush may stop the emitter's thread.
  tracker->start();

  const double cpu = cpu_seconds(), start = seconds();
  for (int i = 0; i < events; i++) track(*tracker);
  const double tracked = seconds();
  tracker->flush();
  const double end = seconds();
  std::cout << "{\"track\":" << (tracked - start) / events * 1e6 << ",\"delivered\":" << events / (end - start)
            << ",\"cpu\":" << (cpu_seconds() - cpu) / events * 1e5 << "}\n";
}
