import Testing
import TrackerCore
import TrackerEcommerce

/// The bounds of the schemas of `com.snowplowanalytics.snowplow.ecommerce`.
struct EcommerceBoundTests {
    @Test(
        arguments: [
            Bound.text("id", atMost: 4096) { try Ecommerce.Product(id: $0, category: "c", price: 1, currency: "EUR") },
            Bound.text("category", atMost: 4096) {
                try Ecommerce.Product(id: "i", category: $0, price: 1, currency: "EUR")
            },
            Bound.money("price") { try Ecommerce.Product(id: "i", category: "c", price: $0, currency: "EUR") },
            Bound.text("currency", 3...3) { try Ecommerce.Product(id: "i", category: "c", price: 1, currency: $0) },
            Bound.text("name", atMost: 4096) {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", name: $0)
            },
            Bound.money("listPrice") {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", listPrice: $0)
            },
            Bound.integer("quantity", 0...9_999_999) {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", quantity: $0)
            },
            Bound.text("size", atMost: 256) {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", size: $0)
            },
            Bound.text("variant", atMost: 256) {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", variant: $0)
            },
            Bound.text("brand", atMost: 256) {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", brand: $0)
            },
            Bound.text("inventoryStatus", atMost: 256) {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", inventoryStatus: $0)
            },
            Bound.integer("position", 0...9_999_999) {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", position: $0)
            },
            Bound.text("creativeID", atMost: 256) {
                try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", creativeID: $0)
            },
        ])
    func productIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.Product")
    }

    @Test(
        arguments: [
            Bound.money("totalValue") { try Ecommerce.Cart(totalValue: $0, currency: "EUR") },
            Bound.text("currency", 3...3) { try Ecommerce.Cart(totalValue: 1, currency: $0) },
            Bound.text("cartID", atMost: 4096) { try Ecommerce.Cart(totalValue: 1, currency: "EUR", cartID: $0) },
        ])
    func cartIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.Cart")
    }

    @Test(
        arguments: [
            Bound.text("transactionID", atMost: 4096) {
                try Ecommerce.Transaction(
                    transactionID: $0, revenue: 1, currency: "EUR", paymentMethod: "card", totalQuantity: 1)
            },
            Bound.money("revenue") {
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: $0, currency: "EUR", paymentMethod: "card", totalQuantity: 1)
            },
            Bound.text("currency", 3...3) {
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 1, currency: $0, paymentMethod: "card", totalQuantity: 1)
            },
            Bound.text("paymentMethod", atMost: 128) {
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 1, currency: "EUR", paymentMethod: $0, totalQuantity: 1)
            },
            Bound.integer("totalQuantity", 0...9_999_999) {
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 1, currency: "EUR", paymentMethod: "card", totalQuantity: $0)
            },
            Bound.money("tax") {
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 1, currency: "EUR", paymentMethod: "card", totalQuantity: 1, tax: $0)
            },
            Bound.money("shipping") {
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 1, currency: "EUR", paymentMethod: "card", totalQuantity: 1,
                    shipping: $0)
            },
            Bound.text("discountCode", atMost: 99) {
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 1, currency: "EUR", paymentMethod: "card", totalQuantity: 1,
                    discountCode: $0)
            },
            Bound.money("discountAmount") {
                try Ecommerce.Transaction(
                    transactionID: "t", revenue: 1, currency: "EUR", paymentMethod: "card", totalQuantity: 1,
                    discountAmount: $0)
            },
        ])
    func transactionIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.Transaction")
    }

    @Test(
        arguments: [
            Bound.text("errorCode", atMost: 256) { try Ecommerce.TransactionError(errorCode: $0) },
            Bound.text("errorShortcode", atMost: 4096) { try Ecommerce.TransactionError(errorShortcode: $0) },
            Bound.text("errorDescription", atMost: 4096) { try Ecommerce.TransactionError(errorDescription: $0) },
            Bound.text("resolution", atMost: 4096) { try Ecommerce.TransactionError(resolution: $0) },
        ])
    func transactionErrorIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.TransactionError")
    }

    @Test(
        arguments: [
            Bound.integer("step", 1...90) { try Ecommerce.CheckoutStep(step: $0) },
            Bound.text("shippingPostcode", atMost: 128) { try Ecommerce.CheckoutStep(step: 1, shippingPostcode: $0) },
            Bound.text("billingPostcode", atMost: 128) { try Ecommerce.CheckoutStep(step: 1, billingPostcode: $0) },
            Bound.text("shippingFullAddress", atMost: 4096) {
                try Ecommerce.CheckoutStep(step: 1, shippingFullAddress: $0)
            },
            Bound.text("billingFullAddress", atMost: 4096) {
                try Ecommerce.CheckoutStep(step: 1, billingFullAddress: $0)
            },
            Bound.text("deliveryProvider", atMost: 128) { try Ecommerce.CheckoutStep(step: 1, deliveryProvider: $0) },
            Bound.text("deliveryMethod", atMost: 128) { try Ecommerce.CheckoutStep(step: 1, deliveryMethod: $0) },
            Bound.text("couponCode", atMost: 128) { try Ecommerce.CheckoutStep(step: 1, couponCode: $0) },
            Bound.text("accountType", atMost: 128) { try Ecommerce.CheckoutStep(step: 1, accountType: $0) },
            Bound.text("paymentMethod", atMost: 128) { try Ecommerce.CheckoutStep(step: 1, paymentMethod: $0) },
            Bound.text("proofOfPayment", atMost: 128) { try Ecommerce.CheckoutStep(step: 1, proofOfPayment: $0) },
        ])
    func checkoutStepIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.CheckoutStep")
    }

    @Test(
        arguments: [
            Bound.text("id", atMost: 4096) { try Ecommerce.Promotion(id: $0) },
            Bound.text("name", atMost: 256) { try Ecommerce.Promotion(id: "p", name: $0) },
            Bound.text("productIDs[1]", atMost: 4096) { try Ecommerce.Promotion(id: "p", productIDs: ["a", $0]) },
            Bound.integer("position", 0...9_999_999) { try Ecommerce.Promotion(id: "p", position: $0) },
            Bound.text("creativeID", atMost: 4096) { try Ecommerce.Promotion(id: "p", creativeID: $0) },
            Bound.text("type", atMost: 256) { try Ecommerce.Promotion(id: "p", type: $0) },
            Bound.text("slot", atMost: 256) { try Ecommerce.Promotion(id: "p", slot: $0) },
        ])
    func promotionIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.Promotion")
    }

    @Test(
        arguments: [
            Bound.text("transactionID", atMost: 4096) {
                try Ecommerce.Refund(transactionID: $0, currency: "EUR", refundAmount: 1)
            },
            Bound.text("currency", 3...3) { try Ecommerce.Refund(transactionID: "t", currency: $0, refundAmount: 1) },
            Bound.money("refundAmount") { try Ecommerce.Refund(transactionID: "t", currency: "EUR", refundAmount: $0) },
            Bound.text("refundReason", atMost: 4096) {
                try Ecommerce.Refund(transactionID: "t", currency: "EUR", refundAmount: 1, refundReason: $0)
            },
        ])
    func refundIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.Refund")
    }

    @Test(
        arguments: [
            Bound.text("id", atMost: 128) { try Ecommerce.User(id: $0) },
            Bound.text("email", atMost: 256) { try Ecommerce.User(id: "u", email: $0) },
        ])
    func userIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.User")
    }

    @Test(
        arguments: [
            Bound.text("type", atMost: 128) { try Ecommerce.Page(type: $0) },
            Bound.text("language", atMost: 128) { try Ecommerce.Page(type: "home", language: $0) },
            Bound.text("locale", atMost: 128) { try Ecommerce.Page(type: "home", locale: $0) },
        ])
    func pageIsBounded(_ bound: Bound) {
        bound.check("Ecommerce.Page")
    }
}
