import { inTransaction } from '../../database/transaction.ts'
import type { TrackedCollection } from './collection-log.ts'
import { A, C, D, type Element } from './elements.ts'
import { DavError } from './errors.ts'
import type { Target } from './paths.ts'
import { findResourceByName, listResourcesByUid, type ResourceRecord } from './repository.ts'
import { type DavRequest, type Handler, requireConditions } from './request.ts'
import { requireRead, requireWrite } from './session.ts'

type ResourceTarget = Extract<Target, { type: 'resource' }>

interface FoundResource {
  collection: TrackedCollection
  row: ResourceRecord
  etag: string
}

const isAlive = (row: ResourceRecord | undefined): row is ResourceRecord =>
  row !== undefined && row.deletedAt === null

export const findIn = async (
  { db, log }: Pick<DavRequest, 'db' | 'log'>,
  collection: TrackedCollection,
  name: string,
): Promise<FoundResource | undefined> => {
  const row = await findResourceByName(db, collection.ownerId, collection.log.id, name)
  return isAlive(row) ? { collection, row, etag: await log.etagOf(row) } : undefined
}

export const findResource = async (request: DavRequest, target: ResourceTarget): Promise<FoundResource> => {
  const collection = await request.session.get(target)
  requireRead(request.session, collection)
  const found = await findIn(request, collection, target.name)
  if (!found) throw new DavError(404)
  return found
}

export const requireResource = ({ target }: DavRequest): ResourceTarget => {
  // Collections have no content of their own.
  if (target.type !== 'resource') throw new DavError(405)
  return target
}

export const getResource: Handler = async (request) => {
  const { db, session } = request
  const { collection, row, etag } = await findResource(request, requireResource(request))
  const texts = await collection.backend.read(db, session.account, collection, [row.uid])
  const text = texts.get(row.uid)
  if (text === undefined) throw new DavError(404)
  return { status: 200, headers: { etag, 'content-type': collection.backend.contentType }, body: text }
}

export const conditionOf = (
  collection: TrackedCollection,
  name: 'noUidConflict' | 'maxResourceSize',
): Element => (collection.kind === 'addressBook' ? A[name] : C[name])

/**
 * RFC 4791 §5.3.2.1 and RFC 6352 §6.3.2.1: a collection has each UID once, and a resource keeps its UID. The answer
 * names the resource that has the UID.
 */
export const requireFreeUid = async (
  { db, session }: Pick<DavRequest, 'db' | 'session'>,
  collection: TrackedCollection,
  uid: string,
  replaced: ResourceRecord | undefined,
  status: 403 | 409 = 409,
): Promise<void> => {
  const { backend, log } = collection
  const uids = backend.itemUids(collection, uid)
  const conflict = conditionOf(collection, 'noUidConflict')
  if (replaced) {
    if (uids.includes(replaced.uid)) return
    throw new DavError(status, conflict(D.href(session.resourcePath(collection, replaced.name))))
  }
  const [holder] = (await listResourcesByUid(db, log.userId, log.id, uids)).filter(isAlive)
  if (holder) throw new DavError(status, conflict(D.href(session.resourcePath(collection, holder.name))))
}

/** RFC 4918 §9.7, RFC 4791 §5.3.2, RFC 6352 §6.3.2. */
export const putResource: Handler = async (request) => {
  const { db, log, session, body, headers } = request
  const target = requireResource(request)
  const collection = await session.get(target)
  requireWrite(session, collection)
  if (headers['content-range'] !== undefined) throw new DavError(400)
  if (body.length > collection.backend.maxResourceSize)
    throw new DavError(403, conditionOf(collection, 'maxResourceSize')())
  requireConditions(request, (await findIn(request, collection, target.name))?.etag)
  const parsed = await collection.backend.parse(session.account, collection, body)
  const isNew = await inTransaction(db, async (tx) => {
    const inside = { ...request, db: tx }
    const before = await findIn(inside, collection, target.name)
    requireConditions(request, before?.etag)
    await requireFreeUid(inside, collection, parsed.uid, before?.row)
    const uid = await collection.backend.put(tx, session.account, collection, parsed, before?.row.uid)
    if (!before) await log.name(tx, collection, target.name, uid)
    // A client expects a new ETag, also if it stored the same content again.
    log.note(tx, collection.ownerId, collection.kind, collection.id, [uid])
    return before === undefined
  })
  // RFC 4791 §5.3.4: no ETag, because GET returns a text made from fields, and not the very bytes.
  return { status: isNew ? 201 : 204 }
}

/** RFC 4918 §9.6. */
export const deleteResource: Handler = async (request) => {
  const { db, session } = request
  const target = requireResource(request)
  const collection = await session.get(target)
  requireWrite(session, collection)
  await inTransaction(db, async (tx) => {
    const found = await findIn({ ...request, db: tx }, collection, target.name)
    requireConditions(request, found?.etag)
    if (!found) throw new DavError(404)
    await collection.backend.remove(tx, session.account, collection, found.row.uid)
  })
  return { status: 204 }
}
