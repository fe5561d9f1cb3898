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
  linkOf,
  listOf,
  requireInstant,
  textOf,
} from '../../platform/outbound/foreign.ts'
import { createPatience } from '../../platform/outbound/patience.ts'

/** Calendly identifies objects by URI. The last segment is the id. */
const lastPart = (uri: unknown): string | null => /\/([\w-]{1,200})\/?$/.exec(textOf(uri, 2000))?.[1] ?? null

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
  // A cancelled event keeps all its invitees.
  const counted = event.status === 'canceled' ? invitees : invitees.filter(isActive)
  const extra = listOf(event.event_guests).map(({ email }) => ({ email, name: '' }))
  for (const { email, name } of [...counted, ...extra, ...hosts.slice(1)]) {
    const address = addressOf(email)
    if (address !== undefined && !guests.has(address.toLowerCase()))
      guests.set(address.toLowerCase(), { name: textOf(name, 500), email: address })
  }
  return [...guests.values()]
}

/** False for group events. If one invitee reschedules, the group event stays. */
const isForOne = (event: Foreign): boolean => {
  const { limit } = foreignOf(event.invitees_counter)
  return typeof limit !== 'number' || limit === 1
}

const readEvent = (uid: string, event: Foreign, invitees: readonly Foreign[]): Booking | Broken => {
  try {
    const start = requireInstant('start_time', event.start_time)
    const end = requireInstant('end_time', event.end_time)
    if (end <= start) throw invalidField('end_time', 'is not after the start')
    if (event.status !== 'active' && event.status !== 'canceled')
      throw invalidField('status', 'is not a known status')
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

const toFound = (
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
      return invitees ? readEvent(uid, event, invitees) : { uid, broken: 'The invitees were not found.' }
    },
  }
}

/** Reject older signatures, which may be replayed. */
const FRESH_MS = 180_000

/** Verifies `t=…,v1=…`. The signature covers the timestamp, a dot and the body. */
const isSignedByCalendly = ({ header, body }: Signed, secret: string, now: Date): boolean => {
  const given = header('calendly-webhook-signature') ?? ''
  const parts = new Map(given.split(',').map((part) => part.trim().split('=', 2) as [string, string]))
  const [at, hex] = [parts.get('t') ?? '', parts.get('v1') ?? '']
  if (!/^\d{1,12}$/.test(at) || !/^[0-9a-f]{64}$/i.test(hex)) return false
  const expected = createHmac('sha256', secret).update(`${at}.`).update(body).digest()
  if (!timingSafeEqual(Buffer.from(hex, 'hex'), expected)) return false
  return Math.abs(now.getTime() - Number(at) * 1000) <= FRESH_MS
}

const KINDS = ['invitee.created', 'invitee.canceled']

const readCalendlyNotice = (body: unknown): Notice | null => {
  const { event: kind, created_at: at, payload: rawPayload } = foreignOf(body)
  const invitee = foreignOf(rawPayload)
  const event = foreignOf(invitee.scheduled_event)
  const uid = lastPart(event.uri)
  if (!KINDS.includes(kind as string) || uid === null) return null
  return { uid, at: instantOf(at), read: () => readEvent(uid, event, [invitee]) }
}

const PER_PAGE = 100
const DAY_MS = 86_400_000

const refusal = (status: number, body: unknown): AppError => {
  if (status === 401 || status === 403) return upstreamFailed('Calendly does not accept the key.')
  const said = textOf(foreignOf(body).message, 200)
  return upstreamFailed(`Calendly refused the request (${status})${said ? `: ${said}` : '.'}`)
}

const readEventType = (item: Foreign): EventType => ({
  id: lastPart(item.uri) ?? '',
  title: textOf(item.name, 1000),
  slug: textOf(item.slug, 1000),
  durationMinutes: typeof item.duration === 'number' ? item.duration : null,
  description: textOf(item.description_plain, 100_000),
  url: linkOf(item.scheduling_url),
  active: item.active !== false,
})

