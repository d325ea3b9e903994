import Testing
import TrackerCore
import TrackerEcommerce

struct EcommerceTests {
    @Test("Required fields alone give the least data")
    func leastData() throws {
        let table: [(Entity, String, JSONObject)] = [
            (
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR").entity, "product",
                ["id": "i", "category": "c", "price": 1.0, "currency": "EUR"]
            ),
            (
                try Ecommerce.Cart(totalValue: 0, currency: "EUR").entity, "cart",
                ["total_value": 0.0, "currency": "EUR"]
            ),
            (
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 2.5, currency: "EUR", paymentMethod: "card", totalQuantity: 3
                ).entity, "transaction",
                [
                    "transaction_id": "t", "revenue": 2.5, "currency": "EUR", "payment_method": "card",
                    "total_quantity": 3,
                ]
            ),
            (try Ecommerce.TransactionError(errorType: .soft).entity, "transaction_error", ["error_type": "soft"]),
            (try Ecommerce.CheckoutStep(step: 90).entity, "checkout_step", ["step": 90]),
            (try Ecommerce.Promotion(id: "p").entity, "promotion", ["id": "p"]),
            (
                try Ecommerce.Refund(transactionID: "t", currency: "EUR", refundAmount: 9.99).entity, "refund",
                ["transaction_id": "t", "currency": "EUR", "refund_amount": 9.99]
            ),
            (try Ecommerce.User(id: "u", isGuest: false).entity, "user", ["id": "u", "is_guest": false]),
            (try Ecommerce.Page(type: "checkout").entity, "page", ["type": "checkout"]),
        ]
        for (entity, name, data) in table {
            #expect(entity.schema == "iglu:com.snowplowanalytics.snowplow.ecommerce/\(name)/jsonschema/1-0-0")
            #expect(entity.data == data)
        }
    }

    private static let sums: [(sum: Double, amount: Double)] = [
        (0.1 + 0.2, 0.3), (0.3 - 0.1 - 0.2, 0), (1.1 * 3, 3.3), (0.07 * 100, 7), (-0.0, 0),
        ([Double](repeating: 9999.99, count: 1000).reduce(0, +), 9_999_990),
    ]

    @Test("An amount that a sum has moved from its hundredth is that hundredth", arguments: sums)
    func sumsAreRounded(sum: Double, amount: Double) throws {
        let cart = try Ecommerce.Cart(totalValue: sum, currency: "EUR")
        #expect(cart.totalValue == amount)
        #expect(cart.totalValue.sign == .plus)
    }
}
