import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerEcommerce

/// The bounds of the schemas. Of parameters of a type that are bounded alike there is one.
@Suite("the bounds of events and entities", .endsWhenItHangs)
struct EventBoundTests {
    private typealias Notification = MessageNotification

    @Test(
        "a value at a bound is taken, and one beyond is refused with a sentence",
        arguments: application + consent + shop)
    func values(bound: Bound) {
        bound.check()
    }

    private static let largest = 2_147_483_647

    private static let application: [Bound] = [
        .text("ApplicationError: message", atMost: 2048) { try ApplicationError(message: $0) },
        .text("ApplicationError: exceptionName", atMost: 1024) {
            try ApplicationError(message: "m", exceptionName: $0)
        },
        .text("ApplicationError: stackTrace", atMost: 8192) { try ApplicationError(message: "m", stackTrace: $0) },
        .integer("ApplicationError: lineNumber", 0...largest) { try ApplicationError(message: "m", lineNumber: $0) },
        .text("MessageNotification: title", atMost: 1024) { try Notification(title: $0, body: "b", trigger: .push) },
        .text("MessageNotification: body", atMost: 4096) { try Notification(title: "t", body: $0, trigger: .push) },
        .text("MessageNotification: bodyLocArgs[1]", atMost: 1024) {
            try Notification(title: "t", body: "b", trigger: .push, bodyLocArgs: ["", $0])
        },
        .integer("MessageNotification: notificationCount", 0...10_000) {
            try Notification(title: "t", body: "b", trigger: .push, notificationCount: $0)
        },
        .text("MessageNotification.Attachment: identifier", atMost: 1024) {
            try Notification.Attachment(identifier: $0, url: "a:b", type: "t")
        },
        .uri("MessageNotification.Attachment: url", atMost: 1024) {
            try Notification.Attachment(identifier: "i", url: $0, type: "t")
        },
        .uri("DeepLinkReceived: url", atMost: 4096) { try DeepLinkReceived(url: $0) },
        .uri("DeepLinkReceived: referrer", atMost: 4096) { try DeepLinkReceived(url: "app://a", referrer: $0) },
        .integer("PagePing: minOffsetX", -largest...largest) { try PagePing(url: "u", minOffsetX: $0) },
        .integer("PagePing: maxOffsetY", -largest...largest) { try PagePing(url: "u", maxOffsetY: $0) },
    ]

    private static let consent: [Bound] = [
        .uri("ConsentPreferences: consentURL") { try ConsentPreferences.sample(url: $0) },
        .text("ConsentPreferences: consentVersion", atMost: 16) { try ConsentPreferences.sample(version: $0) },
        .text("ConsentPreferences: consentScopes[1]", atMost: 1024) {
            try ConsentPreferences.sample(scopes: ["analytics", $0])
        },
        .text("ConsentPreferences: domainsApplied[0]", atMost: 1024) { try ConsentPreferences.sample(domains: [$0]) },
        .text("ConsentDocument: id", atMost: 36) { try ConsentDocument(id: $0, version: "1") },
        .text("ConsentDocument: name", atMost: 60) { try ConsentDocument(id: "i", version: "1", name: $0) },
        .text("ConsentDocument: documentDescription", atMost: 10_000) {
            try ConsentDocument(id: "i", version: "1", documentDescription: $0)
        },
        .text("GDPR: documentID", atMost: 255) { try GDPR(basis: .consent, documentID: $0) },
        .text("GDPR: documentVersion", atMost: 16) { try GDPR(basis: .consent, documentVersion: $0) },
        .text("GDPR: documentDescription", atMost: 4096) { try GDPR(basis: .consent, documentDescription: $0) },
    ]

