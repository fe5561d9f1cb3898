import { readEpoch } from '../../database/change-order.ts'
import type { Db } from '../../database/db.ts'
import type { DavCollectionKind } from '../../database/tables/dav.ts'
import { beforeCommit, inTransaction } from '../../database/transaction.ts'
import type { Platform } from '../../platform/platform.ts'
import { randomId } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/seal.ts'
import type { DavBackend, DavCollection } from './backend.ts'
import {
  type CollectionRecord,
  deleteCollectionRows,
  deleteResource,
  findCollectionRow,
  findResourceByName,
  insertCollectionRow,
  insertResources,
  listCollectionRows,
  listResourcesByUid,
  pruneDeletions,
  type ResourceRecord,
  reserveRevisions,
  setRevision,
  updateResource,
} from './repository.ts'

const SAFE_NAME = /^[\w.@+-]{1,150}$/

/** The name of a resource that no client has named. */
const toName = (uid: string, extension: string): string =>
  `${SAFE_NAME.test(uid) ? uid : digest(uid).slice(0, 40)}.${extension}`

/** 0 stands for a log that has not begun. */
const FIRST_REVISION = 1

interface Noted {
  userId: number
  kind: DavCollectionKind
  itemId: number
  uids: Set<string>
}

const keyOf = ({ kind, itemId }: Pick<Noted, 'kind' | 'itemId'>): string => `${kind}-${itemId}`

/** A collection with the rows that clients need: its name and properties for an account, and its change log. */
export interface TrackedCollection extends DavCollection {
  backend: DavBackend
  /** The row of the account that asks. */
  own: CollectionRecord
  /** The row of the owner. */
  log: CollectionRecord
}

/**
 * The names of the resources of each collection, and the order of their changes. A collection has a log once a client
 * has used it. Revisions are counted for each collection: a transaction locks the count at its end, so that a reader
 * who knows revision 7 has seen every smaller one.
 */
export class CollectionLog {
  private readonly deps: Pick<Platform, 'db' | 'clock' | 'random'>
  private readonly backends = new Map<DavCollectionKind, DavBackend>()
  private readonly noted = new WeakMap<Db, Map<string, Noted>>()
  private epoch: string | undefined

  constructor(deps: CollectionLog['deps']) {
    this.deps = deps
  }

  define(backend: DavBackend): void {
    this.backends.set(backend.kind, backend)
  }

  /**
   * Notes that items were created, changed or deleted, or moved into or out of a collection. The log is written at the
   * end of the transaction, from the state then.
   */
  note(tx: Db, userId: number, kind: DavCollectionKind, itemId: number, uids: Iterable<string>): void {
    const noted = this.noted.get(tx) ?? new Map<string, Noted>()
    const known = noted.get(keyOf({ kind, itemId })) ?? { userId, kind, itemId, uids: new Set() }
    for (const uid of uids) known.uids.add(uid)
    noted.set(keyOf(known), known)
    this.noted.set(tx, noted)
    beforeCommit('dav-log', async (last) => {
      this.noted.delete(tx)
      // In a fixed order, so that two transactions do not wait for each other.
      for (const key of [...noted.keys()].sort()) await this.write(last, noted.get(key) as Noted)
    })
  }

  private async write(tx: Db, { userId, kind, itemId, uids }: Noted): Promise<void> {
    const log = await reserveRevisions(tx, userId, kind, itemId, uids.size)
    if (!log) return
    const backend = this.backends.get(kind) as DavBackend
    const given = [...uids]
    const existing = await backend.findExisting(tx, userId, itemId, given)
    const rows = await listResourcesByUid(tx, userId, log.id, given)
    const living = new Map(rows.filter(({ deletedAt }) => deletedAt === null).map((row) => [row.uid, row]))
    const dead = new Map(rows.filter(({ deletedAt }) => deletedAt !== null).map((row) => [row.uid, row]))
    const deletedAt = this.deps.clock.now().toISOString()
    const added: { uid: string; revision: number }[] = []
    let revision = log.revision - uids.size
    for (const uid of given) {
      revision++
      const row = living.get(uid)
      if (existing.has(uid)) {
        const known = row ?? dead.get(uid)
        if (known) await updateResource(tx, known, { revision, deletedAt: null })
        else added.push({ uid, revision })
      } else if (row) await updateResource(tx, row, { revision, deletedAt })
    }
    await this.insert(tx, { userId, id: log.id }, backend, added)
  }

  private async insert(
    tx: Db,
    { userId, id: collectionId }: Pick<CollectionRecord, 'userId' | 'id'>,
    { extension }: DavBackend,
    added: readonly { uid: string; revision: number }[],
  ): Promise<void> {
    const rows = added.map((one) => ({
      ...one,
      userId,
      collectionId,
      name: toName(one.uid, extension),
      deletedAt: null,
    }))
    const names = await insertResources(tx, rows)
    const taken = rows.filter(({ name }) => !names.has(name))
    // A client has given such a name to another item.
    await insertResources(
      tx,
      taken.map((row) => ({ ...row, name: `${randomId(this.deps.random)}.${extension}` })),
    )
  }

