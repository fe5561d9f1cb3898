import { invalidField } from '../../platform/errors.ts'
import type { Attendee, Person } from './event.ts'

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/
/** "Ana Ruiz <ana@example.org>", the name in quotes or not. */
const NAMED = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^<"]*?))\s*<([^<>]+)>\s*$/

type Given<T extends Person> = string | (Partial<T> & { email: string })

const readWritten = (text: string): Person => {
  const [, quoted, plain, address] = NAMED.exec(text) ?? []
  if (address === undefined) return { name: '', email: text.trim() }
  return { name: quoted?.replaceAll(/\\(.)/g, '$1') ?? (plain ?? '').trim(), email: address.trim() }
}

export const readPerson = (path: string, given: Given<Person>): Person => {
  const { name = '', email } = typeof given === 'string' ? readWritten(given) : given
  if (!ADDRESS.test(email))
    throw invalidField(
      typeof given === 'string' ? path : `${path}.email`,
      'must be an e-mail address, such as ana@example.org',
    )
  return { name, email }
}

export const readAttendees = (given: readonly Given<Attendee>[]): Attendee[] => {
  const seen = new Set<string>()
  return given.map((entry, index) => {
    const path = `attendees.${index}`
    const { name, email } = readPerson(path, entry)
    if (seen.has(email.toLowerCase())) throw invalidField(path, 'is invited already')
    seen.add(email.toLowerCase())
    const status = typeof entry === 'string' ? undefined : entry.status
    return { name, email, status: status ?? 'needs-action' }
  })
}
