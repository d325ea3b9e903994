import Testing
import TrackerClientEvents
import TrackerCore

struct DeepLinkReceivedTests {
    @Test(
        "Both URLs are absolute and of bounded length",
        arguments: [
            Bound.uri("url", atMost: 4096) { try DeepLinkReceived(url: $0) },
            Bound.uri("referrer", atMost: 4096) { try DeepLinkReceived(url: "app://a", referrer: $0) },
        ])
    func urlsAreBounded(_ bound: Bound) {
        bound.check("DeepLinkReceived")
    }
}
