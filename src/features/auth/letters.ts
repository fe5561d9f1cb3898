/** Mail that the service itself writes to somebody. It is sent and not kept: what it says may be secret. */
export interface Letter {
  to: { name: string; address: string }
  subject: string
  text: string
}

export interface Letters {
  /** Whether there is an account to send with. */
  isReady(): Promise<boolean>
  /** Throws when it was not taken, and trying again makes sense. */
  send(letter: Letter, signal?: AbortSignal): Promise<void>
}
