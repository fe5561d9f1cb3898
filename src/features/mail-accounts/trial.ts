import type { MailAccounts } from './accounts.ts'
import type { OpenMailbox } from './mailbox.ts'
import type { MailTarget } from './servers.ts'
import type { Logins } from './sign-in/login.ts'
import type { Transport } from './transport.ts'
import { type Explained, explainError } from './words.ts'

export interface SideResult {
  ok: boolean
  failure: Explained | null
}
export interface TrialResult {
  ok: boolean
  imap: SideResult
  smtp: SideResult
}

const judged = async (target: MailTarget, work: () => Promise<void>): Promise<SideResult> => {
  try {
    await work()
    return { ok: true, failure: null }
  } catch (error) {
    return { ok: false, failure: explainError(error, target.server) }
  }
}

/** Goes the whole way to both servers, as sync and sending will, and says how far each got. */
export const createTrial = (deps: {
  openMailbox: OpenMailbox
  transport: Transport
  accounts: Pick<MailAccounts, 'record'>
  logins: Logins
}) => {
  const attempt = async (targets: { imap: MailTarget; smtp: MailTarget }): Promise<TrialResult> => {
    const [imap, smtp] = await Promise.all([
      judged(targets.imap, async () => {
        const mailbox = await deps.openMailbox(targets.imap)
        try {
          await mailbox.open('INBOX')
        } finally {
          await mailbox.close()
        }
      }),
      judged(targets.smtp, () => deps.transport.verify(targets.smtp)),
    ])
    return { ok: imap.ok && smtp.ok, imap, smtp }
  }
  return {
    attempt,
    async attemptSaved(userId: number, id: string): Promise<TrialResult> {
      const account = await deps.accounts.record(userId, id)
      return attempt({ imap: await deps.logins.imap(account), smtp: await deps.logins.smtp(account) })
    },
  }
}

export type Trial = ReturnType<typeof createTrial>
