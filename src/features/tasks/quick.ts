import type { QuickTask as Reading } from '../../nlu/quick-task.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkTimeZone } from '../../platform/time.ts'
import { readRule } from '../../recurrence/rule.ts'
import { startOfDay, toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { dayText } from './due.ts'
import type { TaskLists } from './lists.ts'
import { type Nameable, readQuickPlace } from './quick-place.ts'
import type { NewTask, QuickPreview, QuickTask, QuickTaskInput } from './schema.ts'
import type { Sections } from './sections.ts'
import { uniqueTags } from './task.ts'
import type { Tasks } from './tasks.ts'

const DAY = 86_400_000
const MAX_TITLE_LENGTH = 500
const MAX_TAG_LENGTH = 50
const MAX_TAGS = 30
const MAX_NAMED = 100
/** Dates outside this range are misread numbers, not dates. */
const [EARLIEST, LATEST] = [Date.UTC(1900, 0, 1), Date.UTC(9990, 0, 1)]

/** “every! 2 weeks”: two weeks after the task was completed. */
const AFTER_COMPLETION = /^(?:every|ev|each|jede[nrsm]?|alle)!/i

/** Reads times in the zone of the line. A day without an hour begins in the person's own zone. */
const dueOf = ({ due }: Reading, zones: { line: string; person: string }) => {
  const wall = due ? due.day * DAY + (due.seconds ?? 0) * 1000 : Number.NaN
  if (!due || !(wall >= EARLIEST && wall < LATEST)) return { dueAt: null, dueDay: null }
  const dueDay = due.seconds === undefined ? dayText(wall) : null
  const at = dueDay === null ? toInstant(wall, zones.line) : startOfDay(dueDay, zones.person)
  return { dueAt: new Date(at).toISOString(), dueDay }
}

const fieldsOf = (reading: Reading, zones: { line: string; person: string }) => ({
  title: reading.title.slice(0, MAX_TITLE_LENGTH).toWellFormed().trim(),
  ...dueOf(reading, zones),
  priority: reading.priority,
  tags: uniqueTags(reading.tags.map((tag) => tag.slice(0, MAX_TAG_LENGTH))).slice(0, MAX_TAGS),
  recurrence:
    reading.recurrence !== undefined && !('fault' in readRule(reading.recurrence))
      ? reading.recurrence
      : null,
  recurrenceFrom: reading.understood.some(({ text }) => AFTER_COMPLETION.test(text))
    ? ('completion' as const)
    : ('due' as const),
  estimateMinutes: reading.estimateMinutes ?? null,
})

/** A subtask is in the list and the section of its parent. The section that the line names comes first. */
const toPlace = (
  given: QuickTaskInput,
  named: { sectionId: number | null; parentId: number | null },
): Pick<NewTask, 'listId' | 'sectionId' | 'parentId'> => {
  const parentId = given.parentId ?? named.parentId
  if (parentId !== null) return { parentId, sectionId: null }
  return {
    sectionId: named.sectionId ?? given.sectionId ?? null,
    ...(given.listId !== undefined && { listId: given.listId }),
  }
}

export type QuickCapture = ReturnType<typeof createQuickCapture>

/** Creates a task from one line of text, without a language model. */
export const createQuickCapture = (
  deps: Pick<Platform, 'clock'> & {
    preferences: Pick<PreferenceRules, 'get'>
    tasks: Pick<Tasks, 'create' | 'list'>
    sections: Pick<Sections, 'list'>
    lists: Pick<TaskLists, 'list'>
  },
) => {
  const findInbox = async (userId: number): Promise<number | undefined> =>
    (await deps.lists.list(userId, { limit: 1 })).taskLists[0]?.id

  /** The sections and tasks that a line can name. */
  const nameableIn = (userId: number, listId: number | undefined): Nameable => ({
    sections: async () => {
      const id = listId ?? (await findInbox(userId))
      return id === undefined ? [] : (await deps.sections.list(userId, id, { limit: MAX_NAMED })).sections
    },
    tasks: async (q) => {
      const query = { q, status: 'open' as const, limit: MAX_NAMED, ...(listId !== undefined && { listId }) }
      const { tasks } = await deps.tasks.list(userId, query)
      return tasks.map(({ id, title }) => ({ id, name: title }))
    },
  })

  /** Loads the parser with the first line, so that it does not delay startup. */
  const read = async (userId: number, { text: given, timezone, listId }: QuickTaskInput) => {
    if (timezone !== undefined) checkTimeZone('timezone', timezone)
    const person = (await deps.preferences.get(userId)).timezone
    const line = timezone ?? person
    const { readQuickTask } = await import('../../nlu/quick-task.ts')
    const {
      line: text,
      sectionId,
      parentId,
      understood,
    } = await readQuickPlace(given, nameableIn(userId, listId))
    const reading = readQuickTask(text, {
      now: toWall(deps.clock.now().getTime(), line),
      timezone: line,
    })
    return {
      fields: { ...fieldsOf(reading, { line, person }), sectionId, parentId },
      details: {
        timed: reading.due?.seconds !== undefined,
        understood: [...reading.understood, ...understood].toSorted(
          (one, other) => one.offset - other.offset,
        ),
      },
    }
  }

  return {
    async preview(userId: number, input: QuickTaskInput): Promise<QuickPreview> {
      const { fields, details } = await read(userId, input)
      return { id: null, ...fields, ...details }
    },

    /** Creates the task and returns the recognized parts of the line. */
    async add(userId: number, given: QuickTaskInput): Promise<QuickTask & { version: number }> {
      const { fields, details } = await read(userId, given)
      const { dueAt, dueDay, ...rest } = fields
      const input: NewTask = {
        ...rest,
        ...(dueDay === null ? { dueAt } : { dueDay }),
        ...toPlace(given, fields),
      }
      const task = await deps.tasks.create(userId, input)
      return { ...task, ...details }
    },
  }
}
