import type { UrgencyLevel } from '../../../nlu/mail/urgency.ts'
import type { PriorityItem, PriorityReason } from './contracts/overview.ts'

const DAY_MS = 86_400_000

export interface Candidates {
  now: number
  /** Number of the local day, to tell today from tomorrow. */
  dayOf: (instant: number) => number
  freeMinutes: number
  tasks: readonly {
    id: number
    title: string
    dueAt: string | null
    lateAt: string | null
    priority: string
    estimateMinutes: number | null
  }[]
  waiting: readonly {
    emailId: number
    subject: string
    date: string
    person: string
    asks: readonly string[]
  }[]
  promises: readonly { emailId: number; text: string; dueAt: string | null; person: string }[]
  urgent: readonly { id: number; subject: string; date: string; person: string; level: UrgencyLevel }[]
  events: readonly { id: number; title: string; start: string; allDay: boolean }[]
}

const PRIORITY_SCORES: Readonly<Record<string, number>> = { urgent: 40, high: 20, normal: 0, low: -10 }
const SOON_MINUTES = 120

const scoreTask = (
  { id, title, dueAt, lateAt, priority, estimateMinutes }: Candidates['tasks'][number],
  { now, dayOf, freeMinutes }: Candidates,
): PriorityItem => {
  const reasons: PriorityReason[] = []
  let score = PRIORITY_SCORES[priority] ?? 0
  if (lateAt !== null && Date.parse(lateAt) <= now) {
    const days = Math.max(0, Math.floor((now - Date.parse(lateAt)) / DAY_MS))
    reasons.push({ code: 'overdue', days })
    score += 70 + Math.min(20, days)
  } else if (dueAt !== null) {
    const days = dayOf(Date.parse(dueAt)) - dayOf(now)
    if (days <= 0) reasons.push({ code: 'due_today' })
    else if (days === 1) reasons.push({ code: 'due_tomorrow' })
    else if (days <= 7) reasons.push({ code: 'due_soon', days })
    score += days <= 0 ? 50 : days === 1 ? 25 : days <= 7 ? 12 - days : 0
  }
  if (priority === 'urgent' || priority === 'high') reasons.push({ code: 'priority', level: priority })
  // Free time is a reason only beside another one: everything short fits.
  if (reasons.length > 0 && estimateMinutes !== null && estimateMinutes <= freeMinutes) {
    reasons.push({ code: 'fits_free_time' })
    score += 3
  }
  return { kind: 'task', id, title, at: dueAt, person: null, quote: null, score, reasons }
}

/** Scores emails. An email that is urgent and waits for an answer is one item with both reasons. */
const scoreEmails = ({ waiting, urgent, promises, now, dayOf }: Candidates): PriorityItem[] => {
  const items = new Map<number, PriorityItem>()
  const add = (
    id: number,
    item: Pick<PriorityItem, 'title' | 'at' | 'person' | 'quote'>,
    score: number,
    reason: PriorityReason,
  ): void => {
    const known = items.get(id)
    if (known) {
      known.score += score
      known.reasons.push(reason)
      known.quote ??= item.quote
    } else items.set(id, { kind: 'email', id, ...item, score, reasons: [reason] })
  }
  for (const { id, subject, date, person, level } of urgent)
    add(id, { title: subject, at: date, person, quote: null }, level === 'critical' ? 65 : 40, {
      code: 'urgent_mail',
      level,
    })
  for (const { emailId, subject, date, person, asks } of waiting)
    add(emailId, { title: subject, at: date, person, quote: asks[0] ?? null }, 22, { code: 'waiting' })
  for (const { emailId, text, dueAt, person } of promises) {
    if (dueAt === null || dayOf(Date.parse(dueAt)) > dayOf(now)) continue
    const isOverdue = Date.parse(dueAt) < now
    add(emailId, { title: text, at: dueAt, person, quote: text }, isOverdue ? 55 : 45, {
      code: isOverdue ? 'promise_overdue' : 'promised',
    })
  }
  return [...items.values()]
}

const scoreEvents = ({ events, now }: Candidates): PriorityItem[] =>
  events.flatMap(({ id, title, start, allDay }): PriorityItem[] => {
    const minutes = Math.round((Date.parse(start) - now) / 60_000)
    if (allDay || minutes < 0 || minutes > SOON_MINUTES) return []
    return [
      {
        kind: 'event',
        id,
        title,
        at: start,
        person: null,
        quote: null,
        score: minutes <= 30 ? 90 : 35,
        reasons: [{ code: 'starts_soon', minutes }],
      },
    ]
  })

/** Orders tasks, emails and events by what needs attention first. Items without a reason are left out. */
export const rankPriorities = (candidates: Candidates): PriorityItem[] =>
  [
    ...candidates.tasks.map((task) => scoreTask(task, candidates)),
    ...scoreEmails(candidates),
    ...scoreEvents(candidates),
  ]
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((a, b) => b.score - a.score || (a.at ?? '9').localeCompare(b.at ?? '9') || a.id - b.id)
