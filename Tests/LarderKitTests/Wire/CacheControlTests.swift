import LarderKit
import Testing

@Suite("Cache-Control")
struct CacheControlTests {
    @Test(
        "max-age in seconds",
        arguments: [
            ("max-age=3600", 3600), ("max-age=0", 0), ("max-age=003600", 3600), ("MAX-AGE=60", 60), ("Max-Age=60", 60),
            ("max-age=\"3600\"", 3600), ("max-age=\"36\\00\"", 3600), ("  max-age=60  ", 60), ("public,max-age=60", 60),
            ("public ,\tmax-age=60", 60), (",,max-age=60,,", 60), ("max-age=60, immutable", 60),
            // No more than fits, and no overflow.
            ("max-age=2147483647", 2_147_483_647), ("max-age=2147483649", 2_147_483_648),
            ("max-age=99999999999", 2_147_483_648), ("max-age=999999999999999999999999999999", 2_147_483_648),
            // What cannot be read is stale.
            ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0), ("max-age=+60", 0), ("max-age=60.0", 0),
            ("max-age=1e3", 0),
            ("max-age='60'", 0), ("max-age=abc", 0), ("max-age= 60", 0), ("max-age =60", 0), ("max-age=60 60", 0),
            ("max-age=60;", 0), ("max-age=\"60", 0), ("max-age=\"\"", 0), ("max-age=６０", 0), ("max-age=\"60\"x", 0),
            // The first of several counts.
            ("max-age=1, max-age=3600", 1), ("max-age=x, max-age=3600", 0),
            // Not in quotes, not as a part of another name.
            ("extension=\"max-age=3600\", max-age=1", 1), ("max-age=1, extension=\"max-age=3600\"", 1),
            ("extension=\"a\\\", max-age=3600\"", nil), ("extension=\"max-age=3600", nil), ("x-max-age=60", nil),
            ("max-agee=60", nil), ("s-maxage=60", nil), ("\"max-age=60\"", nil), ("x y=\"a, max-age=3600\"", nil),
            ("", nil), (" , ", nil), ("=60", nil), ("nothing-to-see-here", nil),
        ] as [(String, Int?)])
    func maxAge(value: String, seconds: Int?) {
        #expect(CacheControl(value).maxAge == seconds)
    }

    @Test("Each directive under its own name, in any case")
    func directives() {
        let control = CacheControl(
            "Private, NO-STORE, no-cache, Must-Revalidate, s-maxage=1, stale-while-revalidate=2, stale-if-error=3, "
                + "proxy-revalidate, must-understand, immutable, public")
        #expect(control.isPrivate && control.noStore && control.noCache && control.mustRevalidate)
        #expect(control.proxyRevalidate && control.mustUnderstand && control.immutable && control.isPublic)
        #expect(control.sharedMaxAge == 1)
        #expect(control.staleWhileRevalidate == 2)
        #expect(control.staleIfError == 3)
        #expect(control.maxAge == nil)
    }

    @Test("An empty field says nothing")
    func nothing() {
        let control = CacheControl("")
        #expect(!control.isPrivate && !control.noStore && !control.noCache && !control.mustRevalidate)
        #expect(control.sharedMaxAge == nil && control.staleWhileRevalidate == nil && control.staleIfError == nil)
        #expect(control.directives.isEmpty)
    }

    @Test("A directive that is garbled still counts when it asks to keep less")
    func careful() {
        #expect(CacheControl("no-store=1").noStore)
        #expect(CacheControl("no-store;").noStore)
        #expect(CacheControl("no-cache=\"Set-Cookie, X\", max-age=60").noCache)
        #expect(CacheControl("no-cache=\"Set-Cookie, X\", max-age=60").maxAge == 60)
        #expect(CacheControl("private=\"a").isPrivate)
        #expect(CacheControl("stale-if-error=x").staleIfError == 0)
    }

    @Test("Arguments keep their case, names do not")
    func arguments() {
        let directives = CacheControl(#"Foo=Bar, EXT="A \"B\""; Baz"#).directives
        #expect(directives.map(\.name) == ["foo", "ext"])
        #expect(directives.map(\.argument) == ["Bar", nil])
        #expect(CacheControl(#"EXT="A \"B\"""#).directives.map(\.argument) == [#"A "B""#])
    }

    @Test("All lines of the field count, and a quote left open in one hides nothing in the next")
    func lines() {
        var headers = HeaderFields()
        headers.append(name: "cache-control", value: "max-age=60, x=\"open")
        headers.append(name: "Cache-Control", value: "no-store")
        headers.append(name: "CDN-Cache-Control", value: "max-age=5")
        let control = CacheControl(headers)
        #expect(control.maxAge == 60)
        #expect(control.noStore)
        #expect(CacheControl(headers, name: "CDN-Cache-Control").maxAge == 5)
        #expect(CacheControl([:] as HeaderFields).directives.isEmpty)
    }
}
