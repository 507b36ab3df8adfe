import Testing

/// A declaration in WrongRoutes.swift and what the compiler says about it.
struct Mistake: Sendable {
  let declaration: String
  let errors: [String]

  private init(_ declaration: String, _ errors: String) {
    self.declaration = declaration
    self.errors = errors.split(separator: "\n").map(String.init)
  }

  static let all = [
    Mistake(
      "ScopeWithRouteOfOtherChild",
      """
      static method 'buildExpression' requires the types 'Other.Action' and 'Child.Action' be equivalent
      """),
    Mistake(
      "ScopeWithOtherChild",
      """
      static method 'buildExpression' requires the types 'Child.State' and 'Other.State' be equivalent
      static method 'buildExpression' requires the types 'Child.Action' and 'Other.Action' be equivalent
      """),
    Mistake(
      "ScopeWithMisspelledRoute",
      """
      type 'Route<Action, Child.Action>' has no member 'chidl'
      """),
    Mistake(
      "ScopeWithOtherState",
      """
      static method 'buildExpression' requires the types 'Array<Child.State>' and 'Child.State' be \
      equivalent
      """),
    Mistake(
      "ScopeWithCaseForRoute",
      """
      cannot convert value of type '@Sendable (Child.Action) -> Action' to expected argument type \
      'Route<Action, Child.Action>'
      """),
    Mistake(
      "IfLetWithRouteOfOtherChild",
      """
      static method 'buildExpression' requires the types 'Other.Action' and 'Child.Action' be equivalent
      """),
    Mistake(
      "IfLetWithStateThatIsAlwaysThere",
      """
      cannot convert value of type 'WritableKeyPath<State, Child.State>' to expected argument type \
      'WritableKeyPath<State, Child.State?>'
      """),
    Mistake(
      "IfCaseLetWithRouteOfOtherCase",
      """
      static method 'buildExpression' requires the types 'Other.State' and 'Child.State' be equivalent
      """),
    Mistake(
      "ForEachWithRouteOfOneChild",
      """
      static property 'child' requires the types 'IdentifiedAction<Int, Child.Action>' and \
      'Child.Action' be equivalent
      member chain produces result of type 'Route<Action, Child.Action>' but contextual base was \
      inferred as 'Route<Action, IdentifiedAction<Int, Child.Action>>'
      """),
    Mistake(
      "ForEachWithArray",
      """
      cannot convert value of type 'WritableKeyPath<State, Array<Child.State>>' to expected argument \
      type 'WritableKeyPath<State, IdentifiedArray<Int, Child.State>>'
      """),
    Mistake(
      "ForEachWithOtherRow",
      """
      static method 'buildExpression' requires the types 'Child.State' and 'Other.State' be equivalent
      static method 'buildExpression' requires the types 'Child.Action' and 'Other.Action' be equivalent
      """),
    Mistake(
      "embedOfOtherCase",
      """
      cannot convert value of type '@Sendable (Other.Action) -> Action' to expected argument type \
      '@Sendable (Child.Action) -> Action'
      """),
    Mistake(
      "extractOfOtherCase",
      """
      cannot convert value of type 'Other.Action' to specified type 'Child.Action'
      """),
  ]
}

extension Mistake: CustomTestStringConvertible {
  var testDescription: String { declaration }
}
