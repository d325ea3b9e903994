import TestSupport
import Testing
import TrackerCore

@Suite("plugins and global entities", .endsWhenItHangs)
struct PluginTests {
    private let rig = Rig()
    private let order = "iglu:com.acme.shop/order/jsonschema/1-0-0"

    private func release(_ number: Int) -> Entity {
        Entity(schema: "iglu:com.acme/release/jsonschema/1-0-0", data: ["number": .int(number)])
    }

    @Test("a filter keeps events back before they are anything, and the others go on")
    func filters() async throws {
        let tracker = try await rig.tracker { $0.tracker?.sessionContext = true }
        var plugin = Plugin(name: "filter")
        plugin.filter(for: .types([.structured])) { event in
            event.content.data["se_ac"] != "2"
        }
        tracker.add(plugin)
        tracker.track(1...3)
        tracker.track(SelfDescribing(schema: order, data: ["id": "2"]))
        await tracker.flush()
        #expect(rig.actions == ["1", "3", "?"])
        #expect(tracker.counters.droppedByReason == [.filtered: 1])
        let indexes = rig.events.map { $0.entity("client_session")?["eventIndex"] }
        #expect(indexes == [1, 2, 3])
        tracker.removePlugin(named: "filter")
        tracker.track(2...2)
        await tracker.flush()
        #expect(rig.actions.last == "2")
    }

    @Test("no plugin runs for an event of a tracker that is paused or removed")
    func leavesRefusedEventsAlone() async throws {
        let tracker = try await rig.tracker()
        let calls = Locked(0)
        var plugin = Plugin(name: "filter")
        plugin.filter { _ in
            calls.withLock { $0 += 1 }
            return false
        }
        tracker.add(plugin)
        tracker.pause()
        tracker.track(1...2)
        tracker.resume()
        tracker.track(3...3)
        tracker.remove()
        tracker.track(4...4)
        #expect(calls.withLock { $0 } == 1)
        #expect(tracker.counters.droppedByReason == [.paused: 2, .filtered: 1, .removed: 1])
    }

    @Test("entities are added for the events in scope, a plugin of the same name takes the place of the first")
    func addsEntities() async throws {
        let tracker = try await rig.tracker()
        for number in 1...2 {
            var plugin = Plugin(name: "entities")
            plugin.addEntities(to: .schemas([order])) { _ in [release(number)] }
            tracker.add(plugin)
        }
        tracker.track(SelfDescribing(schema: order, data: [:]), entities: [release(0)])
        tracker.track(1...1)
        await tracker.flush()
        #expect(rig.events[0].entities.map { $0["data"]?["number"] } == [0, 2])
        #expect(rig.events[1].entities == [])
    }

    @Test("a plugin may have several closures of a kind, which all are called")
    func hasSeveral() async throws {
        let tracker = try await rig.tracker()
        let seen = Locked(0)
        var plugin = Plugin(name: "several")
        for number in 1...2 {
            plugin.filter(for: .types([.structured])) { event in event.content.data["se_ac"] != .string("\(number)") }
            plugin.addEntities { _ in [release(number)] }
            plugin.afterTrack { _ in seen.withLock { $0 += number } }
        }
        tracker.add(plugin)
        tracker.track(1...3)
        await tracker.flush()
        #expect(rig.actions == ["3"])
        #expect(rig.events[0].entities.map { $0["data"]?["number"] } == [1, 2])
        #expect(seen.withLock { $0 } == 3)
    }

    @Test("what looks at tracked events sees ids and entities, and may track itself")
    func observes() async throws {
        let tracker = try await rig.tracker()
        let seen = Locked<[TrackedEvent]>([])
        var plugin = Plugin(name: "observer")
        plugin.afterTrack(for: .types([.pageView])) { event in
            seen.withLock { $0.append(event) }
            tracker.track(Structured(category: "after", action: "view"))
        }
        tracker.add(plugin)
        let id = tracker.track(PageView(url: "https://a.example"), entities: [release(7)])
        tracker.pause()
        tracker.track(PageView(url: "https://b.example"))
        tracker.resume()
        await tracker.flush()
        #expect(seen.withLock { $0.map(\.id) } == [id])
        #expect(seen.withLock { $0.first?.entities } == [release(7)])
        #expect(rig.actions == ["?", "view"])
    }

    @Test("global entities are fixed or generated, for all events or for chosen ones, until they are removed")
    func attachesGlobalEntities() async throws {
        let tracker = try await rig.tracker()
        tracker.addGlobalEntities(tag: "all", [release(1)])
        let shop = try EventSelection.schemas(allowed: ["iglu:com.acme.*/*/jsonschema/1-*-*"])
        tracker.addGlobalEntities(tag: "schema", to: shop) { event in [release(event.entities.count + 2)] }
        tracker.addGlobalEntities(tag: "closure", [release(9)], to: .events { $0.type == .structured })
        tracker.track(1...1)
        tracker.track(SelfDescribing(schema: order, data: [:]))
        tracker.removeGlobalEntities(tag: "all")
        tracker.track(SelfDescribing(schema: order, data: [:]))
        await tracker.flush()
        let numbers = rig.events.map { event in event.entities.map { $0["data"]?["number"]?.int } }
        #expect(numbers == [[1, 9], [1, 2], [2]])
    }

    @Test("plugins and global entities stay over a reconfiguration")
    func staysOverReconfiguration() async throws {
        let tracker = try await rig.tracker()
        tracker.addGlobalEntities(tag: "all", [release(1)])
        try tracker.adopt(default: nil, remote: .sample(), version: 2)
        tracker.track(1...1)
        await tracker.flush()
        #expect(rig.events.last?.entities.count == 1)
    }
}
