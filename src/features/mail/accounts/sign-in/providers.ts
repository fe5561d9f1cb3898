import { findProvider } from '../autoconfig/autoconfig.ts'
import type { MailServer } from '../ports.ts'

export type OauthName = 'google' | 'microsoft'

/** The operator's OAuth settings for one provider. */
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
  /** Parameters that make the authorization endpoint issue a refresh token. */
  extra: Readonly<Record<string, string>>
  imap: Omit<MailServer, 'certificate'>
  smtp: Omit<MailServer, 'certificate'>
}

const DEFAULTS = {
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

/** Undefined if the operator has not configured a client ID. */
export const findOauthProvider = (settings: OauthSettings, name: OauthName): OauthProvider | undefined => {
  const setting = settings[name]
  const known = findProvider(DEFAULTS[name].domain, [])
  if (setting.clientId === null || !known) return undefined
  const { authUrl, tokenUrl, scope, extra } = DEFAULTS[name]
  return {
    name,
    clientId: setting.clientId,
    clientSecret: setting.clientSecret,
    authUrl: setting.authUrl ?? authUrl,
    tokenUrl: setting.tokenUrl ?? tokenUrl,
    scope,
    extra,
    imap: setting.imap ?? known.imap,
    smtp: setting.smtp ?? known.smtp,
  }
}
