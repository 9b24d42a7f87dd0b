import ArgumentParser
import ConfigServer

/// How much namespaces may hold.
struct QuotaOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The most bytes of JSON that a namespace may have, such as 64MiB (default) or 100000.",
            valueName: "size"
        )
    )
    var maxNamespaceSize: String?

    @Option(help: ArgumentHelp("The most keys that a namespace may have (default: 250000).", valueName: "count"))
    var maxKeys: Int?

    @Option(help: ArgumentHelp("The most namespaces that may have keys (default: 1000).", valueName: "count"))
    var maxNamespaces: Int?

    /// - Throws: a `ValidationError` naming the flag or the variable that is no size or no number.
    func quotas(_ settings: Settings) throws(ValidationError) -> NamespaceQuotas {
        var quotas = NamespaceQuotas()
        if let text = settings.text(maxNamespaceSize, "max.namespace.size") {
            guard let bytes = Self.byteCount(text) else {
                let name = maxNamespaceSize == nil ? "LIVERY_MAX_NAMESPACE_SIZE" : "--max-namespace-size"
                throw ValidationError("\(name) is a size of up to 1GiB such as 64MiB, not '\(text)'.")
            }
            quotas.bytes = bytes
        }
        quotas.keys = try settings.count(maxKeys, "max.keys", standard: quotas.keys)
        quotas.namespaces = try settings.count(maxNamespaces, "max.namespaces", standard: quotas.namespaces)
        return quotas
    }

    /// Reads a size of 1 byte to 1 GiB, which is as much as Livery's clients read.
    static func byteCount(_ text: String) -> Int? {
        let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)]
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(unit?.0.count ?? 0)
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits), number > 0
        else { return nil }
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        return isTooMuch || bytes > 1 << 30 ? nil : bytes
    }
}
