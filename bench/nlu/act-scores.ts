import type { RequestClass } from '../../src/nlu/intents/classifier.ts'
import type { Abstention } from '../../src/nlu/intents/intent.ts'
import { isWrite, readIntent, toBusiness } from '../../src/nlu/intents/read.ts'
import type { LabelledRequest } from './intents.ts'
import type { F1 } from './smcalflow.ts'

const CONTEXT = { now: Date.parse('2026-02-25T10:30:00Z'), timezone: 'Europe/Berlin' }

interface Share {
  right: number
  of: number
}

export interface ActingScores {
  /** Whether the assistant acts on requests of its business, and only on these. */
  acting: F1
  /** Requests of its business that lead to a tool of the right kind. */
  tool: Share
  /** The same, plus those where it asks for an argument of the right kind. */
  kind: Share
  /** Sentences outside the business that would change something without a question. */
  writes: Share
  wrong: string[]
}

/** The kinds of request that ask for each missing argument. */
const ASKED_BY: Readonly<Record<string, readonly RequestClass[]>> = {
  'which event': ['change_event'],
  'the new time': ['change_event'],
  'the length': ['change_event'],
  'the title and the time': ['make_event'],
  'the title of the task': ['make_task'],
  'which task': ['change_task'],
  'the recipient': ['write_mail'],
  'which email': ['change_mail'],
  'what to change': ['change_task', 'change_mail'],
}

const asksAs = (requestClass: RequestClass, abstained: readonly Abstention[]): boolean =>
  abstained.some(
    ({ reason, detail }) => reason === 'incomplete' && ASKED_BY[detail]?.includes(requestClass) === true,
  )

/** A question for a missing argument counts as acting. */
export const scoreActing = (requests: readonly LabelledRequest[]): ActingScores => {
  const scores: ActingScores = {
    acting: { hit: 0, predicted: 0, expected: 0 },
    tool: { right: 0, of: 0 },
    kind: { right: 0, of: 0 },
    writes: { right: 0, of: 0 },
    wrong: [],
  }
  const { acting, tool: rightTool, kind, writes, wrong } = scores
  for (const { text, requestClass } of requests) {
    const { intents, abstained } = readIntent(text, CONTEXT)
    const acts = intents.length > 0 || abstained.some(({ reason }) => reason === 'incomplete')
    const isOurs = requestClass !== 'outside'
    if (acts) acting.predicted++
    if (acts !== isOurs) wrong.push(`${requestClass}: ${text}`)
    if (isOurs) {
      acting.expected++
      rightTool.of++
      kind.of++
      if (acts) acting.hit++
      const isRightTool = intents.some(({ tool }) => toBusiness(tool) === requestClass)
      if (isRightTool) rightTool.right++
      if (isRightTool || asksAs(requestClass, abstained)) kind.right++
      else if (acts) wrong.push(`${requestClass} → ${intents[0]?.tool ?? abstained[0]?.detail}: ${text}`)
    } else {
      writes.of++
      if (intents.some(({ tool, doubts = [] }) => isWrite(tool) && doubts.length === 0)) {
        writes.right++
        wrong.push(`writes ${intents[0]?.tool}: ${text}`)
      }
    }
  }
  return scores
}
