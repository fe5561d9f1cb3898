import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Change, Changes, MemberChangeName } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import {
  type AcceptedShare,
  deleteShare,
  deleteSharesOf,
  findAccepted,
  findOffered,
  findPerson,
  findPersonByEmail,
  findShare,
  listAccepted,
  listMembers,
  listOffered,
  listSharedIds,
  listShares,
  lockAccepted,
  lockShare,
  type OfferedRecord,
  type OwnedShare,
  type Person,
  type ShareKind,
  type ShareRecord,
  type ShareRole,
  updateShare,
  updateView,
  upsertShare,
} from './repository.ts'
import type { NewShare } from './schema.ts'

const MAX_SHARES = 100

type MemberChange<K extends ShareKind = ShareKind> = Change<MemberChangeName<K>>

/** A kind of resource, defined by its feature. */
export interface SharedResource<C extends MemberChange = MemberChange> {
  /** Returns the resource of an account. `shareable` is the reason if it cannot be shared. */
  find(db: Db, userId: number, id: number): Promise<{ name: string; shareable: true | string } | undefined>
  /** Returns the id of the resource that a change concerns. */
  placeOf(change: C): number | undefined
  /** Returns a change as a member may see it. */
  redact(change: C, role: ShareRole): C
  /** Returns the change for members who see only the resource that the item was moved out of. */
  toRemoval(change: C, movedFrom: number): Change
  /** Removes what a former member stored about the resource, such as reminders. */
  ended(tx: Db, share: { ownerId: number; memberId: number; resourceId: number }): Promise<void>
}

const viewOf = ({ id, email, memberName, role, status, version, createdAt, updatedAt }: OwnedShare) => ({
  id,
  email,
  name: memberName,
  role,
  status,
  createdAt,
  updatedAt,
  version,
})

export class Sharing {
  private readonly deps: { db: Db; clock: Clock; changes: Changes; emailKeyOf: (email: string) => string }
  private readonly resources = new Map<ShareKind, SharedResource>()

  constructor(deps: Sharing['deps']) {
    this.deps = deps
    deps.changes.copyBy((tx, changes) => this.copyChanges(tx, changes))
  }

  /** Registers a kind of resource that can be shared. */
  define(kind: 'taskList', resource: SharedResource<MemberChange<'taskList'>>): void
  define(kind: 'calendar', resource: SharedResource<MemberChange<'calendar'>>): void
  define(kind: ShareKind, resource: SharedResource): void {
    this.resources.set(kind, resource)
  }

  /** Lists the accepted shares of an account. */
  accepted(db: Db, memberId: number, kind: ShareKind): Promise<AcceptedShare[]> {
    return listAccepted(db, memberId, kind)
  }

  find(db: Db, memberId: number, kind: ShareKind, resourceId: number): Promise<AcceptedShare | undefined> {
    return findAccepted(db, memberId, kind, resourceId)
  }

  /** Finds the share of a member, which then cannot be revoked before the transaction ends. */
  async lock(
    tx: Db,
    memberId: number,
    kind: ShareKind,
    resourceId: number,
  ): Promise<AcceptedShare | undefined> {
    await lockAccepted(tx, memberId, kind, resourceId)
    return findAccepted(tx, memberId, kind, resourceId)
  }

  /** Changes how a member displays a shared resource. */
  async updateView(
    tx: Db,
    memberId: number,
    shareId: number,
    {
      visible,
      color,
      notifications,
    }: {
      visible?: boolean | undefined
      color?: string | null | undefined
      notifications?: ShareRecord['notifications'] | undefined
    },
  ): Promise<void> {
    if (visible === undefined && color === undefined && notifications === undefined) return
    await updateView(tx, memberId, shareId, {
      ...(visible !== undefined && { visible: visible ? 1 : 0 }),
      ...(color !== undefined && { color }),
      ...(notifications !== undefined && { notifications }),
    })
  }

  /** Returns the ids of the resources that an account shares. */
  async sharedIds(db: Db, ownerId: number, kind: ShareKind): Promise<Set<number>> {
    return new Set(await listSharedIds(db, ownerId, kind))
  }

  /** Ends all shares of a resource that is being deleted. */
  async deleteSharesOf(tx: Db, ownerId: number, kind: ShareKind, resourceId: number): Promise<void> {
    for (const share of await deleteSharesOf(tx, ownerId, kind, resourceId)) await this.end(tx, share)
  }

  /** Lists the shares of a resource, for its owner. */
  async list(userId: number, kind: ShareKind, resourceId: number) {
    await this.getResource(this.deps.db, userId, kind, resourceId)
    return (await listShares(this.deps.db, userId, kind, resourceId)).map(viewOf)
  }

