import type { Shape } from '../../../api/client.ts'

export type MailAccount = Shape<'MailAccount'>
export type Tls = MailAccount['imap']['tls']

const text = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()

const serverOf = (values: FormData, side: 'imap' | 'smtp') => ({
  host: text(values, `${side}.host`),
  port: Number(text(values, `${side}.port`)),
  tls: text(values, `${side}.tls`) as Tls,
  certificate: text(values, `${side}.certificate`) || null,
})

/** What a form for an account asks for, as the API wants it. Passwords are taken as they are, spaces included. */
export const readAccount = (values: FormData) => {
  const address = text(values, 'address')
  const [name, senderName, username] = ['name', 'senderName', 'username'].map((field) => text(values, field))
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

/** What a changed form wishes: a password that was left empty stays as it is, where it may. */
export const readChange = (values: FormData, account: MailAccount): Shape<'MailAccountChange'> => {
  const { address: _, password, name, ...wish } = readAccount(values)
  const isElsewhere = !isSameServer(wish.imap, account.imap) || !isSameServer(wish.smtp, account.smtp)
  return {
    name: name ?? account.address,
    senderName: wish.senderName,
    enabled: values.get('enabled') !== null,
    ...(account.signIn === 'password' && {
      ...(isElsewhere && { imap: wish.imap, smtp: wish.smtp }),
      ...(wish.username !== undefined && wish.username !== account.username && { username: wish.username }),
      ...(password !== '' && { password }),
    }),
  }
}

/** Whether the password has to be given again: a secret goes only where it was given for. */
export const asksForPassword = (values: FormData, account: MailAccount): boolean => {
  const { imap, smtp, username } = readAccount(values)
  return (
    !isSameServer(imap, account.imap) ||
    !isSameServer(smtp, account.smtp) ||
    (username ?? account.username) !== account.username
  )
}
