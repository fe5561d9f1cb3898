import type { QuickTask as Reading } from '../../engine/quick-task.ts'
import { readRule } from '../../engine/recurrence/read-rule.ts'
import { startOfDay, toInstant, toWall } from '../../engine/time-zones.ts'
import type { Clock } from '../../platform/clock.ts'
import { checkTimeZone } from '../../platform/time.ts'
import type { PreferenceRules } from '../settings/profile/preferences.ts'
import { dayText } from './due.ts'
import { uniqueTags } from './fields.ts'
import type { QuickPreview, QuickWish } from './quick-schema.ts'
import type { NewTask } from './schema.ts'
import type { Shown, Tasks } from './tasks.ts'

const DAY = 86_400_000
const LONGEST_TITLE = 500
const LONGEST_TAG = 50
const MOST_TAGS = 30
/** A number that looks like a year beyond these is none. */
const [EARLIEST, LATEST] = [Date.UTC(1900, 0, 1), Date.UTC(9990, 0, 1)]

/** In the zone of the line; a day without an hour begins on the person's own clock, as it does everywhere. */
const dueOf = ({ due }: Reading, zones: { line: string; person: string }) => {
  const wall = due ? due.day * DAY + (due.seconds ?? 0) * 1000 : Number.NaN
  if (!due || !(wall >= EARLIEST && wall < LATEST)) return { dueAt: null, dueDay: null }
  const dueDay = due.seconds === undefined ? dayText(wall) : null
  const at = dueDay === null ? toInstant(wall, zones.line) : startOfDay(dueDay, zones.person)
  return { dueAt: new Date(at).toISOString(), dueDay }
}

const fieldsOf = (reading: Reading, zones: { line: string; person: string }) => ({
  title: reading.title.slice(0, LONGEST_TITLE).toWellFormed().trim(),
  ...dueOf(reading, zones),
  priority: reading.priority,
  tags: uniqueTags(reading.tags.map((tag) => tag.slice(0, LONGEST_TAG))).slice(0, MOST_TAGS),
  recurrence:
    reading.recurrence !== undefined && !('fault' in readRule(reading.recurrence))
      ? reading.recurrence
      : null,
  estimateMinutes: reading.estimateMinutes ?? null,
})

export type QuickCapture = ReturnType<typeof createQuickCapture>

/** A task out of one line, by its words alone. */
export const createQuickCapture = (deps: {
  clock: Clock
  preferences: Pick<PreferenceRules, 'ofInstance'>
  tasks: Pick<Tasks, 'create'>
}) => {
  /** The engine is loaded with the first line: a start need not wait for it. */
  const read = async ({ text, timezone }: QuickWish) => {
    if (timezone !== undefined) checkTimeZone('timezone', timezone)
    const person = (await deps.preferences.ofInstance()).timezone
    const line = timezone ?? person
    const { readQuickTask } = await import('../../engine/quick-task.ts')
    const reading = readQuickTask(text, {
      now: toWall(deps.clock.now().getTime(), line),
      timezone: line,
    })
    return {
      fields: fieldsOf(reading, { line, person }),
      told: { timed: reading.due?.seconds !== undefined, understood: reading.understood },
    }
  }

  return {
    async preview(wish: QuickWish): Promise<QuickPreview> {
      const { fields, told } = await read(wish)
      return { id: null, ...fields, ...told }
    },

    /** The task's own JSON, with what was understood behind it. */
    async add(given: QuickWish): Promise<Shown> {
      const { fields, told } = await read(given)
      const { dueAt, dueDay, ...rest } = fields
      const wish: NewTask = { ...rest, ...(dueDay === null ? { dueAt } : { dueDay }) }
      const task = await deps.tasks.create(wish)
      return { ...task, text: `${task.text.slice(0, -1)},${JSON.stringify(told).slice(1)}` }
    },
  }
}
