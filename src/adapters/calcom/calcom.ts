import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type {
  Booking,
  BookingProvider,
  Broken,
  EventType,
  Found,
  Notice,
  ProviderKind,
  Signed,
} from '../../features/bookings/provider.ts'
import { AppError, invalidField } from '../../platform/errors.ts'
import { upstreamFailed } from '../../platform/outbound/failures.ts'
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
import { createPatience } from '../../platform/outbound/patience.ts'

const MAX_UID_LENGTH = 200

const STATUSES: ReadonlyMap<string, Booking['status']> = new Map([
  ['accepted', 'confirmed'],
  ['pending', 'tentative'],
  ['awaiting_host', 'tentative'],
  ['cancelled', 'cancelled'],
  ['rejected', 'cancelled'],
])

const readStatus = (value: unknown): Booking['status'] => {
  const status = STATUSES.get(textOf(value, 100).toLowerCase())
  if (status === undefined) throw invalidField('status', 'is not a known status')
  return status
}

const readPerson = (value: Foreign): { name: string; email: string } | undefined => {
  const email = addressOf(value.displayEmail) ?? addressOf(value.email)
  return email === undefined ? undefined : { name: textOf(value.name, 500), email }
}

/** Merges lists of guests and removes duplicates. */
const readGuests = (...lists: (readonly Foreign[])[]): Booking['guests'] => {
  const guests = new Map<string, Booking['guests'][number]>()
  for (const value of lists.flat()) {
    const guest = readPerson(value)
    if (guest && !guests.has(guest.email.toLowerCase())) guests.set(guest.email.toLowerCase(), guest)
  }
  return [...guests.values()]
}

/** `integrations:google:meet` names a service. Its link may follow later, or never. */
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

const readUid = (value: unknown): string | null => textOf(value, MAX_UID_LENGTH) || null

const requireOrder = (start: string, end: string): void => {
  if (end <= start) throw invalidField('end', 'is not after the start')
}

const readOrBroken = (uid: string | null, read: () => Booking): Booking | Broken => {
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

/** Hashes the fields that `readListed` reads. Ratings and metadata must not cause a change. */
const digestOf = (item: Foreign): string =>
  hash(
    'sha256',
    JSON.stringify([
      item.uid,
      item.title,
      item.description,
      item.status,
      item.start,
      item.end,
      item.location,
      item.meetingUrl,
      item.eventType,
      item.hosts,
      item.attendees,
      item.guests,
      item.rescheduledFromUid,
      item.rescheduledToUid,
    ]),
    'base64url',
  )

const toFound = (item: unknown): Found => {
  if (!isForeign(item)) return { uid: null, broken: 'The item is not a booking.', raw: item }
  let uid: string
  try {
    uid = requireText('uid', item.uid, MAX_UID_LENGTH)
  } catch (error) {
    return { uid: null, broken: (error as AppError).message, raw: item }
  }
  return {
    uid,
    digest: digestOf(item),
    // `updatedAt` is null until the first change.
    changedAt: instantOf(item.updatedAt) ?? instantOf(item.createdAt),
    raw: item,
    read: () => readOrBroken(uid, () => readListed(item)),
  }
}

/** Reads a booking from a webhook, whose fields differ from those of the API. */
const readNoticed = (uid: string, payload: Foreign, impliedStatus: string | null): Booking | Broken =>
  readOrBroken(uid, () => {
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
      status: readStatus(impliedStatus ?? payload.status ?? 'accepted'),
      organizer: readPerson(organizer) ?? null,
      guests: readGuests(listOf(payload.attendees), guestAddresses(payload.guests)),
      replaces: replaces === uid ? null : replaces,
      replacedBy: null,
    }
  })

/** Status that a trigger implies. With null, the status in the payload counts. */
const TRIGGER_STATUS: ReadonlyMap<string, string | null> = new Map([
  ['BOOKING_CREATED', null],
  ['BOOKING_RESCHEDULED', null],
  ['BOOKING_PAID', null],
  ['BOOKING_REQUESTED', 'pending'],
  ['BOOKING_REJECTED', 'rejected'],
  ['BOOKING_CANCELLED', 'cancelled'],
])

/** Verifies the hex HMAC-SHA256 of the raw body. A "sha256=" prefix is optional. */
const isSignedByCalcom = ({ header, body }: Signed, secret: string): boolean => {
  const [, hex] = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(header('x-cal-signature-256')?.trim() ?? '') ?? []
  if (hex === undefined) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}

const readCalcomNotice = (body: unknown): Notice | null => {
  const { triggerEvent, createdAt, payload: rawPayload } = foreignOf(body)
  const trigger = textOf(triggerEvent, 100)
  const payload = foreignOf(rawPayload)
  const uid = textOf(payload.uid, MAX_UID_LENGTH)
  const impliedStatus = TRIGGER_STATUS.get(trigger)
  if (impliedStatus === undefined || uid === '') return null
  return {
    uid,
    at: instantOf(createdAt),
    read: () => readNoticed(uid, payload, impliedStatus),
  }
}

