import Testing
import TrackerCore
import TrackerEcommerce

struct EcommerceTransactionTests {
    @Test(
        "Amounts are finite",
        arguments: [
            Bound.number("total") { try EcommerceTransaction(orderID: "o", total: $0) },
            Bound.number("tax") { try EcommerceTransaction(orderID: "o", total: 1, tax: $0) },
            Bound.number("shipping") { try EcommerceTransaction(orderID: "o", total: 1, shipping: $0) },
        ])
    func amountsAreFinite(_ bound: Bound) {
        bound.check("EcommerceTransaction")
    }

    @Test(
        "An item's price is finite and its quantity has 32 bits",
        arguments: [
            Bound.number("price") { try EcommerceTransactionItem(orderID: "o", sku: "s", price: $0, quantity: 1) },
            Bound.integer("quantity", -2_147_483_647...2_147_483_647) {
                try EcommerceTransactionItem(orderID: "o", sku: "s", price: 1, quantity: $0)
            },
        ])
    func itemsAreBounded(_ bound: Bound) {
        bound.check("EcommerceTransactionItem")
    }
}
