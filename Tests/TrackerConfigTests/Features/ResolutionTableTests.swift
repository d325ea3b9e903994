import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerFeatures

/// One table of features, resolved by precedence.
@Suite("Resolution of layers")
struct ResolutionTableTests {
    @Test("whatever layers there are, the table has each key's values in order of precedence", arguments: 0..<200)
    func order(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let ranks: [LayerRank] = [.default, .remote, .provider(1), .provider(0), .overrides]
        var expected: [String: [Int]] = [:]
        var table = ResolutionTable<String, Int>()
        for (place, rank) in ranks.enumerated() {
            var layer = ResolutionTable<String, Int>()
            // Some layers are empty, and larger ones come above and below smaller ones.
            let size = Int.random(in: 0...3, using: &random) * 10
            for key in Set((0..<size).map { _ in "key-\(Int.random(in: 0..<20, using: &random))" }) {
                layer.set(place, for: key, rank: rank)
                expected[key, default: []].insert(place, at: 0)
            }
            table.add(layer)
        }
        for key in (0..<20).map({ "key-\($0)" }) {
            let entries = table.entries(for: key)
            #expect(entries.map(\.value) == expected[key] ?? [])
            #expect(entries.map(\.rank) == entries.map { ranks[$0.value] })
            #expect(table[key]?.value == expected[key]?.first)
        }
    }

    @Test("ranks are in the order of the documentation")
    func ranks() {
        let ranks: [LayerRank] = [
            .overrides, .provider(0), .provider(1), .provider(100), .remote, .default,
        ]
        #expect(ranks.sorted(by: >) == ranks)
    }

    @Test("layers count by their rank, in whatever order they are given")
    func anyOrder() {
        func layer(_ rank: LayerRank, _ source: FeatureSource, _ value: JSONValue) -> FeatureLayers.Layer {
            let variables = [VariableDefinition(name: "x", value: value)]
            let table = FeatureTable([FeatureDefinition(name: "f", isEnabled: true, variables: variables)], rank: rank)
            return FeatureLayers.Layer(rank: rank, source: source, table: table, decrypt: nil)
        }
        let layers = [
            layer(.remote, .remote(version: 1), 1), layer(.overrides, .override, 2), layer(.default, .default, 3),
        ]
        for shift in 0..<3 {
            let resolved = FeatureLayers(Array(layers[shift...] + layers[..<shift]))
            #expect(resolved.candidates(VariableKey("f", "x")).map(\.content.value) == [2, 1, 3])
            #expect(resolved.enabledCandidates(of: "f").map(\.source) == [.override, .remote(version: 1), .default])
        }
    }
}
