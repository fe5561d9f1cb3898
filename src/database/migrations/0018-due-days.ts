import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/*
 * Stores the due date of tasks without a due time. Until now they were due at the first instant of that day.
 * Every task that is due at midnight in the user's zone becomes one, unless its recurrence rule names hours.
 */

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** Rows of the temporary table per statement. */
const BATCH = 200

interface Habits {
  timezone: string
  workingHours: { day: string; start: string }[]
}

interface DueDay {
  dueAt: string
  dueDay: string
  lateAt: string
  tellAt: string
}

const iso = (ms: number): string => new Date(Math.min(ms, LATEST)).toISOString()

/**
 * Returns a formatter for sortable local times of a zone; undefined for a zone that this machine does not
 * know.
 */
const wallOf = (timeZone: string): ((ms: number) => string) | undefined => {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',

      era: 'narrow',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',

      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    return (ms) => {
      const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
      const year = part.era === 'B' ? '0000' : String(part.year).padStart(4, '0')
      return `${year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`
    }
  } catch {
    return undefined
  }
}

/**
 * Returns the day that starts at an instant, if there is one, with its end and the start of its working
 * hours.
 */
const dayFrom = (
  dueAt: string,
  wall: (ms: number) => string,
  { workingHours }: Habits,
): DueDay | undefined => {
  const start = Date.parse(dueAt)
  const dayAt = (ms: number): string => wall(ms).slice(0, 10)
  const dueDay = dayAt(start)
  if (dayAt(start - 1) === dueDay) return undefined
  let [low, high] = [start + DAY_MS - 1, start + DAY_MS]
  if (dayAt(low) !== dueDay || dayAt(high) === dueDay) {
    ;[low, high] = [start, start + 2 * DAY_MS]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (dayAt(middle) === dueDay) low = middle
      else high = middle
    }
  }
  const weekday = WEEKDAYS[new Date(`${dueDay}T12:00:00Z`).getUTCDay()]
  const [hour = '09:00'] = workingHours
    .filter(({ day }) => day === weekday)
    .map((hours) => hours.start)
    .sort()
  const wanted = Date.parse(`${dueDay}T${hour}:00Z`)
  const near = start + (wanted - Date.parse(`${dueDay}T00:00:00Z`))
  const tellAt = near + wanted - Date.parse(`${wall(near)}Z`)
  // A skipped hour could at worst lead out of the day.
  return {
    dueAt,
    dueDay,
    lateAt: iso(high),
    tellAt: iso(Math.min(Math.max(tellAt, start), high - HOUR_MS)),
  }
}

/** Reads the time zone and working hours of the user. */
const readHabits = async (db: Kysely<unknown>, instanceZone: string): Promise<Habits> => {
  const { rows } = await sql<{ timezone: string; workingHours: string }>`
    select timezone, "workingHours" from users where role = 'owner'`.execute(db)
  const [owner] = rows
  if (!owner) return { timezone: instanceZone, workingHours: [] }
  return {
    timezone: owner.timezone,
    workingHours: JSON.parse(owner.workingHours) as Habits['workingHours'],
  }
}

export const dueDays = async (db: Kysely<unknown>, engine: Engine, instanceZone: string): Promise<void> => {
  for (const column of ['dueDay', 'lateAt', 'dueZone'])
    await db.schema.alterTable('tasks').addColumn(column, 'text').execute()

  const habits = await readHabits(db, instanceZone)
  const wall = wallOf(habits.timezone)
  const { rows } = await sql<{ dueAt: string }>`
    select distinct "dueAt" from tasks where "dueAt" is not null`.execute(db)
  const days = wall ? rows.flatMap(({ dueAt }) => dayFrom(dueAt, wall, habits) ?? []) : []

  await sql`create table due_days ("dueAt" text primary key, "dueDay" text not null, "lateAt" text not null,
    "tellAt" text not null)`.execute(db)
  for (let from = 0; from < days.length; from += BATCH) {
    const values = days
      .slice(from, from + BATCH)
      .map(({ dueAt, dueDay, lateAt, tellAt }) => sql`(${dueAt}, ${dueDay}, ${lateAt}, ${tellAt})`)
    await sql`insert into due_days ("dueAt", "dueDay", "lateAt", "tellAt") values ${sql.join(values)}`.execute(
      db,
    )
  }
  if (engine === 'postgres') await sql`analyze due_days`.execute(db)

  // Writes each row once. Its JSON is text: a quote within a value is escaped, so the pattern matches only
  // the field.
  const isOpen = sql`status in ('todo', 'doing')`
  await sql`update tasks
    set "dueDay" = days."dueDay",
      "dueWall" = null,
      "lateAt" = case when ${isOpen} then days."lateAt" end,
      "dueZone" = case when ${isOpen} then ${sql.lit(habits.timezone)} end,
      "nextReminderAt" = case when "nextReminderAt" = tasks."dueAt" and "remindAt" is null
        then days."tellAt" else "nextReminderAt" end,
      shown = replace(shown, '"remindAt":', '"dueDay":"' || days."dueDay" || '","remindAt":')
    from due_days as days
    where days."dueAt" = tasks."dueAt"
      and (recurrence is null or not (recurrence like '%HOURLY%' or recurrence like '%BYHOUR=%'
        or recurrence like '%BYMINUTE=%' or recurrence like '%BYSECOND=%'))
      and ("dueWall" is null or "dueWall" like '%T00:00:00.000Z')`.execute(db)
  await sql`update tasks
    set "lateAt" = case when ${isOpen} then "dueAt" end,
      shown = replace(shown, '"remindAt":', '"dueDay":null,"remindAt":')
    where "dueDay" is null`.execute(db)
  await db.schema.dropTable('due_days').execute()

  for (const columns of [['lateAt'], ['priority', 'lateAt'], ['dueZone']])
    await db.schema
      .createIndex(['tasks', ...columns].join('_'))
      .on('tasks')
      .columns([...columns, 'id'])
      .where(sql.ref(columns.at(-1) as string), 'is not', null)
      .execute()
}
