import { findProvider } from '../autoconfig/providers.ts'
import type { MailServer } from '../servers.ts'

export type OauthName = 'google' | 'microsoft'

/** What the operator has set for one of them. */
export interface OauthSetting {
  clientId: string | null
  clientSecret: string | null
  authUrl: string | null
  tokenUrl: string | null
  imap: Omit<MailServer, 'certificate'> | null
  smtp: Omit<MailServer, 'certificate'> | null
}
export type OauthSettings = Readonly<Record<OauthName, OauthSetting>>

export interface OauthProvider {
  name: OauthName
  clientId: string
  clientSecret: string | null
  authUrl: string
  tokenUrl: string
  scope: string
  /** What else its page of consent is told, so that it hands out a token that lasts. */
  extra: Readonly<Record<string, string>>
  imap: Omit<MailServer, 'certificate'>
  smtp: Omit<MailServer, 'certificate'>
}

const FACTS = {
  google: {
    domain: 'gmail.com',
    authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    scope: 'openid email https://mail.google.com/',
    extra: { access_type: 'offline', prompt: 'consent' },
  },
  microsoft: {
    domain: 'outlook.com',
    authUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope:
      'openid email offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
    extra: { prompt: 'select_account' },
  },
} as const

/** Undefined while the operator has registered no client there. */
export const findOauthProvider = (settings: OauthSettings, name: OauthName): OauthProvider | undefined => {
  const set = settings[name]
  const known = findProvider(FACTS[name].domain, [])
  if (set.clientId === null || !known) return undefined
  const { authUrl, tokenUrl, scope, extra } = FACTS[name]
  return {
    name,
    clientId: set.clientId,
    clientSecret: set.clientSecret,
    authUrl: set.authUrl ?? authUrl,
    tokenUrl: set.tokenUrl ?? tokenUrl,
    scope,
    extra,
    imap: set.imap ?? known.imap,
    smtp: set.smtp ?? known.smtp,
  }
}
