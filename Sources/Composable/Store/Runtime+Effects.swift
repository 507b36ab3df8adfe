/// Where an effect is performed: for which feature, under which ids, in which sequence.
struct EffectContext {
  var origin = FeatureOrigin()
  var ids: [EffectID] = []
  var dependencies: Dependencies
  var sequence: Activity?
}

extension Runtime {
  @inlinable
  func perform(_ effect: Effect<Action>) {
    switch effect.operation {
    case .none: return
    case .send(let action): queue.append(.init(action: action, isFromEffect: true))
    case .sendFrom(let origin, let action): enqueue(action, from: origin)
    case .other(let compound): perform(compound)
    }
  }

  @usableFromInline
  func perform(_ compound: Effect<Action>.Compound) {
    perform(compound, in: EffectContext(dependencies: dependencies))
  }

  @inlinable
  func enqueue(_ action: Action, from origin: FeatureOrigin) {
    tree.count(1, for: origin)
    queue.append(.init(action: action, origin: origin, isFromEffect: true))
  }

  private func perform(_ effect: Effect<Action>, in context: EffectContext) {
    switch effect.operation {
    case .none: return
    case .send(let action): enqueue(action, in: context)
    case .sendFrom(let origin, let action):
      var inner = context
      inner.origin = origin.below(context.origin.rows)
      enqueue(action, in: inner)
    case .other(let compound): perform(compound, in: context)
    }
  }

  private func perform(_ compound: Effect<Action>.Compound, in context: EffectContext) {
    if flags.contains(.closed) { return }
    var inner = context
    switch compound {
    case .run(let run): start(run, in: context)
    case .merge(let effects):
      for effect in effects { perform(effect, in: context) }
    case .concatenate(let effects): performSequence(effects[...], in: context)
    case .cancel(let id): cancel(id, of: context.origin)
    case .cancellable(let id, let cancelInFlight, let effect):
      if cancelInFlight { cancel(id, of: context.origin) }
      inner.ids.append(id)
      perform(effect, in: inner)
    case .debounce(let id, let duration, let effect):
      cancel(id, of: context.origin)
      inner.ids.append(id)
      let following = inner
      startTimer(duration, kind: "debounce", in: inner) { [unowned self] in
        perform(effect, in: following)
      }
    case .throttle(let id, let duration, let latest, let effect):
      inner.ids.append(id)
      throttle(id, duration, latest: latest, effect, in: inner)
    case .feature(let origin, let effect):
      inner.origin = origin.below(context.origin.rows)
      perform(effect, in: inner)
    case .endFeature(let place):
      if tree.inFlight(at: place) > 0 { end(FeatureOrigin(place: place, rows: context.origin.rows)) }
    case .endRows(let place, let rows):
      guard tree.inFlight(at: place) > 0 else { return }
      for row in rows {
        end(FeatureOrigin(rows: context.origin.rows + [FeatureKey(place: place, row: row)]))
      }
    case .endRowsWhere(let place, let isGone):
      guard tree.inFlight(at: place) > 0 else { return }
      endRows(of: place, below: context.origin.rows, where: isGone)
    case .dependencies(let dependencies, let effect):
      inner.dependencies = dependencies
      perform(effect, in: inner)
    case .issue(let message, let action):
      let name = action.map { " The action was \(actionName($0))." } ?? ""
      context.dependencies.issues.report(Issue(message + name))
    }
  }

  private func enqueue(_ action: Action, in context: EffectContext) {
    if !context.ids.isEmpty {
      let activity = begin(in: context, isStep: false)
      queue.append(.init(action: action, activity: activity, isFromEffect: true))
    } else if context.origin.isRoot {
      queue.append(.init(action: action, isFromEffect: true))
    } else {
      enqueue(action, from: context.origin)
    }
  }

  // MARK: - Activities

  /// Enters an activity in the books of its feature and, as a step, of its sequence.
  private func begin(in context: EffectContext, isStep: Bool = true) -> Activity {
    lastSerial += 1
    let sequence = isStep ? context.sequence : nil
    let feature = instance(of: context.origin)
    let activity = Activity(serial: lastSerial, feature: feature, ids: context.ids, sequence: sequence)
    feature.insert(activity)
    sequence?.remaining += 1
    activityCount += 1
    if !context.origin.isRoot {
      tree.count(1, for: context.origin)
      if sweep != nil { flags.insert(.sweeping) }
    }
    return activity
  }

  /// Takes an ended activity out of the books and lets its sequence go on.
  func complete(_ activity: Activity) {
    guard activity.feature.remove(activity) else { return }
    activityCount -= 1
    if !activity.feature.origin.isRoot {
      tree.count(-1, for: activity.feature.origin)
      if tree.inFlight(at: 0) == 0 { flags.remove(.sweeping) }
    }
    guard let sequence = activity.sequence else { return }
    sequence.remaining -= 1
    guard sequence.remaining == 0, let proceed = sequence.proceed, !sequence.isCancelled else { return }
    sequence.proceed = nil
    proceed()
    complete(sequence)
  }