  /** Lists the collections of an account. Forgets those that no longer exist. */
  async list(account: number): Promise<Omit<TrackedCollection, 'log'>[]> {
    const { db } = this.deps
    const found: { backend: DavBackend; collection: DavCollection }[] = []
    for (const backend of this.backends.values())
      for (const collection of await backend.list(account)) found.push({ backend, collection })
    const rows = await listCollectionRows(db, account)
    const isFound = ({ kind, itemId }: CollectionRecord): boolean =>
      found.some(({ collection }) => collection.kind === kind && collection.id === itemId)
    const isKnown = ({ kind, id }: DavCollection): boolean =>
      rows.some((row) => row.kind === kind && row.itemId === id)
    const gone = rows.filter((row) => !isFound(row)).map(({ id }) => id)
    const fresh = found.filter(({ collection }) => !isKnown(collection))
    const current =
      gone.length === 0 && fresh.length === 0
        ? rows
        : await inTransaction(db, async (tx) => {
            if (gone.length > 0) await deleteCollectionRows(tx, account, gone)
            for (const { collection } of fresh) await this.register(tx, account, collection)
            return listCollectionRows(tx, account)
          })
    return found.flatMap(({ backend, collection }) => {
      const own = current.find((row) => row.kind === collection.kind && row.itemId === collection.id)
      return own ? { ...collection, backend, own } : []
    })
  }

  /** Gives a collection a name in the paths of an account: the given one, or its default. */
  async register(
    tx: Db,
    account: number,
    { kind, id, defaultName }: Pick<DavCollection, 'kind' | 'id' | 'defaultName'>,
    properties: Readonly<Record<string, string>> = {},
  ): Promise<CollectionRecord> {
    const row = {
      userId: account,
      kind,
      itemId: id,
      properties: JSON.stringify(properties),
      revision: 0,
      prunedRevision: 0,
    }
    await insertCollectionRow(tx, { ...row, name: defaultName })
    const made = await findCollectionRow(tx, account, kind, id)
    if (made) return made
    await insertCollectionRow(tx, { ...row, name: `${defaultName}-${randomId(this.deps.random)}` })
    return (await findCollectionRow(tx, account, kind, id)) as CollectionRecord
  }

  /** Returns a collection with its log, which begins now if no client has used the collection. */
  async track(collection: Omit<TrackedCollection, 'log'>): Promise<TrackedCollection> {
    const { ownerId, kind, id, backend, own } = collection
    const known = own.userId === ownerId ? own : await findCollectionRow(this.deps.db, ownerId, kind, id)
    if (known && known.revision > 0) return { ...collection, log: known }
    const ownView = known ? collection : (await backend.list(ownerId)).find((one) => one.id === id)
    return inTransaction(this.deps.db, async (tx) => {
      const row = known ?? (await this.register(tx, ownerId, ownView ?? collection))
      if (await setRevision(tx, { ...row, revision: 0 }, FIRST_REVISION)) {
        const uids = await backend.listUids(tx, collection)
        const items = uids.map((uid, index) => ({ uid, revision: FIRST_REVISION + index }))
        await this.insert(tx, row, backend, items)
        await setRevision(tx, { ...row, revision: FIRST_REVISION }, FIRST_REVISION + uids.length)
      }
      return { ...collection, log: (await findCollectionRow(tx, ownerId, kind, id)) as CollectionRecord }
    })
  }

  /** Gives a name to an item that the transaction is about to create. */
  async name(tx: Db, { log }: TrackedCollection, name: string, uid: string): Promise<void> {
    const former = await findResourceByName(tx, log.userId, log.id, name)
    if (former) await deleteResource(tx, former)
    const row = { userId: log.userId, collectionId: log.id, name, uid, revision: 0, deletedAt: null }
    await insertResources(tx, [row])
  }

  /** An item takes the place of another one of its collection, under the name that clients know. */
  async replace(
    tx: Db,
    { userId, kind, itemId }: Omit<Noted, 'uids'>,
    uids: { former: string; next: string },
  ): Promise<void> {
    const log = await findCollectionRow(tx, userId, kind, itemId)
    if (!log) return
    const rows = await listResourcesByUid(tx, userId, log.id, [uids.former])
    for (const row of rows) if (row.deletedAt === null) await updateResource(tx, row, { uid: uids.next })
  }

  /** Renames a resource: the former name is deleted (RFC 6578 §3.5.2). */
  async rename(tx: Db, collection: TrackedCollection, row: ResourceRecord, name: string): Promise<void> {
    const { userId, kind, itemId } = collection.log
    const reserved = await reserveRevisions(tx, userId, kind, itemId, 1)
    if (!reserved) throw new Error('A resource of a collection without a log was renamed.')
    const deletedAt = this.deps.clock.now().toISOString()
    await updateResource(tx, row, { revision: reserved.revision, deletedAt })
    await this.name(tx, collection, name, row.uid)
    this.note(tx, userId, kind, itemId, [row.uid])
  }

  /** Identifies a state of the database: after a restore, revisions are counted again from an earlier one. */
  async readEpoch(): Promise<string> {
    this.epoch ??= (await readEpoch(this.deps.db)).toString(36)
    return this.epoch
  }

  /** The ETag of a resource. Other ETags have a dot, and get their epoch elsewhere. */
  async etagOf({
    collectionId,
    revision,
  }: Pick<ResourceRecord, 'collectionId' | 'revision'>): Promise<string> {
    return `"${await this.readEpoch()}-${collectionId}-${revision}"`
  }

  prune = (before: string): Promise<void> => inTransaction(this.deps.db, (tx) => pruneDeletions(tx, before))
}
