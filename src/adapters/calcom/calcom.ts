import type { BookingProvider, EventType, Found, ProviderKind } from '../../features/bookings/provider.ts'
import type { AppError } from '../../platform/errors.ts'
import { upstreamFailed } from '../../platform/outbound/failures.ts'
import { type Foreign, foreignOf, linkOf, listOf, textOf } from '../../platform/outbound/foreign.ts'
import { createPatience } from '../../platform/outbound/patience.ts'
import { findIn } from './booking.ts'
import { isSignedByCalcom, readCalcomNotice } from './notices.ts'

/** Without one, or with an older one, the answers have another shape. */
const VERSIONS = { bookings: '2024-08-13', 'event-types': '2024-06-14' }
const PER_PAGE = 250
/** How often a list that moves while it is read is begun anew. */
const RESTARTS = 5

type Group = keyof typeof VERSIONS

const refusal = (status: number, body: unknown): AppError => {
  const said = textOf(foreignOf(foreignOf(body).error).message, 200)
  if (status === 401 || status === 403) return upstreamFailed('Cal.com does not accept the key.')
  return upstreamFailed(`Cal.com refused (${status})${said ? `: ${said}` : '.'}`)
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

/** Cal.com's API, version 2. */
export const calcom: ProviderKind = {
  defaultBaseUrl: 'https://api.cal.com/v2',
  isGenuine: isSignedByCalcom,
  readNotice: readCalcomNotice,

  connect(world, { baseUrl, apiKey, apiVersions, trust }): BookingProvider {
    const fetch = createPatience(world)
    /** People leave out the version, which is part of the address. */
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
      // In the order they were made, so that what changes stays in its place and what is new comes last.
      const wish = { take: String(PER_PAGE), skip: String(skip), sortCreated: 'asc', ...query }
      const body = await ask('bookings', `?${new URLSearchParams(wish)}`, signal)
      if (!body || !Array.isArray(body.data))
        throw upstreamFailed('Cal.com did not answer with a list of bookings.')
      const { hasNextPage } = foreignOf(body.pagination)
      const hasNext = typeof hasNextPage === 'boolean' ? hasNextPage : body.data.length >= PER_PAGE
      if (hasNext && body.data.length === 0) throw upstreamFailed('Cal.com answered with an empty page.')
      return { found: body.data.map(findIn), hasNext }
    }

    /** Says whether it came to the end. Each page begins with the last of the one before, or else the list moved. */
    async function* pages(query: Record<string, string>, signal: AbortSignal) {
      let skip = 0
      let last: string | null = null
      const seen = new Set<string | null>()
      let next = askForPage(query, 0, signal)
      for (;;) {
        const { found, hasNext } = await next
        const overlaps = last !== null
        if (overlaps && nameOf(found[0]) !== last) return false
        // What stands alone on a page cannot stand on the next one too, if that is to lead on.
        last = found.length > 1 ? nameOf(found.at(-1)) : null
        const fresh = overlaps ? found.slice(1) : found
        if (hasNext) {
          if (fresh.every((one) => seen.has(nameOf(one)))) throw upstreamFailed('Cal.com leads in a circle.')
          for (const one of fresh) seen.add(nameOf(one))
          skip += found.length - (last === null ? 0 : 1)
          // Fetched while this one is being worked on.
          next = askForPage(query, skip, signal)
          next.catch(() => undefined)
        }
        yield fresh
        if (!hasNext) return true
      }
    }

    return {
      async *list(since, signal) {
        // What was never changed has no time of change, and is found by when it was made.
        const queries = since === null ? [{}] : [{ afterUpdatedAt: since }, { afterCreatedAt: since }]
        for (const query of queries)
          for (let restarts = 0; !(yield* pages(query, signal)); restarts++)
            if (restarts === RESTARTS)
              throw upstreamFailed('The bookings at Cal.com changed faster than they could be read.')
      },

      async find(uid, signal) {
        const body = await ask('bookings', `/${encodeURIComponent(uid)}`, signal)
        return body?.data === undefined || Array.isArray(body.data) ? undefined : findIn(body.data)
      },

      async eventTypes(signal) {
        const body = await ask('event-types', '', signal)
        if (!body || !Array.isArray(body.data))
          throw upstreamFailed('Cal.com did not answer with a list of event types.')
        return listOf(body.data).map(readEventType)
      },
    }
  },
}
