import type { Priority } from '../quick-task.ts'

/** A date such as `2026-03-03`, or a local date and time such as `2026-03-03T14:00`. */
export type Wall = string

/** A range of dates or local times. `to` is exclusive. */
export interface WallRange {
  from?: Wall
  to?: Wall
}

/** Search criteria for an email, in the user's own words. */
export interface EmailPick {
  sender?: string
  recipient?: string
  about?: string
  /** Only the newest match. */
  latest?: true
  /** All matches. */
  all?: true
}

/** Search criteria for an event. */
export interface EventPick {
  title?: string
  person?: string
  /** The current start. */
  at?: Wall
  /** The next upcoming match. */
  next?: true
}

export type Mark = 'unread' | 'urgent' | 'starred' | 'unanswered'

/** The assistant's tools with their arguments. */
export interface ToolArguments {
  find_emails: EmailPick & WallRange & { marks?: Mark[]; tag?: string; withAttachment?: true }
  read_email: EmailPick
  /** Changes tags and flags. */
  tag_email: {
    email: EmailPick
    tag?: string
    remove?: true
    read?: boolean
    starred?: boolean
    /** True moves the email to the archive, false out of it. */
    archive?: boolean
  }
  delete_email: { email: EmailPick }
  /**
   * `reply` is the email to answer. The tool never sends; `send` records that the user wants the draft sent.
   */
  draft_email: { to?: string; cc?: string[]; reply?: EmailPick; about?: string; says?: string; send?: true }
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
    recurrence?: string
    /** Offset from the current due date. */
    shiftMinutes?: number
    /** `doing` starts the task, `todo` reopens it. */
    status?: 'todo' | 'doing'
  }
  complete_task: { task: string }
  delete_task: { task: string; list?: string }
  /** Events that contain the words of `about` are preferred. All events are listed if none does. */
  list_events: WallRange & { query?: string; about?: string; person?: string; next?: true }
  create_event: {
    title?: string
    start?: Wall
    end?: Wall
    minutes?: number
    allDay?: true
    people?: string[]
    /** People who get an invitation. */
    invite?: string[]
    place?: string
    recurrence?: string
    /** The request names a week or a month instead of a day: the event starts before this day. */
    before?: Wall
  }
  /** Sets a new start, shifts the start by minutes, or changes the length. */
  move_event: {
    event: EventPick
    start?: Wall
    /** The start names an hour only: the event keeps its day. */
    keepsDay?: true
    shiftMinutes?: number
    minutes?: number
  }
  /** Changes the title or the location, or adds people. */
  update_event: { event: EventPick; title?: string; place?: string; people?: string[] }
  cancel_event: { event: EventPick }
  find_free_time: WallRange & {
    minutes?: number
    people?: string[]
    /** Asks whether the named hour is free. */
    isHour?: true
  }
  get_statistics: WallRange & {
    of: 'emails' | 'tasks' | 'events' | 'everything'
    mark?: Mark | 'open' | 'done' | 'overdue'
    person?: string
  }
  get_briefing: { day: Wall }
  /** Answers questions about dates and times. They need no user data. */
  tell_date: { asks: 'date' | 'weekday' | 'time' | 'days_until'; day?: Wall; timezone?: string }
}

export type IntentTool = keyof ToolArguments

/** The words of the request that led to an argument. */
export interface Evidence {
  argument: string
  text: string
  offset: number
}

/**
 * Reasons why a reading may be wrong. The classifier is unsure, or words were not read. An hour fits both halves of the
 * day, or a date is unusually far away. The rules and the tagger read different titles.
 */
export type Doubt = 'models' | 'unread_words' | 'half_of_day' | 'far_date' | 'title'

export type Intent = {
  [Tool in IntentTool]: {
    tool: Tool
    arguments: ToolArguments[Tool]
    /** 0 to 1. */
    confidence: number
    evidence: Evidence[]
    /** Present if a change must be confirmed first. */
    doubts?: Doubt[]
    /** The title that the tagger reads. */
    otherTitle?: string
  }
}[IntentTool]

/** Explains why a clause led to no action. */
export interface Abstention {
  reason: 'out_of_scope' | 'unclear' | 'incomplete' | 'too_long' | 'empty'
  /** The missing information, or the topic the clause seems to be about. */
  detail: string
  text: string
  offset: number
}

export interface IntentReading {
  /** In the order of the text. */
  intents: Intent[]
  /** Clauses that led to no action. */
  abstained: Abstention[]
}
