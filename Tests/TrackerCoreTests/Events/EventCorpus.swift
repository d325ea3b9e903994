import Foundation
import TrackerClientEvents
import TrackerCore
import TrackerEcommerce

/// Every event with all its fields and with the least, and with every entity once.
enum EventCorpus {
    static func events() throws -> [any Event] {
        try pages() + consent() + application() + shop()
    }

    private static func pages() throws -> [any Event] {
        [
            try PagePing(
                url: "https://example.com/a", title: "A", referrer: "https://example.com/", minOffsetX: -1,
                maxOffsetX: 20, minOffsetY: 0, maxOffsetY: 2_147_483_647),
            try PagePing(url: "https://example.com/a"),
            try LinkClick(
                targetURL: "/next", elementID: "next", elementClasses: ["button", "wide"], elementTarget: "_blank",
                elementContent: "Next"),
            try LinkClick(targetURL: "/next"),
            try DeepLinkReceived(url: "app://item/17", referrer: "https://example.com/?q=%C3%A9"),
            try DeepLinkReceived(url: "app://item/17"),
            WithEntities(entities: [WebPage(id: UUID()).entity]),
        ]
    }

    private static func consent() throws -> [any Event] {
        let document = try ConsentDocument(
            id: "terms", version: "3", name: "Terms", documentDescription: "What we agreed on")
        return [
            try ConsentGranted(expiry: Date(timeIntervalSince1970: 1_900_000_000.5), documents: [document]),
            try ConsentGranted(),
            ConsentWithdrawn(all: false, documents: [document, try ConsentDocument(id: "a", version: "1")]),
            ConsentWithdrawn(all: true),
            try ConsentPreferences(
                action: .allowSelected, basis: .legitimateInterests, consentURL: "https://example.com/privacy",
                consentVersion: "2.1", consentScopes: ["analytics", "ads"], domainsApplied: ["example.com"],
                gdprApplies: true),
            try ConsentPreferences(
                action: .implicitConsent, basis: .contract, consentURL: "https://example.com/privacy",
                consentVersion: "", consentScopes: [""], domainsApplied: [""]),
            WithEntities(entities: [
                try GDPR(
                    basis: .vitalInterests, documentID: "d", documentVersion: "1", documentDescription: "Why"
                ).entity, try GDPR(basis: .consent).entity,
            ]),
        ]
    }

    private static func application() throws -> [any Event] {
        [
            try ApplicationError(
                message: "no paper", exceptionName: "paper_error",
                className: "printer", isFatal: true, stackTrace: "main", causeStackTrace: "tray",
                fileName: "printer.cpp", lineNumber: 17, lineColumn: 2_147_483_647, threadName: "main", threadID: 0),
            try ApplicationError(message: ""),
            ApplicationError(CancellationError()),
            try MessageNotification(
                title: "Ready", body: "Your order is ready", trigger: .push,
                notificationTimestamp: Date(timeIntervalSince1970: 1_700_000_000), sound: "bell", action: "open",
                bodyLocKey: "ready.body", bodyLocArgs: ["17"], titleLocKey: "ready.title", titleLocArgs: ["", "17"],
                group: "orders", category: "order", notificationCount: 10_000, subtitle: "Order 17",
                contentAvailable: false, threadIdentifier: "t", icon: "i", tag: "t",
                attachments: [
                    try MessageNotification.Attachment(identifier: "a", url: "https://example.com/a", type: "image")
                ]),
            try MessageNotification(title: "", body: "", trigger: .timeInterval),
        ]
    }

