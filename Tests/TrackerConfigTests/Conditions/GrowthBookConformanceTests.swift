import Testing
import TrackerConfig

/// That GrowthBook's published cases have their results.
@Suite("GrowthBook's cases", .enabled(if: GrowthBookCases.areHere))
struct GrowthBookConformanceTests {
    @Test("conditions")
    func conditions() throws {
        let cases = try GrowthBookCases.of("evalCondition")
        #expect(cases.count == 186)
        for columns in cases {
            let attributes = try #require(columns[2].object)
            let segments = Segments(columns.count > 4 ? try #require(columns[4].object) : [:])
            let condition = Condition(try #require(columns[1].object), segments: segments)
            #expect(condition.matches(attributes) == columns[3].bool, "\(columns[0])")
        }
    }

    @Test("hashes")
    func hashes() throws {
        let cases = try GrowthBookCases.of("hash")
        #expect(cases.count == 12)
        for columns in cases {
            let (seed, value) = (try #require(columns[0].string), try #require(columns[1].string))
            let version = columns[2].int.flatMap(HashVersion.init)
            let fraction = version.map { Bucketing.fraction(of: value, seed: seed, version: $0) }
            #expect(fraction == columns[3].double, "\(columns)")
        }
    }

    @Test("ranges of variations")
    func ranges() throws {
        let cases = try GrowthBookCases.of("getBucketRange")
        #expect(cases.count == 10)
        for columns in cases {
            let arguments = try #require(columns[1].array)
            let ranges = GrowthBookBucketing.ranges(
                count: try #require(arguments[0].int), coverage: try #require(arguments[1].double),
                weights: arguments[2].array?.compactMap(\.double))
            let ends = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
            let expected = try #require(columns[2].array).flatMap { ($0.array ?? []).compactMap(\.double) }
            // The cases are rounded.
            #expect(
                ends.count == expected.count && zip(ends, expected).allSatisfy { abs($0 - $1) < 1e-8 }, "\(columns[0])")
        }
    }

    @Test("choice of a variation")
    func chosenVariations() throws {
        let cases = try GrowthBookCases.of("chooseVariation")
        #expect(cases.count == 10)
        for columns in cases {
            let ranges = try #require(columns[2].array).map { ends in
                GrowthBookBucketing.range(try #require(ends.array?[0].double), try #require(ends.array?[1].double))
            }
            let index = GrowthBookBucketing.chooseVariation(try #require(columns[1].double), ranges)
            #expect(index == columns[3].int, "\(columns[0])")
        }
    }

    @Test("namespaces")
    func namespaces() throws {
        let cases = try GrowthBookCases.of("inNamespace")
        #expect(cases.count == 12)
        for columns in cases {
            let namespace = try #require(columns[2].array)
            let isIn = GrowthBookBucketing.inNamespace(
                try #require(columns[1].string), try #require(namespace[0].string),
                try #require(namespace[1].double), try #require(namespace[2].double))
            #expect(isIn == columns[3].bool, "\(columns[0])")
        }
    }

    @Test("equal weights")
    func equalWeights() throws {
        let cases = try GrowthBookCases.of("getEqualWeights")
        #expect(cases.count == 5)
        for columns in cases {
            let weights = GrowthBookBucketing.equalWeights(try #require(columns[0].int))
            let expected = try #require(columns[1].array).compactMap(\.double)
            // The cases are rounded down to eight digits.
            #expect(weights.count == expected.count && zip(weights, expected).allSatisfy { abs($0 - $1) < 1e-8 })
        }
    }
}
