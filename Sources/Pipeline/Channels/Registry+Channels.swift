extension Registry {
  /// Adds the built-in channels.
  package mutating func registerChannels() {
    register(ConsoleChannelSettings.self)
    register(FileChannelSettings.self)
    register(WebhookSettings.self)
    register(SlackSettings.self)
    register(DiscordSettings.self)
    register(TelegramSettings.self)
    register(NtfySettings.self)
    register(EmailSettings.self)
    register(AlertmanagerSettings.self)
    register(HeartbeatSettings.self)
    register(DesktopSettings.self)
  }
}
