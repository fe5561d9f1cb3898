import { CalendarDays, Clock3, MapPin, Repeat, TriangleAlert, UserRound, Users, Video } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import * as calendar from '#locale/calendar'
import * as t from '#locale/invitations'
import * as common from '#locale/shared-texts'
import { usePreferences } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { formatList } from '../../../locales/format.ts'
import { toFormatLocale } from '../../../locales/languages.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { browserTimeZone } from '../../../ui/time.tsx'
import { toCityName } from '../../../ui/time-zone.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useBusyAttempt } from '../../../ui/use-busy-attempt.ts'
import { addressOf } from '../../calendar/address.ts'
import { createDayWords, momentOf } from '../../calendar/days.ts'
import { readRepeat } from '../../calendar/editor/repeat.ts'
import { describeRepeat } from '../../calendar/editor/repeat-text.ts'
import type { Email } from '../folders.ts'
import { useInvitation } from './use-invitation.ts'
import './invitation-card.css'

type Card = Shape<'InvitationCard'>
type Times = Pick<Card, 'allDay' | 'timezone'> & { start: string; end: string }

const ANSWERS = ['accepted', 'tentative', 'declined'] as const
type Answer = (typeof ANSWERS)[number]

const STATES: Partial<Record<Card['state'], string>> = t.states

/** Label of the apply button; undefined if there is nothing to apply, or the answer applies it. */
const actionOf = ({ state, method, canAnswer }: Card): string | undefined => {
  if (canAnswer && state !== 'undone') return undefined
  if (state === 'new') return t.addToCalendar
  if (state === 'undone') return t.updateCalendar
  return state === 'waiting' && method !== 'COUNTER' ? t.updateCalendar : undefined
}

/** Longer lists are closed at first. */
const OPEN_ATTENDEES = 6

const isWeb = (link: string): boolean => /^https?:/i.test(link)

/** Formats times in the person's zone, and in the zone of the event if its clock differs. */
const useEventTimes = () => {
  const preferences = usePreferences().data?.value
  const locale = toFormatLocale(preferences?.locale)
  const own = preferences?.timezone ?? browserTimeZone()
  const format = ({ start, end, allDay, timezone }: Times, zone: string): string => {
    const range = new Intl.DateTimeFormat(locale, {
      timeZone: allDay ? (timezone ?? zone) : zone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      ...(!allDay && { hour: 'numeric', minute: '2-digit' }),
    })
    const last = new Date(Date.parse(end) - (allDay ? 1 : 0))
    return range.formatRange(new Date(start), last)
  }
  return {
    locale,
    own,
    ownTime(times: Times): string {
      const text = format(times, own)
      return times.allDay ? t.allDay({ day: text }) : text
    },
    /** Null if the clocks agree. UTC is no place where the event happens. */
    theirTime(times: Times): string | null {
      const { timezone, allDay } = times
      if (allDay || timezone === null || timezone === 'UTC') return null
      const text = format(times, timezone)
      return text === format(times, own) ? null : t.timeInPlace({ time: text, place: toCityName(timezone) })
    },
  }
}

const Fact = ({ icon: Icon, name, children }: { icon: typeof Clock3; name: string; children: ReactNode }) => (
  <div className="invitation-fact">
    <dt>
      <Icon size={16} aria-hidden="true" />
      <span className="visually-hidden">{name}</span>
    </dt>
    <dd>{children}</dd>
  </div>
)

const nameOf = ({ name, email }: { name: string; email: string }): string => name || email

const timesOf = ({ start, end, allDay, timezone }: Card): Times | null =>
  start === null || end === null ? null : { start, end, allDay, timezone }

const describeRule = (card: Card, times: Times, locale: string, own: string): string => {
  const timezone = times.timezone ?? own
  const start = momentOf(times.start, timezone, own).toPlainDate()
  const repeat = readRepeat(card.recurrence, { start, allDay: times.allDay, timezone })
  return describeRepeat(repeat, start, createDayWords(locale))
}

