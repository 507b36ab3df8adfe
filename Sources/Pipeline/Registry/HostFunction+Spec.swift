package import Scripting

extension HostFunction {
  /// Registers a function under its declaration.
  package init(
    _ spec: FunctionSpec,
    body: @escaping (_ arguments: [Value], _ call: ScriptCall) throws(HostFunctionError) -> Value?
  ) {
    self.init(spec.name, phase: Phase(spec.phase), isEffect: spec.isEffect, body: body)
  }

  /// Registers a function that may hand its arguments on as they are.
  package init(
    reading spec: FunctionSpec,
    body: @escaping (_ arguments: HostArguments, _ call: ScriptCall) throws(HostFunctionError) -> Value?
  ) {
    self.init(reading: spec.name, phase: Phase(spec.phase), isEffect: spec.isEffect, body: body)
  }
}

extension HostFunction.Phase {
  fileprivate init(_ phase: FunctionSpec.Phase) {
    switch phase {
    case .loading: self = .loading
    case .handling: self = .handling
    case .always: self = .always
    }
  }
}
