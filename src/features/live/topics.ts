import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'

/** Scope that a token needs for each type prefix. Changes with other prefixes are never sent. */
const SCOPES: Readonly<Record<string, Scope>> = {
  email: 'mail:read',
  mail_rule: 'mail:read',
  task: 'tasks:read',
  event: 'calendar:read',
  booking: 'booking:read',
  stream: 'stream:read',
}

/**
 * Changes for one account only. Their subject is the user id, and only sessions of that user receive them.
 */
const PERSONAL = 'notification'

const toPrefix = (type: string): string => type.split('.', 1)[0] ?? ''

export const isPersonal = (type: string): boolean => toPrefix(type) === PERSONAL

export const isOwn = (caller: Caller, subject: string): boolean =>
  caller.kind === 'session' && subject === String(caller.userId)

/** Tells whether a caller may receive changes of a type, except personal ones. */
export const mayHear = (caller: Caller, type: string): boolean => {
  const scope = Object.hasOwn(SCOPES, toPrefix(type)) ? SCOPES[toPrefix(type)] : undefined
  return scope !== undefined && (caller.kind !== 'token' || covers(caller.scopes, scope))
}