/** Adapter for version 2 of the Calendly API. */
export const calendly: ProviderKind = {
  defaultBaseUrl: 'https://api.calendly.com',
  isGenuine: isSignedByCalendly,
  readNotice: readCalendlyNotice,

  connect(world, { baseUrl, apiKey, trust }): BookingProvider {
    const fetch = createPatience(world)
    let user: Promise<string> | undefined

    const ask = async (path: string, signal: AbortSignal): Promise<Foreign | undefined> => {
      const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
      const { status, body } = await fetch(`${baseUrl}${path}`, { headers, trust, signal })
      if (status === 404) return undefined
      if (status !== 200) throw refusal(status, body)
      return foreignOf(body)
    }

    const askForUser = async (signal: AbortSignal): Promise<string> => {
      const me = await ask('/users/me', signal)
      const uri = textOf(foreignOf(me?.resource).uri, 2000)
      if (uri === '') throw upstreamFailed('Calendly did not return the owner of the key.')
      return uri
    }
    const getUser = (signal: AbortSignal): Promise<string> => {
      user ??= askForUser(signal).catch((error: unknown) => {
        user = undefined
        throw error
      })
      return user
    }

    const askForPage = async (path: string, query: Record<string, string>, signal: AbortSignal) => {
      const params = new URLSearchParams({ count: String(PER_PAGE), ...query })
      const body = await ask(`${path}?${params}`, signal)
      if (!body) return undefined
      if (!Array.isArray(body.collection)) throw upstreamFailed('Calendly did not return a list.')
      const { next_page_token: token } = foreignOf(body.pagination)
      return { items: body.collection as unknown[], token: typeof token === 'string' ? token : undefined }
    }

    /** Yields undefined if the list does not exist. */
    async function* pages(path: string, query: Record<string, string>, signal: AbortSignal) {
      const seen = new Set<unknown>()
      let next = askForPage(path, query, signal)
      for (;;) {
        const page = await next
        if (page === undefined) {
          yield undefined
          return
        }
        const { items, token } = page
        if (token !== undefined) {
          const names = items.map((item) => foreignOf(item).uri)
          if (names.every((name) => seen.has(name)))
            throw upstreamFailed('Calendly returned the same page again.')
          for (const name of names) seen.add(name)
          // Prefetch the next page while this one is processed.
          next = askForPage(path, { ...query, page_token: token }, signal)
          next.catch(() => undefined)
        }
        yield items
        if (token === undefined) return
      }
    }

    const inviteesWith = (signal: AbortSignal) => async (uid: string) => {
      const invitees: Foreign[] = []
      for await (const items of pages(`/scheduled_events/${uid}/invitees`, {}, signal)) {
        if (items === undefined) return undefined
        invitees.push(...listOf(items))
      }
      return invitees
    }

    const requireList = (items: unknown[] | undefined): unknown[] => {
      if (items === undefined) throw upstreamFailed('Calendly did not return a list.')
      return items
    }

    return {
      async *list(since, signal) {
        // The API has no filter for changes. Past events do not change any more, so query by start time.
        const from =
          since === null ? {} : { min_start_time: new Date(Date.parse(since) - DAY_MS).toISOString() }
        const query = { user: await getUser(signal), sort: 'start_time:asc', ...from }
        const readInvitees = inviteesWith(signal)
        for await (const items of pages('/scheduled_events', query, signal))
          yield requireList(items).map((item) => toFound(item, readInvitees))
      },

      async find(uid, signal) {
        const body = await ask(`/scheduled_events/${encodeURIComponent(uid)}`, signal)
        return body?.resource === undefined ? undefined : toFound(body.resource, inviteesWith(signal))
      },

      async eventTypes(signal) {
        const types: EventType[] = []
        for await (const items of pages('/event_types', { user: await getUser(signal) }, signal))
          types.push(...listOf(requireList(items)).map(readEventType))
        return types
      },
    }
  },
}
