import TestSupport
import Testing
import TrackerCore
import TrackerEcommerce

@Suite("e-commerce events", .endsWhenItHangs)
struct EcommerceEventTests {
    private let product = Ecommerce.Product(id: "sku-1", category: "Shoes", price: 59.9, currency: "EUR")
    private let cart = Ecommerce.Cart(totalValue: 59.9, currency: "EUR")
    private let transaction = Ecommerce.Transaction(
        transactionID: "t-1", revenue: 59.9, currency: "EUR", paymentMethod: "card", totalQuantity: 1)

    @Test("Each event has its action and its entities")
    func actionsHaveEntities() {
        let step = Ecommerce.CheckoutStep(step: 1)
        let failure = Ecommerce.TransactionError(errorCode: "E522")
        let refund = Ecommerce.Refund(transactionID: "t-1", currency: "EUR", refundAmount: 1)
        let promotion = Ecommerce.Promotion(id: "p-1")
        let table: [(EcommerceEvent, JSONObject, [Entity])] = [
            (.productView(product), ["type": "product_view"], [product.entity]),
            (.productListView([product]), ["type": "list_view"], [product.entity]),
            (
                .productListView([product, product], name: "search"),
                ["type": "list_view", "name": "search"], [product.entity, product.entity]
            ),
            (.productListClick(product, name: "search"), ["type": "list_click", "name": "search"], [product.entity]),
            (.addToCart([product], cart: cart), ["type": "add_to_cart"], [product.entity, cart.entity]),
            (.removeFromCart([product], cart: cart), ["type": "remove_from_cart"], [product.entity, cart.entity]),
            (.checkoutStep(step), ["type": "checkout_step"], [step.entity]),
            (
                .transaction(transaction, products: [product]), ["type": "transaction"],
                [transaction.entity, product.entity]
            ),
            (
                .transactionError(failure, transaction: transaction), ["type": "trns_error"],
                [failure.entity, transaction.entity]
            ),
            (.refund(refund, products: [product]), ["type": "refund"], [refund.entity, product.entity]),
            (.refund(refund), ["type": "refund"], [refund.entity]),
            (.promotionView(promotion), ["type": "promo_view"], [promotion.entity]),
            (.promotionClick(promotion), ["type": "promo_click"], [promotion.entity]),
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
