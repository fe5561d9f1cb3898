import { conflict, invalidField } from '../../platform/errors.ts'
import { type Language, toLanguage } from '../../platform/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { digest } from '../../platform/secrets/seal.ts'
import type { AuthMail } from './auth-mail.ts'
import { de } from './locales/de.ts'
import { type AuthMailTexts, en } from './locales/en.ts'
import { getUser } from './repository.ts'

const TEXTS: Readonly<Record<Language, AuthMailTexts>> = { en, de }

export type InvitationMailer = ReturnType<typeof createInvitationMailer>

/** Mails invitations to register, in the language of the person who invites. */
export const createInvitationMailer = (
  { db, log }: Platform,
  authMail: AuthMail,
  /** The base of the link. Without it, the link would point to an address that others cannot reach. */
  publicUrl: string | null,
) => ({
  /** Rejects an invitation that cannot be mailed, before it is created. */
  async requireReady(email: string | null): Promise<void> {
    if (email === null) throw invalidField('email', 'is required to mail the invitation')
    if (publicUrl === null || !(await authMail.isReady()))
      throw conflict(
        'This instance cannot send mail. Set PUBLIC_URL, and SMTP_URL or a mail account for the instance.',
        'not_configured',
      )
  },

  /** Returns false if the mail server did not accept the message. The link still works. */
  async send(
    inviter: number,
    { id, email, url }: { id: string; email: string; url: string },
  ): Promise<boolean> {
    const { name, locale } = await getUser(db, inviter)
    const t = TEXTS[toLanguage(locale)].invitation
    const lines = [t.greeting, '', t.request(name), t.instructions, '', url, '', t.ignore, '']
    try {
      await authMail.send({
        kind: 'invitation',
        id: digest(id),
        to: { name: '', address: email },
        subject: t.subject(name),
        text: lines.join('\n'),
      })
      return true
    } catch (error) {
      log.warn({ err: error, invitation: id }, 'could not mail an invitation')
      return false
    }
  },
})
