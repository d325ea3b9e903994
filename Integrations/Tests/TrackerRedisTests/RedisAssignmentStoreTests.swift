import Foundation
import IntegrationTesting
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

@testable import TrackerRedis

@Suite("RedisAssignmentStore", .timeLimit(.minutes(10)))
struct RedisAssignmentStoreTests {
    private let user = ExperimentUnit(name: "userId", id: "u-1")
    private let date = Date(timeIntervalSince1970: 1_700_000_000.123)

    private func store(
        _ server: RedisServer, configure: (inout RedisOptions) -> Void = { _ in }
    ) -> RedisAssignmentStore {
        var options = server.options
        configure(&options)
        return RedisAssignmentStore(options)
    }

    private func assignment(
        _ experiment: String, _ variant: String, of unit: ExperimentUnit? = nil, replaced: String? = nil,
        later seconds: Double = 0
    ) -> StickyAssignment {
        StickyAssignment(
            unit: unit ?? user, experiment: experiment, variant: variant, date: date + seconds, replaced: replaced)
    }

    /// The variants of a unit by experiment.
    private func variants(_ store: RedisAssignmentStore, _ unit: ExperimentUnit? = nil) async throws -> [String: String]
    {
        let assignments = try await store.assignments(of: unit ?? user)
        return Dictionary(assignments.map { ($0.experiment, $0.variant) }) { $1 }
    }

    @Test("it keeps the promises of AssignmentStore")
    func conformance() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        try await Conformance.check(store(server))
    }

    @Test("it keeps them on a node of Redis Cluster too, where a command may have keys of one slot only")
    func cluster() async throws {
        // The bus of a cluster has a port although the server has none.
        let port = CuttingProxy.freePort()
        let server = try await RedisServer(["--cluster-enabled", "yes", "--cluster-port", "\(port)"])
        defer { server.kill() }
        #expect(try server.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383") == .text("OK"))
        #expect(try await eventually { try server.ask("SET", "is-up", "1") == .text("OK") })
        for prefix in ["trackerconfig", "{shop}"] {
            try await Conformance.check(store(server) { $0.prefix = prefix })
        }
    }

    @Test("what is saved is there, with its time, for each unit apart")
    func roundTrip() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = store(server)
        #expect(try await store.assignments(of: user).isEmpty)
        try await store.save([assignment("a", "red"), assignment("b__2", "a variant\nwith space \u{0} é")])
        let found = Set(try await self.store(server).assignments(of: user))
        #expect(found == [assignment("a", "red"), assignment("b__2", "a variant\nwith space \u{0} é")])
    }

    @Test("units whose names and ids run into each other are not the same, nor are those that only look the same")
    func units() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = store(server)
        let units = [
            ExperimentUnit(name: "a", id: "b:c"), ExperimentUnit(name: "a:b", id: "c"),
            ExperimentUnit(name: "a", id: ""),
            ExperimentUnit(name: "", id: "a"), ExperimentUnit(name: "a", id: "\u{E9}"),
            ExperimentUnit(name: "a", id: "e\u{301}"), ExperimentUnit(name: "a", id: "*"),
        ]
        try await store.save(units.enumerated().map { assignment("e", "v\($0.offset)", of: $0.element) })
        for (index, unit) in units.enumerated() { #expect(try await variants(store, unit) == ["e": "v\(index)"]) }
    }

    @Test("another variant that is stored stays, unless it is the one that is replaced")
    func firstWins() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = store(server)
        try await store.save([assignment("a", "red")])
        try await store.save([assignment("a", "blue", later: 1)])
        #expect(try await store.assignments(of: user) == [assignment("a", "red")])
        try await store.save([assignment("a", "blue", replaced: "green", later: 1)])
        #expect(try await store.assignments(of: user) == [assignment("a", "red")])
        try await store.save([assignment("a", "blue", replaced: "red", later: 1)])
        #expect(try await store.assignments(of: user) == [assignment("a", "blue", later: 1)])
        try await store.save([assignment("a", "blue", replaced: "blue", later: 2)])
        #expect(try await store.assignments(of: user) == [assignment("a", "blue", later: 2)])
        try await store.save([assignment("b", "red", replaced: "blue")])
        #expect(try await variants(store) == ["a": "blue", "b": "red"])
    }

    @Test("a unit is forgotten, and no other")
    func forgetUnits() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = store(server)
        let other = ExperimentUnit(name: "userId", id: "u-2")
        try await store.save([
            assignment("a", "red"), assignment("b", "red"), assignment("a", "blue", of: other, later: 10),
        ])
        #expect(try await store.forget(user) == 2)
        #expect(try await store.forget(user) == 0)
        #expect(try await variants(store, other) == ["a": "blue"])
    }

    @Test("with a lifetime, the server removes a unit after it")
    func lifetime() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        try await store(server) { $0.lifetime = .seconds(3600) }.save([assignment("a", "red")])
        let left = try server.ask("TTL", "trackerconfig:unit:6:userId:u-1")?.integer ?? 0
        #expect(3500...3600 ~= left)
    }

    @Test("user, password and database are used, and a wrong password is an error of the server")
    func login() async throws {
        let server = try await RedisServer(["--requirepass", "secret"])
        defer { server.kill() }
        let store = store(server) { ($0.username, $0.password, $0.database) = ("default", "secret", 3) }
        try await store.save([assignment("a", "red")])
        #expect(try server.ask("DBSIZE") == .integer(0))
        #expect(try await variants(store) == ["a": "red"])
        for password in [nil, "wrong"] {
            let intruder = self.store(server) { $0.password = password }
            await #expect { try await intruder.assignments(of: user) } throws: { ($0 as? RedisError)?.code == .refused }
        }
    }

    @Test("what is stored by others is an error, and a closed store says so")
    func unexpected() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = store(server)
        _ = try server.ask("HSET", "trackerconfig:unit:6:userId:u-1", "a", "nonsense")
        await #expect { try await store.assignments(of: user) } throws: { ($0 as? RedisError)?.code == .unexpected }
        _ = try server.ask("SET", "trackerconfig:unit:6:userId:u-1", "text")
        await #expect { try await store.save([assignment("a", "red")]) } throws: {
            ($0 as? RedisError)?.code == .refused
        }
        store.close()
        await #expect { try await store.assignments(of: user) } throws: { ($0 as? RedisError)?.code == .closed }
    }

    @Test("1,000 loads at once are answered, each with its own unit's assignments")
    func manyLoads() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = store(server)
        let units = (0..<1000).map { ExperimentUnit(name: "userId", id: "u-\($0)") }
        try await store.save(units.map { assignment("a", "v-\($0.id)", of: $0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for unit in units {
                group.addTask {
                    let found = try await variants(store, unit)
                    #expect(found == ["a": "v-\(unit.id)"])
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a setup gives a unit the variant that another process stored")
    func setup() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let experiments = """
            "experiments": [{"id": "e", "sticky": true, "variants": [{"name": "a", "weight": 50}, {"name": "b", "weight": 50}]}]
            """
        for variant in ["a", "b"] {
            let unit = ExperimentUnit(name: "userId", id: "u-\(variant)")
            try await store(server).save([assignment("e", variant, of: unit)])
        }
        let service = try TestService(document: experiments) { [self] in
            $0.experiments.assignmentStore = store(server)
        }
        await service.setup.refresh()
        for variant in ["a", "b"] {
            let context = FeatureContext(userID: "u-\(variant)")
            #expect(
                try await eventually {
                    service.setup.experiments.variant(of: "e", default: "none", for: context).variant == variant
                })
        }
        await service.setup.shutdown(timeout: .zero)
    }
}
