internal import CNCurses

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension GlyphRepertoire {
    /// What the locale of the environment can spell; sets the locale of the C library to it.
    ///
    /// Where nothing at all is said of the locale, characters are UTF-8, as in PEP 538; `LC_ALL=C` means ASCII.
    public static func locale() -> GlyphRepertoire {
        let isUnset = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (name: String) in
            getenv(name).map { $0.pointee == 0 } ?? true
        }
        if setlocale(LC_CTYPE, isUnset ? "C.UTF-8" : "") == nil { setlocale(LC_CTYPE, "C.UTF-8") }
        return GlyphRepertoire(isUTF8: lvy_locale_is_utf8() != 0)
    }
}
