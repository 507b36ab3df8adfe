import CZlib
import Testing

@testable import Pipeline

@Suite("Unpacking messages")
struct MessageInflaterTests {
  /// Bytes as zlib packs them with window bits.
  private static func packed(_ bytes: [UInt8], window: Int32) -> [UInt8] {
    var stream = z_stream()
    deflateInit2_(
      &stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: bytes.count + 1_000)
    let count = output.count
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = deflate(&stream, Z_FINISH)
      }
    }
    return Array(output[..<(count - Int(stream.avail_out))])
  }

  private static func unpacked(
    _ bytes: [UInt8], _ form: MessageInflater.Form, maximum: Int = 1 << 20
  ) -> Result<[UInt8], InflationError> {
    let inflater = MessageInflater(form, maximumBytes: maximum)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { buffer.deallocate() }
    buffer.copyBytes(from: bytes)
    var result: [UInt8] = []
    do throws(InflationError) {
      // Twice, since it is used again and again.
      for _ in 0..<2 {
        result = []
        try inflater.inflate(UnsafeRawBufferPointer(buffer)) { result = Array($0) }
      }
      return .success(result)
    } catch {
      return .failure(error)
    }
  }

  private static let message = Array(#"{"price":"67123.45"}"#.utf8)

  @Test(
    "each form is unpacked by its name, and by its first bytes",
    arguments: [(MessageInflater.Form.gzip, Int32(31)), (.zlib, 15), (.raw, -15)])
  func forms(form: MessageInflater.Form, window: Int32) {
    for size in [1, 20, 200_000] {
      let bytes = Array(repeatElement(Self.message, count: size).joined())
      let packed = Self.packed(bytes, window: window)
      #expect(Self.unpacked(packed, form, maximum: 8 << 20) == .success(bytes))
      #expect(Self.unpacked(packed, .auto, maximum: 8 << 20) == .success(bytes))
    }
  }

  @Test func `what is not compressed passes where any form may come`() {
    #expect(Self.unpacked(Self.message, .auto) == .success(Self.message))
    #expect(Self.unpacked([], .auto) == .success([]))
  }

  @Test func `members of gzip may stand one behind the other`() {
    let packed = Self.packed(Self.message, window: 31)
    #expect(Self.unpacked(packed + packed, .gzip) == .success(Self.message + Self.message))
  }

  @Test func `the bound holds to the byte`() {
    for window: Int32 in [31, 15, -15] {
      let bytes = [UInt8](repeating: 65, count: 100_000)
      let packed = Self.packed(bytes, window: window)
      #expect(Self.unpacked(packed, .auto, maximum: 100_000) == .success(bytes))
      #expect(throws: InflationError.self) { try Self.unpacked(packed, .auto, maximum: 99_999).get() }
    }
  }

  @Test func `a message that can't be unpacked says why`() {
    let packed = Self.packed(Self.message, window: 31)
    #expect(Self.unpacked(Array(packed.dropLast(9)), .gzip) == .failure(InflationError("is cut short")))
    #expect(
      Self.unpacked(Self.message, .gzip) == .failure(InflationError("is not gzip: incorrect header check")))
    #expect(
      Self.unpacked(Self.packed(Self.message, window: 15) + [1, 2], .zlib)
        == .failure(InflationError("has 2 bytes behind its end")))
    let bomb = Self.packed([UInt8](repeating: 0, count: 1_000_000), window: 31)
    #expect(
      Self.unpacked(bomb, .gzip, maximum: 100_000)
        == .failure(
          InflationError("has more than 100000 bytes unpacked; raise 'max_message_bytes'")))
  }
}
