import Composable

// ComposableBench CASE COUNT: sends COUNT actions of one kind, so that the instructions of each can be counted.

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
  fatalError("usage: ComposableBench CASE COUNT")
}

@MainActor func run<R: Reducer>(_ state: R.State, _ reducer: R, _ action: R.Action) {
  let store = Store(initialState: state) { reducer }
  for _ in 0..<count { store.send(action) }
}

@MainActor func run<R: Reducer>(_ state: R.State, _ reducer: R, _ action: (Int) -> R.Action) {
  let store = Store(initialState: state) { reducer }
  for number in 0..<count { store.send(action(number)) }
}

let start1 = Level1.start
let start5 = Level5.State(child: .init(child: .init(child: .init(child: start1))))
let start10 = Level10.State(child: .init(child: .init(child: .init(child: .init(child: start5)))))
let level5 = Level5(child: .init(child: .init(child: .init(child: .bottom))))
let level10 = Level10(child: .init(child: .init(child: .init(child: .init(child: level5)))))
func five(_ action: Leaf.Action) -> Level5.Action { .child(.child(.child(.child(Level1.action(action))))) }
func ten(_ action: Leaf.Action) -> Level10.Action { .child(.child(.child(.child(.child(five(action)))))) }

switch arguments[1] {
case "no-op": run(Leaf.State(), Leaf(), .increment)
case "send": run(Leaf.State(), Leaf(), .incrementLater)
case "level-1": run(start1, Level1.bottom, .child(.increment))
case "level-5": run(start5, level5, five(.increment))
case "level-10": run(start10, level10, ten(.increment))
case "send-level-1": run(start1, Level1.bottom, .child(.incrementLater))
case "send-level-5": run(start5, level5, five(.incrementLater))
case "send-level-10": run(start10, level10, ten(.incrementLater))
case "rows-10": run(Rows.state(of: 10), Rows()) { .row(.element(id: $0 % 10, action: .increment)) }
case "rows-1000": run(Rows.state(of: 1_000), Rows()) { .row(.element(id: $0 % 1_000, action: .increment)) }
case "rows-100000":
  run(Rows.state(of: 100_000), Rows()) { .row(.element(id: $0 % 100_000, action: .increment)) }
case "send-rows-1000":
  run(Rows.state(of: 1_000), Rows()) { .row(.element(id: $0 % 1_000, action: .incrementLater)) }
case "element-100000": run(Array(repeating: 0, count: 100_000), Elements()) { $0 % 100_000 }
case "run":
  let store = Store(initialState: Work.State()) { Work() }
  for _ in 0..<count { store.send(.run) }
  await withCheckedContinuation { store.send(.wait(count, $0)) }
case "debounce":
  let store = Store(initialState: Work.State()) { Work() }
  for _ in 0..<count { store.send(.type) }
  await withCheckedContinuation { store.send(.wait(1, $0)) }
default: fatalError("there is no case \(arguments[1])")
}
