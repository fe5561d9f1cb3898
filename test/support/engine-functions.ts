import { isGerman, readTimes } from '../../src/engine/dates/read.ts'
import { tokenize } from '../../src/engine/dates/tokens.ts'
import { unanswerable } from '../../src/engine/drafts/answerable.ts'
import { asksForTime, draftReply, replySubject } from '../../src/engine/drafts/draft.ts'
import { personOf, readName, signerOf } from '../../src/engine/drafts/person.ts'
import { analyzeMail } from '../../src/engine/mail/analysis.ts'
import { categoryOf } from '../../src/engine/mail/category.ts'
import { factsFor } from '../../src/engine/mail/facts.ts'
import { ownText, replyOf, splitMail } from '../../src/engine/mail/history.ts'
import { findInsights, findTricks } from '../../src/engine/mail/insights.ts'
import { formsOf } from '../../src/engine/mail/request-features.ts'
import { requestScore } from '../../src/engine/mail/requests.ts'
import { sentimentOf } from '../../src/engine/mail/sentiment.ts'
import { summarize } from '../../src/engine/mail/summary.ts'
import { taskTitle } from '../../src/engine/mail/task-title.ts'
import { urgencyOf } from '../../src/engine/mail/urgency.ts'
import { detectMeetings } from '../../src/engine/meetings/detect.ts'
import { readEvent } from '../../src/engine/meetings/event.ts'
import { findLinks } from '../../src/engine/meetings/links.ts'
import { asksForEvent } from '../../src/engine/meetings/request.ts'
import { findSignals } from '../../src/engine/meetings/signals.ts'
import { readQuickTask } from '../../src/engine/quick-task.ts'
import { snippetOf, withoutQuotes } from '../../src/engine/quotes.ts'
import { readRule } from '../../src/engine/recurrence/read-rule.ts'
import { sentencesOf } from '../../src/engine/sentences.ts'

const NOW = Date.UTC(2026, 1, 2, 10)
const ZONE = 'Europe/Berlin'
const options = { date: NOW, timezone: ZONE }

const analyze = (text: string) => analyzeMail({ text, subject: text, from: text, html: text }, options)

const PLAIN = analyze('Could you send it by Friday?')

/** Everything of the engine that is given a text by somebody. */
export const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  analyzeMail: analyze,
  detectMeetings: (text) => detectMeetings(text, { now: NOW, timezone: ZONE, subject: text }),
  readQuickTask: (text) => readQuickTask(text, { now: NOW }),
  readTimes: (text) => readTimes(text, { now: NOW }),
  readEvent: (text) => readEvent(text, { now: NOW }),
  asksForEvent: (text) => asksForEvent(text, true),
  draftReply: (text) =>
    draftReply({ subject: text, text, from: { name: text, address: text }, date: NOW }, PLAIN, {
      ...{ tone: 'friendly', me: text, timezone: ZONE, instructions: text },
    }),
  factsFor: (text) => factsFor({ ...PLAIN, questions: [{ text, offset: 0 }] }),
  replySubject,
  readName,
  signerOf,
  personOf: (text) => personOf(text, text),
  asksForTime: (text) => asksForTime(text, { meetings: [] }),
  unanswerable: (text) => unanswerable(text, 'conversation'),
  taskTitle,
  isGerman,
  tokenize,
  sentencesOf,
  splitMail,
  ownText,
  replyOf,
  withoutQuotes,
  snippetOf,
  findSignals,
  findLinks,
  findInsights,
  findTricks: (text) => findTricks(text, text),
  categoryOf: (text) => categoryOf({ subject: text, from: text, text }),
  sentimentOf,
  summarize: (text) => summarize(text, sentencesOf(text), () => 0),
  urgencyOf: (text) => urgencyOf({ subject: text, own: text, machine: false, asks: true }),
  formsOf: (text) => formsOf(text, []),
  requestScore: (text) => requestScore(text, []),
  readRule,
}
