import TrackerCurl

/// A date of HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package struct HTTPDate {
    /// Seconds since 1970.
    package let seconds: Int

    /// Reads a date in any form that libcurl knows, including HTTP's two obsolete ones; nil if `text` is not a date.
    package init?(_ text: String) {
        let seconds = curl_getdate(text, nil)
        guard seconds != -1 else { return nil }
        self.seconds = seconds
    }
}
