import type { ToolArguments } from '../../../../engine/intents/vocabulary.ts'
import { type Counted, DAY_MS, type Desk, defined } from './desk.ts'

interface Task {
  id: number
  title: string
  dueAt: string | null
  dueDay: string | null
  completedAt: string | null
  tags: string[]
}

const stemsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []).map((word) => word.slice(0, 5))

/** What is said of tasks. */
export const createTaskWork = (desk: Desk) => {
  const { act, words, now, found, foundOf, moment, instant, say, sayWall, lines, done } = desk

  const tell = ({ title, dueAt, dueDay }: Task): string => {
    const due = dueDay ? sayWall(dueDay) : dueAt && say(dueAt)
    return due ? `${title} (${words.due} ${due})` : title
  }

  /** The one that is meant; a text when there is none, or when there are several. */
  const pick = async (named: string, status = 'open'): Promise<Task | string> => {
    let fits = await found<Task>('list_tasks', { query: named, status, limit: 6 }, 'tasks')
    if (fits.length === 0) {
      // "watering the plants" is "water the plants".
      const stems = stemsOf(named)
      const all = await found<Task>('list_tasks', { status, limit: 50 }, 'tasks')
      fits =
        stems.length === 0
          ? []
          : all.filter(({ title }) => stems.every((stem) => stemsOf(title).includes(stem)))
    }
    const same = fits.filter(({ title }) => title.toLowerCase() === named.toLowerCase())
    return desk.only(same.length === 1 ? same : fits, 'task', { none: words.unknown.task(named), tell })
  }

  /** What has an hour keeps it; what is due on a day is so still, unless it is put off by hours. */
  const postponed = ({ dueAt, dueDay }: Task, shiftMinutes: number): { due: string; said: string } => {
    const shift = shiftMinutes * 60_000
    if (dueDay && shift % DAY_MS === 0) {
      const day = new Date(Date.parse(dueDay) + shift).toISOString().slice(0, 10)
      return { due: day, said: sayWall(day) }
    }
    const from = dueDay ? Math.max(now, Date.parse(dueAt ?? '')) : dueAt ? Date.parse(dueAt) : now
    const at = new Date(from + shift).toISOString()
    return { due: at, said: say(at) }
  }

  return {
    /** To another day, for whoever calls a task by its name and no more; undefined when there is none such. */
    async moveTo(named: string, due: string): Promise<string | undefined> {
      const [one, other] = await found<Task>(
        'list_tasks',
        { query: named, status: 'open', limit: 2 },
        'tasks',
      )
      if (!one || other) return undefined
      const acted = await act('update_task', { id: one.id, dueAt: moment(due) })
      return done(acted, words.nowDue(one.title, sayWall(due)))
    },

    async create(wish: ToolArguments['create_task']): Promise<string> {
      const { title, due, remindAt, recurrence, priority, tags = [], list, estimateMinutes } = wish
      const all = [...new Set([...tags, ...(list ? [list] : [])])]
      const acted = await act(
        'create_task',
        defined({
          ...{ title, dueAt: moment(due), remindAt: remindAt && instant(remindAt), recurrence, priority },
          ...{ estimateMinutes, ...(all.length > 0 && { tags: all }) },
        }),
      )
      return done(acted, words.added(title, due && sayWall(due)))
    },

    async complete({ task }: ToolArguments['complete_task']): Promise<string> {
      const one = await pick(task)
      if (typeof one === 'string') return one
      return done(await act('update_task', { id: one.id, status: 'done' }), words.isDone(one.title))
    },

    async remove({ task }: ToolArguments['delete_task']): Promise<string> {
      const one = await pick(task)
      return typeof one === 'string' ? one : done(await act('delete_task', { id: one.id }), words.deleted)
    },

    async update(wish: ToolArguments['update_task']): Promise<string> {
      const { task, title, due, remindAt, priority, tag, shiftMinutes, status } = wish
      const one = await pick(task, status === 'todo' ? 'done' : 'open')
      if (typeof one === 'string') return one
      const { id } = one
      if (status) {
        const acted = await act('update_task', { id, status })
        return done(acted, status === 'todo' ? words.reopened(one.title) : words.changed(one.title))
      }
      const later = shiftMinutes === undefined ? undefined : postponed(one, shiftMinutes)
      const acted = await act(
        'update_task',
        defined({
          ...{
            id,
            title,
            dueAt: later?.due ?? moment(due),
            remindAt: remindAt && instant(remindAt),
            priority,
          },
          tags: tag && [...new Set([...one.tags, tag])],
        }),
      )
      const until = later ? later.said : due && sayWall(due)
      return done(acted, until ? words.nowDue(one.title, until) : words.changed(title ?? one.title))
    },

    async list({
      query,
      list,
      tag,
      priority,
      state,
      from,
      to,
    }: ToolArguments['list_tasks']): Promise<string> {
      const status = state === 'done' || state === 'overdue' ? state : 'open'
      const dueBefore = status === 'open' ? moment(to) : undefined
      const { items, more } = await foundOf<Task>(
        'list_tasks',
        { query, tag: tag ?? list, priority, status, dueBefore, limit: 50 },
        'tasks',
      )
      // What was due before and is still open belongs to today, and to no later day.
      const first = from && Date.parse(instant(from)) > now ? instant(from) : undefined
      const isAsked = ({ dueAt, completedAt }: Task): boolean => {
        if (state === 'done') return !from || (completedAt !== null && completedAt >= instant(from))
        return first === undefined || (dueAt !== null && dueAt >= first)
      }
      const shown = items.filter(isAsked)
      return lines(shown.map(tell), words.nothing.tasks, more)
    },

    /** How many are so, as far as one looks. */
    async count(state: 'open' | 'done' | 'overdue', range: { from?: string; to?: string }): Promise<Counted> {
      const { items, more } = await foundOf<Task>('list_tasks', { status: state, limit: 50 }, 'tasks')
      const from = range.from ? instant(range.from) : ''
      const until = range.to ? instant(range.to) : new Date(now + 365 * DAY_MS).toISOString()
      const counted = items.filter(({ dueAt, completedAt }) => {
        const at = state === 'done' ? completedAt : dueAt
        return range.from === undefined && range.to === undefined
          ? true
          : at !== null && at >= from && at < until
      })
      return { count: counted.length, more }
    },
  }
}
