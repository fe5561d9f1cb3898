import { inTransaction } from '../../database/transaction.ts'
import type { XmlElement } from '../../platform/xml.ts'
import type { CollectionChange, DavCollection } from './backend.ts'
import { C, D, I, writeAsRead, writeUndeclared, type Xml } from './elements.ts'
import { DavError } from './errors.ts'
import { toStatusLine } from './multistatus.ts'
import { isComputed, readKept } from './properties.ts'
import { saveProperties } from './repository.ts'
import { type Handler, multistatus, readBody } from './request.ts'
import { canWrite } from './session.ts'

/** A property to set, or to remove if it has no value. */
interface Instruction {
  key: string
  value: XmlElement | undefined
}

const MAX_KEPT_LENGTH = 100_000
const MAX_NAME_LENGTH = 100

/** RFC 4918 §14.19: in the order of the document. */
export const readInstructions = (root: XmlElement): Instruction[] =>
  root.children.flatMap(({ name, children }) => {
    if (name !== D.set.key && name !== D.remove.key) return []
    return children
      .filter((child) => child.name === D.prop.key)
      .flatMap((prop) =>
        prop.children.map((value) => ({
          key: value.name,
          value: name === D.set.key ? value : undefined,
        })),
      )
  })

/** Apple writes an alpha channel: `#FF2968FF`. */
const readColor = (text: string): string | undefined =>
  /^\s*(#[0-9a-f]{6})(?:[0-9a-f]{2})?\s*$/i.exec(text)?.[1]

interface Planned {
  change: CollectionChange
  kept: Map<string, string>
  /** The properties that cannot be changed, with their status. */
  refused: Map<string, number>
}

/** Sorts instructions into the columns of a collection, properties to keep, and refused ones. */
export const planInstructions = (
  instructions: readonly Instruction[],
  before: ReadonlyMap<string, string>,
  isSettable: (key: string) => boolean,
): Planned => {
  const change: CollectionChange = {}
  const kept = new Map(before)
  const refused = new Map<string, number>()
  for (const { key, value } of instructions) {
    if (!isSettable(key)) refused.set(key, 403)
    else if (key === D.displayname.key) {
      const displayName = value?.text.trim().slice(0, MAX_NAME_LENGTH) ?? ''
      if (displayName === '') refused.set(key, 403)
      else change.displayName = displayName
    } else if (key === I.calendarColor.key) {
      const color = value && readColor(value.text)
      if (color === undefined) refused.set(key, value ? 409 : 403)
      else change.color = color
    } else if (value) kept.set(key, writeAsRead(value))
    else kept.delete(key)
  }
  if (JSON.stringify([...kept]).length > MAX_KEPT_LENGTH)
    for (const { key } of instructions) refused.set(key, 507)
  return { change, kept, refused }
}

/** RFC 4918 §9.2.1: properties that would have been changed get 424 when another one fails. */
export const writeResults = (
  instructions: readonly Instruction[],
  refused: ReadonlyMap<string, number>,
): Xml[] => {
  const keys = [...new Set(instructions.map(({ key }) => key))]
  const statusOf = (key: string): number => refused.get(key) ?? (refused.size > 0 ? 424 : 200)
  return [...Map.groupBy(keys, statusOf)].map(([status, group]) =>
    D.propstat(
      D.prop(group.map(writeUndeclared)),
      D.status(toStatusLine(status)),
      status === 403 ? D.error(D.cannotModifyProtectedProperty()) : [],
    ),
  )
}

/** RFC 4791 §5.2.2 and others: what only the owner sets, because all see it. */
const isOfOwner = (key: string): boolean => key === D.displayname.key || key === C.calendarDescription.key

export const proppatch: Handler = async (request) => {
  const { db, session, target } = request
  const root = await readBody(request)
  if (root?.name !== D.propertyupdate.key) throw new DavError(400)
  const instructions = readInstructions(root)
  if (instructions.length === 0) throw new DavError(400)
  if ('user' in target) session.requireUser(target)
  if (target.type !== 'collection') {
    const href = session.path(...Object.values(target).slice(1))
    const refused = new Map(instructions.map(({ key }) => [key, 403]))
    return multistatus([D.response(D.href(href), writeResults(instructions, refused))])
  }
  const collection = await session.get(target)
  const isSettable = (key: string): boolean =>
    !isComputed(key) && canPatch(collection) && (collection.rights === 'owner' || !isOfOwner(key))
  const planned = planInstructions(instructions, readKept(collection.own), isSettable)
  if (planned.refused.size === 0)
    await inTransaction(db, async (tx) => {
      if (Object.keys(planned.change).length > 0)
        await collection.backend.change(tx, session.account, collection, planned.change)
      await saveProperties(
        tx,
        session.account,
        collection.own.id,
        JSON.stringify(Object.fromEntries(planned.kept)),
      )
    })
  return multistatus([
    D.response(D.href(session.collectionPath(collection)), writeResults(instructions, planned.refused)),
  ])
}

/** A viewer also has a color and an order of their own. */
const canPatch = (collection: DavCollection): boolean => canWrite(collection) || collection.rights !== 'owner'
