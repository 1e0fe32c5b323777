import Testing

import RowBinary

@Suite("RowBinary") struct RowBinaryReaderTests {
    @Test("is read value by value")
    func values() {
        var reader = RowBinaryReader(
            [0xFE, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0x80, 3, 0x61, 0xC3, 0xBC, 1, 0, 5, 2, 7, 8, 0x80, 1]
                + [UInt8](repeating: 0x62, count: 128))
        #expect(reader.integer(Int16.self) == -2)
        #expect(reader.int64() == Int64.min + 1)
        #expect(reader.text() == "aü")
        #expect(reader.nullable { $0.uint8() } == nil)
        #expect(reader.nullable { $0.uint8() } == 5)
        #expect(reader.array { $0.uint8() } == [7, 8])
        #expect(reader.data() == [UInt8](repeating: 0x62, count: 128))
        #expect(reader.isAtEnd && !reader.isBroken)
    }

    @Test("that ends too early yields zeros and is broken, and a length that cannot be takes no memory")
    func broken() {
        var short = RowBinaryReader([1, 2, 3])
        #expect(short.int64() == 0 && short.isBroken)
        #expect(short.uint8() == 0)
        var long = RowBinaryReader([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1])
        #expect(long.text().isEmpty && long.isBroken)
        var endless = RowBinaryReader([UInt8](repeating: 0xFF, count: 20))
        #expect(endless.count() == 0 && endless.isBroken)
        var array = RowBinaryReader([0xFF, 0xFF, 0x7F, 1, 2])
        #expect(array.array { $0.int64() }.isEmpty && array.isBroken)
    }
}
