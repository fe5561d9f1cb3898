import { readQuickTask } from '../../../nlu/quick-task.ts'
import type { Priority } from '../../tasks/schema.ts'
import {
  type FileTask,
  type Problem,
  Problems,
  skip,
  type TaskPlace,
  type TaskRecord,
  toTags,
} from '../import-record.ts'
import type { NamedRow } from './csv.ts'
import { readTimestamp, toDayIn, toInstantIn, toRecurrence } from './dates.ts'
import { joinNotes, type TableContext, type TableFormat } from './table.ts'

const DAY_MS = 86_400_000

export const BLANK_TASK: FileTask = {
  title: '',
  notes: '',
  list: null,
  status: 'todo',
  priority: 'normal',
  dueDay: null,
  dueAt: null,
  remindAt: null,
  recurrence: null,
  estimateMinutes: null,
  tags: [],
  completedAt: null,
}

/** A record of a task whose parent may come later in the file. */
export type PlacedTask = TaskRecord & { place: TaskPlace }

/** Puts each task in front of its subtasks. Otherwise, the order stays. */
export function* parentsFirst(records: readonly PlacedTask[]): Generator<PlacedTask> {
  const refs = new Set(records.map(({ place }) => place.ref))
  const children = Map.groupBy(records, ({ place: { parent } }) =>
    parent !== undefined && refs.has(parent) ? parent : undefined,
  )
  const left = new Set(records)
  const waiting = (children.get(undefined) ?? []).toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (!left.delete(next)) continue
    yield next
    waiting.push(...(children.get(next.place.ref) ?? []).toReversed())
  }
  // Tasks that are subtasks of each other.
  for (const record of left) yield { ...record, place: { ...record.place, parent: undefined } }
}

const MAX_TITLE_LENGTH = 500
const MAX_NOTES_LENGTH = 20_000

/** Makes a task fit the limits of its fields, and says what did not fit. */
export const fitTask = (
  task: FileTask,
  place: { file: string; line: number | null },
): { task: FileTask; problems: Problem[] } => {
  const problems = new Problems(place)
  const title = task.title.replace(/\s+/g, ' ').trim().toWellFormed()
  let notes = task.notes.replaceAll('\0', '').toWellFormed().trim()
  if (title.length > MAX_TITLE_LENGTH) {
    notes = joinNotes(title, notes)
    problems.changed('', title, 'The title is too long. The notes have all of it.')
  }
  if (notes.length > MAX_NOTES_LENGTH) {
    problems.changed('', notes.slice(MAX_NOTES_LENGTH), 'The notes are too long and were cut off.')
    notes = notes.slice(0, MAX_NOTES_LENGTH).toWellFormed()
  }
  const { tags, lost } = toTags(task.tags)
  for (const tag of lost) problems.changed('', tag, 'The label is too long, or there are too many labels.')
  return {
    task: { ...task, title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed().trim(), notes, tags },
    problems: problems.all,
  }
}

/** A longer text is no date. */
const MAX_DATE_LENGTH = 200

/** Reads a date in the words of a person: `every Monday at 9`, `Jan 5`. */
const readWords = (
  words: string,
  { timezone, now }: { timezone: string; now: number },
): Pick<FileTask, 'dueDay' | 'dueAt' | 'recurrence'> | undefined => {
  if (words.length > MAX_DATE_LENGTH) return undefined
  const reading = readQuickTask(`Task ${words}`, { now, timezone })
  if (!reading.due || reading.title.trim().toLowerCase() !== 'task') return undefined
  const { day, seconds } = reading.due
  const dueDay = new Date(day * DAY_MS).toISOString().slice(0, 10)
  const recurrence = reading.recurrence === undefined ? null : toRecurrence(reading.recurrence)
  return seconds === undefined
    ? { dueDay, dueAt: null, recurrence }
    : { dueDay: null, dueAt: toInstantIn(dueDay, seconds, timezone), recurrence }
}

const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name !== ''
  } catch {
    return false
  }
}

