import TestSupport
import Testing
import TrackerConfig
import TrackerCore

@Suite("The sentence of an outcome", .endsWhenItHangs)
struct ConfigurationOutcomeTests {
    @Test(
        "lists namespaces as words, five at most",
        arguments: [
            (0, "version 4 was applied; it has no trackers"), (1, "version 4 was applied to n0"),
            (2, "version 4 was applied to n0 and n1"), (3, "version 4 was applied to n0, n1 and n2"),
            (6, "version 4 was applied to n0, n1, n2, n3, n4 and n5"),
            (50, "version 4 was applied to n0, n1, n2, n3, n4 and 45 more"),
        ])
    func applied(count: Int, text: String) {
        let outcome = ConfigurationOutcome.applied(version: 4, namespaces: (0..<count).map { "n\($0)" })
        #expect("\(outcome)" == text)
    }

    @Test("names the version because of which a lower one is ignored, if it is known")
    func stale() {
        let newest = 2000
        #expect(
            "\(ConfigurationOutcome.stale(version: 62, newest: newest))"
                == "version 62 was ignored: version 2000 is newer")
        #expect(
            "\(ConfigurationOutcome.stale(version: 62, newest: nil))"
                == "version 62 was ignored: a version that is in use is newer")
    }
}
