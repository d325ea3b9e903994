import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerEcommerce

@Suite("entities", .endsWhenItHangs)
struct EntityTests {
    @Test("an entity has the schema and the data that were given, and nothing of what was not")
    func data() throws {
        let id = try #require(UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E"))
        let shop = "com.snowplowanalytics.snowplow.ecommerce"
        let table: [(Entity, String, JSONObject)] = [
            (
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR").entity, "\(shop)/product",
                ["id": "i", "category": "c", "price": 1.0, "currency": "EUR"]
            ),
            (
                try Ecommerce.Cart(totalValue: 0, currency: "EUR").entity, "\(shop)/cart",
                ["total_value": 0.0, "currency": "EUR"]
            ),
            (
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 2.5, currency: "EUR", paymentMethod: "card", totalQuantity: 3
                ).entity, "\(shop)/transaction",
                [
                    "transaction_id": "t", "revenue": 2.5, "currency": "EUR", "payment_method": "card",
                    "total_quantity": 3,
                ]
            ),
            (
                try Ecommerce.TransactionError(errorType: .soft).entity, "\(shop)/transaction_error",
                ["error_type": "soft"]
            ),
            (try Ecommerce.CheckoutStep(step: 90).entity, "\(shop)/checkout_step", ["step": 90]),
            (try Ecommerce.Promotion(id: "p").entity, "\(shop)/promotion", ["id": "p"]),
            (
                try Ecommerce.Refund(transactionID: "t", currency: "EUR", refundAmount: 9.99).entity, "\(shop)/refund",
                ["transaction_id": "t", "currency": "EUR", "refund_amount": 9.99]
            ),
            (try Ecommerce.User(id: "u", isGuest: false).entity, "\(shop)/user", ["id": "u", "is_guest": false]),
            (try Ecommerce.Page(type: "checkout").entity, "\(shop)/page", ["type": "checkout"]),
            (
                try ConsentDocument(id: "i", version: "1", name: "n", documentDescription: "d").entity,
                "com.snowplowanalytics.snowplow/consent_document",
                ["id": "i", "version": "1", "name": "n", "description": "d"]
            ),
            (
                try GDPR(basis: .publicTask, documentVersion: "1").entity, "com.snowplowanalytics.snowplow/gdpr",
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
        let cart = try Ecommerce.Cart(totalValue: sum, currency: "EUR")
        #expect(cart.totalValue == amount)
        #expect(cart.totalValue.sign == .plus)
    }
}