/** Todoist nests tasks in five levels. */
const MAX_INDENT = 20

/** Todoist: `every! 2 weeks` counts from the completion of the task. */
const FROM_COMPLETION = /^\s*(?:every|ev|each|jede[nrsm]?|alle)!/i

const REPEATS = /^\s*(?:every|ev|each|jede[nrsm]?|alle|after)\b/i

/** Todoist: 1 is the highest priority in a file. */
const TODOIST_PRIORITIES: Readonly<Record<string, Priority>> = {
  1: 'urgent',
  2: 'high',
  3: 'normal',
  4: 'normal',
}

const readTodoistTask = (
  row: NamedRow,
  others: string,
  context: TableContext,
  place: { list: string; section: string; parent: string },
): Pick<TaskRecord, 'task' | 'former' | 'problems'> => {
  const problems = new Problems({ file: context.file, line: row.line })
  const words = row.get('DATE')
  const zone = isZone(row.get('TIMEZONE')) ? row.get('TIMEZONE') : context.timezone
  const due = words === '' ? undefined : readWords(words, { timezone: zone, now: context.now })
  if (words !== '' && !due)
    problems.changed('DATE', words, 'The date was not understood. It was added to the notes.')
  const isLost = due?.recurrence === null && REPEATS.test(words)
  if (isLost) problems.changed('DATE', words, 'The task does not repeat: its date was added to the notes.')
  const content = row.get('CONTENT')
  const labels = [...content.matchAll(/(?:^|\s)@([\p{L}\p{N}_-]+)/gu)].map(([, label]) => label as string)
  const minutes = Number(row.get('DURATION')) * (/day/i.test(row.get('DURATION_UNIT')) ? 1440 : 1)
  const kept = [
    ['Assigned to', row.get('RESPONSIBLE')],
    ['Deadline', row.get('DEADLINE')],
    ['Date', due && !isLost ? '' : words],
  ] as const
  const describe = (lines: readonly (readonly [name: string, value: string])[]): string =>
    joinNotes(
      row.get('DESCRIPTION'),
      lines.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])).join('\n'),
      others,
    )
  for (const [name, value] of kept.slice(0, 2))
    if (value !== '')
      problems.changed(name, value, 'Factotum has no field for it. It was added to the notes.')
  return {
    task: {
      ...BLANK_TASK,
      ...due,
      title: content.replaceAll(/(?:^|\s)@([\p{L}\p{N}_-]+)/gu, ' '),
      notes: describe(kept),
      list: place.list,
      ...(words !== '' && { dateText: words }),
      priority: TODOIST_PRIORITIES[row.get('PRIORITY')] ?? 'normal',
      estimateMinutes: Number.isInteger(minutes) && minutes > 0 && minutes <= 10_080 ? minutes : null,
      tags: labels,
      ...(due?.recurrence && FROM_COMPLETION.test(words) && { recurrenceFrom: 'completion' }),
    },
    former: { notes: describe([...kept, ['Part of', place.parent]]), tags: [...labels, place.section] },
    problems: problems.all,
  }
}

