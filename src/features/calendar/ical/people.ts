import {
  type ContentLine,
  cleanText,
  parameterOf,
  regularParameter,
  writeParameter,
} from '../../../platform/icalendar/text.ts'
import type { Attendee, Person } from '../event.ts'
import type { PersonExtra } from './entry.ts'

const STATUSES: Record<string, Attendee['status']> = {
  'NEEDS-ACTION': 'needs-action',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
  // Another person attends instead.
  DELEGATED: 'declined',
  COMPLETED: 'accepted',
  'IN-PROCESS': 'accepted',
}

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/
const MAX_ADDRESS_LENGTH = 320

/** Returns undefined for a participant without an email address: rooms and groups may have other URIs. */
export const readPerson = (line: ContentLine): { person: Person; extra: PersonExtra } | undefined => {
  const address = cleanText(line.value).trim()
  const named = /^mailto:/i.test(address) ? decodePercents(address.slice(7)).trim() : address
  const email = [named, parameterOf(line, 'EMAIL') ?? ''].find(
    (text) => ADDRESS.test(text) && text.length <= MAX_ADDRESS_LENGTH && !/^(?:https?|urn):/i.test(text),
  )
  if (email === undefined) return undefined
  // RFC 5545 has no such escapes in parameters, but some programs write them.
  const name = cleanText((parameterOf(line, 'CN') ?? '').replace(/\\([,;])/g, '$1'))
    .replace(/\s+/g, ' ')
    .trim()
  const parameters = line.parameters
    .filter((parameter) => parameter.name !== 'CN' && parameter.name !== 'PARTSTAT')
    .map(regularParameter)
    .join(';')
  return {
    person: { name, email },
    extra: { email, parameters, ...(email === named ? {} : { address }) },
  }
}

export const readAttendee = (line: ContentLine): { attendee: Attendee; extra: PersonExtra } | undefined => {
  const read = readPerson(line)
  if (!read) return undefined
  const participation = (parameterOf(line, 'PARTSTAT') ?? 'NEEDS-ACTION').trim().toUpperCase()
  const status = STATUSES[participation] ?? 'needs-action'
  const extra = participation === status.toUpperCase() ? {} : { participation }
  return { attendee: { ...read.person, status }, extra: { ...read.extra, ...extra } }
}

/** Splits parameters at semicolons outside of quotation marks. */
export const splitParameters = (parameters: string): string[] => parameters.match(/(?:"[^"]*"|[^;"])+/g) ?? []

const decodePercents = (address: string): string => {
  try {
    return address.includes('%') ? decodeURIComponent(address) : address
  } catch {
    return address
  }
}

/** Whether there is anything to keep. */
export const hasExtraData = ({ parameters, address, participation }: PersonExtra): boolean =>
  parameters !== '' || address !== undefined || participation !== undefined

export const writeOrganizer = (person: Person, extra: PersonExtra | undefined): string => {
  const kept = extra?.email === person.email ? extra : undefined
  return `ORGANIZER${named(person)}${parametersOf(kept)}:${addressOf(person, kept)}`
}

export const writeAttendee = (attendee: Attendee, extra: PersonExtra | undefined): string => {
  const original = extra?.participation
  const participation =
    original !== undefined && (STATUSES[original] ?? 'needs-action') === attendee.status
      ? writeParameter(original)
      : attendee.status.toUpperCase()
  return `ATTENDEE${named(attendee)};PARTSTAT=${participation}${parametersOf(extra)}:${addressOf(attendee, extra)}`
}

const named = ({ name }: Person): string => (name === '' ? '' : `;CN=${writeParameter(name)}`)

const parametersOf = (extra: PersonExtra | undefined): string =>
  extra?.parameters ? `;${extra.parameters}` : ''

const addressOf = ({ email }: Person, extra: PersonExtra | undefined): string =>
  extra?.address ?? `mailto:${cleanText(email).replace(/[\s%]/g, encodeURIComponent)}`
