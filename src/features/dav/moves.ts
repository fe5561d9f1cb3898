import { inTransaction } from '../../database/transaction.ts'
import type { TrackedCollection } from './collection-log.ts'
import { C, D } from './elements.ts'
import { DavError } from './errors.ts'
import { readPath, type Target } from './paths.ts'
import { type DavRequest, type Handler, requireConditions } from './request.ts'
import { conditionOf, findIn, findResource, requireFreeUid, requireResource } from './resources.ts'
import { requireWrite } from './session.ts'

/** RFC 4918 §10.3. The path of another server is 502 (§9.9.4). */
const readDestination = ({ headers, session }: DavRequest): Extract<Target, { type: 'resource' }> => {
  const given = headers.destination
  if (typeof given !== 'string') throw new DavError(400)
  const host = headers.host ?? ''
  const url = URL.parse(given, `http://${host}`)
  if (!url) throw new DavError(400)
  if (url.host !== URL.parse(`${url.protocol}//${host}`)?.host) throw new DavError(502)
  const { basePath } = session
  const target = readPath(
    url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : url.pathname,
  )
  if (target?.type !== 'resource') throw new DavError(403, C.calendarCollectionLocationOk())
  return target
}

/** Another account, or another kind of item, has no history that could move along. */
const canMoveItem = (from: TrackedCollection, to: TrackedCollection): boolean =>
  from.ownerId === to.ownerId && from.kind === to.kind

/** RFC 4918 §9.9: moves a resource, within its collection or to another one. */
export const moveResource: Handler = async (request) => {
  const { db, log, session, headers } = request
  const { collection: from, row, etag } = await findResource(request, requireResource(request))
  requireWrite(session, from)
  requireConditions(request, etag)
  const destination = readDestination(request)
  session.requireUser(destination)
  if (!(await session.find(destination))) throw new DavError(409)
  const to = await session.get(destination)
  requireWrite(session, to)
  if (from.log.id === to.log.id && destination.name === row.name) throw new DavError(403)
  const isItemMoved = canMoveItem(from, to)
  const text = (await from.backend.read(db, session.account, from, [row.uid])).get(row.uid)
  if (text === undefined) throw new DavError(404)
  const parsed = await to.backend.parse(session.account, to, Buffer.from(text))
  const isReplaced = await inTransaction(db, async (tx) => {
    const inside = { ...request, db: tx }
    const present = await findIn(inside, from, row.name)
    if (!present) throw new DavError(404)
    requireConditions(request, present.etag)
    const replaced = await findIn(inside, to, destination.name)
    if (replaced && headers.overwrite === 'F') throw new DavError(412)
    // RFC 4791 §5.3.2.1: a resource keeps its UID.
    if (replaced && !to.backend.itemUids(to, parsed.uid).includes(replaced.row.uid))
      throw new DavError(
        403,
        conditionOf(to, 'noUidConflict')(D.href(session.resourcePath(to, replaced.row.name))),
      )
    if (replaced) await to.backend.remove(tx, session.account, to, replaced.row.uid)
    if (from.log.id === to.log.id) {
      await log.rename(tx, from, present.row, destination.name)
      return replaced !== undefined
    }
    if (!replaced) await requireFreeUid(inside, to, parsed.uid, undefined, 403)
    if (isItemMoved) {
      const uid = await from.backend.move(tx, session.account, from, to, row.uid)
      await log.name(tx, to, destination.name, uid)
    } else {
      const uid = await to.backend.put(tx, session.account, to, parsed, undefined)
      await log.name(tx, to, destination.name, uid)
      await from.backend.remove(tx, session.account, from, row.uid)
    }
    return replaced !== undefined
  })
  return { status: isReplaced ? 204 : 201 }
}
