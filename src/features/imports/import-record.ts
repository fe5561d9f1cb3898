import type { FoundEvent } from '../calendar/ical/entry.ts'
import type { CardFields } from '../contacts/vcard.ts'
import type { EmailFlags } from '../mail/messages/email.ts'
import type { TaskFields } from '../tasks/schema.ts'

export const FORMATS = [
  'mbox',
  'eml',
  'maildir',
  'takeout',
  'ics',
  'vcard',
  'contacts-csv',
  'outlook-calendar-csv',
  'todoist-csv',
  'ticktick-csv',
  'vikunja',
  'google-tasks',
  'archive',
] as const
export type Format = (typeof FORMATS)[number]

export const KINDS = ['emails', 'contacts', 'events', 'tasks'] as const
export type Kind = (typeof KINDS)[number]

/**
 * `skipped`: the record was not imported. `changed`: it was imported without this value, or with the value in another
 * place. `unknown`: a column, property, file or deleted message that nothing in Factotum matches.
 */
export const SEVERITIES = ['skipped', 'changed', 'unknown'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A part of the file that did not fit. */
export interface Problem {
  severity: Severity
  file: string
  line: number | null
  field: string
  value: string
  reason: string
}

export const MAIL_FOLDERS = ['inbox', 'sent', 'drafts', 'archive', 'trash', 'junk'] as const
export type MailFolder = (typeof MAIL_FOLDERS)[number]

export interface MailMarks extends EmailFlags {
  folder: MailFolder
  tags: string[]
}

/** A task in the words of another program. */
export interface FileTask
  extends Pick<
      TaskFields,
      | 'title'
      | 'notes'
      | 'status'
      | 'priority'
      | 'dueAt'
      | 'dueDay'
      | 'remindAt'
      | 'estimateMinutes'
      | 'tags'
      | 'recurrence'
    >,
    Partial<Pick<TaskFields, 'startAt' | 'startDay' | 'percentComplete' | 'recurrenceFrom'>> {
  /** The name of its list there. */
  list: string | null
  /** The due date in the words of the file, if they mean another day with each import. */
  dateText?: string
  completedAt: string | null
}

/** The place of a task in another program. Parents come before their subtasks. */
export interface TaskPlace {
  /** The identity in the file. */
  ref: string
  /** The `ref` of the task above it. */
  parent?: string | undefined
  /** The name of its section, board column or bucket. */
  section?: string | undefined
}

export type TaskRecord = Place & {
  kind: 'tasks'
  task: FileTask
  place?: TaskPlace
  /** The content that version 0.2.0 read, which had no sections and subtasks. It knows the task by it. */
  former?: Pick<FileTask, 'notes' | 'tags'>
}

interface Place {
  file: string
  line: number | null
  problems?: Problem[]
}

/** One record of a file, in its order. */
export type ImportRecord =
  | (Place & { kind: 'emails'; raw: Buffer; marks: MailMarks; receivedAt: string | null })
  | (Place & { kind: 'contacts'; card: CardFields })
  | (Place & { kind: 'events'; event: FoundEvent; title: string; start: string | null })
  | TaskRecord
  | (Place & { kind: 'none' })

const MAX_VALUE_LENGTH = 500

type ProblemPlace = Pick<Problem, 'file'> & Partial<Pick<Problem, 'line' | 'field' | 'value'>>

export const toProblem = (place: ProblemPlace, severity: Severity, reason: string): Problem => ({
  severity,
  file: place.file,
  line: place.line ?? null,
  field: place.field ?? '',
  // PostgreSQL stores no NUL in a text.
  value: (place.value ?? '').slice(0, MAX_VALUE_LENGTH).replaceAll('\0', '').toWellFormed(),
  reason,
})

/** Collects the parts of one record that did not fit. */
export class Problems {
  readonly all: Problem[] = []
  private readonly place: ProblemPlace

  constructor({ file, line = null }: ProblemPlace) {
    this.place = { file, line }
  }

  changed(field: string, value: string, reason: string): void {
    this.all.push(toProblem({ ...this.place, field, value }, 'changed', reason))
  }

  unknown(field: string, value: string, reason: string): void {
    this.all.push(toProblem({ ...this.place, field, value }, 'unknown', reason))
  }
}

/** A record that has only problems. */
export const onlyProblems = (file: string, ...problems: Problem[]): ImportRecord => ({
  kind: 'none',
  file,
  line: problems[0]?.line ?? null,
  problems,
})

/** A record that is not imported. */
export const skip = (place: ProblemPlace, reason: string): ImportRecord =>
  onlyProblems(place.file, toProblem(place, 'skipped', reason))

const MAX_TAG_LENGTH = 50
const MAX_TAGS = 30

/** Turns labels of another program into tags. Returns those that are no valid tags in `lost`. */
export const toTags = (labels: readonly string[]): { tags: string[]; lost: string[] } => {
  const tags = new Map<string, string>()
  const lost: string[] = []
  for (const label of labels) {
    const tag = label
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .toWellFormed()
    if (tag === '') continue
    if (tag.length > MAX_TAG_LENGTH || (tags.size >= MAX_TAGS && !tags.has(tag.toLowerCase()))) lost.push(tag)
    else tags.set(tag.toLowerCase(), tags.get(tag.toLowerCase()) ?? tag)
  }
  return { tags: [...tags.values()], lost }
}
