import { childOf, childrenOf, type XmlElement } from '../../platform/xml.ts'
import { findMatching, freeBusyQuery, readCalendarData, readZone, selectData } from './calendar-reports.ts'
import type { TrackedCollection } from './collection-log.ts'
import { A, C, D, type Xml } from './elements.ts'
import { DavError } from './errors.ts'
import { writeStatus } from './multistatus.ts'
import { readPath } from './paths.ts'
import { readWanted, type Wanted } from './properties.ts'
import { describeResource } from './propfind.ts'
import { listChangedResources, listResourcesByName, type ResourceRecord } from './repository.ts'
import { type DavAnswer, type DavRequest, type Handler, multistatus, readBody } from './request.ts'
import { requireRead } from './session.ts'

type Report = (request: DavRequest, root: XmlElement) => Promise<DavAnswer>

const DATA = [C.calendarData.key, A.addressData.key]

const requireCollection = async ({ session, target }: DavRequest): Promise<TrackedCollection> => {
  if ('user' in target) session.requireUser(target)
  // RFC 4791 §7.9: a report may name a resource, and concerns its collection.
  if (target.type !== 'collection' && target.type !== 'resource') throw new DavError(403, D.supportedReport())
  const collection = await session.get(target)
  requireRead(session, collection)
  return collection
}

const requireWanted = (root: XmlElement): Wanted => {
  const wanted = readWanted(root)
  // RFC 4791 §7.8 and others: without DAV:prop, all properties are meant.
  return wanted ?? { kind: 'all', keys: [] }
}

const wantsData = (wanted: Wanted): boolean =>
  wanted.kind !== 'names' && wanted.keys.some((key) => DATA.includes(key))

const BATCH_SIZE = 100

/** Describes resources of a collection. One that vanished meanwhile has the status 404. */
const describeRows = async (
  request: DavRequest,
  collection: TrackedCollection,
  rows: readonly ResourceRecord[],
  root: XmlElement,
): Promise<Xml[]> => {
  const wanted = requireWanted(root)
  const part = readCalendarData(root)
  const zone = part && (await readZone(request, collection, root))
  const { db, log, session } = request
  const responses: Xml[] = []
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    const batch = rows.slice(at, at + BATCH_SIZE)
    const uids = batch.map(({ uid }) => uid)
    const texts = wantsData(wanted)
      ? await collection.backend.read(db, session.account, collection, uids)
      : undefined
    for (const row of batch) {
      const href = session.resourcePath(collection, row.name)
      const whole = texts?.get(row.uid)
      if (texts && whole === undefined) {
        responses.push(writeStatus(href, 404))
        continue
      }
      const text = whole !== undefined && part && zone !== undefined ? selectData(whole, part, zone) : whole
      const subject = { type: 'resource', collection, row, etag: await log.etagOf(row) } as const
      responses.push(
        await describeResource(request, href, text === undefined ? subject : { ...subject, text }, wanted),
      )
    }
  }
  return responses
}

const MAX_HREFS = 10_000

/** The name in the collection that an href means; undefined for another place. */
const readName = (
  { session, headers }: DavRequest,
  collection: TrackedCollection,
  href: string,
): string | undefined => {
  const pathname = URL.parse(href.trim(), `http://${headers.host ?? 'localhost'}`)?.pathname
  if (pathname === undefined) return undefined
  const { basePath } = session
  try {
    const target = readPath(pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname)
    const isHere =
      target?.type === 'resource' && session.isUser(target.user) && target.collection === collection.own.name
    return isHere ? target.name : undefined
  } catch {
    return undefined
  }
}

/** RFC 4791 §7.9, RFC 6352 §8.7. */
const multiget: Report = async (request, root) => {
  const { db } = request
  const collection = await requireCollection(request)
  const hrefs = childrenOf(root, D.href.key).map(({ text }) => text.trim())
  if (hrefs.length > MAX_HREFS) throw new DavError(403, D.numberOfMatchesWithinLimits())
  const names = hrefs.map((href) => readName(request, collection, href))
  const rows = await listResourcesByName(
    db,
    collection.ownerId,
    collection.log.id,
    names.flatMap((name) => name ?? []),
  )
  const known = new Set(rows.map(({ name }) => name))
  const missing = hrefs.filter((_, index) => !known.has(names[index] ?? ''))
  return multistatus([
    ...(await describeRows(request, collection, rows, root)),
    ...missing.map((href) => writeStatus(href, 404)),
  ])
}

