import { readAbility } from '../../src/features/assistant/interpreter/ability-reader.ts'
import { readCommitmentRequest } from '../../src/features/assistant/interpreter/commitments.ts'
import { auditPage } from '../../src/features/workflow/page-audit/audit.ts'
import { checkRewording } from '../../src/features/workflow/page-audit/rewriter.ts'
import { toProse } from '../../src/nlu/dates/prose.ts'
import { isGerman, readTimes } from '../../src/nlu/dates/read.ts'
import { findSigner, readName } from '../../src/nlu/drafts/addressee.ts'
import { asksForTime, draftReply, replySubject } from '../../src/nlu/drafts/draft.ts'
import { splitMail } from '../../src/nlu/history.ts'
import { readIntent } from '../../src/nlu/intents/read.ts'
import { analyzeMail, requestScore } from '../../src/nlu/mail/analysis.ts'
import { categoryOf } from '../../src/nlu/mail/category.ts'
import { findClosing } from '../../src/nlu/mail/commitment-closings.ts'
import { findCommitments } from '../../src/nlu/mail/commitments.ts'
import { findInsights, findTricks, snippetOf } from '../../src/nlu/mail/facts.ts'
import { classifyMail } from '../../src/nlu/mail/kind.ts'
import { findPhishing } from '../../src/nlu/mail/phishing.ts'
import { sentimentOf, summarize } from '../../src/nlu/mail/summary.ts'
import { writeTaskTitle } from '../../src/nlu/mail/task-title.ts'
import { urgencyOf } from '../../src/nlu/mail/urgency.ts'
import { detectMeetings, findSignals } from '../../src/nlu/meetings/detect.ts'
import { asksForEvent, readEvent } from '../../src/nlu/meetings/event.ts'
import { findLinks } from '../../src/nlu/meetings/title.ts'
import { readQuickTask } from '../../src/nlu/quick-task.ts'
import { extractReservations } from '../../src/nlu/reservations/extract.ts'
import { sentencesOf } from '../../src/nlu/text.ts'
import { checkOpinion } from '../../src/nlu/verification/mail-opinion.ts'
import { checkReply } from '../../src/nlu/verification/reply-opinion.ts'
import { readRule } from '../../src/recurrence/rule.ts'

const NOW = Date.UTC(2026, 1, 2, 10)
const ZONE = 'Europe/Berlin'
const options = { date: NOW, timezone: ZONE }

const analyze = (text: string) => analyzeMail({ text, subject: text, from: text, html: text }, options)

const PLAIN = analyze('Could you send it by Friday?')
const AUDIT = auditPage({ html: '<html><body><img src="a"></body></html>', url: null, delivery: null })

/** Creates an opinion of a language model that contains the text in every field. */
const createOpinion = (text: string) => ({
  summary: text,
  category: 'conversation' as const,
  sentiment: 'neutral' as const,
  urgency: { level: 'critical' as const, reasons: [{ reason: text, quote: text }] },
  questions: [{ quote: text }],
  actionItems: [{ quote: text, title: text, owner: 'me' as const, due: text }],
  insights: [{ kind: 'person' as const, quote: text }],
  meetings: [{ title: text, start: text, end: text, place: text, people: [text], quote: text }],
})
const DRAFT = draftReply({ subject: '', text: '', from: { name: '', address: '' }, date: NOW }, PLAIN, {
  tone: 'friendly',
  me: '',
  timezone: ZONE,
})

/** All functions that receive text from users. */
export const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  analyzeMail: analyze,
  findCommitments: (text) =>
    findCommitments({ text, isOwn: true, people: [text] }, { date: NOW, timezone: ZONE }),
  findClosing: (text) =>
    findClosing(
      text,
      { text, subject: text, files: [text], isByAuthor: true, isSameThread: true },
      { isOnly: true },
    ),
  readAbility: (text) => readAbility(text, { now: NOW, timezone: ZONE }),
  readCommitmentRequest,
  extractReservations: (text) =>
    extractReservations(
      { subject: text, text, html: text, sender: text, calendars: [text], jsonLd: [text] },
      options,
    ),
  detectMeetings: (text) => detectMeetings(text, { now: NOW, timezone: ZONE, subject: text }),
  readQuickTask: (text) => readQuickTask(text, { now: NOW }),
  readTimes: (text) => readTimes(text, { now: NOW }),
  readEvent: (text) => readEvent(text, { now: NOW }),
  readIntent: (text) => readIntent(text, { now: NOW, timezone: ZONE }),
  asksForEvent: (text) => asksForEvent(text, true),
  draftReply: (text) =>
    draftReply({ subject: text, text, from: { name: text, address: text }, date: NOW }, PLAIN, {
      tone: 'friendly',
      me: text,
      timezone: ZONE,
      instructions: text,
    }),
  checkOpinion: (text) =>
    checkOpinion({ text, subject: text, people: [text] }, PLAIN, createOpinion(text), options),
  checkReply: (text) =>
    checkReply(text, DRAFT, {
      mail: { text, subject: text, from: { name: text, address: text }, date: NOW },
      analysis: PLAIN,
      instructions: text,
      slots: [],
      me: text,
      now: NOW,
      timezone: ZONE,
    }),
  checkRewording: (text) =>
    checkRewording(AUDIT, { summary: text, recommendations: [{ section: 'accessibility', advice: [text] }] }),
  replySubject,
  readName,
  findSigner,
  asksForTime: (text) => asksForTime(text, { meetings: [] }),
  writeTaskTitle,
  isGerman,
  sentencesOf,
  splitMail,
  snippetOf,
  findSignals,
  findLinks,
  findInsights,
  findTricks: (text) => findTricks(text, text),
  categoryOf: (text) => categoryOf({ subject: text, from: text, text }),
  sentimentOf: (text) => sentimentOf(toProse(text).tokens),
  summarize: (text) => summarize(text, sentencesOf(text), toProse(text).tokens, () => 0),
  urgencyOf: (text) =>
    urgencyOf({
      subject: text,
      own: text,
      machine: false,
      requests: 1,
      questions: 1,
      requestScore: 1,
      decision: classifyMail({ subject: text, from: text, text }),
    }),
  findPhishing: (text) => findPhishing({ subject: text, from: text, text }),
  requestScore: (text) => requestScore(text, []),
  readRule,
}
