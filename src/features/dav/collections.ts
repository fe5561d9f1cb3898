import { inTransaction } from '../../database/transaction.ts'
import type { XmlElement } from '../../platform/xml.ts'
import type { DavBackend } from './backend.ts'
import { A, C, D, type Element } from './elements.ts'
import { DavError } from './errors.ts'
import type { Target } from './paths.ts'
import { isComputed } from './properties.ts'
import { planInstructions, readInstructions, writeResults } from './proppatch.ts'
import { type DavRequest, type Handler, readBody, requireConditions } from './request.ts'
import { requireRead } from './session.ts'

/** Features that can create collections of a kind. */
export type Backends = readonly DavBackend[]

type CollectionTarget = Extract<Target, { type: 'collection' }>

const namesIn = (element: XmlElement | undefined): string[] => element?.children.map(({ name }) => name) ?? []

/** Names a place for a new collection (RFC 4791 §5.3.1.1, RFC 4918 §9.3.1). */
const requirePlace = async (
  { session, target }: DavRequest,
  existing: DavError,
): Promise<CollectionTarget> => {
  if ('user' in target) session.requireUser(target)
  if (target.type === 'resource')
    throw (await session.find(target))
      ? new DavError(403, C.calendarCollectionLocationOk())
      : new DavError(409)
  if (target.type !== 'collection') throw existing
  if (await session.find(target)) throw existing
  return target
}

/** RFC 4791 §5.2.3: a client may ask for certain components. A collection of this server has one. */
const readComponents = (element: XmlElement | undefined): string[] | undefined =>
  element?.children
    .filter(({ name }) => name === C.comp.key)
    .map(({ attributes }) => (attributes.name ?? '').toUpperCase())

const chooseBackend = (
  backends: Backends,
  target: CollectionTarget,
  components: string[] | undefined,
): DavBackend => {
  const isFitting = ({ component }: DavBackend): boolean => {
    if (target.home === 'addressbooks') return component === null
    return component !== null && (components ?? ['VEVENT']).includes(component)
  }
  const backend = backends.find(isFitting)
  if (!backend) throw new DavError(403, C.supportedCalendarComponentSet())
  return backend
}

const create = async (
  request: DavRequest,
  backends: Backends,
  root: XmlElement | undefined,
  { existing, response }: { existing: DavError; response: Element },
) => {
  const { db, log, session } = request
  const target = await requirePlace(request, existing)
  const instructions = root ? readInstructions(root) : []
  const isSetup = (key: string): boolean =>
    key === C.supportedCalendarComponentSet.key || key === D.resourcetype.key
  const given = instructions.filter(({ key }) => !isSetup(key))
  const components = readComponents(
    instructions.find(({ key }) => key === C.supportedCalendarComponentSet.key)?.value,
  )
  const backend = chooseBackend(backends, target, components)
  if (session.level(backend.area) !== 'write' || !backend.create)
    throw new DavError(
      403,
      D.needPrivileges(D.resource(D.href(session.homePath(target.home)), D.privilege(D.bind()))),
    )
  const planned = planInstructions(given, new Map(), (key) => !isComputed(key))
  // RFC 5689 §3: nothing is created when a property cannot be set.
  if (planned.refused.size > 0) return { status: 403, body: response(writeResults(given, planned.refused)) }
  await inTransaction(db, async (tx) => {
    const { displayName = target.collection, ...rest } = planned.change
    const id = await (backend.create as NonNullable<DavBackend['create']>)(tx, session.account, {
      displayName,
      ...rest,
    })
    const row = { kind: backend.kind, id, defaultName: target.collection }
    await log.register(tx, session.account, row, Object.fromEntries(planned.kept))
  })
  return { status: 201, headers: { 'cache-control': 'no-cache' } }
}

/** RFC 4791 §5.3.1. */
export const createMkcalendar =
  (backends: Backends): Handler =>
  async (request) => {
    const root = await readBody(request)
    if (root !== undefined && root.name !== C.mkcalendar.key) throw new DavError(400)
    if (request.target.type === 'collection' && request.target.home !== 'calendars')
      throw new DavError(403, C.calendarCollectionLocationOk())
    const existing = new DavError(403, D.resourceMustBeNull())
    return create(request, backends, root, { existing, response: C.mkcalendarResponse })
  }

/** RFC 5689. A plain collection has no meaning here. */
export const createMkcol =
  (backends: Backends): Handler =>
  async (request) => {
    const root = await readBody(request)
    const existing = new DavError(405)
    if (root === undefined) {
      await requirePlace(request, existing)
      throw new DavError(403, D.validResourcetype())
    }
    // RFC 4918 §9.3: a body of another type is not supported.
    if (root.name !== D.mkcol.key) throw new DavError(415)
    const type = readInstructions(root).find(({ key }) => key === D.resourcetype.key)?.value
    const wanted =
      request.target.type !== 'principal' &&
      'home' in request.target &&
      request.target.home === 'addressbooks'
        ? A.addressbook
        : C.calendar
    const names = namesIn(type)
    const isRight = names.length === 2 && names.includes(D.collection.key) && names.includes(wanted.key)
    if (!isRight) {
      await requirePlace(request, existing)
      throw new DavError(403, D.validResourcetype())
    }
    return create(request, backends, root, { existing, response: D.mkcolResponse })
  }

/** RFC 4918 §9.6.1. */
export const deleteCollection: Handler = async (request) => {
  const { db, session, target } = request
  if (target.type !== 'collection') throw new DavError(403)
  const collection = await session.get(target)
  requireRead(session, collection)
  requireConditions(request, '')
  if (collection.rights !== 'owner' || session.level(collection.backend.area) !== 'write')
    throw new DavError(
      403,
      D.needPrivileges(D.resource(D.href(session.homePath(target.home)), D.privilege(D.unbind()))),
    )
  await inTransaction(db, (tx) => collection.backend.removeCollection(tx, session.account, collection))
  return { status: 204 }
}
