/// Writes text into a buffer of the caller, without allocating.
struct ByteWriter: ~Copyable {
  private let buffer: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  /// Begins at the start of the buffer; writing beyond its end stops the program.
  init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  mutating func write(_ text: StaticString) {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    write(bytes)
  }

  mutating func write(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { put(byte) }
  }

  mutating func write(_ number: Int64) {
    if number < 0 { put(UInt8(ascii: "-")) }
    digits(number.magnitude, atLeast: 1)
  }

  /// Writes a count of the smallest unit with a decimal point: 6712345 with two places is `67123.45`.
  mutating func write(_ number: UInt64, places: Int) {
    var scale: UInt64 = 1
    for _ in 0..<places { scale *= 10 }
    digits(number / scale, atLeast: 1)
    put(UInt8(ascii: "."))
    digits(number % scale, atLeast: places)
  }

  private mutating func digits(_ number: UInt64, atLeast width: Int) {
    var rest = number
    var length = 1
    while rest >= 10 {
      rest /= 10
      length += 1
    }
    length = max(length, width)
    precondition(count + length <= buffer.count, "a message is longer than its buffer")
    rest = number
    for offset in stride(from: count + length - 1, through: count, by: -1) {
      buffer[offset] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    count += length
  }

  private mutating func put(_ byte: UInt8) {
    precondition(count < buffer.count, "a message is longer than its buffer")
    buffer[count] = byte
    count += 1
  }
}
