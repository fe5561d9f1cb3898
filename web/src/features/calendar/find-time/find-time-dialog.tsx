import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Temporal } from 'temporal-polyfill'
import * as calendar from '#locale/calendar'
import * as t from '#locale/event-editor'
import * as common from '#locale/shared-texts'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { formatList } from '../../../locales/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import type { Weekday } from '../../../ui/weekdays.ts'
import { type Day, type DayWords, daysFrom, instantOf, momentOf, startOfWeek } from '../days.ts'
import type { Draft } from '../editor/draft.ts'
import { calendarKey } from '../events.ts'
import { PeopleGrid, type Person } from './people-grid.tsx'
import { findAvailability, type TimeRange, toLocalStart, toMinutes, toRange, withRange } from './times.ts'
import './find-time.css'

/** The period in which free time is suggested. */
const SUGGESTED_DAYS = 14
const MAX_SUGGESTIONS = 6

interface FindTimeProps {
  open: boolean
  draft: Draft
  /** The saved event, which does not count as busy. */
  eventId: number | null
  timezone: string
  weekStart: Weekday
  words: DayWords
  hours: (start: string, end: string) => string
  onClose: () => void
  onChoose: (draft: Draft) => void
}

/** Chooses the time of an event beside the busy times of the attendees. */
export const FindTimeDialog = (props: FindTimeProps) => (
  <Dialog open={props.open} onClose={props.onClose} size="large" title={t.findTime}>
    <FindTime {...props} />
  </Dialog>
)

const useTimes = ({ draft, eventId, timezone }: FindTimeProps, first: Day, minutes: number) => {
  const client = useClient()
  const body = {
    attendees: draft.attendees.map(({ email }) => email),
    start: instantOf(first.toZonedDateTime(timezone)),
    end: instantOf(first.add({ days: SUGGESTED_DAYS }).toZonedDateTime(timezone)),
    minutes,
    limit: MAX_SUGGESTIONS,
    ...(eventId !== null && { eventId }),
  }
  return useQuery({
    queryKey: [...calendarKey, 'find-time', body],
    queryFn: ({ signal }) => unwrap(client.POST('/api/calendar/find-time', { body, signal })),
    placeholderData: keepPreviousData,
  })
}

const FindTime = (props: FindTimeProps) => {
  const { draft, timezone, weekStart, words, hours, onClose, onChoose } = props
  const [minutes] = useState(() => toMinutes(draft))
  const [start, setStart] = useState(() => toLocalStart(draft, timezone))
  const [view, setView] = useState<'day' | 'week'>('day')
  const day = start.toPlainDate()
  const first = view === 'day' ? day : startOfWeek(day, weekStart)
  const days = daysFrom(first, view === 'day' ? 1 : 7)
  const query = useTimes(props, first, minutes)
  const range = toRange(start, minutes, timezone)
  const describe = ({ start, end }: TimeRange): string =>
    t.dateAndTime({ date: words.short(momentOf(start, timezone).toPlainDate()), time: hours(start, end) })
  const stepDays = view === 'day' ? 1 : 7
  const move = (to: Temporal.PlainDateTime) => setStart(to)
  return (
    <div className="find-time">
      <div className="find-time-tools">
        <Button
          kind="quiet"
          shape="icon"
          aria-label={calendar.back}
          onClick={() => move(start.subtract({ days: stepDays }))}
        >
          <ChevronLeft size={20} aria-hidden="true" />
        </Button>
        <Button
          kind="quiet"
          shape="icon"
          aria-label={calendar.forward}
          onClick={() => move(start.add({ days: stepDays }))}
        >
          <ChevronRight size={20} aria-hidden="true" />
        </Button>
        <h3>{view === 'day' ? words.full(day) : words.between(first, days.at(-1) ?? first)}</h3>
        <fieldset className="views">
          <legend className="visually-hidden">{calendar.view}</legend>
          {(['day', 'week'] as const).map((name) => (
            <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
              {calendar.views[name]}
            </button>
          ))}
        </fieldset>
      </div>
      <Loaded query={query} lines={5}>
        {({ own, people, slots }) => {
          const named = people.map((person): Person => {
            const attendee = draft.attendees.find(({ email }) => email === person.email)
            return { ...person, name: attendee?.name || person.email }
          })
          const all = [{ ...own, known: true, email: '', name: t.you }, ...named].map((person) => ({
            ...person,
            availability: findAvailability(person, range),
          }))
          const busy = all.filter(({ availability }) => availability === 'busy')
          return (
            <>
              <PeopleGrid
                key={view}
                people={all}
                days={days}
                start={start}
                minutes={minutes}
                timezone={timezone}
                words={words}
                valueText={describe(range)}
                onMove={move}
              />
              <p aria-live="polite">
                {busy.length === 0
                  ? t.nobodyBusy(describe(range))
                  : t.somebodyBusy({
                      time: describe(range),
                      names: formatList(busy.map(({ name }) => name)),
                    })}
              </p>
              {people.some(({ known }) => !known) && <p className="quiet small">{t.unknownPeople}</p>}
              <section aria-labelledby="suggested-times">
                <h3 id="suggested-times">{t.suggestedTimes}</h3>
                {slots.length === 0 ? (
                  <p className="quiet">{t.noSuggestedTimes}</p>
                ) : (
                  <ul className="find-time-slots">
                    {slots.map((slot) => (
                      <li key={slot.start}>
                        <Button
                          size="small"
                          aria-pressed={slot.start === range.start}
                          onClick={() => move(momentOf(slot.start, timezone).toPlainDateTime())}
                        >
                          {describe(slot)}
                        </Button>
                      </li>
                    ))}
                  </ul>
                )}
              </section>
            </>
          )
        }}
      </Loaded>
      <div className="dialog-actions">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button
          kind="primary"
          onClick={() => {
            onChoose(withRange(draft, range))
            onClose()
          }}
        >
          {t.useTime}
        </Button>
      </div>
    </div>
  )
}
