import { type Random, randomId } from '../../platform/random.ts'
import type { Agenda } from '../tasks/agenda.ts'
import { deleteEvent, findStanding, lockAny, lockEvent } from './event-store.ts'
import type { Saving } from './saving.ts'
import { everythingIn } from './windows/window.ts'
import { readNewEvent } from './wish.ts'

/** The calendar as the planning of tasks sees it. */
export const createFocusBlocks = ({ saving, random }: { saving: Saving; random: Random }): Agenda => ({
  async busyBetween(db, from, until) {
    const busy: { start: string; end: string }[] = []
    for await (const { start, end } of everythingIn(db, { from, until, among: 'occupying' }))
      busy.push({ start, end })
    return busy
  },

  async create(tx, { tags, ...block }) {
    const fields = readNewEvent({ ...block, tags: [...tags] }, `${randomId(random)}@factotum`, block.timezone)
    const id = await saving.insert(tx, fields)
    return { id, version: 1, title: fields.title, start: fields.start, end: fields.end }
  },

  find: findStanding,
  has: async (tx, id) => (await lockAny(tx, id)) !== undefined,

  async remove(tx, id) {
    const event = await lockEvent(tx, id)
    await deleteEvent(tx, id)
    await saving.removed(tx, event)
  },
})
