import Foundation
import LarderServer
import Testing

@testable import LarderCLI

@Suite struct AccessRecordLinesTests {
    private func record(
        _ result: String?, detail: String? = nil, isComplete: Bool = true, method: String = "GET",
        target: String = "/shops", status: Int = 200
    ) -> AccessRecord {
        AccessRecord(
            time: Date(timeIntervalSince1970: 1_768_478_401), peer: "127.0.0.1", method: method, target: target,
            status: status, bodyBytes: 1500, duration: .microseconds(230), isComplete: isComplete, result: result,
            detail: detail)
    }

    @Test func aLineHasItsWordsInTheirPlaces() {
        #expect(record("hit").line == "12:00:01Z 127.0.0.1 GET /shops 200 hit 1.5 kB 0.2 ms")
    }

    @Test func whatWentWrongStandsAtTheEnd() {
        #expect(
            record("failed", detail: "unreachable", status: 502).line
                == "12:00:01Z 127.0.0.1 GET /shops 502 failed 1.5 kB 0.2 ms (unreachable)")
        #expect(record("miss", isComplete: false).line.hasSuffix(" miss 1.5 kB 0.2 ms (cut)"))
        #expect(
            record("refused", detail: "Host is missing", method: "", target: "", status: 400).line
                == "12:00:01Z 127.0.0.1 - 400 refused 1.5 kB 0.2 ms (Host is missing)")
    }

    @Test func nothingOfARequestSteersTheTerminal() {
        #expect(!record("pass", target: "/\u{1B}[2J\nx").line.contains { $0 == "\u{1B}" || $0 == "\n" })
    }

    @Test func theObjectHasTheSameFacts() throws {
        let text = record("failed", detail: "timeout", status: 504).json
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["result"] as? String == "failed" && object["detail"] as? String == "timeout")
        #expect(object["status"] as? Int == 504 && object["bytes"] as? Int == 1500)
        #expect(object["time"] as? String == "2026-01-15T12:00:01.000Z" && object["complete"] as? Bool == true)
        #expect(!text.contains("\n"))
    }
}
