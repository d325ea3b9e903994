import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerEcommerce

@Suite("entities", .endsWhenItHangs)
struct EntityTests {
    @Test("the GDPR basis of a document stays unset if Snowplow would reject it, with a warning")
    func readsGDPR() throws {
        var warnings: [String] = []
        func read(_ version: String) throws -> GDPR? {
            let text = #"{"basisForProcessing":"consent","documentVersion":"\#(version)"}"#
            return try GDPR.read(try JSONReader.read(Array(text.utf8))) { warnings.append($0) }
        }
        let longest = String(repeating: "é", count: 16)
        #expect(try read(longest) == GDPR(basis: .consent, documentVersion: longest))
        #expect(warnings == [])
        #expect(try read(longest + "1") == nil)
        #expect(warnings == ["documentVersion has more than 16 characters; the setting stays unset"])
    }

    @Test("an entity has the schema and the data that were given, and nothing of what was not")
    func data() throws {
        let id = try #require(UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E"))
        let shop = "com.snowplowanalytics.snowplow.ecommerce"
        let table: [(Entity, String, JSONObject)] = [
            (
                Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR").entity, "\(shop)/product",
                ["id": "i", "category": "c", "price": 1.0, "currency": "EUR"]
            ),
            (
                Ecommerce.Cart(totalValue: 0, currency: "EUR").entity, "\(shop)/cart",
                ["total_value": 0.0, "currency": "EUR"]
            ),
            (
                Ecommerce.Transaction(
                    transactionID: "t", revenue: 2.5, currency: "EUR", paymentMethod: "card", totalQuantity: 3
                ).entity, "\(shop)/transaction",
                [
                    "transaction_id": "t", "revenue": 2.5, "currency": "EUR", "payment_method": "card",
                    "total_quantity": 3,
                ]
            ),
            (Ecommerce.TransactionError(errorType: .soft).entity, "\(shop)/transaction_error", ["error_type": "soft"]),
            (Ecommerce.CheckoutStep(step: 90).entity, "\(shop)/checkout_step", ["step": 90]),
            (Ecommerce.Promotion(id: "p").entity, "\(shop)/promotion", ["id": "p"]),
            (
                Ecommerce.Refund(transactionID: "t", currency: "EUR", refundAmount: 9.99).entity, "\(shop)/refund",
                ["transaction_id": "t", "currency": "EUR", "refund_amount": 9.99]
            ),
            (Ecommerce.User(id: "u", isGuest: false).entity, "\(shop)/user", ["id": "u", "is_guest": false]),
            (Ecommerce.Page(type: "checkout").entity, "\(shop)/page", ["type": "checkout"]),
            (
                ConsentDocument(id: "i", version: "1", name: "n", documentDescription: "d").entity,
                "com.snowplowanalytics.snowplow/consent_document",
                ["id": "i", "version": "1", "name": "n", "description": "d"]
            ),
            (
                GDPR(basis: .publicTask, documentVersion: "1").entity, "com.snowplowanalytics.snowplow/gdpr",
                ["basisForProcessing": "public_task", "documentVersion": "1"]
            ),
            (
                WebPage(id: id).entity, "com.snowplowanalytics.snowplow/web_page",
                ["id": "0f8fad5b-d9cb-469f-a165-70867728950e"]
            ),
        ]
        for (entity, name, data) in table {
            #expect(entity.schema == "iglu:\(name)/jsonschema/1-0-0")
            #expect(entity.data == data)
        }
    }

    @Test("bases and actions have the names of their schemas")
    func names() {
        #expect(
            Set(GDPR.Basis.allCases.map(\.rawValue)) == [
                "consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests",
            ])
        #expect(
            Set(ConsentPreferences.Action.allCases.map(\.rawValue)) == [
                "deny_all", "allow_all", "allow_selected", "pending", "implicit_consent", "withdrawn", "expired",
            ])
    }

    private static let sums: [(sum: Double, amount: Double)] = [
        (0.1 + 0.2, 0.3), (0.3 - 0.1 - 0.2, 0), (1.1 * 3, 3.3), (0.07 * 100, 7), (-0.0, 0),
        ([Double](repeating: 9999.99, count: 1000).reduce(0, +), 9_999_990),
    ]

    @Test("an amount that a sum has moved from its hundredth is that hundredth", arguments: sums)
    func sumsAreRounded(sum: Double, amount: Double) throws {
        let value = try #require(Ecommerce.Cart(totalValue: sum, currency: "EUR").entity.data["total_value"]?.double)
        #expect(value == amount)
        #expect(value.sign == .plus)
    }
}
