import Type, { type Static } from 'typebox'
import type { Draft } from '../../nlu/drafts/draft.ts'
import type { TimeSlot } from '../../nlu/drafts/slots.ts'
import type { MailAnalysis } from '../../nlu/mail/analysis.ts'
import { isPrivate } from '../../nlu/mail/facts.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Calendar } from '../calendar/calendar.ts'
import {
  type Asker,
  asData,
  ONLY_DATA,
  type StructuredAnswers,
  type StructuredRequest,
} from '../models/consultation.ts'
import { formatMailForModel } from './analysis-service.ts'
import type { EngineAnalysis, GivenMail } from './engine-analysis.ts'
import type { ReplyDraftInput } from './schema.ts'

const Answer = Type.Object({ text: Type.String(), language: Type.String() }, { additionalProperties: false })

const INSTRUCTIONS = [
  'You write the answer to one e-mail for the person it was sent to. They will read it before it is sent.',
  ONLY_DATA,
  'Write what the person wants said. Where only they can know what to say, leave a gap in square brackets, such as [your answer]: never decide for them, never promise, and never invent a fact, a date, a number or an address.',
  'Greet the writer by name, take up each question and request, and close with the name of the person. Plain text, no markup, no subject line.',
  'A program has drafted an answer before you. Its greeting, its times and its gaps are right: say it better, and fill a gap only with what the person told you.',
  'language: the tag of the language you wrote in, such as en or de.',
].join('\n')

const TONES: Readonly<Record<Draft['tone'], string>> = {
  formal: 'formal and polite',
  friendly: 'friendly',
  brief: 'as brief as politeness allows',
}

interface ToAnswer {
  mail: GivenMail
  analysis: MailAnalysis
  /** Draft of the built-in engine. */
  draft: Draft
  input: { instructions?: string | undefined; language?: string | undefined }
  slots: readonly TimeSlot[]
  me: string
  now: number
  timezone: string
}

/** Loaded with the first reply, so that the server starts faster. */
const loadReplies = async () => {
  const [{ checkReply }, { factsFor }] = await Promise.all([
    import('../../nlu/verification/reply-opinion.ts'),
    import('../../nlu/mail/fact-sheet.ts'),
  ])
  return { checkReply, factsFor }
}

/** Builds the request to the model and the check of its answer. */
const buildReplyRequest = async (
  { mail, analysis, draft, input, slots, me, now, timezone }: ToAnswer,
  { checkReply, factsFor }: Awaited<ReturnType<typeof loadReplies>>,
) => {
  const instructions = input.instructions?.trim() ?? ''
  const question: StructuredRequest<typeof Answer> = {
    purpose: 'email-response',
    instructions: INSTRUCTIONS,
    prompt: [
      `Write ${TONES[draft.tone]}, in ${input.language ?? 'the language of the mail'}.${me === '' ? '' : ` The person is called ${me}.`}`,
      instructions === ''
        ? 'The person has not said what to answer.'
        : `The person wants this said: ${instructions}`,
      `The answer of the program:\n${asData(draft.text)}`,
      `What the program found in the mail:\n${asData(factsFor(analysis))}`,
      `The mail:\n${formatMailForModel(mail, timezone)}`,
    ].join('\n\n'),
    shape: { name: 'answer', schema: Answer },
    isValid: ({ text }) => text.trim() !== '',
    builtinReason: isPrivate(mail.tags) ? 'private' : draft.unanswerable === null ? undefined : 'not_needed',
  }
  return {
    question,
    check: ({ text, language }: Static<typeof Answer>) => ({
      ...checkReply(text, draft, {
        mail: { ...mail, date: Date.parse(mail.date) },
        analysis,
        instructions,
        slots,
        me,
        now,
        timezone,
      }),
      language: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(language) ? language : draft.language,
    }),
  }
}

const MINUTE = 60_000
const DAY = 86_400_000
const DEFAULT_MINUTES = 30
const MAX_MINUTES = 8 * 60
const SEARCH_WINDOW_MS = 14 * DAY
/** Minutes to keep free before and after a proposed slot. */
const BUFFER = 0

/** Loads the engine with the first draft, so that the server starts faster. */
const loadDrafts = async () => {
  const [{ asksForTime, draftReply }, { chooseSlots }] = await Promise.all([
    import('../../nlu/drafts/draft.ts'),
    import('../../nlu/drafts/slots.ts'),
  ])
  return { asksForTime, draftReply, chooseSlots }
}

/** Returns the requested duration, if the mail names one. */
const minutesOf = ({ meetings }: MailAnalysis): number => {
  const stated = meetings.find(({ endStated, allDay, isWindow }) => endStated && !allDay && !isWindow)
  return stated
    ? Math.min(MAX_MINUTES, Math.max(15, Math.round((stated.end - stated.start) / MINUTE)))
    : DEFAULT_MINUTES
}

const iso = (ms: number): string => new Date(ms).toISOString()

const LANGUAGES = ['en', 'de'] as const
const languageOf = (tag: string): (typeof LANGUAGES)[number] | undefined =>
  LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language)

