import type { Shape } from '../../../api/client.ts'
import { readText } from '../../../ui/form-values.ts'

export type MailAccount = Shape<'MailAccount'>
type Tls = MailAccount['imap']['tls']

/** A bridge has one certificate for both servers. */
const serverOf = (values: FormData, side: 'imap' | 'smtp') => ({
  host: readText(values, `${side}.host`),
  port: Number(readText(values, `${side}.port`)),
  tls: readText(values, `${side}.tls`) as Tls,
  certificate: readText(values, `${side}.certificate`) || readText(values, 'certificate') || null,
})

/** Converts the account form to a request body. Passwords are not trimmed. */
export const readAccount = (values: FormData) => {
  const address = readText(values, 'address')
  const [name, senderName, username] = ['name', 'senderName', 'username'].map((field) =>
    readText(values, field),
  )
  return {
    address,
    imap: serverOf(values, 'imap'),
    smtp: serverOf(values, 'smtp'),
    password: String(values.get('password') ?? ''),
    ...(name && { name }),
    senderName: senderName ?? '',
    ...(username && { username }),
  }
}

const isSameServer = (one: MailAccount['imap'], other: MailAccount['imap']): boolean =>
  one.host.toLowerCase() === other.host.toLowerCase() &&
  one.port === other.port &&
  one.tls === other.tls &&
  (one.certificate ?? null) === (other.certificate ?? null)

/** Converts the edit form to a change. An empty password field keeps the stored password. */
export const readChange = (values: FormData, account: MailAccount): Shape<'MailAccountChange'> => {
  const { address: _, password, name, ...input } = readAccount(values)
  const isElsewhere = !isSameServer(input.imap, account.imap) || !isSameServer(input.smtp, account.smtp)
  return {
    name: name ?? account.address,
    senderName: input.senderName,
    enabled: values.get('enabled') !== null,
    ...(account.signIn === 'password' && {
      ...(isElsewhere && { imap: input.imap, smtp: input.smtp }),
      ...(input.username !== undefined &&
        input.username !== account.username && { username: input.username }),
      ...(password !== '' && { password }),
    }),
  }
}

/**
 * Whether the password is required again. A stored password must not be sent to another server or for another
 * user.
 */
export const asksForPassword = (values: FormData, account: MailAccount): boolean => {
  if (account.signIn !== 'password') return false
  const { imap, smtp, username } = readAccount(values)
  return (
    !isSameServer(imap, account.imap) ||
    !isSameServer(smtp, account.smtp) ||
    (username ?? account.username) !== account.username
  )
}