    private static let product = Result { try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR") }

    private static let shop: [Bound] = [
        .text("Ecommerce.Product: id", atMost: 4096) {
            try Ecommerce.Product(id: $0, category: "c", price: 1, currency: "EUR")
        },
        .money("Ecommerce.Product: price") {
            try Ecommerce.Product(id: "i", category: "c", price: $0, currency: "EUR")
        },
        .text("Ecommerce.Product: currency", 3...3) {
            try Ecommerce.Product(id: "i", category: "c", price: 1, currency: $0)
        },
        .integer("Ecommerce.Product: quantity", 0...9_999_999) {
            try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", quantity: $0)
        },
        .text("Ecommerce.Product: size", atMost: 256) {
            try Ecommerce.Product(id: "i", category: "c", price: 1, currency: "EUR", size: $0)
        },
        .money("Ecommerce.Cart: totalValue") { try Ecommerce.Cart(totalValue: $0, currency: "EUR") },
        .text("Ecommerce.Cart: cartID", atMost: 4096) {
            try Ecommerce.Cart(totalValue: 1, currency: "EUR", cartID: $0)
        },
        .money("Ecommerce.Transaction: revenue") {
            try Ecommerce.Transaction(
                transactionID: "t", revenue: $0, currency: "EUR", paymentMethod: "card", totalQuantity: 1)
        },
        .text("Ecommerce.Transaction: paymentMethod", atMost: 128) {
            try Ecommerce.Transaction(
                transactionID: "t", revenue: 1, currency: "EUR", paymentMethod: $0, totalQuantity: 1)
        },
        .text("Ecommerce.Transaction: discountCode", atMost: 99) {
            try Ecommerce.Transaction(
                transactionID: "t", revenue: 1, currency: "EUR", paymentMethod: "card", totalQuantity: 1,
                discountCode: $0)
        },
        .text("Ecommerce.TransactionError: errorCode", atMost: 256) { try Ecommerce.TransactionError(errorCode: $0) },
        .text("Ecommerce.TransactionError: resolution", atMost: 4096) {
            try Ecommerce.TransactionError(resolution: $0)
        },
        .integer("Ecommerce.CheckoutStep: step", 1...90) { try Ecommerce.CheckoutStep(step: $0) },
        .text("Ecommerce.CheckoutStep: couponCode", atMost: 128) {
            try Ecommerce.CheckoutStep(step: 1, couponCode: $0)
        },
        .text("Ecommerce.CheckoutStep: billingFullAddress", atMost: 4096) {
            try Ecommerce.CheckoutStep(step: 1, billingFullAddress: $0)
        },
        .text("Ecommerce.Promotion: name", atMost: 256) { try Ecommerce.Promotion(id: "p", name: $0) },
        .text("Ecommerce.Promotion: productIDs[1]", atMost: 4096) {
            try Ecommerce.Promotion(id: "p", productIDs: ["a", $0])
        },
        .integer("Ecommerce.Promotion: position", 0...9_999_999) { try Ecommerce.Promotion(id: "p", position: $0) },
        .money("Ecommerce.Refund: refundAmount") {
            try Ecommerce.Refund(transactionID: "t", currency: "EUR", refundAmount: $0)
        },
        .text("Ecommerce.User: id", atMost: 128) { try Ecommerce.User(id: $0) },
        .text("Ecommerce.User: email", atMost: 256) { try Ecommerce.User(id: "u", email: $0) },
        .text("Ecommerce.Page: type", atMost: 128) { try Ecommerce.Page(type: $0) },
        .text("ProductListViewEvent: name", atMost: 128) {
            try ProductListViewEvent(products: [try product.get()], name: $0)
        },
        .text("ProductListClickEvent: name", atMost: 128) {
            try ProductListClickEvent(product: try product.get(), name: $0)
        },
        .number("EcommerceTransaction: tax") { try EcommerceTransaction(orderID: "o", total: 1, tax: $0) },
        .number("EcommerceTransactionItem: price") {
            try EcommerceTransactionItem(orderID: "o", sku: "s", price: $0, quantity: 1)
        },
        .integer("EcommerceTransactionItem: quantity", -largest...largest) {
            try EcommerceTransactionItem(orderID: "o", sku: "s", price: 1, quantity: $0)
        },
    ]
}

extension ConsentPreferences {
    static func sample(
        url: String = "https://example.com/privacy", version: String = "1", scopes: [String] = ["analytics"],
        domains: [String] = ["example.com"]
    ) throws -> ConsentPreferences {
        try ConsentPreferences(
            action: .allowAll, basis: .consent, consentURL: url, consentVersion: version, consentScopes: scopes,
            domainsApplied: domains)
    }
}
