import { readQuickTask } from '../../../nlu/quick-task.ts'
import type { Priority } from '../../tasks/schema.ts'
import { type FileTask, type ImportRecord, type Problem, Problems, skip, toTags } from '../import-record.ts'
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

/** The reason for a task that another program has below a task. */
export const SUBTASK = 'A subtask became a task. Its notes name the task above it.'

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
): { task: FileTask; problems: Problem[] } => {
  const problems = new Problems({ file: context.file, line: row.line })
  const words = row.get('DATE')
  const zone = isZone(row.get('TIMEZONE')) ? row.get('TIMEZONE') : context.timezone
  const due = words === '' ? undefined : readWords(words, { timezone: zone, now: context.now })
  if (words !== '' && !due)
    problems.changed('DATE', words, 'The date was not understood. It was added to the notes.')
  const isLost = due?.recurrence === null && REPEATS.test(words)
  if (isLost) problems.changed('DATE', words, 'The task does not repeat: its date was added to the notes.')
  if (due && FROM_COMPLETION.test(words))
    problems.changed('DATE', words, 'The task repeats from its due date, not from the day of its completion.')
  const content = row.get('CONTENT')
  const labels = [...content.matchAll(/(?:^|\s)@([\p{L}\p{N}_-]+)/gu)].map(([, label]) => label as string)
  const minutes = Number(row.get('DURATION')) * (/day/i.test(row.get('DURATION_UNIT')) ? 1440 : 1)
  const kept = [
    ['Assigned to', row.get('RESPONSIBLE')],
    ['Deadline', row.get('DEADLINE')],
    ['Date', due && !isLost ? '' : words],
    ['Part of', place.parent],
  ] as const
  for (const [name, value] of kept.slice(0, 2))
    if (value !== '')
      problems.changed(name, value, 'Factotum has no field for it. It was added to the notes.')
  if (place.parent !== '') problems.changed('INDENT', place.parent, SUBTASK)
  return {
    task: {
      ...BLANK_TASK,
      ...due,
      title: content.replaceAll(/(?:^|\s)@([\p{L}\p{N}_-]+)/gu, ' '),
      notes: joinNotes(
        row.get('DESCRIPTION'),
        kept.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])).join('\n'),
        others,
      ),
      list: place.list,
      ...(words !== '' && { dateText: words }),
      priority: TODOIST_PRIORITIES[row.get('PRIORITY')] ?? 'normal',
      estimateMinutes: Number.isInteger(minutes) && minutes > 0 && minutes <= 10_080 ? minutes : null,
      tags: [...labels, place.section],
    },
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
    const parents: string[] = []
    let open: (ImportRecord & { kind: 'tasks' }) | undefined
    for await (const { row, others } of rows) {
      const place = { file: context.file, line: row.line }
      const type = row.get('TYPE').toLowerCase()
      if (type === 'note') {
        // A comment belongs to the task above it.
        if (open) open.task.notes = joinNotes(open.task.notes, row.get('CONTENT'))
        else yield skip({ ...place, value: row.get('CONTENT') }, 'The comment belongs to no task.')
        continue
      }
      if (open) yield open
      open = undefined
      if (type === 'section') {
        section = row.get('CONTENT')
        parents.length = 0
      } else if (type === 'task') {
        const indent = Math.min(MAX_INDENT, Math.max(1, Math.trunc(Number(row.get('INDENT'))) || 1))
        const parent = indent > 1 ? (parents[indent - 2] ?? '') : ''
        parents.length = Math.max(0, indent - 1)
        parents[indent - 1] = row.get('CONTENT')
        open = {
          kind: 'tasks',
          ...place,
          ...readTodoistTask(row, others, context, { list, section, parent }),
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
) => {
  const problems = new Problems({ file: context.file, line: row.line })
  const change = (field: string, reason: string): void => problems.changed(field, row.get(field), reason)
  const zone = isZone(row.get('Timezone')) ? row.get('Timezone') : context.timezone
  const given = row.get('Due Date', 'Start Date')
  const dueAt = readTimestamp(given)
  if (given !== '' && dueAt === null)
    change('Due Date', 'The date was not understood. It was added to the notes.')
  const start = row.get('Start Date')
  const isRange = start !== '' && row.get('Due Date') !== '' && start !== row.get('Due Date')
  if (isRange) change('Start Date', 'Tasks have no start. It was added to the notes.')
  const parentId = row.get('parentId')
  const parent = titles.get(parentId) ?? parentId
  if (parentId !== '')
    problems.changed(
      'parentId',
      parent,
      titles.has(parentId) ? SUBTASK : 'A subtask became a task. The task above it is not in the file.',
    )
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
  const task: FileTask = {
    ...BLANK_TASK,
    title: row.get('Title'),
    notes: joinNotes(
      readChecklist(row.get('Content')),
      [
        given !== '' && dueAt === null ? `Due: ${given}` : '',
        repeat !== '' && recurrence === null ? `Repeat: ${repeat}` : '',
        isRange ? `Start: ${start}` : '',
        titles.has(parentId) ? `Part of: ${parent}` : '',
        isReminderLost ? `Reminder: ${reminder}` : '',
      ]
        .filter((line) => line !== '')
        .join('\n'),
      others,
    ),
    list: row.get('List Name') || null,
    status: status === '-1' ? 'cancelled' : isClosed ? 'done' : 'todo',
    priority: TICKTICK_PRIORITIES[row.get('Priority')] ?? 'normal',
    dueDay: dueAt !== null && isAllDay ? toDayIn(dueAt, zone) : null,
    dueAt: dueAt !== null && !isAllDay ? dueAt : null,
    remindAt: dueAt !== null && trigger !== null ? new Date(Date.parse(dueAt) + trigger).toISOString() : null,
    recurrence,
    tags: [...row.get('Tags').split(','), row.get('Column Name'), row.get('Folder Name')],
    completedAt: isClosed ? readTimestamp(row.get('Completed Time')) : null,
  }
  return { task, problems: problems.all }
}

export const ticktick: TableFormat = {
  matches: (keys) => keys.has('listname') && keys.has('title') && keys.has('status'),
  columns: [
    ...['Folder Name', 'List Name', 'Title', 'Kind', 'Tags', 'Content', 'Is Check list', 'Start Date'],
    ...['Due Date', 'Reminder', 'Repeat', 'Priority', 'Status', 'Created Time', 'Completed Time', 'Order'],
    ...['Timezone', 'Is All Day', 'Is Floating', 'Column Name', 'Column Order', 'View Mode', 'taskId'],
    ...['parentId', 'projectKind'],
  ],
  async *read(rows, context) {
    // A subtask may be above its task.
    const all = await Array.fromAsync(rows)
    const titles = new Map(all.map(({ row }) => [row.get('taskId'), row.get('Title')]))
    titles.delete('')
    for (const { row, others } of all) {
      const place = { file: context.file, line: row.line }
      if (row.get('Title') === '' && row.get('Content') === '')
        yield skip({ ...place, field: 'Title' }, 'The task has no title.')
      else {
        const { task, problems } = readTickTickTask(row, others, context, titles)
        const title = task.title || (task.notes.split('\n', 1)[0] as string)
        yield { kind: 'tasks', ...place, task: { ...task, title }, problems }
      }
    }
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