  /** Offers a resource to an address. The result does not tell whether an account has that address. */
  offer(userId: number, kind: ShareKind, resourceId: number, { email, role }: NewShare) {
    this.requireRole(kind, role)
    return inTransaction(this.deps.db, async (tx) => {
      const { name, shareable } = await this.getResource(tx, userId, kind, resourceId)
      if (shareable !== true) throw conflict(shareable)
      const emailKey = this.deps.emailKeyOf(email)
      const owner = await findPerson(tx, userId)
      if (!owner || owner.emailKey === emailKey) throw invalidField('email', 'is your own address')
      const existing = await listShares(tx, userId, kind, resourceId)
      const isKnown = existing.some((share) => share.emailKey === emailKey)
      if (!isKnown && existing.length >= MAX_SHARES)
        throw conflict(`This is already shared with ${MAX_SHARES} addresses. Remove one of them first.`)
      const now = this.deps.clock.now().toISOString()
      const share = await upsertShare(tx, {
        userId,
        kind,
        resourceId,
        email,
        emailKey,
        role,
        status: 'pending',
        visible: 1,
        notifications: 'all',
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      await this.notifyMember(tx, share, share.status === 'accepted' ? 'share.changed' : 'share.offered', {
        name,
        by: owner.name,
      })
      return this.getShare(tx, userId, kind, resourceId, share.id)
    })
  }

  get(userId: number, kind: ShareKind, resourceId: number, id: number) {
    return this.getShare(this.deps.db, userId, kind, resourceId, id)
  }

  changeRole(
    userId: number,
    path: { kind: ShareKind; resourceId: number; id: number },
    role: ShareRole,
    ifMatch: string | undefined,
  ) {
    const { kind, resourceId, id } = path
    this.requireRole(kind, role)
    return inTransaction(this.deps.db, async (tx) => {
      await lockShare(tx, id)
      const share = await this.getShare(tx, userId, kind, resourceId, id)
      requireMatch(ifMatch, share)
      if (share.role === role) return share
      await updateShare(tx, userId, id, { role, updatedAt: this.deps.clock.now().toISOString() })
      const changed = await findShare(tx, userId, kind, resourceId, id)
      if (changed) await this.notifyMember(tx, changed, 'share.changed', {})
      return this.getShare(tx, userId, kind, resourceId, id)
    })
  }

  /** Ends a share at once. */
  revoke(
    userId: number,
    { kind, resourceId, id }: { kind: ShareKind; resourceId: number; id: number },
    ifMatch: string | undefined,
  ): Promise<void> {
    return inTransaction(this.deps.db, async (tx) => {
      await lockShare(tx, id)
      requireMatch(ifMatch, await this.getShare(tx, userId, kind, resourceId, id))
      const share = await deleteShare(tx, userId, id)
      if (share) await this.end(tx, share)
    })
  }

  /** Lists what others share with an account: offers, and accepted shares. */
  async listOffered(userId: number) {
    const { db } = this.deps
    const rows = await listOffered(db, await this.getPerson(db, userId))
    const offers = await Promise.all(rows.map((row) => this.offerOf(db, row)))
    return offers.filter((offer) => offer !== undefined)
  }

  async getOffered(userId: number, id: number) {
    const { db } = this.deps
    const row = await findOffered(db, await this.getPerson(db, userId), id)
    const offer = row && (await this.offerOf(db, row))
    if (!offer) throw notFound('share')
    return offer
  }

  /** Accepts an offer. Accepting again changes nothing. */
  accept(userId: number, id: number) {
    return this.answer(userId, id, 'accepted')
  }

  /** Declines an offer, or leaves an accepted share. */
  decline(userId: number, id: number) {
    return this.answer(userId, id, 'declined')
  }

  private answer(userId: number, id: number, status: 'accepted' | 'declined') {
    return inTransaction(this.deps.db, async (tx) => {
      await lockShare(tx, id)
      const person = await this.getPerson(tx, userId)
      const row = await findOffered(tx, person, id)
      const offer = row && (await this.offerOf(tx, row))
      if (!row || !offer) throw notFound('share')
      if (row.status === status) return offer
      const updatedAt = this.deps.clock.now().toISOString()
      await updateShare(tx, row.userId, id, {
        status,
        memberId: userId,
        visible: 1,
        notifications: 'all',
        updatedAt,
      })
      if (row.status === 'accepted') await this.forget(tx, row, userId)
      const data = { shareId: id, kind: row.kind, resourceId: row.resourceId, name: offer.name, status }
      const subject = String(id)
      await this.deps.changes.recordAll(tx, [
        { userId: row.userId, type: 'share.answered', subject, data: { ...data, by: person.name } },
        { userId, type: 'share.updated', subject, data },
      ])
      return { ...offer, status, updatedAt, version: row.version + 1 }
    })
  }

  private async offerOf(db: Db, row: OfferedRecord) {
    const resource = await this.resources.get(row.kind)?.find(db, row.userId, row.resourceId)
    if (!resource) return undefined
    const { id, kind, resourceId, role, status, version, createdAt, updatedAt } = row
    const owner = { name: row.ownerName, email: row.ownerEmail }
    return { id, kind, resourceId, name: resource.name, owner, role, status, version, createdAt, updatedAt }
  }

  private requireRole(kind: ShareKind, role: ShareRole): void {
    if (kind === 'taskList' && role === 'freeBusy')
      throw invalidField('role', 'must be viewer or editor for a task list')
  }

  private async getPerson(db: Db, userId: number): Promise<Person> {
    const person = await findPerson(db, userId)
    if (!person) throw notFound('account')
    return person
  }

  private async getResource(db: Db, userId: number, kind: ShareKind, id: number) {
    const resource = await this.resources.get(kind)?.find(db, userId, id)
    if (!resource) throw notFound(kind === 'calendar' ? 'calendar' : 'task list')
    return resource
  }

  private async getShare(db: Db, userId: number, kind: ShareKind, resourceId: number, id: number) {
    const share = await findShare(db, userId, kind, resourceId, id)
    if (!share) throw notFound('share')
    return viewOf(share)
  }

  /** Tells the member, or the account with the address of an offer, so that open pages are updated. */
  private async notifyMember(
    tx: Db,
    share: ShareRecord,
    type: 'share.offered' | 'share.changed' | 'share.revoked',
    more: { name?: string; by?: string },
  ): Promise<void> {
    const userId =
      share.status === 'pending'
        ? (await findPersonByEmail(tx, share.emailKey))?.id
        : share.status === 'accepted'
          ? share.memberId
          : null
    if (userId === undefined || userId === null) return
    const { id, kind, resourceId, role } = share
    const data = { shareId: id, kind, resourceId, role, ...more }
    await this.deps.changes.record(tx, { userId, type, subject: String(id), data })
  }

  private async end(tx: Db, share: ShareRecord): Promise<void> {
    if (share.status === 'accepted' && share.memberId !== null) await this.forget(tx, share, share.memberId)
    await this.notifyMember(tx, share, 'share.revoked', {})
  }

  private async forget(tx: Db, { kind, userId, resourceId }: ShareRecord, memberId: number): Promise<void> {
    await this.resources.get(kind)?.ended(tx, { ownerId: userId, memberId, resourceId })
  }

  /** Copies changes of shared resources for the accounts that they are shared with. */
  private async copyChanges(tx: Db, changes: readonly Change[]): Promise<Change[]> {
    const copies: Change[] = []
    for (const [kind, resource] of this.resources) {
      const isCopied = (change: Change): change is MemberChange =>
        this.deps.changes.declarationOf(change.type)?.members === kind
      for (const [userId, some] of Map.groupBy(changes.filter(isCopied), (change) => change.userId)) {
        const ids = some.flatMap((change) => [resource.placeOf(change) ?? [], change.movedFrom ?? []].flat())
        if (ids.length === 0) continue
        const members = Map.groupBy(
          await listMembers(tx, userId, kind, [...new Set(ids)]),
          (member) => member.resourceId,
        )
        if (members.size === 0) continue
        for (const change of some) copies.push(...copiesOf(change, { members, resource }))
      }
    }
    return copies
  }
}

const copiesOf = (
  change: MemberChange,
  to: {
    members: ReadonlyMap<number, readonly { memberId: number; role: ShareRole }[]>
    resource: SharedResource
  },
): Change[] => {
  const { members, resource } = to
  const { movedFrom } = change
  const place = resource.placeOf(change)
  const current = (place !== undefined && members.get(place)) || []
  const copies = current.map(
    ({ memberId, role }): Change => ({
      ...resource.redact(change, role),
      userId: memberId,
      movedFrom: undefined,
    }),
  )
  if (movedFrom === undefined || movedFrom === place) return copies
  // Those who saw it before, and do not see it in its new place.
  const left = (members.get(movedFrom) ?? []).filter(
    (former) => !current.some(({ memberId }) => memberId === former.memberId),
  )
  const removal = resource.toRemoval(change, movedFrom)
  return [...copies, ...left.map(({ memberId }) => ({ ...removal, userId: memberId }))]
}
