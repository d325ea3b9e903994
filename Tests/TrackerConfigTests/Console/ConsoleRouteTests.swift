import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore

/// What a method and a path ask of a console.
@Suite("Console: routes", .endsWhenItHangs)
struct ConsoleRouteTests {
    private let shop = FeatureService()

    @Test("names in a path are decoded, and what is no path of the console says where it is mounted")
    func paths() async throws {
        shop.publish(1, #"{"a/b c":{"enabled":true,"variables":{"ü":{"value":1}}}}"#)
        let (setup, browser) = try await shop.browse()
        let path = "features/a%2Fb%20c/variables/%C3%BC?x=1"
        #expect(await browser.send("PUT", path, #"{"value":2,"by":"dana"}"#).status == 200)
        #expect(setup.features.value("a/b c", variable: "ü", default: 0) == 2)
        for path in [
            "x", "/", "overview", "status/", "../status", "ofrep/v1/evaluate", "ofrep/v2/evaluate/flags",
            "features/f/variables", "features/%FF/enabled", "%FF", "%",
        ] {
            #expect(await browser.send("GET", path).status == 404, "\(path)")
        }
        #expect(await browser.send("GET", "x").error == "the console has nothing here; it is mounted at /console/")
        await setup.shutdown(timeout: .zero)
    }

    @Test("nothing is changed by GET, and the answer says which methods are of use")
    func notAllowed() async throws {
        let setup = try await shop.start()
        for (method, path, allowed) in [
            ("GET", "refresh", "POST"), ("GET", "overrides", "DELETE"), ("GET", "features/f/enabled", "PUT, DELETE"),
            ("POST", "experiments/e/variant", "PUT, DELETE"), ("PUT", "features", "GET"),
            ("OPTIONS", "status", "GET"), ("get", "", "GET"),
        ] {
            let answer = await ConsoleBrowser(setup).send(method, path)
            #expect((answer.status, answer.header("Allow")) == (405, allowed), "\(method) \(path)")
            #expect(answer.error == "method not allowed; use \(allowed)")
        }
        await setup.shutdown(timeout: .zero)
    }
}