  private func cancel(_ id: EffectID, of origin: FeatureOrigin) {
    guard let feature = existingInstance(of: origin) else { return }
    feature.throttles[id] = nil
    cancel(feature.activities(named: id))
  }

  func cancel(_ activities: [Activity]) {
    for activity in activities where !activity.isCancelled {
      activity.isCancelled = true
      activity.proceed = nil
      activity.task?.cancel()
    }
    for activity in activities { complete(activity) }
  }

  private func performSequence(_ effects: ArraySlice<Effect<Action>>, in context: EffectContext) {
    var rest = effects
    while let next = rest.popFirst() {
      let step = begin(in: context)
      var inner = context
      inner.sequence = step
      perform(next, in: inner)
      if step.isCancelled { return }
      if step.remaining > 0 {
        let following = rest
        // Unowned: the activity is in this runtime's books, and dropped with them.
        step.proceed = { [unowned self] in performSequence(following, in: context) }
        return
      }
      complete(step)
    }
  }

  // MARK: - Tasks

  private func start(_ run: Effect<Action>.Run, in context: EffectContext) {
    let activity = begin(in: context)
    activity.description = ActivityDescription(name: run.name, location: run.location, kind: "effect")
    let runtime = RuntimeReference(self)
    let issues = context.dependencies.issues
    let send = Send<Action>(dependencies: context.dependencies) { action in
      await runtime.onIsolation { $0.receive(action, from: activity) }
    }
    spawn(activity, name: run.name, priority: run.priority) {
      if !Task.isCancelled {
        do {
          try await run.located { try await run.operation(send) }
        } catch is CancellationError where Task.isCancelled {
          // The wanted end of a cancelled effect.
        } catch {
          if let handler = run.handler {
            await run.located { await handler(error, send) }
          } else {
            issues.report(
              Issue(
                "An effect\(run.name.map { " (\($0))" } ?? "") threw \(error), which nothing handles. Give "
                  + "run(operation:catch:) a handler, or catch it in the operation.", at: run.location))
          }
        }
      }
      await runtime.onIsolation { $0.finish(activity) }
    }
  }

  private func startTimer(
    _ duration: Duration, kind: String?, in context: EffectContext,
    fire: @escaping () -> Void
  ) {
    let activity = begin(in: context)
    activity.fire = fire
    activity.description = kind.map { ActivityDescription(name: nil, location: nil, kind: $0) }
    let runtime = RuntimeReference(self)
    let clock = context.dependencies.clock
    let issues = context.dependencies.issues
    spawn(activity, name: kind, priority: nil) {
      do {
        if !Task.isCancelled { try await clock.sleep(for: duration) }
      } catch {
        if !Task.isCancelled {
          issues.report(Issue("The clock of a \(kind ?? "throttle") failed with \(error)."))
        }
      }
      await runtime.onIsolation { runtime in
        if !activity.isCancelled { runtime.inTurn { activity.fire?() } }
        runtime.finish(activity)
      }
    }
  }

  private func spawn(
    _ activity: Activity, name: String?, priority: TaskPriority?,
    _ operation: @escaping @Sendable () async -> Void
  ) {
    let task = Task(name: name, executorPreference: executor, priority: priority, operation: operation)
    activity.task = task
    tasks[activity.serial] = task
  }

  private func receive(_ action: Action, from activity: Activity) {
    if activity.isCancelled { return }
    functions.receive(self, action)
  }

  private func finish(_ activity: Activity) {
    tasks[activity.serial] = nil
    inTurn { complete(activity) }
  }

  private func throttle(
    _ id: EffectID, _ duration: Duration, latest: Bool, _ effect: Effect<Action>, in context: EffectContext
  ) {
    var later = context
    later.sequence = nil
    let following = later
    if let open = existingInstance(of: context.origin)?.throttles[id] {
      if latest || open.pending == nil {
        open.pending = { [unowned self] in perform(effect, in: following) }
      }
      return
    }
    perform(effect, in: context)
    openThrottle(id, duration, in: later)
  }

  private func openThrottle(_ id: EffectID, _ duration: Duration, in context: EffectContext) {
    let span = Throttle()
    let feature = instance(of: context.origin)
    feature.throttles[id] = span
    startTimer(duration, kind: nil, in: context) { [unowned self] in
      guard feature.throttles[id] === span else { return }
      feature.throttles[id] = nil
      guard let pending = span.pending else { return }
      pending()
      openThrottle(id, duration, in: context)
    }
  }
}
