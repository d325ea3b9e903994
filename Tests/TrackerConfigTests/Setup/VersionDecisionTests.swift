import Testing

@testable import TrackerConfig
@testable import TrackerFeatures

/// The table of versions.
@Suite("Which version is used")
struct VersionDecisionTests {
    private let versions: [DocumentVersion?] = [nil, 0, 1, 2, 3]
    private let lowest = DocumentVersion(-1)
    private let documents: [DocumentVersion] = [0, 1, 2, 3]

    @Test("a cached document is the start only where it is higher than the default")
    func start() {
        for cached in documents {
            for version in versions {
                #expect(VersionDecision.startsCached(cached, defaultVersion: version) == (cached > version ?? lowest))
            }
        }
    }

    @Test("a fetched document is adopted only where it is higher than the active one and the default; all versions")
    func judge() {
        for fetched in documents {
            for active in versions {
                for version in versions {
                    let inUse = VersionDecision.Active(version: active, digest: nil)
                    let judged = VersionDecision.judge(
                        version: fetched, digest: 1, active: inUse, defaultVersion: version)
                    let expected: VersionDecision
                    if fetched > active ?? lowest, fetched > version ?? lowest {
                        expected = .apply
                    } else {
                        expected =
                            fetched == active || fetched == version && fetched > active ?? lowest
                            ? .unchanged(isOtherContent: false) : .stale
                    }
                    // Of a version below the active one that is the default's, only that it is not adopted counts.
                    if fetched == version && fetched < active ?? lowest {
                        #expect(judged != .apply)
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
        func judge(_ version: DocumentVersion, _ digest: UInt64?) -> VersionDecision {
            VersionDecision.judge(
                version: 2, digest: 7, active: VersionDecision.Active(version: version, digest: digest),
                defaultVersion: nil)
        }
        #expect(judge(2, 7) == .unchanged(isOtherContent: false))
        #expect(judge(2, 8) == .unchanged(isOtherContent: true))
        #expect(judge(2, nil) == .unchanged(isOtherContent: false))
        #expect(judge(3, 8) == .stale)
        #expect(judge(1, 7) == .apply)
        #expect(VersionDecision.judge(version: 0, digest: 7, active: nil, defaultVersion: nil) == .apply)
    }

    @Test("an epoch counts before the number, whatever the numbers are")
    func epochs() {
        let most = DocumentVersion(.init(2_147_483_647), epoch: 0)
        func judge(_ version: DocumentVersion, over active: DocumentVersion?, floor: DocumentVersion? = nil)
            -> VersionDecision
        {
            VersionDecision.judge(
                version: version, digest: 7, active: active.map { VersionDecision.Active(version: $0, digest: 8) },
                defaultVersion: nil, floor: floor)
        }
        #expect(judge(DocumentVersion(43), over: most) == .stale)
        #expect(judge(DocumentVersion(43, epoch: 1), over: most, floor: most) == .apply)
        #expect(judge(most, over: DocumentVersion(43, epoch: 1)) == .stale)
        #expect(judge(most, over: nil, floor: DocumentVersion(43, epoch: 1)) == .stale)
        #expect(judge(DocumentVersion(43, epoch: 1), over: DocumentVersion(43)) == .apply)
        #expect(
            judge(DocumentVersion(43, epoch: 1), over: DocumentVersion(43, epoch: 1))
                == .unchanged(isOtherContent: true))
        #expect(VersionDecision.startsCached(DocumentVersion(0, epoch: 1), defaultVersion: 9))
        #expect(!VersionDecision.startsCached(DocumentVersion(9), defaultVersion: 9))
    }
}
