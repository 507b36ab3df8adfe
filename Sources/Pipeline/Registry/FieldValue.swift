import Scripting

/// An option as it was read: checked, converted, with its default filled in.
enum FieldValue: Sendable {
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case duration(Milliseconds)
  case secret(Secret)
  case list([FieldValue])
  case map([String: FieldValue])
  case group(FieldReader)
  case message(MessageTemplate)
  case value(Value)
  case function(FunctionReference)
}
