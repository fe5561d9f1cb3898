import type { MailAnalysis } from '../../../engine/mail/analysis.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Calendar } from '../../calendar/calendar.ts'
import type { Asker, Consulting } from '../consulting.ts'
import type { GivenMail, MailReading } from '../intelligence/reading.ts'
import { answerIn, loadReplies } from './model-answer.ts'
import type { ReplyWish } from './schema.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const USUAL_MINUTES = 30
const LONGEST_MINUTES = 8 * 60
const AHEAD = 14 * DAY
/** Left free between what is there and what is proposed. */
const BUFFER = 0

/** The engine is loaded with the first draft: a start need not wait for it. */
const loadDrafts = async () => {
  const [{ asksForTime, draftReply }, { chooseSlots }] = await Promise.all([
    import('../../../engine/drafts/draft.ts'),
    import('../../../engine/drafts/times.ts'),
  ])
  return { asksForTime, draftReply, chooseSlots }
}

/** How long they want to meet, if they say so. */
const minutesOf = ({ meetings }: MailAnalysis): number => {
  const stated = meetings.find(({ endStated, allDay }) => endStated && !allDay)
  return stated
    ? Math.min(LONGEST_MINUTES, Math.max(15, Math.round((stated.end - stated.start) / MINUTE)))
    : USUAL_MINUTES
}

const iso = (ms: number): string => new Date(ms).toISOString()

const LANGUAGES = ['en', 'de'] as const
const languageOf = (tag: string): (typeof LANGUAGES)[number] | undefined =>
  LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language)

export type Drafting = ReturnType<typeof createDrafting>

/** Answers to mails, as far as they can be written without knowing what the person thinks. Nothing is sent. */
export const createDrafting = (deps: {
  clock: Clock
  reading: MailReading
  calendar: Pick<Calendar, 'free' | 'busyBetween'>
  /** Who answers: the name that the account sends under, else the owner's; empty when neither is known. */
  signer: (accountId: string | null) => Promise<string>
  consulting: Consulting
}) => {
  const { clock, reading, calendar, consulting } = deps

  const isFree = async ({ start, end }: { start: number; end: number }, now: number): Promise<boolean> =>
    start > now && (await calendar.busyBetween(iso(start), iso(end))).length === 0

  /** What the calendar has to say to a mail that wants the person's time. */
  const availability = async (analysis: MailAnalysis, timezone: string) => {
    const { chooseSlots } = await loadDrafts()
    const now = clock.now().getTime()
    const free: boolean[] = []
    for (const meeting of analysis.meetings) free.push(await isFree(meeting, now))
    if (free.includes(true)) return { free, slots: [] }
    const minutes = minutesOf(analysis)
    const found = await calendar.free({
      ...{ start: iso(now), end: iso(now + AHEAD), minutes, buffer: BUFFER },
      ...{ tentative: 'busy' as const, limit: 100 },
    })
    const stretches = found.slots.map(({ start, end }) => ({
      start: Date.parse(start),
      end: Date.parse(end),
    }))
    return { free, slots: chooseSlots(stretches, { minutes, now, timezone }) }
  }

  /** What the engine writes: nothing leaves the machine for it. */
  const write = async (
    mail: GivenMail,
    wish: Omit<ReplyWish, 'model'>,
    { withCalendar }: { withCalendar: boolean },
  ) => {
    const { asksForTime, draftReply } = await loadDrafts()
    const { analysis, timezone } = await reading.analyze(mail)
    const wanted = withCalendar && asksForTime(mail.text, analysis)
    const { free, slots } = wanted ? await availability(analysis, timezone) : { free: undefined, slots: [] }
    const language = wish.language === undefined ? undefined : languageOf(wish.language)
    const me = await deps.signer(mail.accountId)
    const draft = draftReply({ ...mail, date: Date.parse(mail.date) }, analysis, {
      ...{ tone: wish.tone ?? 'friendly', timezone, slots, me },
      ...(free && { free }),
      ...(language && { language }),
      ...(wish.instructions !== undefined && { instructions: wish.instructions }),
    })
    const notices = [...draft.notices, ...foreignTo(wish.language, language)]
    return { draft: { ...draft, notices }, analysis, timezone, slots, me }
  }

  return {
    find: reading.find,
    write,

    async draft(
      mail: GivenMail,
      { model, ...wish }: ReplyWish,
      { withCalendar, asker }: { withCalendar: boolean; asker: Asker },
    ) {
      const { draft, slots, ...known } = await write(mail, wish, { withCalendar })
      const { question, check } = await answerIn(
        { mail, draft, wish, slots, now: clock.now().getTime(), ...known },
        await loadReplies(),
      )
      const { said, made } = await consulting.consult(question, { ...asker, model })
      const { unanswerable, ...rest } = draft
      return {
        ...rest,
        ...(said && check(said)),
        answerable: unanswerable === null,
        slots:
          unanswerable === null ? slots.map(({ start, end }) => ({ start: iso(start), end: iso(end) })) : [],
        ...made,
      }
    },
  }
}

const foreignTo = (wished: string | undefined, known: string | undefined): string[] =>
  wished !== undefined && !known
    ? [`Without a model there are drafts in English and German only, not in ${wished}.`]
    : []

/** Where an answer goes: RFC 5322, 3.6.2. */
export const envelopeOf = ({ from, replyTo, messageId, accountId }: GivenMail) => ({
  to: replyTo.length > 0 ? replyTo : from.address === '' ? [] : [from],
  inReplyTo: messageId,
  accountId,
})
