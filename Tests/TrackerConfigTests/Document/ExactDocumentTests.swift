import DocumentTools
import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// What a document says is read as it is written: numbers that do not fit and texts that only look equal.
@Suite("Documents are read exactly", .endsWhenItHangs)
struct ExactDocumentTests {
    private static let large = "18446744073709551615"
    private static let endless = String(repeating: "9", count: 400)
    private let service = FeatureService()

    private static func document(_ more: String) -> [UInt8] {
        Array(DocumentText.document(1, DocumentText.bundle(), more: more).utf8)
    }

    @Test(
        "an integer beyond the range of a Double rejects the document with its place",
        arguments: [
            (#","meta":{"a":[{"id":\#(endless)}]}"#, "meta.a[0].id"),
            (#","features":{"f":{"variables":{"v":{"value":[-\#(endless)]}}}}"#, "features.f.variables.v.value[0]"),
            (
                #","experiments":[{"id":"x","variants":[{"name":"a","values":{"f":{"v":\#(endless)}}}]}]"#,
                "experiments[0].variants[0].values.f.v"
            ),
        ])
    func rejected(more: String, place: String) {
        let error = #expect(throws: ConfigurationError.self) { try Document(Self.document(more)) }
        #expect(error?.place == place)
        #expect(error?.position?.line == 1)
        #expect(error?.reason == "the number is too large for JSON readers; write it as a string")
    }

    @Test("an integer beyond 64 bits is read as the nearest Double, and as no Int")
    func large() async throws {
        let number = JSONValue.double(0x1p64)
        service.publish(
            1,
            """
            {"f":{"variables":{"v":{"value":\(Self.large)},"list":{"value":[1,-\(Self.large)]},
            "text":{"value":"\(Self.large)"}}}}
            """,
            experiments: #"[{"id":"x","variants":[{"name":"a","values":{"f":{"w":\#(Self.large)}}}]}]"#)
        let setup = try await service.start()
        let features = setup.features
        #expect(features.value("f", variable: "v", default: Double.nan) == 0x1p64)
        #expect(features.value("f", variable: "list", default: [Double]()) == [1, -0x1p64])
        #expect(features.value("f", variable: "v", default: JSONValue.null) == number)
        let context = FeatureContext(userID: "u-1")
        #expect(features.value("f", variable: "w", default: JSONValue.null, for: context) == number)
        #expect(features.value("f", variable: "v", default: -1) == -1)
        #expect(features.value("f", variable: "v", default: "-") == "-")
        #expect(features.value("f", variable: "text", default: Double(-1)) == 0x1p64)
        #expect(features.value("f", variable: "text", default: "") == Self.large)
        let error = #expect(throws: FeatureError.self) { try features.require("f", variable: "v", as: Int.self) }
        #expect(error?.description == "f.v: expected an integer, found a number beyond 64 bits")
        await setup.shutdown(timeout: .zero)
    }

    @Test("features, variables, experiments and units that differ in normalization alone are two of each")
    func names() async throws {
        let (nfc, nfd) = ("\u{E9}", "e\u{301}")
        let features = """
            {"\(nfc)":{"enabled":true,"variables":{"\(nfc)":{"value":1},"\(nfd)":{"value":2}}},
            "\(nfd)":{"enabled":false,"variables":{"\(nfc)":{"value":3}}}}
            """
        func experiment(_ id: String, _ variable: String, _ value: Int) -> String {
            """
            {"id":"\(id)","variants":[{"name":"\(nfc)","weight":0},{"name":"\(nfd)","weight":1,\
            "values":{"\(nfc)":{"x\(variable)":\(value)},"\(nfd)":{"y":\(value)}}}]}
            """
        }
        let experiments = "[\(experiment(nfc, nfc, 10)),\(experiment(nfd, nfd, 20))]"
        service.publish(1, features, experiments: experiments)
        let setup = try await service.start()
        let read = setup.features
        #expect(read.isEnabled(nfc) && !read.isEnabled(nfd, default: true))
        #expect(read.value(nfc, variable: nfc, default: 0) == 1)
        #expect(read.value(nfc, variable: nfd, default: 0) == 2)
        #expect(read.value(nfd, variable: nfc, default: 0) == 3)
        #expect(read.value(nfd, variable: nfd, default: 0) == 0)
        let context = FeatureContext(userID: "u-1")
        #expect(read.value(nfc, variable: "x\(nfc)", default: 0, for: context) == 10)
        #expect(read.value(nfc, variable: "x\(nfd)", default: 0, for: context) == 20)
        let variant = setup.experiments.variant(of: nfd, default: "", for: context).variant
        #expect(Array(variant.utf8) == Array(nfd.utf8))
        try read.overrides.set(7, for: nfd, variable: nfd)
        try read.overrides.setEnabled(false, for: nfc)
        #expect(read.value(nfc, variable: nfd, default: 0) == 2)
        #expect(read.value(nfd, variable: nfd, default: 0) == 7)
        #expect(!read.isEnabled(nfc))
        try read.overrides.force(nfc, of: nfd)
        #expect(setup.experiments.variant(of: nfc, default: "", for: context).reason == .assigned)
        #expect(setup.experiments.variant(of: nfd, default: "", for: context).reason == .forced)
        await setup.shutdown(timeout: .zero)
        let (one, two) = (ExperimentUnit(name: "u", id: nfc), ExperimentUnit(name: "u", id: nfd))
        #expect(one != two && Set([one, two, one]).count == 2)
    }

    @Test("namespaces that differ in normalization alone are two trackers, each with its own collector and events")
    func namespaces() async throws {
        let (nfc, nfd) = ("\u{E9}", "e\u{301}")
        let service = self.service.service
        service.serve(
            DocumentText.document(
                1, DocumentText.bundle(nfc, at: "one.example"), DocumentText.bundle(nfd, at: "two.example")))
        let setup = try service.start()
        #expect(await service.settled().short.hasPrefix("applied 1"))
        #expect(setup.namespaces.count == 2)
        let (one, two) = (try #require(setup.tracker(nfc)), try #require(setup.tracker(nfd)))
        #expect(one !== two)
        #expect(one.network.endpoint == "one.example")
        #expect(two.network.endpoint == "two.example")
        await one.deliver("one")
        await two.deliver("two")
        await setup.shutdown(timeout: .zero)
        let sent = service.transport.requests.flatMap { request in
            request.events.map { "\(request.url.prefix(11)) \($0["se_ac"] ?? "")" }
        }
        #expect(Set(sent) == ["https://one one", "https://two two"])
        service.serve(DocumentText.document(2, DocumentText.bundle(nfd, at: "two.example"), DocumentText.bare(nfc)))
        let next = try service.start()
        await service.settled()
        #expect(next.namespaces.map { Array($0.utf8) } == [Array(nfd.utf8)])
        #expect(next.tracker(nfc) == nil)
        await next.shutdown(timeout: .zero)
        let difference = ConfigurationDifference(
            from: try Document(Array(DocumentText.document(1, DocumentText.bundle(nfc)).utf8)),
            to: try Document(Array(DocumentText.document(2, DocumentText.bundle(nfd)).utf8)))
        #expect(difference.lines.compactMap(\.mark) == ["+", "="])
    }
}
