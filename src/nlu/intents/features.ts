import { hash, pair } from '../learning/linear.ts'
import type { Priority } from '../quick-task.ts'
import { kindsOf, piecesOf, wordsOf } from './words.ts'

const [SHORTEST_PIECE, LONGEST_PIECE] = [2, 5]

/** Words before the one that distinguishes a question, a statement and a command. */
const OPENING = new Set(
  'please hey hi hello ok okay olly alexa siri google cortana pda so well kindly just now also i a want need would like to you could can will me for let us lets the my'.split(
    ' ',
  ),
)
const ACTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    what: 'wh',
    whats: 'wh',
    "what's": 'wh',
    which: 'wh',
    who: 'wh',
    "who's": 'wh',
    whose: 'wh',
    whom: 'wh',
    why: 'wh',
    when: 'when',
    "when's": 'when',
    where: 'where',
    "where's": 'where',
    how: 'how',
    "how's": 'how',
    is: 'whether',
    are: 'whether',
    was: 'whether',
    were: 'whether',
    do: 'whether',
    does: 'whether',
    did: 'whether',
    have: 'whether',
    has: 'whether',
    had: 'whether',
    am: 'whether',
    any: 'whether',
    should: 'whether',
    isn: 'whether',
  }),
)
const VERB_KINDS = new Set([
  'make',
  'drop',
  'look',
  'hear',
  'mail',
  'remind',
  'stop',
  'alarm',
  'off',
  'on',
  'up',
  'down',
  'no',
  'yes',
  'thank',
  'define',
  'eat',
  'clean',
  'cook',
  'like',
  'again',
  'calendar',
  'phone',
  'social',
  'change',
])

/** Classifies the first significant word as a kind of question, a command or a statement. */
const actOf = (words: readonly string[]): string => {
  const first = words.find((word, at) => !OPENING.has(word) || (at === 0 && ACTS.has(word)))
  if (first === undefined) return 'none'
  return (
    ACTS.get(first) ??
    kindsOf(first).find((kind) => VERB_KINDS.has(kind)) ??
    (words[0] === 'i' ? 'telling' : 'other')
  )
}

const [START, END, PIECE, KIND, BESIDE, WITH, ACT] = ['^', '$', 'c', 'k', 'b', 'w', 'a'].map(hash) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]

/** The features of one group, and the weight of the group. */
export interface Block {
  features: Set<number>
  weight: number
}

/**
 * Extracts four groups of features: words with word pairs, character n-grams, word classes with neighbours,
 * and pairs of word classes. The pairs may occur anywhere in the sentence.
 */
export const blocksOf = (text: string): Block[] => {
  const words = wordsOf(text)
  const numbers = [START, ...words.map(hash), END]
  const [plain, pieces, kinds, pairs] = [
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
  ]
  for (let at = 0; at + 1 < numbers.length; at++) {
    if (at > 0) plain.add(numbers[at] as number)
    plain.add(pair(numbers[at] as number, numbers[at + 1] as number))
  }
  for (const word of words)
    for (const piece of piecesOf(word, SHORTEST_PIECE, LONGEST_PIECE)) pieces.add(pair(PIECE, hash(piece)))
  const named = words.map((word) => kindsOf(word).map(hash))
  // A word without a class represents itself.
  const tokenFeatures = [
    [START],
    ...named.map((own, at) => (own.length > 0 ? own.slice(0, 2) : [numbers[at + 1] as number])),
    [END],
  ]
  for (const own of named) for (const kind of own) kinds.add(pair(KIND, kind))
  for (let at = 0; at + 1 < tokenFeatures.length; at++)
    for (const one of tokenFeatures[at] as number[])
      for (const two of tokenFeatures[at + 1] as number[]) kinds.add(pair(BESIDE, pair(one, two)))
  const all = [...new Set(named.flat())].sort((a, b) => a - b)
  for (const [at, one] of all.entries())
    for (let other = at + 1; other < all.length; other++)
      pairs.add(pair(WITH, pair(one, all[other] as number)))
  const act = pair(ACT, hash(actOf(words)))
  kinds.add(act)
  for (const kind of all) pairs.add(pair(act, kind))
  return [
    { features: plain, weight: 1 },
    { features: pieces, weight: 1 },
    { features: kinds, weight: 1 },
    { features: pairs, weight: 0.8 },
  ]
}

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
    /** Offset from the current due date. */
    shiftMinutes?: number
    /** `doing` starts the task, `todo` reopens it. */
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
  /** Sets a new start, shifts the start by minutes, or changes the length. */
  move_event: { event: EventPick; start?: Wall; shiftMinutes?: number; minutes?: number }
  /** Changes the title or the location. */
  update_event: { event: EventPick; title?: string; place?: string }
  cancel_event: { event: EventPick }
  find_free_time: WallRange & { minutes?: number; people?: string[] }
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

export type Intent = {
  [Tool in IntentTool]: {
    tool: Tool
    arguments: ToolArguments[Tool]
    /** 0 to 1. */
    confidence: number
    evidence: Evidence[]
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
