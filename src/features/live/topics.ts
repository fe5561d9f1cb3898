import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'

/** Who may hear of what, by how the type of a change begins. What is not here stays in the house. */
const SCOPES: Readonly<Record<string, Scope>> = {
  email: 'mail:read',
  mail_rule: 'mail:read',
  task: 'tasks:read',
  event: 'calendar:read',
  booking: 'booking:read',
  stream: 'stream:read',
}

/** What is one person's alone: its subject says whose, and only who is signed in as them hears of it. */
const PERSONAL = 'notification'

const areaOf = (type: string): string => type.split('.', 1)[0] ?? ''

export const isPersonal = (type: string): boolean => areaOf(type) === PERSONAL

export const isOwn = (caller: Caller, subject: string): boolean =>
  caller.kind === 'session' && subject === String(caller.userId)

/** Whether a caller may hear of changes of a type, those excepted that are personal. */
export const mayHear = (caller: Caller, type: string): boolean => {
  const scope = Object.hasOwn(SCOPES, areaOf(type)) ? SCOPES[areaOf(type)] : undefined
  return scope !== undefined && (caller.kind !== 'token' || covers(caller.scopes, scope))
}