    private static func shop() throws -> [any Event] {
        let product = try Ecommerce.Product(
            id: "sku-1", category: "Shoes/Sneakers", price: 19.99, currency: "EUR", name: "Runner", listPrice: 0.29,
            quantity: 0, size: "42", variant: "blue", brand: "Example", inventoryStatus: "preorder",
            position: 9_999_999, creativeID: "c")
        let leastProduct = try Ecommerce.Product(id: "", category: "", price: 0, currency: "EUR")
        let cart = try Ecommerce.Cart(totalValue: 0.1 + 0.2, currency: "EUR", cartID: "c-1")
        let leastCart = try Ecommerce.Cart(totalValue: 9_999_999, currency: "EUR")
        let transaction = try Ecommerce.Transaction(
            transactionID: "t-1", revenue: 1.1 * 3, currency: "EUR", paymentMethod: "card", totalQuantity: 1, tax: 0.01,
            shipping: 4.35, discountCode: "SPRING", discountAmount: 0.07, creditOrder: false)
        let leastTransaction = try Ecommerce.Transaction(
            transactionID: "", revenue: 0, currency: "EUR", paymentMethod: "", totalQuantity: 0)
        let failure = try Ecommerce.TransactionError(
            errorCode: "E522", errorShortcode: "card_declined", errorDescription: "The card was declined",
            errorType: .hard, resolution: "retry_allowed")
        let step = try Ecommerce.CheckoutStep(
            step: 90, shippingPostcode: "1000", billingPostcode: "1000", shippingFullAddress: "Street 1",
            billingFullAddress: "Street 1", deliveryProvider: "DHL", deliveryMethod: "express", couponCode: "SPRING",
            accountType: "guest", paymentMethod: "card", proofOfPayment: "invoice", marketingOptIn: false)
        let promotion = try Ecommerce.Promotion(
            id: "p-1", name: "Spring", productIDs: ["sku-1"], position: 1, creativeID: "c", type: "popup",
            slot: "sidebar-1")
        let refund = try Ecommerce.Refund(
            transactionID: "t-1", currency: "EUR", refundAmount: 8.7, refundReason: "too small")
        return [
            ProductViewEvent(product: product),
            try ProductListViewEvent(products: [product, leastProduct], name: "search"),
            try ProductListViewEvent(products: []),
            try ProductListClickEvent(product: product, name: "search"),
            try ProductListClickEvent(product: product),
            AddToCartEvent(products: [product], cart: cart),
            RemoveFromCartEvent(products: [leastProduct], cart: leastCart),
            CheckoutStepEvent(step: step),
            CheckoutStepEvent(step: try Ecommerce.CheckoutStep(step: 1)),
            TransactionEvent(transaction: transaction, products: [product]),
            TransactionEvent(transaction: leastTransaction),
            TransactionErrorEvent(transaction: transaction, error: failure),
            TransactionErrorEvent(transaction: leastTransaction, error: try Ecommerce.TransactionError()),
            RefundEvent(refund: refund, products: [product]),
            RefundEvent(refund: try Ecommerce.Refund(transactionID: "", currency: "EUR", refundAmount: 0)),
            PromotionViewEvent(promotion: promotion),
            PromotionClickEvent(promotion: try Ecommerce.Promotion(id: "p-1")),
            WithEntities(entities: [
                try Ecommerce.User(id: "u-1", isGuest: true, email: "u@example.com").entity,
                try Ecommerce.User(id: "u-1").entity,
                try Ecommerce.Page(type: "home", language: "en", locale: "en-GB").entity,
                try Ecommerce.Page(type: "home").entity,
            ]),
            try EcommerceTransaction(
                orderID: "o-1", total: 12.5, affiliation: "web", tax: 2, shipping: 0.5, city: "Bern", state: "BE",
                country: "CH", currency: "CHF"),
            try EcommerceTransaction(orderID: "o-1", total: -12.5),
            try EcommerceTransactionItem(
                orderID: "o-1", sku: "sku-1", price: 6.25, quantity: 2, name: "Runner", category: "Shoes",
                currency: "CHF"),
            try EcommerceTransactionItem(orderID: "o-1", sku: "sku-1", price: 6.25, quantity: -2),
        ]
    }

    /// An event that is there for its entities.
    struct WithEntities: Event {
        let entities: [Entity]
        var content: EventContent { Structured(category: "corpus", action: "entities").content }
    }
}
