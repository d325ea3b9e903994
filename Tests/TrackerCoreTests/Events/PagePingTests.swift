import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore

@Suite("PagePing", .endsWhenItHangs)
struct PagePingTests {
    @Test("The least offset of an axis is at most the greatest")
    func offsetsAreOrdered() {
        #expect(
            sentence { try PagePing(url: "u", minOffsetX: 11, maxOffsetX: 10) }
                == "PagePing: minOffsetX: expected at most maxOffsetX (10), found 11")
        #expect(
            sentence { try PagePing(url: "u", minOffsetY: -1, maxOffsetY: -2) }
                == "PagePing: minOffsetY: expected at most maxOffsetY (-2), found -1")
        #expect(
            sentence { try PagePing(url: "u", minOffsetX: 10, maxOffsetX: 10, minOffsetY: 20, maxOffsetY: 20) } == nil)
    }

    @Test("An error tells its parts")
    func errorHasParts() {
        #expect {
            try PagePing(url: "u", minOffsetX: 2, maxOffsetX: 1)
        } throws: { error in
            guard let error = error as? EventError else { return false }
            return error.code == .outOfRange && error.type == "PagePing" && error.place == "minOffsetX"
                && error.reason == "expected at most maxOffsetX (1), found 2"
        }
    }
}