export const todoist: TableFormat = {
  matches: (keys) => keys.has('type') && keys.has('content') && keys.has('priority'),
  columns:
    `TYPE CONTENT DESCRIPTION IS_COLLAPSED PRIORITY INDENT AUTHOR RESPONSIBLE DATE DATE_LANG TIMEZONE DURATION
    DURATION_UNIT DEADLINE DEADLINE_LANG meta`.split(/\s+/),
  async *read(rows, context) {
    const list = context.name.replace(/\s*\[\d+\]$/, '')
    let section = ''
    const parents: { ref: string; title: string }[] = []
    let open: TaskRecord | undefined
    for await (const { row, others } of rows) {
      const place = { file: context.file, line: row.line }
      const type = row.get('TYPE').toLowerCase()
      if (type === 'note') {
        // A comment belongs to the task above it.
        if (open) {
          open.task.notes = joinNotes(open.task.notes, row.get('CONTENT'))
          if (open.former) open.former.notes = joinNotes(open.former.notes, row.get('CONTENT'))
        } else yield skip({ ...place, value: row.get('CONTENT') }, 'The comment belongs to no task.')
        continue
      }
      if (open) yield open
      open = undefined
      if (type === 'section') {
        section = row.get('CONTENT')
        parents.length = 0
      } else if (type === 'task') {
        const indent = Math.min(MAX_INDENT, Math.max(1, Math.trunc(Number(row.get('INDENT'))) || 1))
        const parent = indent > 1 ? parents[indent - 2] : undefined
        const ref = String(row.line)
        parents.length = Math.max(0, indent - 1)
        parents[indent - 1] = { ref, title: row.get('CONTENT') }
        open = {
          kind: 'tasks',
          ...place,
          ...readTodoistTask(row, others, context, { list, section, parent: parent?.title ?? '' }),
          place: { ref, parent: parent?.ref, section },
        }
      } else if (type !== '' && type !== 'meta')
        yield skip({ ...place, field: 'TYPE', value: row.get('TYPE') }, 'Unknown type of row.')
    }
    if (open) yield open
  },
}

const TICKTICK_PRIORITIES: Readonly<Record<string, Priority>> = {
  0: 'normal',
  1: 'low',
  3: 'high',
  5: 'urgent',
}

/** The first reminder before a task, as `-PT15M` or `TRIGGER:P0DT9H0M0S`, in milliseconds. */
const readTrigger = (text: string): number | null => {
  const match = /([+-])?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?/.exec(text)
  if (!match) return null
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] = match
  const ms = (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}

/** Checklists have one item per line, with ▫ or ▪ in front. */
const readChecklist = (content: string): string =>
  content.replaceAll(/^\s*▫/gm, '- [ ] ').replaceAll(/^\s*▪/gm, '- [x] ')

const readTickTickTask = (
  row: NamedRow,
  others: string,
  context: TableContext,
  titles: ReadonlyMap<string, string>,
): Pick<PlacedTask, 'task' | 'former' | 'problems' | 'place'> => {
  const problems = new Problems({ file: context.file, line: row.line })
  const change = (field: string, reason: string): void => problems.changed(field, row.get(field), reason)
  const zone = isZone(row.get('Timezone')) ? row.get('Timezone') : context.timezone
  const given = row.get('Due Date', 'Start Date')
  const dueAt = readTimestamp(given)
  if (given !== '' && dueAt === null)
    change('Due Date', 'The date was not understood. It was added to the notes.')
  const start = row.get('Start Date')
  const isRange = start !== '' && row.get('Due Date') !== '' && start !== row.get('Due Date')
  const startAt = isRange ? readTimestamp(start) : null
  const isStartLost = isRange && (startAt === null || dueAt === null || startAt > dueAt)
  if (isStartLost) change('Start Date', 'The start was not understood. It was added to the notes.')
  const parentId = row.get('parentId')
  if (parentId !== '' && !titles.has(parentId))
    change('parentId', 'A subtask became a task. The task above it is not in the file.')
  const isAllDay = /^(?:true|y|1)$/i.test(row.get('Is All Day'))
  const repeat = row.get('Repeat')
  const recurrence = repeat === '' ? null : toRecurrence(repeat)
  if (repeat !== '' && recurrence === null)
    change('Repeat', 'The rule is not supported. It was added to the notes.')
  const reminder = row.get('Reminder')
  const trigger = reminder === '' ? null : readTrigger(reminder)
  const isReminderLost = reminder !== '' && (trigger === null || dueAt === null)
  if (isReminderLost) change('Reminder', 'The reminder was not understood. It was added to the notes.')
  if (/[,\n]/.test(reminder)) change('Reminder', 'Only the first reminder was imported.')
  const status = row.get('Status')
  const isClosed = status === '1' || status === '2'
  if (!['', '0', '1', '2', '-1'].includes(status))
    change('Status', 'Unknown status. The task was imported as open.')
  const describe = (isStartNoted: boolean, parent: string): string =>
    joinNotes(
      readChecklist(row.get('Content')),
      [
        given !== '' && dueAt === null ? `Due: ${given}` : '',
        repeat !== '' && recurrence === null ? `Repeat: ${repeat}` : '',
        isStartNoted ? `Start: ${start}` : '',
        parent === '' ? '' : `Part of: ${parent}`,
        isReminderLost ? `Reminder: ${reminder}` : '',
      ]
        .filter((line) => line !== '')
        .join('\n'),
      others,
    )
  const tags = [...row.get('Tags').split(','), row.get('Folder Name')]
  const section = row.get('Column Name')
  const task: FileTask = {
    ...BLANK_TASK,
    title: row.get('Title'),
    notes: describe(isStartLost, ''),
    list: row.get('List Name') || null,
    status: status === '-1' ? 'cancelled' : isClosed ? 'done' : 'todo',
    priority: TICKTICK_PRIORITIES[row.get('Priority')] ?? 'normal',
    dueDay: dueAt !== null && isAllDay ? toDayIn(dueAt, zone) : null,
    dueAt: dueAt !== null && !isAllDay ? dueAt : null,
    ...(startAt !== null && !isStartLost && (isAllDay ? { startDay: toDayIn(startAt, zone) } : { startAt })),
    remindAt: dueAt !== null && trigger !== null ? new Date(Date.parse(dueAt) + trigger).toISOString() : null,
    recurrence,
    tags,
    completedAt: isClosed ? readTimestamp(row.get('Completed Time')) : null,
  }
  const formerTags = [...row.get('Tags').split(','), section, row.get('Folder Name')]
  return {
    task,
    former: { notes: describe(isRange, titles.get(parentId) ?? ''), tags: formerTags },
    place: { ref: row.get('taskId') || String(row.line), parent: parentId || undefined, section },
    problems: problems.all,
  }
}

