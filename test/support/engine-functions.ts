import { auditPage } from '../../src/engine/audit/audit.ts'
import { checkRewording } from '../../src/engine/checking/audit-opinion.ts'
import { checkOpinion } from '../../src/engine/checking/mail-opinion.ts'
import { checkReply } from '../../src/engine/checking/reply-opinion.ts'
import { proseOf } from '../../src/engine/dates/prose.ts'
import { isGerman, readTimes } from '../../src/engine/dates/read.ts'
import { asksForTime, draftReply, replySubject } from '../../src/engine/drafts/draft.ts'
import { readName, signerOf } from '../../src/engine/drafts/person.ts'
import { splitMail } from '../../src/engine/history.ts'
import { readIntent } from '../../src/engine/intents/read.ts'
import { analyzeMail } from '../../src/engine/mail/analysis.ts'
import { categoryOf } from '../../src/engine/mail/category.ts'
import { findInsights, findTricks } from '../../src/engine/mail/insights.ts'
import { requestScore } from '../../src/engine/mail/requests.ts'
import { sentimentOf } from '../../src/engine/mail/sentiment.ts'
import { snippetOf } from '../../src/engine/mail/snippet.ts'
import { summarize } from '../../src/engine/mail/summary.ts'
import { taskTitle } from '../../src/engine/mail/task-title.ts'
import { urgencyOf } from '../../src/engine/mail/urgency.ts'
import { detectMeetings } from '../../src/engine/meetings/detect.ts'
import { readEvent } from '../../src/engine/meetings/event.ts'
import { findLinks } from '../../src/engine/meetings/links.ts'
import { asksForEvent } from '../../src/engine/meetings/request.ts'
import { findSignals } from '../../src/engine/meetings/signals.ts'
import { readQuickTask } from '../../src/engine/quick-task.ts'
import { readRule } from '../../src/engine/recurrence/read-rule.ts'
import { sentencesOf } from '../../src/engine/sentences.ts'

const NOW = Date.UTC(2026, 1, 2, 10)
const ZONE = 'Europe/Berlin'
const options = { date: NOW, timezone: ZONE }

const analyze = (text: string) => analyzeMail({ text, subject: text, from: text, html: text }, options)

const PLAIN = analyze('Could you send it by Friday?')
const AUDIT = auditPage({ html: '<html><body><img src="a"></body></html>', url: null, delivery: null })

/** What a model may say of anything. */
const opinionOf = (text: string) => ({
  ...{ summary: text, category: 'conversation' as const, sentiment: 'neutral' as const },
  urgency: { level: 'critical' as const, reasons: [{ reason: text, quote: text }] },
  questions: [{ quote: text }],
  actionItems: [{ quote: text, title: text, owner: 'me' as const, due: text }],
  insights: [{ kind: 'person' as const, quote: text }],
  meetings: [{ title: text, start: text, end: text, place: text, people: [text], quote: text }],
})
const DRAFT = draftReply({ subject: '', text: '', from: { name: '', address: '' }, date: NOW }, PLAIN, {
  ...{ tone: 'friendly', me: '', timezone: ZONE },
})

/** Everything of the engine that is given a text by somebody. */
export const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  analyzeMail: analyze,
  detectMeetings: (text) => detectMeetings(text, { now: NOW, timezone: ZONE, subject: text }),
  readQuickTask: (text) => readQuickTask(text, { now: NOW }),
  readTimes: (text) => readTimes(text, { now: NOW }),
  readEvent: (text) => readEvent(text, { now: NOW }),
  readIntent: (text) => readIntent(text, { now: NOW, timezone: ZONE }),
  asksForEvent: (text) => asksForEvent(text, true),
  draftReply: (text) =>
    draftReply({ subject: text, text, from: { name: text, address: text }, date: NOW }, PLAIN, {
      ...{ tone: 'friendly', me: text, timezone: ZONE, instructions: text },
    }),
  checkOpinion: (text) =>
    checkOpinion({ text, subject: text, people: [text] }, PLAIN, opinionOf(text), options),
  checkReply: (text) =>
    checkReply(text, DRAFT, {
      mail: { text, subject: text, from: { name: text, address: text }, date: NOW },
      ...{ analysis: PLAIN, instructions: text, slots: [], me: text, now: NOW, timezone: ZONE },
    }),
  checkRewording: (text) =>
    checkRewording(AUDIT, { summary: text, recommendations: [{ section: 'accessibility', advice: [text] }] }),
  replySubject,
  readName,
  signerOf,
  asksForTime: (text) => asksForTime(text, { meetings: [] }),
  taskTitle,
  isGerman,
  sentencesOf,
  splitMail,
  snippetOf,
  findSignals,
  findLinks,
  findInsights,
  findTricks: (text) => findTricks(text, text),
  categoryOf: (text) => categoryOf({ subject: text, from: text, text }),
  sentimentOf: (text) => sentimentOf(proseOf(text).tokens),
  summarize: (text) => summarize(text, sentencesOf(text), proseOf(text).tokens, () => 0),
  urgencyOf: (text) => urgencyOf({ subject: text, own: text, machine: false, asks: true }),
  requestScore: (text) => requestScore(text, []),
  readRule,
}
