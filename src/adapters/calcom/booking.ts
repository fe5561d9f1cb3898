import { hash } from 'node:crypto'
import type { Booking, Broken, Found } from '../../features/bookings/provider.ts'
import { AppError, invalidField } from '../../platform/errors.ts'
import {
  addressOf,
  type Foreign,
  foreignOf,
  instantOf,
  isForeign,
  linkOf,
  listOf,
  requireInstant,
  requireText,
  textOf,
} from '../../platform/outbound/foreign.ts'

const LONGEST_UID = 200

const STATUSES: ReadonlyMap<string, Booking['status']> = new Map([
  ['accepted', 'confirmed'],
  ['pending', 'tentative'],
  ['awaiting_host', 'tentative'],
  ['cancelled', 'cancelled'],
  ['rejected', 'cancelled'],
])

const readStatus = (value: unknown): Booking['status'] => {
  const status = STATUSES.get(textOf(value, 100).toLowerCase())
  if (status === undefined) throw invalidField('status', 'is none that is known')
  return status
}

const readPerson = (value: Foreign): { name: string; email: string } | undefined => {
  const email = addressOf(value.displayEmail) ?? addressOf(value.email)
  return email === undefined ? undefined : { name: textOf(value.name, 500), email }
}

/** Each once, whoever lists them. */
const readGuests = (...lists: (readonly Foreign[])[]): Booking['guests'] => {
  const guests = new Map<string, Booking['guests'][number]>()
  for (const value of lists.flat()) {
    const guest = readPerson(value)
    if (guest && !guests.has(guest.email.toLowerCase())) guests.set(guest.email.toLowerCase(), guest)
  }
  return [...guests.values()]
}

/** `integrations:google:meet` is the name of a service: its link comes later, or never. */
const readPlace = (value: unknown, link: unknown): Pick<Booking, 'location' | 'meetingUrl'> => {
  const location = textOf(value, 2000)
  const meetingUrl = linkOf(location) ?? linkOf(link)
  const [, service] = /^integrations:(.+)$/.exec(location) ?? []
  if (service === undefined) return { location: linkOf(location) ? '' : location, meetingUrl }
  const words = service.split(/[:_]/).filter((word) => word !== 'video' && word !== 'conferencing')
  const named = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return { location: meetingUrl === null ? named : '', meetingUrl }
}

const guestAddresses = (value: unknown): Foreign[] =>
  Array.isArray(value) ? value.map((email: unknown) => ({ name: '', email })) : []

const readUid = (value: unknown): string | null => textOf(value, LONGEST_UID) || null

const requireOrder = (start: string, end: string): void => {
  if (end <= start) throw invalidField('end', 'is not after the start')
}

const orBroken = (uid: string | null, read: () => Booking): Booking | Broken => {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) return { uid, broken: error.message }
    throw error
  }
}

const readListed = (item: Foreign): Booking => {
  const [host, ...others] = listOf(item.hosts)
  const start = requireInstant('start', item.start)
  const end = requireInstant('end', item.end)
  requireOrder(start, end)
  return {
    uid: item.uid as string,
    title: textOf(item.title, 1000) || textOf(foreignOf(item.eventType).slug, 1000) || 'Booking',
    description: textOf(item.description, 100_000),
    ...readPlace(item.location, item.meetingUrl),
    start,
    end,
    timezone: textOf(host?.timeZone, 100) || null,
    status: readStatus(item.status),
    organizer: (host && readPerson(host)) ?? null,
    guests: readGuests(listOf(item.attendees), guestAddresses(item.guests), others),
    replaces: readUid(item.rescheduledFromUid),
    replacedBy: readUid(item.rescheduledToUid),
  }
}

/** Of what `readListed` reads and of nothing else: ratings and metadata are none of ours. */
const digestOf = (item: Foreign): string =>
  hash(
    'sha256',
    JSON.stringify([
      ...[item.uid, item.title, item.description, item.status, item.start, item.end],
      ...[item.location, item.meetingUrl, item.eventType, item.hosts, item.attendees, item.guests],
      ...[item.rescheduledFromUid, item.rescheduledToUid],
    ]),
    'base64url',
  )

export const findIn = (item: unknown): Found => {
  if (!isForeign(item)) return { uid: null, broken: 'It is no booking at all.', raw: item }
  let uid: string
  try {
    uid = requireText('uid', item.uid, LONGEST_UID)
  } catch (error) {
    return { uid: null, broken: (error as AppError).message, raw: item }
  }
  return {
    uid,
    digest: digestOf(item),
    // Null until it is first changed.
    changedAt: instantOf(item.updatedAt) ?? instantOf(item.createdAt),
    raw: item,
    read: () => orBroken(uid, () => readListed(item)),
  }
}

/** A notice tells a booking in words of its own. */
export const readNoticed = (uid: string, payload: Foreign, stated: string | null): Booking | Broken =>
  orBroken(uid, () => {
    const start = requireInstant('startTime', payload.startTime)
    const end = requireInstant('endTime', payload.endTime)
    requireOrder(start, end)
    const organizer = foreignOf(payload.organizer)
    const { videoCallUrl } = foreignOf(payload.metadata)
    const replaces = readUid(payload.rescheduleUid)
    return {
      uid,
      title: textOf(payload.title, 1000) || textOf(payload.eventTitle, 1000) || 'Booking',
      description: textOf(payload.description, 100_000) || textOf(payload.additionalNotes, 100_000),
      ...readPlace(payload.location, videoCallUrl),
      start,
      end,
      timezone: textOf(organizer.timeZone, 100) || null,
      status: readStatus(stated ?? payload.status ?? 'accepted'),
      organizer: readPerson(organizer) ?? null,
      guests: readGuests(listOf(payload.attendees), guestAddresses(payload.guests)),
      replaces: replaces === uid ? null : replaces,
      replacedBy: null,
    }
  })
