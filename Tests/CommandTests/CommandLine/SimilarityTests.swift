import TestSupport
import Testing
import TrackerCore

@Suite("The name that was probably meant", .endsWhenItHangs)
struct SimilarityTests {
    @Test(
        "is similar, or there is none",
        arguments: [
            ("appid", "appId"), ("app-id", "appId"), ("apId", "appId"), ("apppId", "appId"), ("papId", "appId"),
            ("userID", "userId"), ("namespcae", "namespace"), ("x", nil), ("endpoint", nil), ("", nil),
            (String(repeating: "a", count: 200), nil),
        ])
    func names(word: String, meant: String?) {
        #expect(word.closest(in: ["appId", "userId", "namespace"]) == meant)
    }

    @Test("is the most similar one")
    func most() {
        #expect("validat".closest(in: ["validation", "validate", "valid"]) == "validate")
        #expect("a".closest(in: []) == nil)
    }
}
