import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TrackerConfig
import TrackerTesting

@testable import orders

/// The service over a setup in memory: its events come to the test, and the test publishes its documents.
@Suite("orders")
struct OrdersTests {
    private static let document = String(decoding: PackageResources.default_json, as: UTF8.self)
    private static let pro: HTTPFields = [.init("X-User-Id")!: "u-1", .init("X-Plan")!: "pro"]

    @Test("an order is tracked for its customer, with what the rule for the plan gives")
    func order() async throws {
        let test = try await Setup.test(document: Self.document)
        try await Application(router: OrdersService.router(test.setup)).test(.router) { client in
            let response = try await client.execute(
                uri: "/orders", method: .post, headers: Self.pro,
                body: ByteBuffer(string: #"{"item": "book", "total": 12.5}"#))
            #expect(response.status == .created)
        }
        await test.setup.shutdown()
        let events = test.collector.events(of: "orders")
        let placed = try #require(events.first { $0.name == "order_placed" })
        #expect(placed.userID == "u-1")
        #expect(placed.properties == ["item": "book", "total": 12.5, "shipping": 4.9, "express": true])
        #expect(events.allSatisfy { $0.userID == "u-1" })
    }

    @Test("a new document changes the price at once")
    func price() async throws {
        let test = try await Setup.test(document: Self.document)
        try await Application(router: OrdersService.router(test.setup)).test(.router) { client in
            func price() async throws -> JSONValue? {
                let response = try await client.execute(uri: "/shipping", method: .get)
                return try JSONDecoder().decode(JSONValue.self, from: Data(buffer: response.body))["price"]
            }
            let before = try await price()
            #expect(before == 4.9)
            let next = Self.document.replacing(#""configurationVersion": 1"#, with: #""configurationVersion": 2"#)
            try await test.publish(next.replacing("4.9", with: "2.5"))
            let after = try await price()
            #expect(after == 2.5)
        }
        await test.setup.shutdown()
    }

    @Test("an export tracks for the customer while it is written")
    func export() async throws {
        let test = try await Setup.test(document: Self.document)
        try await Application(router: OrdersService.router(test.setup)).test(.router) { client in
            for item in ["book", "lamp"] {
                _ = try await client.execute(
                    uri: "/orders", method: .post, headers: Self.pro,
                    body: ByteBuffer(string: #"{"item": "\#(item)", "total": 80}"#))
            }
            let response = try await client.execute(uri: "/orders", method: .get, headers: Self.pro)
            #expect(String(buffer: response.body).split(separator: "\n").count == 2)
            let other = try await client.execute(uri: "/orders", method: .get)
            #expect(String(buffer: other.body).isEmpty)
        }
        await test.setup.shutdown()
        let exports = test.collector.events(of: "orders").filter { $0.parameters["se_ac"] == "export" }
        #expect(exports.map(\.userID) == ["u-1", nil])
    }

    @Test("the console is behind the login of the staff")
    func console() async throws {
        let test = try await Setup.test(document: Self.document)
        let router = OrdersService.router(test.setup, staff: ["dana": "secret"])
        try await Application(router: router).test(.router) { client in
            func status(_ login: String?) async throws -> HTTPResponse.Status {
                var headers: HTTPFields = [.init("Host")!: "orders.example.com"]
                headers[.authorization] = login.map { "Basic " + Data($0.utf8).base64EncodedString() }
                return try await client.execute(uri: "/console/status", method: .get, headers: headers).status
            }
            for login in [nil, "dana:wrong", "eve:secret"] {
                let found = try await status(login)
                #expect(found == .unauthorized, "\(login ?? "none")")
            }
            let found = try await status("dana:secret")
            #expect(found == .ok)
        }
        await test.setup.shutdown()
    }
}
