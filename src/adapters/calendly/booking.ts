import { hash } from 'node:crypto'
import type { Booking, Broken, Found } from '../../features/bookings/provider.ts'
import { AppError, invalidField } from '../../platform/errors.ts'
import {
  addressOf,
  type Foreign,
  foreignOf,
  instantOf,
  linkOf,
  listOf,
  requireInstant,
  textOf,
} from '../../platform/outbound/foreign.ts'

/** Calendly names things by addresses; the last part is a name of its own. */
export const lastPart = (uri: unknown): string | null =>
  /\/([\w-]{1,200})\/?$/.exec(textOf(uri, 2000))?.[1] ?? null

/** `…/scheduled_events/EVENT/invitees/INVITEE` */
const eventOfInvitee = (uri: unknown): string | null =>
  /\/scheduled_events\/([\w-]{1,200})\/invitees\//.exec(textOf(uri, 2000))?.[1] ?? null

const readPlace = (value: unknown): Pick<Booking, 'location' | 'meetingUrl'> => {
  const place = foreignOf(value)
  const meetingUrl = linkOf(place.join_url)
  const location = textOf(place.location, 2000)
  return meetingUrl === null && linkOf(location)
    ? { location: '', meetingUrl: linkOf(location) }
    : { location, meetingUrl }
}

const readHosts = (event: Foreign): Booking['guests'] =>
  listOf(event.event_memberships).flatMap((host) => {
    const email = addressOf(host.user_email)
    return email === undefined ? [] : [{ name: textOf(host.user_name, 500), email }]
  })

const isActive = (invitee: Foreign): boolean => invitee.status !== 'canceled'

const readGuests = (
  event: Foreign,
  invitees: readonly Foreign[],
  hosts: Booking['guests'],
): Booking['guests'] => {
  const guests = new Map<string, Booking['guests'][number]>()
  // Of what was called off, all were invited.
  const counted = event.status === 'canceled' ? invitees : invitees.filter(isActive)
  const extra = listOf(event.event_guests).map(({ email }) => ({ email, name: '' }))
  for (const { email, name } of [...counted, ...extra, ...hosts.slice(1)]) {
    const address = addressOf(email)
    if (address !== undefined && !guests.has(address.toLowerCase()))
      guests.set(address.toLowerCase(), { name: textOf(name, 500), email: address })
  }
  return [...guests.values()]
}

/** Of a meeting for many, one who goes elsewhere takes nobody along. */
const isForOne = (event: Foreign): boolean => {
  const { limit } = foreignOf(event.invitees_counter)
  return typeof limit !== 'number' || limit === 1
}

export const readEvent = (uid: string, event: Foreign, invitees: readonly Foreign[]): Booking | Broken => {
  try {
    const start = requireInstant('start_time', event.start_time)
    const end = requireInstant('end_time', event.end_time)
    if (end <= start) throw invalidField('end_time', 'is not after the start')
    if (event.status !== 'active' && event.status !== 'canceled')
      throw invalidField('status', 'is none that is known')
    const hosts = readHosts(event)
    const first = invitees.find(isActive) ?? invitees[0]
    const answer = listOf(first?.questions_and_answers)
      .map(({ question, answer: said }) => `${textOf(question, 1000)}: ${textOf(said, 10_000)}`)
      .join('\n')
    const moved = invitees.map(({ new_invitee }) => eventOfInvitee(new_invitee)).find((to) => to !== null)
    const from = invitees.map(({ old_invitee }) => eventOfInvitee(old_invitee)).find((old) => old !== null)
    const name = textOf(event.name, 1000) || 'Booking'
    const guest = isForOne(event) ? textOf(first?.name, 300) : ''
    return {
      uid,
      title: guest === '' ? name : `${name}: ${guest}`.slice(0, 1000),
      description: textOf(event.meeting_notes_plain, 100_000) || answer.slice(0, 100_000),
      ...readPlace(event.location),
      start,
      end,
      timezone: null,
      status: event.status === 'active' ? 'confirmed' : 'cancelled',
      organizer: hosts[0] ?? null,
      guests: readGuests(event, invitees, hosts),
      replaces: isForOne(event) && from !== uid ? (from ?? null) : null,
      replacedBy: event.status === 'canceled' && isForOne(event) && moved !== uid ? (moved ?? null) : null,
    }
  } catch (error) {
    if (error instanceof AppError) return { uid, broken: error.message }
    throw error
  }
}

export const findIn = (
  item: unknown,
  readInvitees: (uid: string) => Promise<readonly Foreign[] | undefined>,
): Found => {
  const event = foreignOf(item)
  const uid = lastPart(event.uri)
  if (uid === null) return { uid: null, broken: 'uri is missing.', raw: item }
  return {
    uid,
    digest: hash('sha256', JSON.stringify(item), 'base64url'),
    changedAt: instantOf(event.updated_at) ?? instantOf(event.created_at),
    raw: item,
    read: async () => {
      const invitees = await readInvitees(uid)
      return invitees ? readEvent(uid, event, invitees) : { uid, broken: 'Its invitees are not there.' }
    },
  }
}
