/// The text of a configuration with what it may use: enough to run it again for the functions in it.
package struct ConfigurationProgram: Sendable {
  let file: ScriptFile
  let registry: Registry
}
