import { type IntentModel, judgeIntent } from './classifier.ts'
import { MODELS } from './models.ts'

/** What a sentence is about, as far as this assistant is concerned. */
export type Domain = 'mail' | 'event' | 'task' | 'date' | 'outside'

/** What is wanted, in the words of the data from which the models have learnt. */
export type Wish =
  | 'ask_events'
  | 'make_event'
  | 'drop_event'
  | 'find_mail'
  | 'write_mail'
  | 'ask_tasks'
  | 'make_task'
  | 'drop_task'
  | 'date'
  | 'outside'

const WISHES: Readonly<Record<string, Wish>> = {
  calendar_query: 'ask_events',
  calendar_set: 'make_event',
  calendar_remove: 'drop_event',
  email_query: 'find_mail',
  email_sendemail: 'write_mail',
  lists_query: 'ask_tasks',
  lists_createoradd: 'make_task',
  lists_remove: 'drop_task',
  datetime_query: 'date',
  datetime_convert: 'date',
  calendar: 'ask_events',
  meeting_schedule: 'ask_events',
  schedule_meeting: 'make_event',
  calendar_update: 'make_event',
  reminder: 'ask_tasks',
  reminder_update: 'make_task',
  todo_list: 'ask_tasks',
  todo_list_update: 'make_task',
  shopping_list: 'ask_tasks',
  shopping_list_update: 'make_task',
  date: 'date',
  time: 'date',
  timezone: 'date',
}

const DOMAINS: Readonly<Record<Wish, Domain>> = {
  ask_events: 'event',
  make_event: 'event',
  drop_event: 'event',
  find_mail: 'mail',
  write_mail: 'mail',
  ask_tasks: 'task',
  make_task: 'task',
  drop_task: 'task',
  date: 'date',
  outside: 'outside',
}

/** Of an intent in the words of the data. */
export const domainOf = (label: string): Domain => DOMAINS[WISHES[label] ?? 'outside']

/** Margins of the models made into shares. */
const SHARPNESS = 7

const sharesOf = (model: IntentModel, text: string): { label: string; shares: Map<Wish, number> } => {
  const { best, scores } = judgeIntent(model, text)
  const top = scores[best] as number
  const parts = scores.map((score) => Math.exp((score - top) * SHARPNESS))
  const sum = parts.reduce((total, part) => total + part, 0)
  const shares = new Map<Wish, number>()
  for (const [index, part] of parts.entries()) {
    const wish = WISHES[model.labels[index] as string] ?? 'outside'
    shares.set(wish, (shares.get(wish) ?? 0) + part / sum)
  }
  return { label: model.labels[best] as string, shares }
}

export interface Vote {
  /** The share of each domain, 0 to 1. */
  domains: Record<Domain, number>
  wish: Wish
  /** Of the wish. */
  share: number
  /** In the words of the data: "weather_query". */
  label: string
}

/**
 * What the three models make of a sentence together. HWU64 and SLURP know mail, lists and calendar among the other things
 * that people ask of an assistant; CLINC150 alone has learnt what belongs nowhere, and knows nothing of mail.
 */
export const vote = (text: string): Vote => {
  const [hwu, slurp, clinc] = [
    sharesOf(MODELS.hwu64(), text),
    sharesOf(MODELS.slurp(), text),
    sharesOf(MODELS.clinc150(), text),
  ]
  const domains: Record<Domain, number> = { mail: 0, event: 0, task: 0, date: 0, outside: 0 }
  const wishes = new Map<Wish, number>()
  const mailed = (hwu.shares.get('find_mail') ?? 0) + (hwu.shares.get('write_mail') ?? 0) > 0.5
  for (const { shares } of mailed ? [hwu, slurp] : [hwu, slurp, clinc])
    for (const [wish, share] of shares) {
      const part = share / (mailed ? 2 : 3)
      wishes.set(wish, (wishes.get(wish) ?? 0) + part)
      domains[DOMAINS[wish]] += part
    }
  const [wish, share] = [...wishes].reduce((best, one) => (one[1] > best[1] ? one : best))
  return { domains, wish, share, label: hwu.label }
}
