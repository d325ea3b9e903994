import Testing
import TrackerCore

@testable import TrackerConfig
@testable import TrackerConsole

/// What a method and a path ask of a console.
@Suite("Console: routes")
struct ConsoleRouteTests {
    @Test(
        "names what is asked for, with its names decoded and without its query",
        arguments: [
            ("GET", "/console/", ConsoleRoute.page), ("HEAD", "/console/", .page), ("GET", "/console/?x=1", .page),
            ("GET", "/console", .redirect("console/")), ("GET", "/console/overview", .view(.overview)),
            ("GET", "/console/live?after=1.2", .live), ("GET", "/console/stream", .stream),
            ("GET", "/console/health?strict", .health), ("HEAD", "/console/metrics", .metrics),
            ("GET", "/console/status", .status), ("GET", "/console/configuration", .configuration),
            ("POST", "/console/ofrep/v1/evaluate/flags", .flags(key: nil)),
            ("POST", "/console/ofrep/v1/evaluate/flags/a%2Fb.c", .flags(key: "a/b.c")),
            ("POST", "/console/ofrep/v1/evaluate/flags/a/b", .flags(key: "a/b")),
            ("GET", "/console/ofrep/v1/events", .flagEvents), ("POST", "/console/assignments", .assignments),
            ("POST", "/console/explanation", .explanation),
            ("POST", "/console/refresh", .change(.refresh)),
            ("PUT", "/console/features/a%2Fb%20c/enabled", .change(.setEnabled(feature: "a/b c"))),
            ("DELETE", "/console/features/f/enabled", .change(.resetEnabled(feature: "f"))),
            ("PUT", "/console/features/f/variables/%C3%BC", .change(.setVariable(VariableKey("f", "ü")))),
            ("DELETE", "/console/features/f/variables/v", .change(.resetVariable(VariableKey("f", "v")))),
            ("PUT", "/console/experiments/e/variant", .change(.force(experiment: "e"))),
            ("DELETE", "/console/experiments/e/variant", .change(.stopForcing(experiment: "e"))),
            ("DELETE", "/console/overrides", .change(.removeOverrides)),
        ])
    func named(method: String, path: String, route: ConsoleRoute) throws {
        #expect(try ConsoleRoute(method, path, mount: "/console") == route)
    }

    @Test(
        "has nothing elsewhere",
        arguments: [
            "/", "/consoles/", "/console/x", "/console//", "/console/overview/", "/console/../overview",
            "/console/ofrep/v1/evaluate", "/console/ofrep/v2/evaluate/flags", "/console/ofrep/v1/event",
            "/console/features/f/variables", "/console/features/%FF/enabled", "/other",
        ])
    func nothing(path: String) {
        #expect { try ConsoleRoute("GET", path, mount: "/console") } throws: { ($0 as? ConsoleError)?.status == 404 }
    }

    @Test("says where it is mounted if it has nothing at a path", arguments: ["/console", "/a/b", ""])
    func unknown(mount: String) {
        let refusal = #expect(throws: ConsoleError.self) { try ConsoleRoute("GET", "\(mount)/x", mount: mount) }
        #expect(refusal?.reason == "the console has nothing here; it is mounted at \(mount)/")
    }

    @Test(
        "changes nothing by GET, and says which methods are of use",
        arguments: [
            ("GET", "/console/refresh", "POST"), ("GET", "/console/overrides", "DELETE"),
            ("GET", "/console/features/f/enabled", "PUT, DELETE"),
            ("POST", "/console/experiments/e/variant", "PUT, DELETE"),
            ("PUT", "/console/features", "GET"), ("OPTIONS", "/console/overview", "GET"), ("get", "/console/", "GET"),
        ])
    func notAllowed(method: String, path: String, allowed: String) {
        #expect { try ConsoleRoute(method, path, mount: "/console") } throws: { error in
            (error as? ConsoleError)?.status == 405
                && (error as? ConsoleError)?.headers == [HTTPHeader(name: "Allow", value: allowed)]
        }
    }

    @Test("is mounted where it is told, at the root too", arguments: [("", "/"), ("/a/b", "/a/b/")])
    func mounted(mount: String, path: String) throws {
        #expect(try ConsoleRoute("GET", path, mount: mount) == .page)
        #expect(try ConsoleRoute("GET", "\(path)overview", mount: mount) == .view(.overview))
    }
}
