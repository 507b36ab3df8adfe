extension Reducer {
  /// Runs a child feature for each row of a keyed collection.
  ///
  /// The row sees its action first, then this reducer. When a row is removed, everything the row had started
  /// is cancelled before the next action. An action for a row that doesn't exist is reported. The cost of an
  /// action doesn't depend on the number of rows. The row's reducer is bound at its first action, so a
  /// feature may contain itself.
  @inlinable
  public func forEach<
    ID: Hashable & Sendable, RowState, RowAction: Sendable, Row: Reducer<RowState, RowAction>
  >(
    _ state: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    action: Route<Action, IdentifiedAction<ID, RowAction>>, fileID: StaticString = #fileID,
    line: UInt = #line, @ReducerBuilder<RowState, RowAction> row: () -> Row
  ) -> ForEach<Self, ID, Row> {
    ForEach(parent: self, state: state, action: action, row: row(), location: CodeLocation(fileID, line))
  }
}

/// A reducer with one child feature per row; see ``Reducer/forEach(_:action:fileID:line:row:)``.
public struct ForEach<Parent: Reducer, ID: Hashable & Sendable, Row: Reducer>: ComposedReducer {
  /// The state of this reducer.
  public typealias State = Parent.State
  /// The actions of this reducer.
  public typealias Action = Parent.Action

  @usableFromInline let parent: Parent
  @usableFromInline let state: WritableKeyPath<State, IdentifiedArray<ID, Row.State>>
  @usableFromInline let action: Route<Action, IdentifiedAction<ID, Row.Action>>
  @usableFromInline let row: Row
  @usableFromInline let location: CodeLocation

  @inlinable
  init(
    parent: Parent, state: WritableKeyPath<State, IdentifiedArray<ID, Row.State>>,
    action: Route<Action, IdentifiedAction<ID, Row.Action>>, row: Row, location: CodeLocation
  ) {
    self.parent = parent
    self.state = state
    self.action = action
    self.row = row
    self.location = location
  }

  /// Makes the form that a store runs.
  @inlinable
  public func bind(to binding: ReducerBinding) -> BoundReducer<State, Action> {
    let rowBinding = binding.child(isPermanent: false)
    let (place, tree) = (rowBinding.place, rowBinding.tree)
    let path = StatePath(state)
    let embed = action.embed
    let extract = action.extract
    let location = location
    let row = LazyReducer(row, rowBinding)
    let parent = parent.bind(to: binding)
    let reduceParent = parent.reduce
    let marks = MarkCounter()
    let sweep = { (state: inout State) -> Effect<Action> in
      guard tree.inFlight(at: place.number) > 0 else { return .none }
      return path.modify(&state) { rows in
        let ended: Effect<Action> = rows.hasRemovals ? endRemoved(&rows, of: place) : .none
        guard let sweepRow = row.sweep else { return ended }
        return sweepRows(&rows, tree, place, sweepRow, embed).merge(with: ended)
      }
    }
    return BoundReducer(sweep: joinSweeps(sweep, parent.sweep)) { state, action in
      var effect = Effect<Action>.none
      let mark = marks.next()
      if case .element(let id, let elementAction)? = extract(action) {
        effect = path.modify(&state) { rows in
          let ended: Effect<Action> = rows.hasRemovals ? endRemoved(&rows, of: place) : .none
          rows.mark = mark
          if row.bound == nil, row.first().sweep != nil { tree.countRows(of: place.number) }
          guard let result = rows.modify(id, { row.reduce(&$0, elementAction) }) else {
            return ended.merge(with: .endRows([EffectID(id)], of: place)).merge(
              with: .issue("\(location): an action arrived for row \(id), which doesn't exist.", action))
          }
          switch result.operation {
          case .none: return ended
          case .send(let next):  // Without the closure that `map` needs.
            return ended.merge(with: .send(embed(.element(id: id, action: next))).inRow(id, of: place))
          default:
            return ended.merge(with: result.map { embed(.element(id: id, action: $0)) }.inRow(id, of: place))
          }
        }
      } else {
        effect = path.modify(&state) { rows in
          let ended: Effect<Action> = rows.hasRemovals ? endRemoved(&rows, of: place) : .none
          rows.mark = mark
          return ended
        }
      }
      let next = reduceParent(&state, action)
      let ended: Effect<Action> = path.modify(&state) { rows in
        // Another mark means another collection: the parent replaced the one it was given.
        if rows.mark != mark { rows.forgetRemovals() }
        return rows.hasRemovals ? endRemoved(&rows, of: place) : .none
      }
      if ended.isNone { return next.isNone ? effect : effect.merge(with: next) }
      return effect.merge(with: ended).merge(with: next)
    }
  }
}

/// Numbers the actions that a `forEach` sees.
@usableFromInline
final class MarkCounter {
  @usableFromInline @exclusivity(unchecked) var last: UInt32 = 0

  @usableFromInline
  init() {}

  /// Never 0, which marks a collection that no `forEach` has seen.
  @inlinable
  func next() -> UInt32 {
    last = last == .max ? 1 : last + 1
    return last
  }
}

@usableFromInline
func endRemoved<ID: Hashable & Sendable, Element, Action: Sendable>(
  _ rows: inout IdentifiedArray<ID, Element>, of place: FeaturePlace
) -> Effect<Action> {
  switch rows.takeRemovals() {
  case .none: .none
  case .rows(let ids): .endRows(ids.map { EffectID($0) }, of: place)
  case .unknown(let present):
    .endRows(of: place) { id in id.value(as: ID.self).map { present[$0] == nil } ?? true }
  }
}

/// Ends what is gone below those rows that have something in flight.
@usableFromInline
func sweepRows<ID: Hashable & Sendable, Element, RowAction: Sendable, Action: Sendable>(
  _ rows: inout IdentifiedArray<ID, Element>, _ tree: FeatureTree, _ place: FeaturePlace,
  _ sweep: (inout Element) -> Effect<RowAction>,
  _ embed: @escaping @Sendable (IdentifiedAction<ID, RowAction>) -> Action
) -> Effect<Action> {
  var effect = Effect<Action>.none
  for row in tree.rowsInFlight(at: place.number) {
    guard let id = row.value(as: ID.self), let ended = rows.modify(id, sweep) else { continue }
    effect = effect.merge(with: ended.mapped { embed(.element(id: id, action: $0)) }.inRow(id, of: place))
  }
  return effect
}
