import type { MailAccounts } from './accounts.ts'
import { serverOf } from './credentials.ts'
import type { OpenMailbox } from './mailbox.ts'
import type { MailServer, MailTarget } from './servers.ts'
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

type Side = { server: MailServer; target: () => Promise<MailTarget> }

const judged = async (
  { server, target }: Side,
  work: (target: MailTarget) => Promise<void>,
): Promise<SideResult> => {
  try {
    await work(await target())
    return { ok: true, failure: null }
  } catch (error) {
    return { ok: false, failure: explainError(error, server) }
  }
}

/** Goes the whole way to both servers, as sync and sending will, and says how far each got. */
export const createTrial = (deps: {
  openMailbox: OpenMailbox
  transport: Transport
  accounts: Pick<MailAccounts, 'record'>
  logins: Logins
}) => {
  const attempt = async (sides: { imap: Side; smtp: Side }): Promise<TrialResult> => {
    const [imap, smtp] = await Promise.all([
      judged(sides.imap, async (target) => {
        const mailbox = await deps.openMailbox(target)
        try {
          await mailbox.open('INBOX')
        } finally {
          await mailbox.close()
        }
      }),
      judged(sides.smtp, deps.transport.verify),
    ])
    return { ok: imap.ok && smtp.ok, imap, smtp }
  }
  const given = (target: MailTarget): Side => ({ server: target.server, target: async () => target })
  return {
    attempt: (targets: { imap: MailTarget; smtp: MailTarget }): Promise<TrialResult> =>
      attempt({ imap: given(targets.imap), smtp: given(targets.smtp) }),
    async attemptSaved(userId: number, id: string): Promise<TrialResult> {
      const account = await deps.accounts.record(userId, id)
      return attempt({
        imap: { server: serverOf(account.imap), target: () => deps.logins.imap(account) },
        smtp: { server: serverOf(account.smtp), target: () => deps.logins.smtp(account) },
      })
    },
  }
}

export type Trial = ReturnType<typeof createTrial>
