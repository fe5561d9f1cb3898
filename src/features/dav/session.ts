import type { DavAccess, DavCaller } from '../../platform/access/caller.ts'
import type { DavBackend, DavCollection } from './backend.ts'
import type { CollectionLog, TrackedCollection } from './collection-log.ts'
import { D } from './elements.ts'
import { DavError } from './errors.ts'
import { type Home, type Target, writePath, writeResourcePath } from './paths.ts'

export type Listed = Omit<TrackedCollection, 'log'>

const homeOf = ({ kind }: DavCollection): Home => (kind === 'addressBook' ? 'addressbooks' : 'calendars')

export interface Person {
  name: string
  email: string | null
}

/** The access of a program to the collections of one account. It lives for one request. */
export class Session {
  readonly account: number
  readonly person: Person
  readonly basePath: string
  private readonly caller: DavCaller
  private readonly collectionLog: CollectionLog
  private listed: Listed[] | undefined

  constructor(given: {
    account: number
    caller: DavCaller
    person: Person
    basePath: string
    log: CollectionLog
  }) {
    this.account = given.account
    this.caller = given.caller
    this.person = given.person
    this.basePath = given.basePath
    this.collectionLog = given.log
  }

  /** The segment of the account in paths: the user name that the client signs in with. */
  get user(): string {
    return this.person.email ?? String(this.account)
  }

  isUser(segment: string): boolean {
    return segment === String(this.account) || segment.toLowerCase() === this.person.email?.toLowerCase()
  }

  path(...segments: readonly string[]): string {
    return writePath(this.basePath, ...segments)
  }

  principalPath(): string {
    return this.path('principals', this.user)
  }

  homePath(home: Home): string {
    return this.path(home, this.user)
  }

  collectionPath(collection: Listed): string {
    return this.path(homeOf(collection), this.user, collection.own.name)
  }

  resourcePath(collection: Listed, name: string): string {
    return writeResourcePath(this.collectionPath(collection), name)
  }

  level(area: DavBackend['area']): DavAccess {
    return this.caller.access[area]
  }

  /** The collections that the program may see. */
  async list(home: Home): Promise<Listed[]> {
    this.listed ??= (await this.collectionLog.list(this.account)).flatMap((collection) => {
      const level = this.level(collection.backend.area)
      return level === 'none' ? [] : { ...collection, isReadOnly: collection.isReadOnly || level === 'read' }
    })
    return this.listed.filter((collection) => homeOf(collection) === home)
  }

  /** Forgets the collections, after one was added or removed. */
  refresh(): void {
    this.listed = undefined
  }

  /** Other accounts do not exist for this one. */
  requireUser(target: Extract<Target, { user: string }>): void {
    if (!this.isUser(target.user)) throw new DavError(404)
  }

  async find({
    home,
    collection,
  }: Pick<Extract<Target, { type: 'collection' }>, 'home' | 'collection'>): Promise<Listed | undefined> {
    return (await this.list(home)).find(({ own }) => own.name === collection)
  }

  async get(target: Extract<Target, { collection: string }>): Promise<TrackedCollection> {
    this.requireUser(target)
    const found = await this.find(target)
    if (!found) throw new DavError(404)
    return this.collectionLog.track(found)
  }
}

/** RFC 3744 §7.1.1. */
const missingPrivilege = (href: string, privilege: ReturnType<typeof D.privilege>): DavError =>
  new DavError(403, D.needPrivileges(D.resource(D.href(href), privilege)))

export const canWrite = ({ rights, isReadOnly }: DavCollection): boolean =>
  !isReadOnly && (rights === 'owner' || rights === 'editor')

export const requireWrite = (session: Session, collection: Listed): void => {
  if (!canWrite(collection))
    throw missingPrivilege(session.collectionPath(collection), D.privilege(D.writeContent()))
}

/** A member who sees free and busy times cannot read items (RFC 4791 §6.1.1). */
export const requireRead = (session: Session, collection: Listed): void => {
  if (collection.rights === 'freeBusy')
    throw missingPrivilege(session.collectionPath(collection), D.privilege(D.read()))
}
