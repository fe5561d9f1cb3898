import type { Priority } from '../../tasks/schema.ts'
import {
  type FileTask,
  type ImportRecord,
  onlyProblems,
  type Problem,
  Problems,
  skip,
  toProblem,
} from '../import-record.ts'
import { readTimestamp, toDayIn, toRecurrence } from './dates.ts'
import { joinNotes } from './table.ts'
import { BLANK_TASK, type PlacedTask, parentsFirst } from './todo-tables.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Vikunja: 1 is the lowest and 5 the highest priority; 0 is unset. */
const VIKUNJA_PRIORITIES: readonly Priority[] = ['normal', 'low', 'normal', 'high', 'urgent', 'urgent']

const toPlainText = (html: string): string =>
  /<[a-z]/i.test(html)
    ? html
        .replaceAll(/<(?:br|\/p|\/li|\/h\d|\/div)\s*\/?>/gi, '\n')
        .replaceAll(/<li[^>]*>/gi, '- ')
        .replaceAll(/<[^>]{0,2000}>/g, '')
        .replaceAll(/&(?:nbsp|#160);/g, ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
    : html

const MONTHLY = 1
const DAY_SECONDS = 86_400

/** Vikunja repeats after seconds, or monthly. Only whole days have a rule. */
const readRepeat = ({ repeat_after: after, repeat_mode: mode }: Json): string | null => {
  if (mode === MONTHLY) return 'FREQ=MONTHLY'
  const seconds = typeof after === 'number' ? after : 0
  if (seconds <= 0 || seconds % DAY_SECONDS !== 0) return null
  const days = seconds / DAY_SECONDS
  return toRecurrence(days % 7 === 0 ? `FREQ=WEEKLY;INTERVAL=${days / 7}` : `FREQ=DAILY;INTERVAL=${days}`)
}

/** Fields that Factotum has, or that only matter inside Vikunja. */
const VIKUNJA_KNOWN = new Set(
  `id title description done done_at due_date reminders reminder_dates repeat_after repeat_mode priority labels comments
  project_id list_id index identifier uid created updated created_by created_by_id position kanban_position bucket_id
  is_favorite subscription reactions cover_image_attachment_id buckets is_unread comment_count`.split(/\s+/),
)

/** Fields that version 0.2.0 added to the notes. */
const VIKUNJA_NEW = new Set(['start_date', 'percent_done', 'related_tasks'])

/** Vikunja counts such a repetition from the completion of the task. */
const FROM_COMPLETION = 2

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'string' && value.startsWith('0001-')) ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** Names, instead of whole objects, for the notes and the report. */
const describe = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(describe).join(', ')
  if (!isObject(value)) return String(value)
  const named =
    value.title ?? value.name ?? value.username ?? (isObject(value.file) ? value.file.name : undefined)
  if (typeof named === 'string') return named
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${describe(inner)}`)
    .join('; ')
}

const refOf = (task: Json): string => String(task.id ?? '')

/** The task above a subtask. */
const parentOf = (task: Json): string | undefined => {
  const { parenttask } = isObject(task.related_tasks) ? task.related_tasks : {}
  const [parent] = objects(parenttask)
  return parent && refOf(parent)
}

const readVikunjaTask = (
  task: Json,
  { list, section }: { list: string; section: string | undefined },
  { file, timezone }: { file: string; timezone: string },
): Pick<PlacedTask, 'task' | 'former' | 'problems' | 'place'> => {
  const problems = new Problems({ file })
  const lost: string[] = []
  const formerlyLost: string[] = []
  const title = text(task.title)
  for (const [field, value] of Object.entries(task))
    if (!VIKUNJA_KNOWN.has(field) && !isEmpty(value)) {
      const summary = describe(value).slice(0, 1000)
      formerlyLost.push(`${field}: ${summary}`)
      if (VIKUNJA_NEW.has(field)) continue
      lost.push(`${field}: ${summary}`)
      problems.changed(
        field,
        summary,
        `Factotum has no such field for the task “${title.slice(0, 100)}”. The value was added to the notes.`,
      )
    }
  const repeat = readRepeat(task)
  if (repeat === null && typeof task.repeat_after === 'number' && task.repeat_after > 0) {
    lost.push(`Repeats after ${task.repeat_after} seconds`)
    formerlyLost.push(`Repeats after ${task.repeat_after} seconds`)
    problems.changed(
      'repeat_after',
      String(task.repeat_after),
      'Only whole days can repeat. The value was added to the notes.',
    )
  }
  const dueAt = readTimestamp(text(task.due_date))
  const reminders = objects(task.reminders)
    .map(({ reminder }) => readTimestamp(text(reminder)))
    .concat(
      Array.isArray(task.reminder_dates) ? task.reminder_dates.map((date) => readTimestamp(text(date))) : [],
    )
    .flatMap((date) => date ?? [])
    .sort()
  if (reminders.length > 1)
    problems.changed('reminders', reminders.join(', '), 'Only the first reminder was imported.')
  const comments = objects(task.comments).map(({ comment, author }) => {
    const by = isObject(author) ? text(author.name) || text(author.username) : ''
    return `${by === '' ? '' : `${by}: `}${toPlainText(text(comment)).trim()}`
  })
  // A due date at midnight of the account's zone is a day without an hour.
  const isDay = dueAt !== null && /T00:00:00|T23:59:59/.test(text(task.due_date))
  const startAt = readTimestamp(text(task.start_date))
  const describeAll = (lines: readonly string[]): string =>
    joinNotes(toPlainText(text(task.description)), ...comments, lines.join('\n'))
  const fileTask: FileTask = {
    ...BLANK_TASK,
    title,
    notes: describeAll(lost),
    list,
    status: task.done === true ? 'done' : 'todo',
    priority: VIKUNJA_PRIORITIES[Number(task.priority ?? 0)] ?? 'normal',
    dueDay: isDay ? toDayIn(dueAt, timezone) : null,
    dueAt: isDay ? null : dueAt,
    ...(startAt !== null &&
      (dueAt === null || startAt < dueAt) &&
      (isDay ? { startDay: toDayIn(startAt, timezone) } : { startAt })),
    percentComplete: Math.round(100 * Math.min(1, Math.max(0, Number(task.percent_done) || 0))),
    remindAt: reminders[0] ?? null,
    recurrence: dueAt === null ? null : repeat,
    ...(task.repeat_mode === FROM_COMPLETION && { recurrenceFrom: 'completion' }),
    tags: objects(task.labels).map((label) => text(label.title)),
    completedAt: task.done === true ? readTimestamp(text(task.done_at)) : null,
  }
  return {
    task: fileTask,
    former: { notes: describeAll(formerlyLost), tags: fileTask.tags },
    place: { ref: refOf(task), parent: parentOf(task), section },
    problems: problems.all,
  }
}

/** The columns of the board by task, if tasks are in several of them. */
const readBuckets = (project: Json): ReadonlyMap<string, string> => {
  const titles = new Map(objects(project.buckets).map((bucket) => [bucket.id, text(bucket.title)]))
  const places = new Map<string, unknown>(objects(project.tasks).map((task) => [refOf(task), task.bucket_id]))
  for (const { task_id: id, bucket_id: bucket } of objects(project.task_buckets))
    places.set(String(id), bucket)
  const used = new Set([...places.values()].filter((bucket) => titles.has(bucket)))
  if (used.size < 2) return new Map()
  return new Map([...places].map(([ref, bucket]) => [ref, titles.get(bucket) ?? '']))
}

/** The tasks of a project in their order. */
const inOrder = (project: Json): Json[] => {
  const given = new Map(objects(project.positions).map((one) => [String(one.task_id), Number(one.position)]))
  const positionOf = (task: Json): number => given.get(refOf(task)) ?? (Number(task.position) || 0)
  return objects(project.tasks).toSorted((one, other) => positionOf(one) - positionOf(other))
}

const MAX_DEPTH = 20
const SUBPROJECTS = ['lists', 'projects', 'child_projects', 'children']

/** Vikunja before 0.21 groups lists in namespaces; later versions nest projects. */
function* eachProject(given: unknown, depth = 0): Generator<Json> {
  if (depth > MAX_DEPTH) return
  for (const project of objects(given)) {
    yield project
    for (const field of SUBPROJECTS) yield* eachProject(project[field], depth + 1)
  }
}

/** Fields of a project that Factotum has, or that only matter inside Vikunja. */
const PROJECT_KNOWN = new Set([
  ...SUBPROJECTS,
  ...`id title tasks created updated owner owner_id position buckets views subscription is_favorite hex_color
  background_information background_file_id background_blur_hash identifier task_buckets positions default_bucket_id
  done_bucket_id namespace_id max_permission max_right is_archived description parent_project_id`.split(
    /\s+/,
  ),
])

/** The values of a project that its list does not have. */
const reportProject = (project: Json, titles: ReadonlyMap<unknown, string>, file: string): Problem[] => {
  const problems = new Problems({ file })
  const title = text(project.title)
  const name = `“${title.slice(0, 100)}”`
  if (project.is_archived === true)
    problems.changed('is_archived', title, `${name} is archived in Vikunja. Its tasks are in a normal list.`)
  const description = text(project.description)
  if (description !== '')
    problems.changed('description', toPlainText(description), `Lists have no description. ${name} lost it.`)
  const parent = project.parent_project_id ? titles.get(project.parent_project_id) : undefined
  if (parent !== undefined)
    problems.changed('parent_project_id', parent, `Lists are not nested. ${name} became a list of its own.`)
  const isGroup = SUBPROJECTS.some((field) => !isEmpty(project[field] ?? null))
  if (objects(project.tasks).length === 0 && !isGroup)
    problems.all.push(
      toProblem(
        { file, field: 'title', value: title },
        'skipped',
        `${name} has no tasks. No list was created.`,
      ),
    )
  for (const [field, value] of Object.entries(project))
    if (!PROJECT_KNOWN.has(field) && !isEmpty(value))
      problems.unknown(field, describe(value), 'Factotum has no such field for lists.')
  return problems.all
}

/** Tasks of all projects of a Vikunja export. */
export function* readVikunja(
  data: unknown,
  { file, timezone }: { file: string; timezone: string },
): Generator<ImportRecord> {
  const titles = new Map([...eachProject(data)].map(({ id, title }) => [id, text(title)]))
  const records: PlacedTask[] = []
  for (const project of eachProject(data)) {
    const problems = reportProject(project, titles, file)
    if (problems.length > 0) yield onlyProblems(file, ...problems)
    const buckets = readBuckets(project)
    for (const task of inOrder(project)) {
      if (text(task.title).trim() === '') yield skip({ file, field: 'title' }, 'A task has no title.')
      else {
        const place = { list: text(project.title), section: buckets.get(refOf(task)) }
        const read = readVikunjaTask(task, place, { file, timezone })
        records.push({ kind: 'tasks', file, line: null, ...read })
      }
    }
  }
  yield* parentsFirst(records)
}

export const isVikunja = (data: unknown): boolean =>
  Array.isArray(data) &&
  data.some((entry) => isObject(entry) && ('tasks' in entry || 'lists' in entry || 'child_projects' in entry))

export const isGoogleTasks = (data: unknown): boolean => isObject(data) && data.kind === 'tasks#taskLists'

const GOOGLE_KNOWN = new Set(
  `id title notes status due completed parent kind etag updated selfLink position links created task_type deleted hidden
  webViewLink scheduled_time`.split(/\s+/),
)

/** Tasks of Google Takeout. A due date has no hour there. */
export function* readGoogleTasks(data: unknown, { file }: { file: string }): Generator<ImportRecord> {
  for (const list of objects((data as Json).items)) {
    const titles = new Map(objects(list.items).map((task) => [text(task.id), text(task.title)]))
    const records: PlacedTask[] = []
    const tasks = objects(list.items).toSorted((one, other) =>
      text(one.position) < text(other.position) ? -1 : text(one.position) > text(other.position) ? 1 : 0,
    )
    for (const task of tasks) {
      if (task.deleted === true) continue
      const parent = titles.get(text(task.parent)) ?? ''
      const title = text(task.title).trim()
      if (title === '' && text(task.notes).trim() === '') {
        yield skip({ file, field: 'title' }, 'A task has no title.')
        continue
      }
      const problems = new Problems({ file })
      for (const [field, value] of Object.entries(task))
        if (!GOOGLE_KNOWN.has(field) && !isEmpty(value))
          problems.unknown(field, describe(value), 'Factotum has no such field for tasks.')
      const isDone = task.status === 'completed'
      const due = /^\d{4}-\d{2}-\d{2}/.exec(text(task.due))?.[0] ?? null
      const notes = text(task.notes)
      records.push({
        kind: 'tasks',
        file,
        line: null,
        problems: problems.all,
        place: { ref: text(task.id), parent: text(task.parent) || undefined },
        former: { notes: joinNotes(notes, parent === '' ? '' : `Part of: ${parent}`), tags: [] },
        task: {
          ...BLANK_TASK,
          title: title || (notes.split('\n', 1)[0] as string),
          notes: joinNotes(notes),
          list: text(list.title) || null,
          status: isDone ? 'done' : 'todo',
          dueDay: due,
          completedAt: isDone ? readTimestamp(text(task.completed)) : null,
        },
      })
    }
    yield* parentsFirst(records)
  }
}
