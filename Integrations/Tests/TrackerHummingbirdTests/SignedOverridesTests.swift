import Crypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import IntegrationTesting
import Logging
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerHummingbird
import TrackerSignedOverrides
import TrackerTesting

@Suite("SignedOverrides", .timeLimit(.minutes(10)))
struct SignedOverridesTests {
    private static let key = SymmetricKey(data: Array(repeating: 7 as UInt8, count: 32))
    private static let wanted: JSONObject = [
        "enabled": ["express": true], "values": ["shipping": ["days": 9]], "variants": ["e": "b"],
    ]

    private let service: TestSetup
    private var features: Features { service.setup.features }

    init() async throws {
        service = try await Setup.test(
            document: """
                {
                  "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
                  "configurationVersion": 1, "configurationBundle": [],
                  "features": {
                    "express": { "enabled": false }, "shipping": { "variables": { "days": { "value": 3 } } }
                  },
                  "experiments": [{ "id": "e", "variants": [{ "name": "a", "weight": 1 }, { "name": "b", "weight": 0 }] }]
                }
                """)
    }

    private let log = InMemoryLogHandler()

    private func overrides(_ keys: [SymmetricKey] = [key], now: Date = Date(timeIntervalSince1970: 1_800_000_000))
        -> SignedOverrides
    {
        SignedOverrides(features, keys: keys, now: { now })
    }

    private func application(_ overrides: SignedOverrides?) -> some ApplicationProtocol {
        let router = Router(context: TrackingRequestContext.self)
        router.add(
            middleware: TrackingMiddleware { request, _ in
                request.headers[.user]
            } evaluation: { request, context, evaluation in
                evaluation.overrides = overrides?.overrides(of: request, logger: context.logger)
            })
        router.get("read") { [features = service.setup.features] _, _ in
            let variant = features.experiments.variant(of: "e", default: "-").variant
            let days = features.value("shipping", variable: "days", default: 0)
            return "\(features.isEnabled("express")) \(days) \(variant)"
        }
        return Application(router: router, logger: Logger(label: "test") { [log] _ in log })
    }

    private func read(_ overrides: SignedOverrides?, _ headers: [HTTPFields]) async throws -> [String] {
        try await application(overrides).test(.live) { client in
            var bodies: [String] = []
            for headers in headers {
                bodies.append(
                    try await client.execute(uri: "/read", method: .get, headers: headers) { String(buffer: $0.body) })
            }
            return bodies
        }
    }

    private static let later = Date(timeIntervalSince1970: 1_800_000_060)

    @Test("a tester's header or cookie overrides for that request alone")
    func tester() async throws {
        let overrides = overrides()
        let token = try overrides.token(for: Self.wanted, until: Self.later)
        let bodies = try await read(
            overrides,
            [
                [.user: "u-1"], [.user: "u-1", .overrides: token],
                [.user: "u-1", .cookie: "a=b; feature-overrides=\(token); c=d"], [.user: "u-1"],
                // A visitor without any unit can be a tester too.
                [.overrides: token],
            ])
        #expect(bodies == ["false 3 a", "true 9 b", "true 9 b", "false 3 a", "true 9 b"])
        #expect(overrides.refused == 0)
        // A service that does not ask for overrides ignores them.
        #expect(try await read(nil, [[.user: "u-1", .overrides: token]]) == ["false 3 a"])
    }

    @Test("a token that is expired, forged, malformed or too long is ignored, counted, and logged once of each kind")
    func refused() async throws {
        let overrides = overrides()
        let token = try overrides.token(for: Self.wanted, until: Self.later)
        let expired = try overrides.token(for: Self.wanted, until: Date(timeIntervalSince1970: 1_800_000_000))
        let other = try self.overrides([SymmetricKey(size: .bits256)]).token(for: Self.wanted, until: Self.later)
        let parts = token.split(separator: ".").map(String.init)
        let postponed = [parts[0], "1900000000", parts[2], parts[3]].joined(separator: ".")
        let swapped = [parts[0], parts[1], String(parts[2].dropLast()) + "A", parts[3]].joined(separator: ".")
        let bad = [
            expired, other, postponed, swapped, "v2" + token.dropFirst(2), "x", String(token.dropLast(4)),
            token + String(repeating: "A", count: SignedOverrides.maxLength),
        ]
        let bodies = try await read(overrides, bad.map { token -> HTTPFields in [.user: "u-1", .overrides: token] })
        #expect(bodies == Array(repeating: "false 3 a", count: bad.count))
        #expect(overrides.refused == bad.count)
        let lines = log.entries.map { "\($0.message)" }.filter { $0.contains("feature overrides") }
        #expect(lines.count == 3, "\(lines)")
        for reason in ["it has expired", "its signature is wrong", "it is malformed"] {
            #expect(lines.contains { $0.contains(reason) })
        }
        #expect(!lines.contains { $0.contains(parts[2]) })
    }

    @Test("a key can be replaced, and what cannot be used is not signed")
    func keys() async throws {
        let old = overrides([SymmetricKey(data: Array(repeating: 1 as UInt8, count: 32))])
        let token = try old.token(for: Self.wanted, until: Self.later)
        let both = overrides([Self.key, SymmetricKey(data: Array(repeating: 1 as UInt8, count: 32))])
        #expect(try await read(both, [[.user: "u-1", .overrides: token]]) == ["true 9 b"])
        #expect(try await read(overrides(), [[.user: "u-1", .overrides: token]]) == ["false 3 a"])
        #expect(try await read(overrides([]), [[.user: "u-1", .overrides: token]]) == ["false 3 a"])
        #expect(throws: FeatureError.self) { try old.token(for: ["flags": [:]], until: Self.later) }
    }
}

extension HTTPField.Name {
    fileprivate static let user = Self("X-User")!
    fileprivate static let overrides = Self("feature-overrides")!
}
