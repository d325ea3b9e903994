import TrackerCore

/// The values that ecommerce events carry as entities.
///
/// ```swift
/// let product = Ecommerce.Product(id: "sku-1", category: "Shoes/Sneakers", price: 59.9, currency: "EUR")
/// let cart = Ecommerce.Cart(totalValue: 119.8, currency: "EUR")
/// tracker.track(EcommerceEvent.addToCart([product], cart: cart))
/// ```
///
/// All bounds are those of the schemas of `com.snowplowanalytics.snowplow.ecommerce`; lengths are counted in Unicode
/// code points. Snowplow rejects an event with a value outside its bounds. Amounts are rounded to two decimals; an
/// event with an amount that is not finite is not tracked.
public enum Ecommerce {}

extension Entity {
    /// - Parameters:
    ///   - name: The name of a schema of `com.snowplowanalytics.snowplow.ecommerce`.
    ///   - data: The data that the schema describes.
    init(ecommerce name: String, data: JSONObject) {
        self.init(schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/\(name)/jsonschema/1-0-0", data: data)
    }
}

extension Double {
    /// The amount in hundredths, because the schemas require multiples of 0.01, and 0.1 + 0.2 is not one.
    var amount: Double {
        // Zero is added because -0.0 would be written with its sign.
        (self * 100).rounded() / 100 + 0
    }
}
