import type { Priority } from '../quick-task.ts'

/** A day, `2026-03-03`, or a moment on the person's own wall clock, `2026-03-03T14:00`. */
export type Wall = string

/** Days or moments; `to` is the first that no longer belongs. */
export interface WallRange {
  from?: Wall
  to?: Wall
}

/** Which e-mail is meant, in the person's own words. */
export interface EmailPick {
  sender?: string
  recipient?: string
  about?: string
  /** The newest of those that fit. */
  latest?: true
  /** Every one that fits. */
  all?: true
}

/** Which event is meant. */
export interface EventPick {
  title?: string
  person?: string
  /** When it is now. */
  at?: Wall
  /** The first that is still to come. */
  next?: true
}

export type Mark = 'unread' | 'urgent' | 'starred' | 'unanswered'

/** What the assistant can do, by name, with what each takes. */
export interface ToolArguments {
  find_emails: EmailPick & WallRange & { marks?: Mark[]; tag?: string; withAttachment?: true }
  read_email: EmailPick
  /** Tags, and the marks beside them. */
  tag_email: {
    email: EmailPick
    tag?: string
    remove?: true
    read?: boolean
    starred?: boolean
    /** Into the archive, or out of it. */
    archive?: boolean
  }
  delete_email: { email: EmailPick }
  /** `reply`: the e-mail that is answered. Nothing is sent by it; `send` says that the person wants it sent. */
  draft_email: { to?: string; reply?: EmailPick; about?: string; says?: string; send?: true }
  list_tasks: WallRange & {
    query?: string
    list?: string
    tag?: string
    priority?: Priority
    state?: 'open' | 'done' | 'overdue'
  }
  create_task: {
    title: string
    due?: Wall
    remindAt?: Wall
    recurrence?: string
    priority?: Priority
    tags?: string[]
    list?: string
    estimateMinutes?: number
  }
  update_task: {
    task: string
    title?: string
    due?: Wall
    remindAt?: Wall
    priority?: Priority
    tag?: string
    /** Later than it is due now. */
    shiftMinutes?: number
    /** Begun, or to be done again. */
    status?: 'todo' | 'doing'
  }
  complete_task: { task: string }
  delete_task: { task: string; list?: string }
  list_events: WallRange & { query?: string; person?: string; next?: true }
  create_event: {
    title?: string
    start?: Wall
    end?: Wall
    minutes?: number
    allDay?: true
    people?: string[]
    place?: string
    recurrence?: string
  }
  /** To a new start, by some minutes, or with another length. */
  move_event: { event: EventPick; start?: Wall; shiftMinutes?: number; minutes?: number }
  /** Under another name, or at another place. */
  update_event: { event: EventPick; title?: string; place?: string }
  cancel_event: { event: EventPick }
  find_free_time: WallRange & { minutes?: number; people?: string[] }
  get_statistics: WallRange & {
    of: 'emails' | 'tasks' | 'events' | 'everything'
    mark?: Mark | 'open' | 'done' | 'overdue'
    person?: string
  }
  get_briefing: { day: Wall }
  /** Questions about the calendar itself, which need nobody's data. */
  tell_date: { asks: 'date' | 'weekday' | 'time' | 'days_until'; day?: Wall; timezone?: string }
}

export type IntentTool = keyof ToolArguments

/** What the interpreter read, and the words that made it so. */
export interface Evidence {
  argument: string
  text: string
  offset: number
}

export type Intent = {
  [Tool in IntentTool]: {
    tool: Tool
    arguments: ToolArguments[Tool]
    /** 0 to 1. */
    confidence: number
    evidence: Evidence[]
  }
}[IntentTool]

/** Why nothing is done: it is none of the assistant's business, not clear, lacks something, or is too long to be a request. */
export interface Abstention {
  reason: 'out_of_scope' | 'unclear' | 'incomplete' | 'too_long' | 'empty'
  /** What is lacking, or what it seems to be about. */
  detail: string
  text: string
  offset: number
}

export interface IntentReading {
  /** In the order in which they were said. */
  intents: Intent[]
  /** The parts of the text that were not understood as something to do. */
  abstained: Abstention[]
}
