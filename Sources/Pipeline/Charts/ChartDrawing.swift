/// Draws charts one below the other, with one axis of time, as SVG.
package struct ChartDrawing {
  private static let width = 1_200.0
  private static let left = 90.0
  private static let right = 190.0
  private static let titleHeight = 58.0
  private static let timeHeight = 52.0
  private static let legendHeight = 34.0
  /// A level that would leave the values less than a third of the height is only named at the edge.
  private static let levelReach = 2.0

  private let charts: [Chart]
  private let outages: [ChartRecorder.Outage]
  private let time: TimeAxis
  private let plotHeight: Double
  private var svg = SVGText()

  /// Draws charts.
  ///
  /// - Parameters:
  ///   - span: the time that the picture shows.
  ///   - outages: times without data.
  package static func svg(
    of charts: [Chart], outages: [ChartRecorder.Outage], span: ClosedRange<Int64>
  ) -> String {
    var drawing = ChartDrawing(charts, outages, span)
    drawing.draw()
    return drawing.svg.text
  }

  private init(_ charts: [Chart], _ outages: [ChartRecorder.Outage], _ span: ClosedRange<Int64>) {
    self.charts = charts
    self.outages = outages
    time = TimeAxis(span, count: 9)
    plotHeight = charts.count == 1 ? 420 : charts.count == 2 ? 280 : 210
  }

  private var panelHeight: Double { Self.titleHeight + plotHeight + Self.timeHeight }

  private mutating func draw() {
    svg.begin(width: Self.width, height: panelHeight * Double(charts.count) + Self.legendHeight)
    for (index, chart) in charts.enumerated() { draw(chart, top: Double(index) * panelHeight, number: index) }
    drawLegend(top: Double(charts.count) * panelHeight)
    svg.end()
  }

  // MARK: - One panel

  private mutating func draw(_ chart: Chart, top: Double, number: Int) {
    let values = chart.series.range ?? 0...0
    var (low, high) = (values.lowerBound, values.upperBound)
    let reach = max(high - low, abs(high) * 1e-6) * Self.levelReach
    for level in chart.levels where level.value >= low - reach && level.value <= high + reach {
      (low, high) = (min(low, level.value), max(high, level.value))
    }
    let frame = ChartFrame(
      left: Self.left, top: top + Self.titleHeight, width: Self.width - Self.left - Self.right,
      height: plotHeight, time: time.range, axis: ValueAxis(low...high, count: plotHeight > 250 ? 7 : 5))
    drawTitle(of: chart, top: top)
    drawOutages(in: frame)
    drawGrid(in: frame)
    svg.beginClip("panel\(number)", frame)
    drawEpisodes(of: chart, in: frame)
    drawLevels(of: chart, in: frame)
    svg.line(through: paths(of: chart, in: frame))
    drawAlerts(of: chart, in: frame)
    svg.endClip()
    drawLevelNames(of: chart, in: frame)
  }

  private mutating func drawTitle(of chart: Chart, top: Double) {
    let firing = chart.alerts.count { $0.kind == .firing }
    let resolved = chart.alerts.count { $0.kind == .resolved }
    var parts = [
      chart.series.count == 1
        ? "1 value" : "\(ValueAxis.text(Double(chart.series.count), decimals: 0)) values", "\(firing) fired",
    ]
    if resolved > 0 { parts.append("\(resolved) resolved") }
    parts.append(
      Self.short(time.range.lowerBound) + " to " + Self.short(time.range.upperBound) + " UTC")
    svg.write(chart.title, x: Self.left, y: top + 28, style: "title")
    svg.write(parts.joined(separator: "  ·  "), x: Self.left, y: top + 47, style: "subtitle")
  }

  private static func short(_ time: Int64) -> String {
    let text = Timestamp(milliseconds: time).rfc3339(fraction: false)
    return text.dropLast().map { $0 == "T" ? " " : String($0) }.joined()
  }

  private mutating func drawOutages(in frame: ChartFrame) {
    for outage in outages {
      let from = frame.x(max(outage.from.milliseconds, time.range.lowerBound))
      let to = frame.x(min(outage.to?.milliseconds ?? .max, time.range.upperBound))
      guard to >= frame.left, from <= frame.left + frame.width else { continue }
      svg.rectangle(x: from, y: frame.top, width: max(to - from, 1), height: frame.height, style: "outage")
    }
  }

  private mutating func drawGrid(in frame: ChartFrame) {
    let (right, bottom) = (frame.left + frame.width, frame.top + frame.height)
    for tick in frame.axis.ticks {
      let y = frame.y(tick)
      svg.segment(frame.left, y, right, y, style: "grid")
      svg.write(frame.axis.label(tick), x: frame.left - 10, y: y + 4, style: "value")
    }
    for tick in time.ticks {
      let x = frame.x(tick.time)
      svg.segment(x, frame.top, x, bottom, style: "grid")
      svg.segment(x, bottom, x, bottom + 5, style: "axis")
      svg.write(tick.label, x: x, y: bottom + 20, style: "time")
      if let day = tick.day { svg.write(day, x: x, y: bottom + 36, style: "day") }
    }
    svg.segment(frame.left, bottom, right, bottom, style: "axis")
    svg.segment(frame.left, frame.top, frame.left, bottom, style: "axis")
  }

  /// Shades the times from a firing to what ended it.
  private mutating func drawEpisodes(of chart: Chart, in frame: ChartFrame) {
    var begin: Int64?
    func shade(_ svg: inout SVGText, from: Int64, to: Int64) {
      let (from, to) = (frame.x(from), frame.x(to))
      svg.rectangle(x: from, y: frame.top, width: max(to - from, 1), height: frame.height, style: "episode")
    }
    for alert in chart.alerts {
      switch alert.kind {
      case .firing: if alert.lasts { begin = begin ?? alert.time.milliseconds }
      case .resolved:
        if let from = begin { shade(&svg, from: from, to: alert.time.milliseconds) }
        begin = nil
      case .reminder, .published: break
      }
    }
    if let from = begin { shade(&svg, from: from, to: time.range.upperBound) }
  }

  private mutating func drawLevels(of chart: Chart, in frame: ChartFrame) {
    for level in chart.levels where frame.axis.range.contains(level.value) {
      let y = frame.y(level.value)
      svg.segment(frame.left, y, frame.left + frame.width, y, style: level.clears ? "clear" : "level")
    }
  }

  /// Names levels at the right edge, moved apart where they are close, and those beyond the picture with an arrow.
  private mutating func drawLevelNames(of chart: Chart, in frame: ChartFrame) {
    let x = frame.left + frame.width + 10
    var labels: [(y: Double, text: String, style: String)] = []
    for level in chart.levels {
      let style = level.clears ? "clear-name" : "level-name"
      let text = "\(level.name) \(frame.axis.exactLabel(level.value))"
      if level.value > frame.axis.range.upperBound {
        labels.append((frame.top + 6, "↑ " + text, style))
      } else if level.value < frame.axis.range.lowerBound {
        labels.append((frame.top + frame.height - 2, "↓ " + text, style))
      } else {
        labels.append((frame.y(level.value), text, style))
      }
    }
    labels.sort { $0.y < $1.y }
    var last = -Double.infinity
    for label in labels {
      let y = max(label.y, last + 16)
      svg.write(label.text, x: x, y: y + 4, style: label.style)
      last = y
    }
  }

  /// The line of values, broken where the connection was, and where values kept away for far longer than usual.
  private func paths(of chart: Chart, in frame: ChartFrame) -> [[(x: Double, y: Double)]] {
    var paths: [[(x: Double, y: Double)]] = []
    var last: Int64?
    var breaks = outages.map(\.from.milliseconds).sorted()[...]
    let span = time.range.upperBound - time.range.lowerBound
    let silence = max(span / 30, span / Int64(max(chart.series.count, 1)) * 20)
    for point in chart.series.points {
      while let first = breaks.first, first < last ?? .min { breaks.removeFirst() }
      let isBroken = breaks.first.map { $0 <= point.time } ?? false
      let place = (frame.x(point.time), frame.y(point.value))
      let isLate = last.map { point.time - $0 > silence } ?? true
      if isBroken || isLate { paths.append([place]) } else { paths[paths.count - 1].append(place) }
      last = point.time
    }
    return paths
  }

  /// Marks alerts; of many that would cover each other, one of a kind a column.
  private mutating func drawAlerts(of chart: Chart, in frame: ChartFrame) {
    var columns: [Alert.Kind: Int] = [:]
    for alert in chart.alerts where time.range.contains(alert.time.milliseconds) {
      let x = frame.x(alert.time.milliseconds)
      guard columns[alert.kind] != Int(x / 3) else { continue }
      columns[alert.kind] = Int(x / 3)
      let value = alert.value ?? frame.axis.range.upperBound
      let y = min(max(frame.y(value), frame.top), frame.top + frame.height)
      svg.marker(alert.kind, x: x, y: y, title: "\(alert.time.rfc3339())  \(alert.text)")
    }
  }

  // MARK: - The legend

  private mutating func drawLegend(top: Double) {
    let alerts = charts.flatMap(\.alerts)
    let y = top + 14
    var x = Self.left
    func entry(_ text: String, _ svg: inout SVGText) {
      svg.write(text, x: x + 14, y: y + 4, style: "legend")
      x += 34 + Double(text.count) * 6.6
    }
    for (kind, text) in [(Alert.Kind.firing, "fired"), (.resolved, "resolved"), (.reminder, "reminder")] {
      guard alerts.contains(where: { $0.kind == kind }) else { continue }
      svg.marker(kind, x: x, y: kind == .firing ? y + 5 : y, title: text)
      entry(text, &svg)
    }
    for (isThere, style, text) in [
      (alerts.contains { $0.lasts }, "episode", "from firing to its end"),
      (
        outages.contains { $0.from.milliseconds < time.range.upperBound }, "outage",
        "no data: stale or disconnected"
      ),
    ] where isThere {
      svg.rectangle(x: x - 6, y: y - 7, width: 14, height: 14, style: style)
      entry(text, &svg)
    }
  }
}

/// Where one chart stands in the picture, and what its edges mean.
struct ChartFrame {
  var left: Double
  var top: Double
  var width: Double
  var height: Double
  var time: ClosedRange<Int64>
  var axis: ValueAxis

  func x(_ time: Int64) -> Double {
    left + width * Double(time - self.time.lowerBound) / Double(self.time.upperBound - self.time.lowerBound)
  }

  func y(_ value: Double) -> Double {
    let range = axis.range
    return top + height * (range.upperBound - value) / (range.upperBound - range.lowerBound)
  }
}
