import TestSupport
import Testing
import TrackerConfig

@Suite("GrowthBook's bucketing", .endsWhenItHangs)
struct GrowthBookBucketingTests {
    @Test(
        "weights that sum to nearly 1 are used as they are",
        arguments: [
            ([0.4, 0.5999], [0..<0.4, 0.4..<0.9999]), ([0.5, 0.49], [0..<0.5, 0.5..<0.99]),
            ([1, 0.01], [0..<1, 1..<1.01]),
        ] as [([Double?], [Range<Double>])])
    func weights(weights: [Double?], ranges: [Range<Double>]) {
        #expect(Bucketing.ranges(weights: weights, coverage: 1, sum: 1) == ranges)
    }

    @Test("filters of one seed and ranges apart from each other share no unit")
    func exclusion() {
        let (first, second) = (BucketFilter.namespace("n", 0, 0.4), BucketFilter.namespace("n", 0.4, 1))
        let units = (0..<1000).map { "user-\($0)" }
        #expect(units.allSatisfy { first.contains($0) != second.contains($0) })
        #expect(350...450 ~= units.count(where: first.contains))
        #expect(first == BucketFilter(seed: "__n", hashVersion: .v1, ranges: [0..<0.4]))
    }

    @Test("a namespace that ends before it starts has no unit")
    func emptyNamespace() {
        for (from, to) in [(0.6, 0.2), (0.5, 0.5)] {
            #expect(!(0..<100).contains { BucketFilter.namespace("n", from, to).contains("user-\($0)") })
        }
    }
}