/** Without this version, or with an older one, responses have another format. */
const VERSIONS = { bookings: '2024-08-13', 'event-types': '2024-06-14' }
const PER_PAGE = 250
/** Maximum number of restarts if the list changes while it is read. */
const MAX_RESTARTS = 5

type Group = keyof typeof VERSIONS

const refusal = (status: number, body: unknown): AppError => {
  const said = textOf(foreignOf(foreignOf(body).error).message, 200)
  if (status === 401 || status === 403) return upstreamFailed('Cal.com does not accept the key.')
  return upstreamFailed(`Cal.com refused the request (${status})${said ? `: ${said}` : '.'}`)
}

const readEventType = (item: Foreign): EventType => ({
  id: typeof item.id === 'number' ? String(item.id) : textOf(item.id, 200),
  title: textOf(item.title, 1000),
  slug: textOf(item.slug, 1000),
  durationMinutes: typeof item.lengthInMinutes === 'number' ? item.lengthInMinutes : null,
  description: textOf(item.description, 100_000),
  url: linkOf(item.bookingUrl),
  active: item.hidden !== true,
})

const nameOf = (found: Found | undefined): string | null => found?.uid ?? null

/** Adapter for version 2 of the Cal.com API. */
export const calcom: ProviderKind = {
  defaultBaseUrl: 'https://api.cal.com/v2',
  isGenuine: isSignedByCalcom,
  readNotice: readCalcomNotice,

  connect(world, { baseUrl, apiKey, apiVersions, trust }): BookingProvider {
    const fetch = createPatience(world)
    /** Users often omit the version from the URL. */
    let bases = new URL(baseUrl).pathname === '/' ? [baseUrl, `${baseUrl}/v2`] : [baseUrl]

    const ask = async (group: Group, rest: string, signal: AbortSignal): Promise<Foreign | undefined> => {
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'cal-api-version': apiVersions[group] ?? VERSIONS[group],
        accept: 'application/json',
      }
      for (const base of bases) {
        const { status, body } = await fetch(`${base}/${group}${rest}`, { headers, trust, signal })
        if (status === 404) continue
        if (status !== 200 || foreignOf(body).status === 'error') throw refusal(status, body)
        bases = [base]
        return foreignOf(body)
      }
      return undefined
    }

    const askForPage = async (query: Record<string, string>, skip: number, signal: AbortSignal) => {
      // Sort by creation, so that changed bookings keep their position and new ones come last.
      const params = { take: String(PER_PAGE), skip: String(skip), sortCreated: 'asc', ...query }
      const body = await ask('bookings', `?${new URLSearchParams(params)}`, signal)
      if (!body || !Array.isArray(body.data))
        throw upstreamFailed('Cal.com did not return a list of bookings.')
      const { hasNextPage } = foreignOf(body.pagination)
      const hasNext = typeof hasNextPage === 'boolean' ? hasNextPage : body.data.length >= PER_PAGE
      if (hasNext && body.data.length === 0)
        throw upstreamFailed('Cal.com returned an empty page before the last one.')
      return { found: body.data.map(toFound), hasNext }
    }

    /**
     * Returns whether the end was reached. Each page starts with the last booking of the page before;
     * otherwise the list has shifted.
     */
    async function* pages(query: Record<string, string>, signal: AbortSignal) {
      let skip = 0
      let last: string | null = null
      const seen = new Set<string | null>()
      let next = askForPage(query, 0, signal)
      for (;;) {
        const { found, hasNext } = await next
        const overlaps = last !== null
        if (overlaps && nameOf(found[0]) !== last) return false
        // A page with one booking cannot overlap with the next, because the paging would not advance.
        last = found.length > 1 ? nameOf(found.at(-1)) : null
        const fresh = overlaps ? found.slice(1) : found
        if (hasNext) {
          if (fresh.every((one) => seen.has(nameOf(one))))
            throw upstreamFailed('Cal.com returned the same page again.')
          for (const one of fresh) seen.add(nameOf(one))
          skip += found.length - (last === null ? 0 : 1)
          // Prefetch the next page while this one is processed.
          next = askForPage(query, skip, signal)
          next.catch(() => undefined)
        }
        yield fresh
        if (!hasNext) return true
      }
    }

    return {
      async *list(since, signal) {
        // Bookings that never changed have no update time, so query them by creation time.
        const queries = since === null ? [{}] : [{ afterUpdatedAt: since }, { afterCreatedAt: since }]
        for (const query of queries)
          for (let restarts = 0; !(yield* pages(query, signal)); restarts++)
            if (restarts === MAX_RESTARTS)
              throw upstreamFailed('The bookings at Cal.com changed faster than they could be read.')
      },

      async find(uid, signal) {
        const body = await ask('bookings', `/${encodeURIComponent(uid)}`, signal)
        return body?.data === undefined || Array.isArray(body.data) ? undefined : toFound(body.data)
      },

      async eventTypes(signal) {
        const body = await ask('event-types', '', signal)
        if (!body || !Array.isArray(body.data))
          throw upstreamFailed('Cal.com did not return a list of event types.')
        return listOf(body.data).map(readEventType)
      },
    }
  },
}
