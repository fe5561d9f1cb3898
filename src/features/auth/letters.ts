/** Mail that the service itself sends to a person. It is sent and not stored: its content may be secret. */
export interface Letter {
  /** Signed in a header, so that the mail is recognised when it comes back. */
  id: string
  to: { name: string; address: string }
  subject: string
  text: string
}

export interface Letters {
  /** Whether there is a server to send with. */
  isReady(): Promise<boolean>
  /** Throws when it was not taken, and trying again makes sense. */
  send(letter: Letter, signal?: AbortSignal): Promise<void>
}

/** The mailboxes that are synced here, of all accounts. */
export interface ConnectedMailboxes {
  /** The mailbox with this address, if it is being synced; one that is off or cannot be reached is not. */
  findSynced(address: string): Promise<{ accountId: string; address: string } | undefined>
  requestSync(accountId: string): Promise<void>
}
