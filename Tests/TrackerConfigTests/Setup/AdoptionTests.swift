import Testing

@testable import TrackerConfig

/// The table of versions.
@Suite("Which version is used")
struct AdoptionTests {
    private let versions: [Int?] = [nil, 0, 1, 2, 3]

    @Test("a cached document is the start only where it is higher than the default")
    func start() {
        for cached in 0...3 {
            for version in versions {
                #expect(Adoption.startsCached(cached, defaultVersion: version) == (cached > version ?? -1))
            }
        }
    }

    @Test("a fetched document is adopted only where it is higher than the active one and the default; all versions")
    func judge() {
        for fetched in 0...3 {
            for active in versions {
                for version in versions {
                    let inUse = Adoption.Active(version: active, digest: nil)
                    let judged = Adoption.judge(version: fetched, digest: 1, active: inUse, defaultVersion: version)
                    let expected: Adoption
                    if fetched > active ?? -1, fetched > version ?? -1 {
                        expected = .adopted
                    } else {
                        expected =
                            fetched == active || fetched == version && fetched > active ?? -1
                            ? .unchanged(isOtherContent: false) : .stale
                    }
                    // Of a version below the active one that is the default's, only that it is not adopted counts.
                    if fetched == version && fetched < active ?? -1 {
                        #expect(judged != .adopted)
                    } else {
                        #expect(
                            judged == expected,
                            "\(fetched) over \(String(describing: active)), \(String(describing: version))")
                    }
                }
            }
        }
    }

    @Test("bytes are compared with a document of the same version and with nothing else")
    func digests() {
        func judge(_ version: Int, _ digest: UInt64?) -> Adoption {
            Adoption.judge(
                version: 2, digest: 7, active: Adoption.Active(version: version, digest: digest), defaultVersion: nil)
        }
        #expect(judge(2, 7) == .unchanged(isOtherContent: false))
        #expect(judge(2, 8) == .unchanged(isOtherContent: true))
        #expect(judge(2, nil) == .unchanged(isOtherContent: false))
        #expect(judge(3, 8) == .stale)
        #expect(judge(1, 7) == .adopted)
        #expect(Adoption.judge(version: 0, digest: 7, active: nil, defaultVersion: nil) == .adopted)
    }
}
