import { D, type Xml } from './elements.ts'
import { DavError } from './errors.ts'
import { type PropertyResult, writeProperties } from './multistatus.ts'
import type { Home } from './paths.ts'
import { readProperties, readWanted, type Subject, type Wanted } from './properties.ts'
import { listResources } from './repository.ts'
import { type DavRequest, type Handler, multistatus, readBody, readDepth } from './request.ts'
import { findResource } from './resources.ts'
import type { Listed } from './session.ts'

type Described = [href: string, subject: Subject]

const describeHome = (request: DavRequest, home: Home): Described => [
  request.session.homePath(home),
  { type: 'home', home },
]

const describeCollection = async ({ session, log }: DavRequest, listed: Listed): Promise<Described> => [
  session.collectionPath(listed),
  { type: 'collection', collection: await log.track(listed) },
]

/** The resource of a request, and with depth 1 its members. */
async function* describe(request: DavRequest, depth: 0 | 1): AsyncGenerator<Described> {
  const { session, target, db, log } = request
  const { user } = session
  switch (target.type) {
    case 'root':
      yield [session.path(), { type: 'root' }]
      if (depth === 0) return
      yield [session.path('principals'), { type: 'principals' }]
      yield [session.path('calendars'), { type: 'homes' }]
      yield [session.path('addressbooks'), { type: 'homes' }]
      return
    case 'principals':
      yield [session.path('principals'), { type: 'principals' }]
      if (depth === 1) yield [session.principalPath(), { type: 'principal' }]
      return
    case 'principal':
      session.requireUser(target)
      yield [session.path('principals', user), { type: 'principal' }]
      return
    case 'homes':
      yield [session.path(target.home), { type: 'homes' }]
      if (depth === 1) yield describeHome(request, target.home)
      return
    case 'home':
      session.requireUser(target)
      yield describeHome(request, target.home)
      if (depth === 1)
        for (const listed of await session.list(target.home)) yield describeCollection(request, listed)
      return
    case 'collection': {
      const collection = await session.get(target)
      yield [session.collectionPath(collection), { type: 'collection', collection }]
      if (depth === 0 || collection.rights === 'freeBusy') return
      for (const row of await listResources(db, collection.ownerId, collection.log.id))
        yield [
          session.resourcePath(collection, row.name),
          { type: 'resource', collection, row, etag: await log.etagOf(row) },
        ]
      return
    }
    case 'resource': {
      const { collection, row, etag } = await findResource(request, target)
      yield [session.resourcePath(collection, row.name), { type: 'resource', collection, row, etag }]
    }
  }
}

/** RFC 8144 §2.1: a client may not want to know which properties do not exist. */
const isMinimal = ({ headers }: DavRequest): boolean =>
  /\breturn\s*=\s*"?minimal/i.test(String(headers.prefer ?? '')) || headers.brief === 't'

/** Describes one resource in a multistatus. */
export const describeResource = async (
  request: DavRequest,
  href: string,
  subject: Subject,
  wanted: Wanted,
): Promise<Xml> => {
  const result: PropertyResult = await readProperties(subject, wanted, request.properties)
  return writeProperties(href, isMinimal(request) ? { ...result, missing: new Map() } : result)
}

/** RFC 4918 §9.1. */
export const propfind: Handler = async (request) => {
  const root = await readBody(request)
  const depth = readDepth(request, 'infinity')
  if (root !== undefined && root.name !== D.propfind.key) throw new DavError(400)
  const wanted = readWanted(root)
  if (!wanted) throw new DavError(400)
  if (depth === 'infinity') throw new DavError(403, D.propfindFiniteDepth())
  const responses: Xml[] = []
  for await (const [href, subject] of describe(request, depth))
    responses.push(await describeResource(request, href, subject, wanted))
  return multistatus(responses)
}
