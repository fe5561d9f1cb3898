/** A message that the service itself sends. It is never stored, because its content may be secret. */
export interface AuthMessage {
  kind: 'reset' | 'invitation'
  /** Signed in a header, so that the sync recognizes the message when it comes back. */
  id: string
  to: { name: string; address: string }
  subject: string
  text: string
}

export interface AuthMail {
  /** True if a mail server is configured. */
  isReady(): Promise<boolean>
  /** Throws if the server did not accept the message and a retry makes sense. */
  send(message: AuthMessage, signal?: AbortSignal): Promise<void>
}

/** The synced mailboxes of all accounts. */
export interface ConnectedMailboxes {
  /**
   * Finds the mailbox with this address if its sync works. A disabled or unreachable mailbox does not count.
   */
  findSynced(address: string): Promise<{ accountId: string; address: string } | undefined>
  requestSync(accountId: string): Promise<void>
}
