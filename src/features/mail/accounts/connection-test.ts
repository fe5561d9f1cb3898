import type { Language, LanguageOf } from '../../../platform/language.ts'
import type { FailureExplanation } from '../../remote-accounts/failure.ts'
import { type MailAccounts, serverOf } from './accounts.ts'
import type { MailServer, MailTarget, OpenMailbox, ServerLimits, Transport } from './ports.ts'
import type { Logins } from './sign-in/sign-in.ts'
import { explainError } from './words.ts'

export interface SideResult {
  ok: boolean
  failure: FailureExplanation | null
}
export interface ConnectionTestResult {
  ok: boolean
  imap: SideResult
  smtp: SideResult
}

type Side = { server: MailServer; target: () => Promise<MailTarget> }

const runCheck = async (
  { server, target }: Side,
  language: Language,
  check: (target: MailTarget) => Promise<unknown>,
): Promise<SideResult> => {
  try {
    await check(await target())
    return { ok: true, failure: null }
  } catch (error) {
    return { ok: false, failure: explainError(error, server, language) }
  }
}

/** Signs in to both servers exactly as sync and sending do, and reports the step at which each one failed. */
export const createConnectionTest = (deps: {
  openMailbox: OpenMailbox
  transport: Transport
  accounts: Pick<MailAccounts, 'record' | 'saveLimits'>
  logins: Logins
  languageOf: LanguageOf
}) => {
  const testSides = async (
    userId: number,
    sides: { imap: Side; smtp: Side },
    onLimits: (limits: ServerLimits) => Promise<void> = async () => {},
  ): Promise<ConnectionTestResult> => {
    const language = await deps.languageOf(userId)
    const [imap, smtp] = await Promise.all([
      runCheck(sides.imap, language, async (target) => {
        const mailbox = await deps.openMailbox(target)
        try {
          await mailbox.open('INBOX')
        } finally {
          await mailbox.close()
        }
      }),
      runCheck(sides.smtp, language, async (target) => onLimits(await deps.transport.verify(target))),
    ])
    return { ok: imap.ok && smtp.ok, imap, smtp }
  }
  const toSide = (target: MailTarget): Side => ({ server: target.server, target: async () => target })
  return {
    test: (userId: number, targets: { imap: MailTarget; smtp: MailTarget }): Promise<ConnectionTestResult> =>
      testSides(userId, { imap: toSide(targets.imap), smtp: toSide(targets.smtp) }),
    async testSaved(userId: number, id: string): Promise<ConnectionTestResult> {
      const account = await deps.accounts.record(userId, id)
      return testSides(
        userId,
        {
          imap: { server: serverOf(account.imap), target: () => deps.logins.imap(account) },
          smtp: { server: serverOf(account.smtp), target: () => deps.logins.smtp(account) },
        },
        (limits) => deps.accounts.saveLimits(account, limits),
      )
    },
  }
}

export type ConnectionTest = ReturnType<typeof createConnectionTest>
