internal import LuaShim

/// What only a build for measuring does.
package enum Measuring {
  /// Whether a replay keeps state as a live host does, so that what that costs can be shown.
  package static var keepsState: Bool { script_measures_storage() }
}
