import type { Db } from '../../database/db.ts'
import type { DavCollectionKind } from '../../database/tables/dav.ts'

/*
 * The interface between CalDAV and CardDAV and the features with the rows. The protocol knows no storage: it addresses an
 * item by its UID, and keeps names, ETags and the change log of a collection itself (collection-log.ts). An error of a
 * backend is an AppError. Its code may be the name of a precondition, such as `valid-calendar-data`: see routes.ts.
 */

/** What an account may do in a collection (RFC 3744 §3). */
export type Rights =
  /** Its own collection: everything. */
  | 'owner'
  /** Reads and writes items. Only the owner changes properties that all see. */
  | 'editor'
  | 'viewer'
  /** RFC 4791 §6.1.1: only free-busy-query. */
  | 'freeBusy'

export interface DavCollection {
  kind: DavCollectionKind
  /** The id of the calendar or task list; 0 for the address book. */
  id: number
  ownerId: number
  rights: Rights
  /** The owner refuses writes, such as the calendar of a published file. */
  isReadOnly: boolean
  displayName: string
  /** In the form #rrggbb; null if the kind has none. */
  color: string | null
  /** The segment of its path while no client has chosen one. */
  defaultName: string
}

/** A property of a collection that its feature stores. */
export interface CollectionChange {
  displayName?: string
  color?: string
}

/** A resource that was read and checked, but not stored. */
export interface ParsedResource {
  /** The UID in the resource. */
  uid: string
}

/** Instants in ms; infinite for no limit. */
export interface TimeRange {
  start: number
  end: number
}

/** Time that an event takes. */
export interface BusyTime extends TimeRange {
  isTentative: boolean
}

/**
 * A feature that provides collections. `account` is who asks; the rows belong to `collection.ownerId`.
 */
export interface DavBackend<P extends ParsedResource = ParsedResource> {
  readonly kind: DavCollectionKind
  /** The part of the access of an app password that covers it. */
  readonly area: 'calendars' | 'tasks' | 'contacts'
  /** The content type of a resource, and the extension of generated names. */
  readonly contentType: string
  readonly extension: 'ics' | 'vcf'
  /** The calendar component of its resources; null for contacts. */
  readonly component: 'VEVENT' | 'VTODO' | null
  /** RFC 4791 §5.2.5, RFC 6352 §6.2.3. */
  readonly maxResourceSize: number
  /** RFC 4791 §5.2.6 to §5.2.8. */
  readonly limits?: { minDateTime: string; maxDateTime: string; maxInstances: number }
  /** Its collections: those of the account, and those that others share with it. */
  list(account: number): Promise<DavCollection[]>
  /** Creates a collection and returns its id. Undefined if accounts cannot have more than one. */
  create?(tx: Db, account: number, given: CollectionChange): Promise<number>
  /** A member changes only their own view, such as the color. */
  change(tx: Db, account: number, collection: DavCollection, change: CollectionChange): Promise<void>
  removeCollection(tx: Db, account: number, collection: DavCollection): Promise<void>

  /** The UIDs of all items. */
  listUids(view: Db, collection: DavCollection): Promise<string[]>
  /** Those of the UIDs that the collection of an owner contains, for the change log. */
  findExisting(view: Db, ownerId: number, id: number, uids: readonly string[]): Promise<Set<string>>
  /** The texts of items by UID, as the account may read them. An item that does not exist is left out. */
  read(
    view: Db,
    account: number,
    collection: DavCollection,
    uids: readonly string[],
  ): Promise<Map<string, string>>

  /**
   * The UIDs of items that may overlap a range, at least all that do. It makes a query faster: the filter is applied to
   * the texts. Without it, the texts of all items are read.
   */
  findCandidates?(view: Db, collection: DavCollection, range: TimeRange): Promise<Set<string>>
  /** Lists when the account of a calendar is busy (RFC 4791 §7.10). */
  listBusyTimes?(view: Db, collection: DavCollection, range: TimeRange): Promise<BusyTime[]>

  /** Reads a resource before the transaction of the write, in a worker thread if it may take long. */
  parse(account: number, collection: DavCollection, bytes: Uint8Array): Promise<P>
  /** The UIDs that the item of a resource with this UID may have in a collection: see `put`. */
  itemUids(collection: DavCollection, uid: string): string[]
  /**
   * Stores a resource, and returns the UID of the item. `replaced` is the UID of the item that had its name. The UID differs
   * from that of the resource if an item of another collection has that one: clients copy and move with PUT.
   */
  put(
    tx: Db,
    account: number,
    collection: DavCollection,
    parsed: P,
    replaced: string | undefined,
  ): Promise<string>
  remove(tx: Db, account: number, collection: DavCollection, uid: string): Promise<void>
  /** Moves an item to another collection of its owner, with its id and history. Returns its UID there. */
  move(tx: Db, account: number, from: DavCollection, to: DavCollection, uid: string): Promise<string>
}
