/// Where an effect is performed: for which feature, under which ids, in which sequence.
struct EffectContext {
  var feature: FeatureInstance
  var ids: [EffectID] = []
  var dependencies: Dependencies
  var sequence: Activity?
}

extension Runtime {
  @inlinable
  func perform(_ effect: Effect<Action>) {
    switch effect.operation {
    case .none: return
    case .send(let action):
      queue.append(.init(action: action, feature: nil, activity: nil, isFromEffect: true))
    case .other(let compound): performForFeature(compound)
    }
  }

  /// Finds the feature that an effect belongs to; actions to send need no more than that.
  @inlinable
  func performForFeature(_ compound: Effect<Action>.Compound) {
    var feature = root
    var compound = compound
    while case .feature(let key, let effect) = compound {
      feature = feature.child(key)
      switch effect.operation {
      case .none: return feature.prune()
      case .send(let action):
        feature.queued += 1
        return queue.append(.init(action: action, feature: feature, activity: nil, isFromEffect: true))
      case .other(let next): compound = next
      }
    }
    perform(compound, of: feature)
  }

  @usableFromInline
  func perform(_ compound: Effect<Action>.Compound, of feature: FeatureInstance) {
    perform(compound, in: EffectContext(feature: feature, dependencies: dependencies))
    feature.prune()
  }

  private func perform(_ effect: Effect<Action>, in context: EffectContext) {
    switch effect.operation {
    case .none: return
    case .send(let action): enqueue(action, in: context)
    case .other(let compound): perform(compound, in: context)
    }
  }

  private func perform(_ compound: Effect<Action>.Compound, in context: EffectContext) {
    if flags.contains(.closed) || context.feature.isEnded { return }
    var inner = context
    switch compound {
    case .run(let run): start(run, in: context)
    case .merge(let effects):
      for effect in effects { perform(effect, in: context) }
    case .concatenate(let effects): performSequence(effects[...], in: context)
    case .cancel(let id): cancel(id, of: context.feature)
    case .cancellable(let id, let cancelInFlight, let effect):
      if cancelInFlight { cancel(id, of: context.feature) }
      inner.ids.append(id)
      perform(effect, in: inner)
    case .debounce(let id, let duration, let effect):
      cancel(id, of: context.feature)
      inner.ids.append(id)
      let following = inner
      startTimer(duration, kind: "debounce", in: inner) { [unowned self] in
        perform(effect, in: following)
      }
    case .throttle(let id, let duration, let latest, let effect):
      inner.ids.append(id)
      throttle(id, duration, latest: latest, effect, in: inner)
    case .feature(let key, let effect):
      inner.feature = context.feature.child(key)
      perform(effect, in: inner)
      inner.feature.prune()
    case .endFeature(let key):
      if let child = context.feature.children[key] { cancel(child.end()) }
    case .endRows(let node, let isGone):
      for (key, child) in context.feature.children where key.node == node {
        if let row = key.row, isGone(row) { cancel(child.end()) }
      }
    case .dependencies(let dependencies, let effect):
      inner.dependencies = dependencies
      perform(effect, in: inner)
    case .issue(let message, let action):
      let name = action.map { " The action was \(actionName($0))." } ?? ""
      context.dependencies.issues.report(Issue(message + name))
    }
  }

  private func enqueue(_ action: Action, in context: EffectContext) {
    var feature: FeatureInstance?
    var activity: Activity?
    if !context.ids.isEmpty {
      activity = begin(in: context, isStep: false)
    } else if context.feature !== root {
      context.feature.queued += 1
      feature = context.feature
    }
    queue.append(.init(action: action, feature: feature, activity: activity, isFromEffect: true))
  }

  // MARK: - Activities

  /// Enters an activity in the books of its feature and, as a step, of its sequence.
  private func begin(in context: EffectContext, isStep: Bool = true) -> Activity {
    lastSerial += 1
    let sequence = isStep ? context.sequence : nil
    let activity = Activity(
      serial: lastSerial, feature: context.feature, ids: context.ids, sequence: sequence)
    context.feature.insert(activity)
    sequence?.remaining += 1
    activityCount += 1
    if sweep != nil { flags.insert(.sweeping) }
    return activity
  }

  /// Takes an ended activity out of the books and lets its sequence go on.
  func complete(_ activity: Activity) {
    guard activity.feature.remove(activity) else { return }
    activityCount -= 1
    if activityCount == 0 { flags.remove(.sweeping) }
    guard let sequence = activity.sequence else { return }
    sequence.remaining -= 1
    guard sequence.remaining == 0, let proceed = sequence.proceed, !sequence.isCancelled else { return }
    sequence.proceed = nil
    proceed()
    complete(sequence)
  }

  private func cancel(_ id: EffectID, of feature: FeatureInstance) {
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
          try await run.operation(send)
        } catch is CancellationError where Task.isCancelled {
          // The wanted end of a cancelled effect.
        } catch {
          if let handler = run.handler {
            await handler(error, send)
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
    sendInTurn(action, isFromEffect: true)
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
    if let open = context.feature.throttles[id] {
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
    context.feature.throttles[id] = span
    startTimer(duration, kind: nil, in: context) { [unowned self] in
      guard context.feature.throttles[id] === span else { return }
      context.feature.throttles[id] = nil
      guard let pending = span.pending else { return }
      pending()
      openThrottle(id, duration, in: context)
    }
  }
}