/** TickTick sorts by this number. Files list the tasks in another order. */
const orderOf = (row: NamedRow): number => Number(row.get('Order')) || 0

export const ticktick: TableFormat = {
  matches: (keys) => keys.has('listname') && keys.has('title') && keys.has('status'),
  columns: [
    ...['Folder Name', 'List Name', 'Title', 'Kind', 'Tags', 'Content', 'Is Check list', 'Start Date'],
    ...['Due Date', 'Reminder', 'Repeat', 'Priority', 'Status', 'Created Time', 'Completed Time', 'Order'],
    ...['Timezone', 'Is All Day', 'Is Floating', 'Column Name', 'Column Order', 'View Mode', 'taskId'],
    ...['parentId', 'projectKind'],
  ],
  async *read(rows, context) {
    // The order of the file is not the order of the tasks.
    const all = (await Array.fromAsync(rows)).sort((one, other) => orderOf(one.row) - orderOf(other.row))
    const titles = new Map(all.map(({ row }) => [row.get('taskId'), row.get('Title')]))
    titles.delete('')
    const records: PlacedTask[] = []
    for (const { row, others } of all) {
      const place = { file: context.file, line: row.line }
      if (row.get('Title') === '' && row.get('Content') === '')
        yield skip({ ...place, field: 'Title' }, 'The task has no title.')
      else {
        const { task, ...read } = readTickTickTask(row, others, context, titles)
        const title = task.title || (task.notes.split('\n', 1)[0] as string)
        records.push({ kind: 'tasks', ...place, task: { ...task, title }, ...read })
      }
    }
    yield* parentsFirst(records)
  },
}

/** Lines before the header of a TickTick file: `Date: …`, `Version: …`, and the meaning of the status. */
export const skipPreamble = (text: string): { text: string; firstLine: number } => {
  if (!/^\uFEFF?"?Date: ?\d{4}/.test(text)) return { text, firstLine: 1 }
  const start = text.search(/^"?(?:Folder Name|List Name)"?,/m)
  return start < 0
    ? { text, firstLine: 1 }
    : { text: text.slice(start), firstLine: text.slice(0, start).split('\n').length }
}
