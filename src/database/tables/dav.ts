import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export type DavCollectionKind = 'calendar' | 'taskList' | 'addressBook'

/**
 * A collection as the DAV clients of an account see it. The row of the owner also has the change log; a member of a
 * shared collection has a row with a name and properties only. Without a row, no client has used the collection.
 */
export interface DavCollectionRow {
  id: Generated<number>
  userId: number
  kind: DavCollectionKind
  /** The calendar or task list; 0 for the address book. */
  itemId: number
  /** The segment of its path, unique for the account. */
  name: string
  /** JSON of property names in the form `{namespace}local` to XML: properties that clients set and no column has. */
  properties: string
  /** The number of changes of its resources. */
  revision: number
  /** Deletions up to this revision are no longer known. */
  prunedRevision: number
}

/** The name of a resource, and its last change. A deleted resource keeps its row for a time. */
export interface DavResourceRow {
  id: Generated<number>
  /** The owner of the collection. */
  userId: number
  collectionId: number
  name: string
  /** The UID of the event, task or contact. */
  uid: string
  /** The revision of the collection with the last change of this resource. */
  revision: number
  deletedAt: string | null
}

export interface DavTables {
  dav_collections: DavCollectionRow
  dav_resources: DavResourceRow
}

export const davKeys: TableKeys<DavTables> = {
  dav_collections: ['id'],
  dav_resources: ['id'],
}
