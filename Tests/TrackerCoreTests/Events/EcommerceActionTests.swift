import TestSupport
import Testing
import TrackerCore
import TrackerEcommerce

@Suite("e-commerce events", .endsWhenItHangs)
struct EcommerceActionTests {
    private let product: Ecommerce.Product
    private let cart: Ecommerce.Cart
    private let transaction: Ecommerce.Transaction

    init() throws {
        product = try Ecommerce.Product(id: "sku-1", category: "Shoes", price: 59.9, currency: "EUR")
        cart = try Ecommerce.Cart(totalValue: 59.9, currency: "EUR")
        transaction = try Ecommerce.Transaction(
            transactionID: "t-1", revenue: 59.9, currency: "EUR", paymentMethod: "card", totalQuantity: 1)
    }

    @Test("Each event has its action and its entities")
    func actionsHaveEntities() throws {
        let step = try Ecommerce.CheckoutStep(step: 1)
        let failure = try Ecommerce.TransactionError(errorCode: "E522")
        let refund = try Ecommerce.Refund(transactionID: "t-1", currency: "EUR", refundAmount: 1)
        let promotion = try Ecommerce.Promotion(id: "p-1")
        let table: [(any Event, JSONObject, [Entity])] = [
            (ProductViewEvent(product: product), ["type": "product_view"], [product.entity]),
            (try ProductListViewEvent(products: [product]), ["type": "list_view"], [product.entity]),
            (
                try ProductListViewEvent(products: [product, product], name: "search"),
                ["type": "list_view", "name": "search"], [product.entity, product.entity]
            ),
            (
                try ProductListClickEvent(product: product, name: "search"), ["type": "list_click", "name": "search"],
                [product.entity]
            ),
            (AddToCartEvent(products: [product], cart: cart), ["type": "add_to_cart"], [product.entity, cart.entity]),
            (
                RemoveFromCartEvent(products: [product], cart: cart), ["type": "remove_from_cart"],
                [product.entity, cart.entity]
            ),
            (CheckoutStepEvent(step: step), ["type": "checkout_step"], [step.entity]),
            (
                TransactionEvent(transaction: transaction, products: [product]), ["type": "transaction"],
                [transaction.entity, product.entity]
            ),
            (
                TransactionErrorEvent(transaction: transaction, error: failure), ["type": "trns_error"],
                [failure.entity, transaction.entity]
            ),
            (RefundEvent(refund: refund, products: [product]), ["type": "refund"], [refund.entity, product.entity]),
            (RefundEvent(refund: refund), ["type": "refund"], [refund.entity]),
            (PromotionViewEvent(promotion: promotion), ["type": "promo_view"], [promotion.entity]),
            (PromotionClickEvent(promotion: promotion), ["type": "promo_click"], [promotion.entity]),
        ]
        for (event, data, entities) in table {
            #expect(
                event.schema
                    == "iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2")
            #expect(event.data == data)
            #expect(event.entities == entities)
        }
    }
}
