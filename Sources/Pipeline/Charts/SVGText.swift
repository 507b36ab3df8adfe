/// The text of an SVG picture, element by element.
///
/// Numbers are written with one decimal, so that the same picture is the same text.
struct SVGText {
  private(set) var text = ""

  private static let style = """
    text{font-family:Inter,Helvetica,Arial,"DejaVu Sans",sans-serif;font-size:12px;fill:#4b5563}
    .title{font-size:18px;font-weight:600;fill:#111827}.subtitle{font-size:13px;fill:#6b7280}
    .value{text-anchor:end}.time,.day{text-anchor:middle}.day{fill:#9ca3af}
    .grid{stroke:#eceef1;stroke-width:1}.axis{stroke:#9ca3af;stroke-width:1}
    .series{fill:none;stroke:#2563eb;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}
    .level{stroke:#dc2626;stroke-width:1.2;stroke-dasharray:7 4}.level-name{fill:#b91c1c}
    .clear{stroke:#16a34a;stroke-width:1.2;stroke-dasharray:2 4}.clear-name{fill:#15803d}
    .episode{fill:#dc2626;fill-opacity:.09}.outage{fill:#9ca3af;fill-opacity:.28}
    .firing{fill:#dc2626;stroke:#fff;stroke-width:1}.reminder{fill:#f59e0b;stroke:#fff;stroke-width:1}
    .resolved{fill:#fff;stroke:#16a34a;stroke-width:2}

    """

  mutating func begin(width: Double, height: Double) {
    let (width, height) = (Self.number(width), Self.number(height))
    text += "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
    text += "width=\"\(width)\" height=\"\(height)\">\n<style>\n\(Self.style)</style>\n"
    text += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
  }

  mutating func end() { text += "</svg>\n" }

  mutating func beginClip(_ name: String, _ frame: ChartFrame) {
    // A little more than the frame, so that a mark on its edge is whole.
    text += "<clipPath id=\"\(name)\"><rect x=\"\(Self.number(frame.left - 1))\" "
    text += "y=\"\(Self.number(frame.top - 12))\" width=\"\(Self.number(frame.width + 10))\" "
    text += "height=\"\(Self.number(frame.height + 24))\"/></clipPath>\n<g clip-path=\"url(#\(name))\">\n"
  }

  mutating func endClip() { text += "</g>\n" }

  mutating func write(_ words: String, x: Double, y: Double, style: String) {
    text += "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">"
    text += "\(Self.escaped(words))</text>\n"
  }

  mutating func segment(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, style: String) {
    text += "<line class=\"\(style)\" x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\" "
    text += "x2=\"\(Self.number(x2))\" y2=\"\(Self.number(y2))\"/>\n"
  }

  mutating func rectangle(x: Double, y: Double, width: Double, height: Double, style: String) {
    text += "<rect class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" "
    text += "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"/>\n"
  }

  /// One line in pieces.
  mutating func line(through paths: [[(x: Double, y: Double)]]) {
    guard !paths.isEmpty else { return }
    text += "<path class=\"series\" d=\""
    for path in paths {
      for (index, point) in path.enumerated() {
        text += "\(index == 0 ? "M" : "L")\(Self.number(point.x)) \(Self.number(point.y))"
      }
      // A point alone shows by the ends of its line.
      if path.count == 1 { text += "h0.1" }
    }
    text += "\"/>\n"
  }

  /// A mark for an alert: its tip, or its middle, is at the place.
  mutating func marker(_ kind: Alert.Kind, x: Double, y: Double, title: String) {
    let at = "\(Self.number(x)) \(Self.number(y))"
    switch kind {
    case .firing, .published: text += "<path class=\"firing\" d=\"M\(at)l6 -11h-12z\">"
    case .reminder: text += "<path class=\"reminder\" d=\"M\(at)m0 -6l6 6l-6 6l-6 -6z\">"
    case .resolved:
      text += "<circle class=\"resolved\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"4.5\">"
    }
    text += "<title>\(Self.escaped(title))</title>"
    text += kind == .resolved ? "</circle>\n" : "</path>\n"
  }

  private static func number(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded())
    let (whole, tenth) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return (tenths < 0 ? "-" : "") + (tenth == 0 ? "\(whole)" : "\(whole).\(tenth)")
  }

  private static func escaped(_ words: String) -> String {
    words.printable.map { $0 == "\"" ? "&quot;" : $0.withoutMarkup }.joined()
  }
}
