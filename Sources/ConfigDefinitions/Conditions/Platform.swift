/// An operating system.
public enum Platform: String, Hashable, Sendable, CaseIterable {
    /// Linux.
    case linux = "Linux"
    /// macOS.
    case macOS
    /// iOS.
    case iOS
    /// Windows.
    case windows = "Windows"
    /// Any other.
    case other

    /// The one that the program was built for.
    public static var current: Platform {
        #if os(Linux)
            .linux
        #elseif os(macOS)
            .macOS
        #elseif os(iOS)
            .iOS
        #elseif os(Windows)
            .windows
        #else
            .other
        #endif
    }
}

/// A processor's architecture.
public enum Architecture: String, Hashable, Sendable, CaseIterable {
    /// 64 bits, Intel and AMD.
    case x64 = "x86_64"
    /// 64 bits, Arm.
    case arm64
    /// Any other.
    case other

    /// The one that the program was built for.
    public static var current: Architecture {
        #if arch(x86_64)
            .x64
        #elseif arch(arm64)
            .arm64
        #else
            .other
        #endif
    }
}