/** The values before the email, or those in the calendar if the email is not applied. */
const FormerLine = ({ card }: { card: Card }) => {
  const { ownTime } = useEventTimes()
  const { former, state, method } = card
  if (!former) return null
  const isSame = former.start === card.start && former.end === card.end && former.allDay === card.allDay
  const facts = [
    former.title !== card.title && former.title,
    !isSame && ownTime({ ...former, timezone: card.timezone }),
    former.location !== card.location && former.location,
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '')
  if (facts.length === 0) return null
  const isApplied = state === 'applied' || state === 'removed'
  return <p>{(isApplied && method !== 'COUNTER' ? t.was : t.now)(facts.join(' · '))}</p>
}

const Facts = ({ card }: { card: Card }) => {
  const { locale, own, ownTime, theirTime } = useEventTimes()
  const times = timesOf(card)
  const other = times && theirTime(times)
  const { organizer, attendees, location, meetingUrl, conflicts } = card
  return (
    <dl className="invitation-facts">
      {times && (
        <Fact icon={Clock3} name={t.time}>
          <p>{ownTime(times)}</p>
          {other !== null && <p className="quiet small">{other}</p>}
        </Fact>
      )}
      {times && card.recurrence !== null && (
        <Fact icon={Repeat} name={t.repeats}>
          {describeRule(card, times, locale, own)}
        </Fact>
      )}
      {location !== '' && (
        <Fact icon={MapPin} name={t.location}>
          {location}
        </Fact>
      )}
      {meetingUrl !== null && meetingUrl !== location && (
        <Fact icon={Video} name={t.meetingLink}>
          {isWeb(meetingUrl) ? (
            <a href={meetingUrl} target="_blank" rel="noreferrer noopener">
              {meetingUrl}
            </a>
          ) : (
            meetingUrl
          )}
        </Fact>
      )}
      {organizer && (
        <Fact icon={UserRound} name={t.organizer}>
          <span title={organizer.email}>{t.organizedBy(nameOf(organizer))}</span>
        </Fact>
      )}
      {attendees.length > 0 && (
        <Fact icon={Users} name={t.attendees}>
          <details open={attendees.length <= OPEN_ATTENDEES}>
            <summary>{t.attendeeCount(attendees.length)}</summary>
            <ul className="invitation-attendees">
              {attendees.map((person) => (
                <li key={person.email}>
                  <span title={person.email}>{nameOf(person)}</span>{' '}
                  <span className="quiet small">{calendar.rsvps[person.status]}</span>
                </li>
              ))}
            </ul>
          </details>
        </Fact>
      )}
      {conflicts.length > 0 && (
        <Fact icon={TriangleAlert} name={t.conflicts}>
          {t.conflictsWith(formatList(conflicts.map(({ title }) => title || t.untitled)))}
        </Fact>
      )}
    </dl>
  )
}

interface AnswersProps {
  card: Card
  isBusy: boolean
  onAnswer: (answer: Answer, note: string) => Promise<boolean>
}

/** Accept, Maybe, Decline. Another answer can follow. */
const Answers = ({ card, isBusy, onAnswer }: AnswersProps) => {
  const [note, setNote] = useState<string | null>(null)
  const noteId = useId()
  const answer = async (status: Answer) => {
    if (await onAnswer(status, note ?? '')) setNote(null)
  }
  return (
    <>
      {note !== null && (
        <div className="field">
          <label htmlFor={noteId}>{t.note}</label>
          <textarea
            id={noteId}
            className="input"
            rows={2}
            maxLength={5000}
            // biome-ignore lint/a11y/noAutofocus: the field appears because the person asked for it
            autoFocus
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
      )}
      <fieldset className="invitation-answers">
        <legend>{t.going}</legend>
        {ANSWERS.map((status) => (
          <Button
            key={status}
            size="small"
            kind={card.answer === status ? 'primary' : 'plain'}
            aria-pressed={card.answer === status}
            disabled={isBusy}
            onClick={() => void answer(status)}
          >
            {t.answers[status]}
          </Button>
        ))}
        {note === null && (
          <Button size="small" kind="quiet" onClick={() => setNote('')}>
            {t.addNote}
          </Button>
        )}
      </fieldset>
    </>
  )
}

