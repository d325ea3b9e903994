import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// What is noted for those who look.
@Suite("LiveFeed", .endsWhenItHangs)
struct LiveFeedTests {
    private let service = Service()

    private func start() throws -> (Setup, Tracker) {
        let bundle = ConfigurationBundle(
            namespace: "a", network: NetworkConfiguration(endpoint: "https://collector.example"))
        let setup = try service.start(default: [bundle])
        return (setup, try #require(setup.tracker("a")))
    }

    @Test("of many threads, each of those who look is told of every event once, shown or counted")
    func threads() async throws {
        let (setup, tracker) = try start()
        let (writers, count) = (2, Search.count(50))
        let feed = setup.feed
        feed.look()
        let start = feed.batch(after: nil).cursor
        let told = [Locked<[LiveFeed.Batch]>([]), Locked<[LiveFeed.Batch]>([])]
        @Sendable func read(_ reader: Int) {
            feed.look()
            told[reader].withLock { $0.append(feed.batch(after: $0.last?.cursor ?? start)) }
        }
        await Threads.run(writers + 2) { worker in
            for number in 0..<count {
                if worker < writers {
                    tracker.track(Structured(category: "\(worker)", action: "\(number)"))
                } else {
                    read(worker - writers)
                }
            }
        }
        for reader in 0..<2 {
            read(reader)
            let news = told[reader].withLock { $0 }
            #expect(news.reduce(0) { $0 + $1.events.count + $1.skipped } == writers * count)
            let numbers = news.filter { !$0.events.isEmpty }.map(\.cursor.number)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<))
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("somebody looks again just as it is given up, and it goes on")
    func lookAgain() async throws {
        let (setup, tracker) = try start()
        for _ in 0..<Search.count(10) {
            setup.feed.look()
            service.time.advance(by: .seconds(16))
            await Threads.run(2) { worker in
                if worker == 0 { setup.feed.look() } else { _ = setup.feed.goesOn() }
            }
            let seen = setup.feed.batch(after: nil).cursor
            tracker.track(Structured(category: "c", action: "a"))
            #expect(setup.feed.batch(after: seen).events.count == 1)
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("keeps no setup alive, and ends with it")
    func end() async throws {
        var setup: Setup? = try start().0
        weak let feed = setup?.feed
        setup?.feed.look()
        await service.settled()
        await setup?.shutdown(timeout: .zero)
        #expect(feed != nil)
        setup = nil
        #expect(feed == nil)
    }

    @Test("tells each client once that an event was sent")
    func sent() async throws {
        let (setup, tracker) = try start()
        setup.feed.look()
        let start = setup.feed.batch(after: nil).cursor
        tracker.emitter.pause()
        let id = try #require(tracker.track(Structured(category: "c", action: "sent")))
        #expect(setup.feed.batch(after: start).outcomes == [])
        tracker.emitter.resume()
        await tracker.deliver()
        let sent = setup.feed.batch(after: start)
        #expect(sent.outcomes.map(\.id).contains(id.description))
        #expect(sent.outcomes.count == sent.events.count && sent.outcomes.allSatisfy { $0.reason == nil })
        #expect(setup.feed.batch(after: sent.cursor).outcomes == [])
        // A client that comes later is told as well.
        #expect(setup.feed.batch(after: nil).outcomes == sent.outcomes)
        await setup.shutdown(timeout: .zero)
    }
}