const MAX_CHANGES = 10_000

/** Returns undefined if the element is missing (RFC 5323 §5.17); a limit below one makes no sense. */
const readLimit = (root: XmlElement): number | undefined => {
  const given = childOf(childOf(root, D.limit.key), D.nresults.key)?.text.trim()
  if (given === undefined) return undefined
  const limit = Number(given)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new DavError(400)
  return limit
}

/** RFC 6578 §3.2. */
const syncCollection: Report = async (request, root) => {
  const { db, session, properties } = request
  const collection = await requireCollection(request)
  const { log, ownerId } = collection
  const token = childOf(root, D.syncToken.key)?.text.trim() ?? ''
  const level = childOf(root, D.syncLevel.key)?.text.trim() ?? String(request.headers.depth ?? '')
  // RFC 6578 §3.3. A collection has no collections below it, so both levels mean the same.
  if (!['1', 'infinite'].includes(level)) throw new DavError(400)
  const after = token === '' ? 0 : properties.tokens.read(log, token)
  // RFC 6578 §3.2: the client begins anew.
  if (after === undefined) throw new DavError(403, D.validSyncToken())
  const limit = Math.min(readLimit(root) ?? MAX_CHANGES, MAX_CHANGES)
  const rows = await listChangedResources(db, ownerId, log.id, after, limit + 1, token === '')
  const page = rows.slice(0, limit)
  const isCut = rows.length > limit
  const living = page.filter(({ deletedAt }) => deletedAt === null)
  const responses = [
    ...(await describeRows(request, collection, living, root)),
    ...page
      .filter(({ deletedAt }) => deletedAt !== null)
      .map(({ name }) => writeStatus(session.resourcePath(collection, name), 404)),
  ]
  // RFC 6578 §3.6: the token is that of the part.
  if (isCut)
    responses.push(writeStatus(session.collectionPath(collection), 507, D.numberOfMatchesWithinLimits()))
  // A change after `log` was read is in the page, or will be in the next answer.
  const revision = isCut
    ? (page.at(-1)?.revision ?? after)
    : Math.max(log.revision, page.at(-1)?.revision ?? 0)
  return multistatus(responses, properties.tokens.write({ id: log.id, revision }))
}

const requireCalendar = (collection: TrackedCollection): void => {
  if (collection.backend.component === null) throw new DavError(403, D.supportedReport())
}

/** RFC 4791 §7.8. */
const calendarQuery: Report = async (request, root) => {
  const collection = await requireCollection(request)
  requireCalendar(collection)
  const zone = await readZone(request, collection, root)
  const rows = await findMatching(request, collection, root, zone)
  return multistatus(await describeRows(request, collection, rows, root))
}

/** RFC 4791 §7.10. A member who sees only free and busy times may run it. */
const freeBusy: Report = async (request, root) => {
  const { session, target } = request
  if (target.type !== 'collection') throw new DavError(403, D.supportedReport())
  const collection = await session.get(target)
  requireCalendar(collection)
  return freeBusyQuery(request, collection, root)
}

const REPORTS = new Map<string, Report>([
  [C.calendarMultiget.key, multiget],
  [C.calendarQuery.key, calendarQuery],
  [C.freeBusyQuery.key, freeBusy],
  [A.addressbookMultiget.key, multiget],
  [D.syncCollection.key, syncCollection],
])

/** RFC 3253 §3.6. */
export const report: Handler = async (request) => {
  const root = await readBody(request)
  if (!root) throw new DavError(400)
  const run = REPORTS.get(root.name)
  if (!run) throw new DavError(403, D.supportedReport())
  return run(request, root)
}
