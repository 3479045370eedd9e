import Foundation
import LarderKit
import Testing

@Suite("A refused answer says why, and what to do")
struct JSONSplitErrorTests {
    @Test(
        "Each reason in its words",
        arguments: [
            (
                #"{"results":[1],"count":1}"#, "data",
                "there is no value at $.data: the top level is an object with the names results, count; "
                    + "try the path $.results"
            ),
            (
                #"{"results":[1],"count":1}"#, "$",
                "the value at $ is not an array: the top level is an object with the names results, count; "
                    + "try the path $.results"
            ),
            ("[1]", "data", "there is no value at $.data: the top level is an array; try the path $"),
            (
                #"{"a":{"x":1,"list of":[]}}"#, "a.b",
                "there is no value at $.a.b: $.a is an object with the names x, list of; try the path $.a['list of']"
            ),
            (#"{"a":[1,2]}"#, "a[2]", "there is no value at $.a[2]: $.a is an array; try the path $.a"),
            (#"{"error":"no"}"#, "error", "the value at $.error is not an array: $.error is a string"),
            (#"{"data":null}"#, "data", "the value at $.data is not an array: $.data is null"),
            (#"{"data":null}"#, "data.items", "there is no value at $.data.items: $.data is null"),
            ("{}", "data", "there is no value at $.data: the top level is an object without any member"),
            ("12", "$", "the value at $ is not an array: the top level is a number"),
            ("<html>", "$", "the answer looks like HTML, not JSON: a sign-in page or an error page?"),
            ("", "$", "the answer has no content where JSON was due"),
            ("[1,", "$", "the answer ends after 3 bytes where a value was due: was it cut short?"),
            ("[1,]", "$", "the answer is not JSON (RFC 8259): at byte 3, a value was due"),
            (#"{"a" 1}"#, "$", "the answer is not JSON (RFC 8259): at byte 5, a colon was due"),
            ("[1] 2", "$", "the answer is not JSON (RFC 8259): at byte 4, nothing more was due"),
        ])
    func descriptions(text: String, path: String, description: String) {
        #expect(error(text, at: path)?.description == description)
    }

    @Test("At most eight names are given, none of them long, and none with control characters")
    func names() {
        let names = ["\\u001b[31m", String(repeating: "x", count: 60)] + (3...10).map(String.init)
        let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let long = String(repeating: "x", count: 40) + "…"
        #expect(
            error(text, at: "data")?.description
                == "there is no value at $.data: the top level is an object with the names \u{FFFD}[31m, \(long), "
                + "3, 4, 5, 6, 7, 8 and 2 more")
    }

    @Test("A name that cannot be said does not hide the others")
    func unspeakableName() {
        #expect(
            error(#"{"\ud83d":[],"b":[]}"#, at: "a")?.description
                == "there is no value at $.a: the top level is an object with the names ?, b; try the path $.b")
    }

    @Test("An answer that is invalid and has no such path is called invalid")
    func invalidComesFirst() {
        guard case .notJSON = error(#"{"a":1,"b":+1}"#, at: "c") else {
            Issue.record("not called invalid")
            return
        }
    }

    @Test("No part of a value is quoted")
    func nothingPrivate() {
        let secret = "s3cret"
        let texts = [
            "[\"\(secret)\",]", "{\"a\":\"\(secret)\"}", "\"\(secret)\"", "[\"\(secret)", "<p>\(secret)", "[\(secret)]",
            "[[\"\(secret)\"]]",
        ]
        for text in texts {
            let error = error(text, at: "$.x.y")
            #expect(error?.description.contains(secret) == false)
            #expect(error.map { "\($0)" }?.contains(secret) == false)
        }
    }

    private func error(_ text: String, at path: String) -> JSONSplitError? {
        #expect(throws: JSONSplitError.self) {
            try JSONSplitter.items(in: Data(text.utf8), at: JSONPath(path), id: .root)
        }
    }
}
