import Foundation
import LarderKit
import Testing

@testable import LarderHTTPCache

struct RecordFormatTests {
    private func decoded(_ answer: StoredAnswer, _ body: StoredBody) -> AnswerRecord? {
        let data = RecordFormat.encode(AnswerRecord(answer: answer, stamp: 7, body: body))
        let metadata = EntryMetadata(codec: AnswerNames.codec, stamp: 7, storedAt: Noon.date)
        return RecordFormat.decode(StoredEntry(body: data, metadata: metadata))
    }

    @Test(arguments: [false, true], [false, true]) func whatIsWrittenIsRead(isKept: Bool, isOfAuthorised: Bool) {
        var answer = StoredAnswer.noon(
            "ETag: \"a\"", status: 206, size: 3, part: .init(first: 4, last: 6, total: 10), variant: [("foo", nil)])
        answer.isKeptByRule = isKept
        answer.isOfAuthorised = isOfAuthorised
        answer.client = "a"
        let record = decoded(answer, .inline(Data("abc".utf8)))
        #expect(record?.answer == answer)
        #expect(record?.stamp == 7)
    }

    @Test(
        arguments: [
            (0, 9, 10, true), (0, 9, nil, true), (0, .max, nil, false), (.max, .max, nil, false),
            (0, 9, .min, false), (0, 9, 9, false), (0, 9, .max, true), (5, 4, nil, false),
        ] as [(Int, Int, Int?, Bool)])
    func aPartThatCannotBeIsNotRead(first: Int, last: Int, total: Int?, isRead: Bool) {
        let part = StoredAnswer.Part(first: first, last: last, total: total)
        let record = decoded(.noon("", status: 206, size: 3, part: part), .inline(Data("abc".utf8)))
        #expect((record != nil) == isRead)
    }

    @Test(arguments: [
        (3 << 20, 1 << 20, true), (.max, 1 << 20, false), (.max, .max, false), (3, .max, false), (1 << 40, 1, false),
        (3, 0, false), (-1, 1 << 20, false),
    ])
    func aBodyThatCannotBeIsNotRead(size: Int, chunkSize: Int, isRead: Bool) {
        let record = decoded(.noon("", size: size), .chunks(id: "x", chunkSize: chunkSize))
        #expect((record != nil) == isRead)
    }

    @Test func partsHaveRowsOfTheirOwn() {
        let key = "http://h.test/r"
        func name(_ part: StoredAnswer.Part?) -> String { AnswerNames.answer(key, .noon("", size: 1, part: part)) }
        #expect(name(nil) == AnswerNames.answers(key))
        #expect(name(.init(first: 0, last: 4, total: 10)) != name(nil))
        #expect(name(.init(first: 0, last: 4, total: 10)) != name(.init(first: 5, last: 9, total: 10)))
        #expect(name(.init(first: 0, last: 4, total: 10)) == name(.init(first: 0, last: 9, total: nil)))
        #expect(AnswerNames.key(of: name(.init(first: 5, last: 9, total: 10))) == key)
    }
}