/** The day of the event in the calendar, in the person's time zone. */
const toCalendarHref = (card: Card, own: string): string | null => {
  const times = timesOf(card)
  if (!times) return null
  const zone = times.allDay ? (times.timezone ?? own) : own
  return addressOf({ view: 'day', date: momentOf(times.start, zone, own).toPlainDate().toString() })
}

const describeState = (card: Card): string | undefined => {
  const { state, answer, actionId, former, canAnswer, method } = card
  if (state === 'applied' && actionId !== null && former === null && answer === 'needs-action' && canAnswer)
    return t.addedAsTentative
  const isKnown = state === 'current' || (state === 'applied' && former === null)
  if (isKnown && method === 'REQUEST' && answer !== null && answer !== 'needs-action')
    return t.yourAnswer[answer]
  return STATES[state]
}

/** The meeting in an email: its facts, its effect on the calendar, and the answers to it. */
export const InvitationCard = ({ email }: { email: Email }) => {
  const client = useClient()
  const refetch = useRefetch(['calendar'])
  const notify = useNotify()
  const { isBusy, attempt } = useBusyAttempt()
  const titleId = useId()
  const path = { emailId: email.id }
  const { own } = useEventTimes()
  const { data: card } = useInvitation(email)
  if (!card) return null
  const run = async (work: () => Promise<unknown>, toastText: string): Promise<boolean> => {
    const isDone = await attempt(async () => {
      await work()
      notify(toastText)
    })
    await refetch()
    return isDone
  }
  const apply = () =>
    run(
      () => unwrap(client.POST('/api/calendar/events/from-email', { body: { emailId: email.id } })),
      t.calendarUpdated,
    )
  const undo = (id: number) =>
    run(() => unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } })), t.undone)
  const respond = (status: Answer, note: string) =>
    run(
      () =>
        unwrap(
          client.POST('/api/calendar/invitations/{emailId}/respond', {
            params: { path },
            body: { status, ...(note.trim() !== '' && { comment: note.trim() }) },
          }),
        ),
      t.answerSent(card.organizer ? nameOf(card.organizer) : card.sender),
    )
  const { title, reason, actionId, cancelled, comment } = card
  const action = actionOf(card)
  const stateText = describeState(card)
  const calendarHref = card.eventId === null ? null : toCalendarHref(card, own)
  return (
    <section className="invitation" aria-labelledby={titleId} {...(cancelled && { 'data-cancelled': '' })}>
      <h3 id={titleId}>
        {t.cardTitle({ kind: t.kinds[card.method] ?? t.event, title: title || t.untitled })}
      </h3>
      {cancelled && <p>{t.cancelled}</p>}
      <Facts card={card} />
      {comment !== '' && <blockquote>{comment}</blockquote>}
      <FormerLine card={card} />
      {stateText !== undefined && <p className="quiet">{stateText}</p>}
      {reason !== null && <p>{reason}</p>}
      {card.canAnswer && <Answers card={card} isBusy={isBusy} onAnswer={respond} />}
      {(action !== undefined || actionId !== null || calendarHref !== null) && (
        <div className="invitation-answers">
          {action !== undefined && (
            <Button size="small" busy={isBusy} onClick={() => void apply()}>
              {action}
            </Button>
          )}
          {actionId !== null && (
            <Button size="small" busy={isBusy} onClick={() => void undo(actionId)}>
              {common.undo}
            </Button>
          )}
          {calendarHref !== null && (
            <LinkButton size="small" kind="quiet" href={calendarHref}>
              <CalendarDays size={16} aria-hidden="true" />
              {t.showInCalendar}
            </LinkButton>
          )}
        </div>
      )}
    </section>
  )
}
