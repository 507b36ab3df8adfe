extension Reducer {
  /// Runs a child feature for each row of a keyed collection.
  ///
  /// The row sees its action first, then this reducer. When a row is removed, everything the row had started
  /// is cancelled before the next action. An action for a row that doesn't exist is reported. The cost of an
  /// action doesn't depend on the number of rows.
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
    let node = binding.nextFeature()
    let path = StatePath(state)
    let embed = action.embed
    let extract = action.extract
    let location = location
    let row = row.bind(to: binding)
    let parent = parent.bind(to: binding)
    let reduceRow = row.reduce
    let reduceParent = parent.reduce
    let marks = FeatureCounter()
    let sweep = { (state: inout State) -> Effect<Action> in
      path.modify(&state) { $0.hasRemovals ? endRemoved(&$0, node: node) : .none }
    }
    return BoundReducer(sweep: joinSweeps(sweep, parent.sweep)) { state, action in
      var effect = Effect<Action>.none
      let mark = marks.next()
      if case .element(let id, let elementAction)? = extract(action) {
        effect = path.modify(&state) { rows in
          let ended: Effect<Action> = rows.hasRemovals ? endRemoved(&rows, node: node) : .none
          rows.mark = mark
          guard let result = rows.modify(id, { reduceRow(&$0, elementAction) }) else {
            return ended.merge(with: .endFeature(FeatureKey(node: node, row: EffectID(id)))).merge(
              with: .issue("\(location): an action arrived for row \(id), which doesn't exist.", action))
          }
          if result.isNone { return ended }
          let mapped = result.mapped { embed(.element(id: id, action: $0)) }
          return ended.merge(with: mapped.inFeature(FeatureKey(node: node, row: EffectID(id))))
        }
      } else {
        effect = path.modify(&state) { rows in
          let ended: Effect<Action> = rows.hasRemovals ? endRemoved(&rows, node: node) : .none
          rows.mark = mark
          return ended
        }
      }
      let next = reduceParent(&state, action)
      let ended: Effect<Action> = path.modify(&state) { rows in
        // Another mark means another collection: the parent replaced the one it was given.
        if rows.mark != mark { rows.forgetRemovals() }
        return rows.hasRemovals ? endRemoved(&rows, node: node) : .none
      }
      if effect.isNone && ended.isNone { return next }
      return effect.merge(with: ended).merge(with: next)
    }
  }
}

@usableFromInline
func endRemoved<ID: Hashable & Sendable, Element, Action: Sendable>(
  _ rows: inout IdentifiedArray<ID, Element>, node: UInt32
) -> Effect<Action> {
  switch rows.takeRemovals() {
  case .none: .none
  case .rows(let ids): .merge(ids.map { .endFeature(FeatureKey(node: node, row: EffectID($0))) })
  case .unknown(let present):
    .endRows(node: node) { id in (id.value.base as? ID).map { present[$0] == nil } ?? true }
  }
}
