import type { BookingProvider, EventType, ProviderKind } from '../../features/bookings/provider.ts'
import type { AppError } from '../../platform/errors.ts'
import { upstreamFailed } from '../../platform/outbound/failures.ts'
import { type Foreign, foreignOf, linkOf, listOf, textOf } from '../../platform/outbound/foreign.ts'
import { createPatience } from '../../platform/outbound/patience.ts'
import { findIn, lastPart } from './booking.ts'
import { isSignedByCalendly, readCalendlyNotice } from './notices.ts'

const PER_PAGE = 100
const DAY_MS = 86_400_000

const refusal = (status: number, body: unknown): AppError => {
  if (status === 401 || status === 403) return upstreamFailed('Calendly does not accept the key.')
  const said = textOf(foreignOf(body).message, 200)
  return upstreamFailed(`Calendly refused (${status})${said ? `: ${said}` : '.'}`)
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

/** Calendly's API, version 2. */
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
      if (uri === '') throw upstreamFailed('Calendly did not say whose key this is.')
      return uri
    }
    const whose = (signal: AbortSignal): Promise<string> => {
      user ??= askForUser(signal).catch((error: unknown) => {
        user = undefined
        throw error
      })
      return user
    }

    const askForPage = async (path: string, query: Record<string, string>, signal: AbortSignal) => {
      const wish = new URLSearchParams({ count: String(PER_PAGE), ...query })
      const body = await ask(`${path}?${wish}`, signal)
      if (!body) return undefined
      if (!Array.isArray(body.collection)) throw upstreamFailed('Calendly did not answer with a list.')
      const { next_page_token: token } = foreignOf(body.pagination)
      return { items: body.collection as unknown[], token: typeof token === 'string' ? token : undefined }
    }

    /** Undefined for a list that is not there. */
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
          if (names.every((name) => seen.has(name))) throw upstreamFailed('Calendly leads in a circle.')
          for (const name of names) seen.add(name)
          // Fetched while this one is being worked on.
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
      if (items === undefined) throw upstreamFailed('Calendly did not answer with a list.')
      return items
    }

    return {
      async *list(since, signal) {
        // There is no asking for what changed; but what is over is neither made nor moved nor called off.
        const from =
          since === null ? {} : { min_start_time: new Date(Date.parse(since) - DAY_MS).toISOString() }
        const query = { user: await whose(signal), sort: 'start_time:asc', ...from }
        const readInvitees = inviteesWith(signal)
        for await (const items of pages('/scheduled_events', query, signal))
          yield requireList(items).map((item) => findIn(item, readInvitees))
      },

      async find(uid, signal) {
        const body = await ask(`/scheduled_events/${encodeURIComponent(uid)}`, signal)
        return body?.resource === undefined ? undefined : findIn(body.resource, inviteesWith(signal))
      },

      async eventTypes(signal) {
        const types: EventType[] = []
        for await (const items of pages('/event_types', { user: await whose(signal) }, signal))
          types.push(...listOf(requireList(items)).map(readEventType))
        return types
      },
    }
  },
}
