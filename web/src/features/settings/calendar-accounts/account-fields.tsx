import { PasswordField, TextField } from '../../../ui/field.tsx'
import type { Kind } from './account-form.ts'

const URLS = {
  caldav: {
    label: 'Address of the server',
    placeholder: 'https://calendar.example.org/',
    hint: 'Your provider gives it for CalDAV. The address of the server alone is often enough.',
  },
  ics: {
    label: 'Address of the calendar',
    placeholder: 'https://example.org/holidays.ics',
    hint: 'It begins with https:// or webcal://, and often ends in .ics. Providers call it a subscription, or a secret address.',
  },
} as const

const SAVED_URL_HINT =
  'It is kept like a password, so only its server is shown. Leave it so, or give another one.'

export const UrlField = ({ kind, defaultValue }: { kind: Kind; defaultValue?: string }) => (
  <TextField
    name="url"
    maxLength={2000}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    inputMode="url"
    required
    {...URLS[kind]}
    {...(defaultValue !== undefined && { defaultValue })}
    {...(defaultValue?.endsWith('/…') && { hint: SAVED_URL_HINT })}
  />
)

interface LoginFieldsProps {
  kind: Kind
  username?: string | null
  /**
   * `first`: new account. `again`: the server or user name changed. `kept`: an empty field keeps the stored
   * password.
   */
  password: 'first' | 'again' | 'kept'
}

const HINTS = {
  first: 'Providers with a second factor ask for an app password.',
  again: 'It was given for the address and the user name before: for others it is asked for again.',
  kept: 'Leave it empty to keep the one there is.',
} as const

/** A CalDAV server needs both fields; a published calendar seldom needs either. */
export const LoginFields = ({ kind, username, password }: LoginFieldsProps) => (
  <>
    <TextField
      name="username"
      label="User name"
      defaultValue={username ?? ''}
      maxLength={254}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required={kind === 'caldav'}
      {...(kind === 'ics' && { hint: 'Only where the address asks for one.' })}
    />
    <PasswordField
      name="password"
      label={{ first: 'Password', again: 'Password, once more', kept: 'New password' }[password]}
      autoComplete="off"
      required={password === 'again' || (password === 'first' && kind === 'caldav')}
      {...(kind === 'caldav' || password !== 'first' ? { hint: HINTS[password] } : {})}
    />
  </>
)
