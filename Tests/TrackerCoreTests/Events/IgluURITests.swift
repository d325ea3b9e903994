import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("URIs of schemas in Iglu")
struct IgluURITests {
    // What Snowplow's Enrich reads, written another way.
    private static func isRight(_ text: String) -> Bool {
        let name = #/[A-Za-z0-9_\-]+/#
        let vendor = #/[A-Za-z0-9_.\-]+/#
        let version = #/[1-9][0-9]*-(0|[1-9][0-9]*)-(0|[1-9][0-9]*)/#
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].unicodeScalars.starts(with: "iglu:".unicodeScalars),
            text.utf8.allSatisfy({ $0 < 0x80 })
        else { return false }
        return parts[0].dropFirst(5).wholeMatch(of: vendor) != nil && parts[1].wholeMatch(of: name) != nil
            && parts[2].wholeMatch(of: name) != nil && parts[3].wholeMatch(of: version) != nil
    }

    @Test("bytes of some URIs are changed, left out, or added: what is found right is right, and the other way round")
    func mutations() {
        var counts = [true: 0, false: 0]
        for text in ["iglu:com.acme-shop_2/order_line-item_long/jsonschema/10-20-305", "iglu:a/b/c/1-0-0"] {
            #expect(text.isIgluURI)
            let bytes = Array(text.utf8)
            for place in bytes.indices {
                for byte in UInt8(0)..<0x80 {
                    var (changed, longer, shorter) = (bytes, bytes, bytes)
                    changed[place] = byte
                    longer.insert(byte, at: place)
                    shorter.remove(at: place)
                    shorter[(place * 7) % shorter.count] = byte
                    for candidate in [changed, longer, shorter].map({ String(decoding: $0, as: UTF8.self) }) {
                        let isRight = Self.isRight(candidate)
                        counts[isRight, default: 0] += 1
                        if candidate.isIgluURI != isRight { Issue.record("\(candidate.debugDescription): \(isRight)") }
                    }
                }
            }
        }
        #expect(counts.values.allSatisfy { $0 > 1_000 })
    }

    @Test(
        "other texts are none",
        arguments: ["", "iglu:", "iglu:a/b/c/1-0-\u{e9}", "Iglu:a/b/c/1-0-0", "iglu:a/b/c/1-0-0\n"])
    func others(text: String) {
        #expect(!text.isIgluURI)
    }
}