export type ReplyDrafter = ReturnType<typeof createReplyDrafter>

/** Drafts replies. Leaves gaps for everything that only the person knows. Sends nothing. */
export const createReplyDrafter = (
  deps: Pick<Platform, 'clock'> & {
    engineAnalysis: EngineAnalysis
    calendar: Pick<Calendar, 'free' | 'busyBetween'>
    /** Sender name of the account, otherwise the name of the owner. Empty if neither is known. */
    signer: (userId: number, accountId: string | null) => Promise<string>
    structuredAnswers: StructuredAnswers
  },
) => {
  const { clock, engineAnalysis, calendar, structuredAnswers } = deps

  const isFree = async (
    userId: number,
    { start, end }: { start: number; end: number },
    now: number,
  ): Promise<boolean> =>
    start > now && (await calendar.busyBetween(userId, iso(start), iso(end))).length === 0

  /** Checks proposed meetings against the calendar, or finds free slots. */
  const availability = async (userId: number, analysis: MailAnalysis, timezone: string) => {
    const { chooseSlots } = await loadDrafts()
    const now = clock.now().getTime()
    const minutes = minutesOf(analysis)
    const findFree = async (from: number, to: number): Promise<TimeSlot[]> => {
      const found = await calendar.free(userId, {
        start: iso(from),
        end: iso(to),
        minutes,
        buffer: BUFFER,
        tentative: 'busy' as const,
        limit: 100,
      })
      return found.slots.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) }))
    }
    const free: boolean[] = []
    const within: (TimeSlot | null)[] = []
    for (const meeting of analysis.meetings) {
      const { start, end, isWindow } = meeting
      free.push(!isWindow && (await isFree(userId, meeting, now)))
      const isAhead = isWindow && start > now && end - start >= minutes * MINUTE
      const [slot] = isAhead
        ? chooseSlots(await findFree(start, end), { minutes, now, timezone, most: 1 })
        : []
      within.push(slot ?? null)
    }
    const isAccepted = analysis.meetings.some(({ isCertain }, index) => isCertain && free[index] === true)
    const proposed = within.filter((slot) => slot !== null)
    if (isAccepted) return { free, within, slots: [] }
    if (proposed.length > 0) return { free, within, slots: proposed }
    const stretches = await findFree(now, now + SEARCH_WINDOW_MS)
    return { free, within, slots: chooseSlots(stretches, { minutes, now, timezone }) }
  }

  /** Drafts with the built-in engine. Sends nothing to other servers. */
  const write = async (
    mail: GivenMail,
    input: Omit<ReplyDraftInput, 'model'>,
    { userId, withCalendar }: { userId: number; withCalendar: boolean },
  ) => {
    const { asksForTime, draftReply } = await loadDrafts()
    const { analysis, timezone } = await engineAnalysis.analyze(mail)
    const wanted = withCalendar && asksForTime(mail.text, analysis)
    const { free, within, slots } = wanted
      ? await availability(userId, analysis, timezone)
      : { free: undefined, within: [], slots: [] }
    const language = input.language === undefined ? undefined : languageOf(input.language)
    const me = await deps.signer(mail.userId, mail.accountId)
    const draft = draftReply({ ...mail, date: Date.parse(mail.date) }, analysis, {
      tone: input.tone ?? 'friendly',
      timezone,
      slots,
      within,
      me,
      ...(free && { free }),
      ...(language && { language }),
      ...(input.instructions !== undefined && { instructions: input.instructions }),
    })
    const notices = [...draft.notices, ...languageNotices(input.language, language)]
    return { draft: { ...draft, notices }, analysis, timezone, slots, me }
  }

  return {
    find: engineAnalysis.find,
    write,

    async draft(
      mail: GivenMail,
      { model, ...input }: ReplyDraftInput,
      { userId, withCalendar, asker }: { userId: number; withCalendar: boolean; asker: Asker },
    ) {
      const { draft, slots, ...known } = await write(mail, input, { userId, withCalendar })
      const { question, check } = await buildReplyRequest(
        { mail, draft, input, slots, now: clock.now().getTime(), ...known },
        await loadReplies(),
      )
      const { said, made } = await structuredAnswers.request(question, { ...asker, model })
      const { unanswerable, ...rest } = draft
      return {
        ...rest,
        ...(said && check(said)),
        answerable: unanswerable === null,
        reason: unanswerable,
        slots:
          unanswerable === null ? slots.map(({ start, end }) => ({ start: iso(start), end: iso(end) })) : [],
        ...made,
      }
    },
  }
}

const languageNotices = (requested: string | undefined, known: string | undefined): string[] =>
  requested !== undefined && !known
    ? [`Without a model, drafts are available only in English and German, not in ${requested}.`]
    : []

/** Returns the recipients of a reply (RFC 5322, section 3.6.2). */
export const toEnvelope = ({ from, replyTo, messageId, accountId }: GivenMail) => ({
  to: replyTo.length > 0 ? replyTo : from.address === '' ? [] : [from],
  inReplyTo: messageId,
  accountId,
})
