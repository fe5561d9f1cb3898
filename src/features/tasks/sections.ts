import type { Db } from '../../database/db.ts'
import { columns } from '../../database/entity.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { findList, lockList } from './list-repository.ts'
import { type NewSection, Section, type SectionChange, type SectionCollection } from './list-schema.ts'
import type { ListSharing } from './lists.ts'
import { requireEditor } from './members.ts'
import { createPositions, positionAtEnd, positionBetween } from './position.ts'
import { toTaskChange } from './task.ts'
import {
  emptySection,
  getLockedSection,
  insertSection,
  listSections,
  removeSection,
  type SectionRecord,
  setSectionPosition,
  updateSection,
} from './tree-repository.ts'

const MAX_SECTIONS = 100

const sectionColumns = columns(Section, {})

export type VersionedSection = Section & { version: number }

const toView = (row: SectionRecord): VersionedSection => ({
  ...sectionColumns.fromRow(row),
  version: row.version,
})

/** The sections of task lists. Members who can edit a list can edit its sections. */
export class Sections {
  private readonly deps: Pick<Platform, 'database' | 'clock' | 'changes'> & { sharing: ListSharing }

  constructor(deps: Sections['deps']) {
    this.deps = deps
  }

  async list(userId: number, listId: number, { limit, cursor }: PageRequest): Promise<SectionCollection> {
    const { db } = this.deps.database
    const after = readCursor(cursor, 'text', 'integer')
    const all = await listSections(db, await this.findOwner(db, userId, listId), listId)
    const start = after ? all.findIndex(({ id }) => id === after[1]) + 1 : 0
    const { page, nextCursor } = pageOf(all.slice(start), limit, ({ position, id }) => [position, id])
    return { sections: page.map(toView), nextCursor }
  }

  create(userId: number, listId: number, { name, afterId }: NewSection): Promise<VersionedSection> {
    return this.edit(userId, listId, async (tx, ownerId) => {
      const others = await listSections(tx, ownerId, listId)
      if (others.length >= MAX_SECTIONS)
        throw conflict(`A list can have ${MAX_SECTIONS} sections. Delete one first.`)
      const now = this.now()
      const section = await insertSection(tx, {
        userId: ownerId,
        listId,
        name: name.trim(),
        position: await this.place(tx, others, afterId),
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      return toView(section)
    })
  }

  change(
    userId: number,
    listId: number,
    id: number,
    { name, afterId }: SectionChange,
    ifMatch: string | undefined,
  ): Promise<VersionedSection> {
    return this.edit(userId, listId, async (tx, ownerId) => {
      const before = await this.getLocked(tx, { ownerId, listId, id }, ifMatch)
      const others = (await listSections(tx, ownerId, listId)).filter((section) => section.id !== id)
      const changed = {
        name: name?.trim() ?? before.name,
        position: afterId === undefined ? before.position : await this.place(tx, others, afterId),
      }
      if (changed.name === before.name && changed.position === before.position) return toView(before)
      return toView(await updateSection(tx, before, { ...changed, updatedAt: this.now() }))
    })
  }

  /** Deletes a section. Its tasks stay in the list. */
  remove(userId: number, listId: number, id: number, ifMatch: string | undefined): Promise<void> {
    return this.edit(userId, listId, async (tx, ownerId) => {
      await this.getLocked(tx, { ownerId, listId, id }, ifMatch)
      const tasks = await emptySection(tx, ownerId, id, this.now())
      await removeSection(tx, ownerId, id, undefined)
      await this.deps.changes.recordAll(
        tx,
        tasks.map((task) => toTaskChange('task.updated', task)),
      )
    })
  }

  private async getLocked(
    tx: Db,
    { ownerId, listId, id }: { ownerId: number; listId: number; id: number },
    ifMatch: string | undefined,
  ): Promise<SectionRecord> {
    const section = await getLockedSection(tx, ownerId, id, ifMatch)
    if (section.listId !== listId) throw notFound('section')
    return section
  }

  /** Returns a position among the sections of a list, in their order. */
  private async place(
    tx: Db,
    others: readonly SectionRecord[],
    afterId: number | null | undefined,
  ): Promise<string> {
    if (afterId === undefined) return positionAtEnd(others.at(-1)?.position ?? null)
    const index = afterId === null ? -1 : others.findIndex(({ id }) => id === afterId)
    if (afterId !== null && index < 0)
      throw invalidField('afterId', 'names a section that does not exist in this list')
    const [before, after] = [others[index]?.position ?? null, others[index + 1]?.position ?? null]
    const position = positionBetween(before, after)
    if (position !== undefined) return position
    const positions = createPositions(others.length)
    for (const [at, section] of others.entries())
      await setSectionPosition(tx, section, positions[at] as string)
    return positionBetween(positions[index] ?? null, positions[index + 1] ?? null) as string
  }

  /** Runs a change of the sections of a list, which is locked. */
  private edit<T>(
    userId: number,
    listId: number,
    change: (tx: Db, ownerId: number) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const ownerId = await this.lockAsEditor(tx, userId, listId)
      const result = await change(tx, ownerId)
      await this.deps.changes.record(tx, {
        userId: ownerId,
        type: 'task.lists_updated',
        subject: String(listId),
        data: { listId },
      })
      return result
    })
  }

  private async lockAsEditor(tx: Db, userId: number, listId: number): Promise<number> {
    if (await lockList(tx, userId, listId)) return userId
    const share = await this.deps.sharing.lock(tx, userId, 'taskList', listId)
    if (!share) throw notFound('task list')
    requireEditor(share)
    await lockList(tx, share.ownerId, listId)
    return share.ownerId
  }

  private async findOwner(db: Db, userId: number, listId: number): Promise<number> {
    if (await findList(db, userId, listId)) return userId
    const share = await this.deps.sharing.find(db, userId, 'taskList', listId)
    if (!share) throw notFound('task list')
    return share.ownerId
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }
}
