import ConfigModel

extension VersionGate {
    /// What the user is told about the program's version.
    ///
    /// - Parameter version: of the program.
    func text(for version: SemanticVersion) -> String {
        switch self {
        case .upToDate: "Up to date"
        case .outOfDate(let required): "Out of date: this is \(version), \(required) is required"
        case .tooNew(let newest): "Too new: this is \(version), \(newest) is the newest that will do"
        case .unsupported(let range): "Not supported: this is \(version), \(range) is required"
        }
    }
}
