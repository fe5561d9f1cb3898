import type { MailLogin, MailServer } from './servers.ts'

/** A server that mail is handed to; every `MailTarget` is one. */
export interface SubmissionTarget {
  server: Omit<MailServer, 'tls'> & {
    /** `opportunistic`: STARTTLS where the server offers it, and no encryption otherwise. */
    tls: MailServer['tls'] | 'opportunistic'
  }
  /** Null for a server that is used without signing in. */
  login: MailLogin | null
}

export interface Submission {
  /** Bare addresses. */
  from: string
  to: readonly string[]
  raw: Buffer
  /** Called, and waited for, when the server has taken the envelope and before it gets the first byte of the message. */
  beforeData(): Promise<void>
}

/**
 * How it went. `postponed`: the message is certainly not sent, trying again makes sense; `refused`: certainly not
 * sent, and never will be as it is; `uncertain`: the whole message went out and no answer came back.
 */
export type SubmissionResult =
  | { result: 'sent'; refused: { address: string; said: string | null }[] }
  | { result: 'postponed' | 'refused' | 'uncertain'; said: string }

export interface Transport {
  /** Connects and signs in. Failures are `upstream` AppErrors that name their step. */
  verify(target: SubmissionTarget): Promise<void>
  submit(target: SubmissionTarget, submission: Submission, signal?: AbortSignal): Promise<SubmissionResult>
}
