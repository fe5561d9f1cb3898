import { useMemo } from 'react'
import { useCalendarActions, useCalendars } from '../../api/calendars.ts'
import type { Shape } from '../../api/client.ts'
import { toFormatLocale } from '../../locales/languages.ts'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useNow } from '../../ui/use-now.ts'
import type { View } from './address.ts'
import {
  createDayWords,
  type Day,
  type DayWords,
  dayOf,
  daysFrom,
  getVisibleDays,
  momentOf,
  step,
} from './days.ts'
import { toDisplayedEvent, touches } from './displayed-event.ts'
import { useDisplayedEvents } from './events.ts'
import { matchesSearch } from './filter.ts'
import type { CreateShowAction } from './save-event.ts'
import { useUrlState } from './url-state.ts'

/** Heading for the displayed days, always with the year. */
const toTitle = (view: View, day: Day, days: readonly Day[], words: DayWords): string => {
  if (view === 'year') return words.year(day)
  if (view === 'month') return words.month(day)
  if (view === 'day') return words.full(day)
  return words.between(days[0] ?? day, days.at(-1) ?? day)
}

/** The displayed days with their events, by the URL. */
export const useCalendarView = ({ timezone, locale, weekStart }: Shape<'Preferences'>) => {
  const { urlState, go, goToDay } = useUrlState()
  const attempt = useAttempt()
  const calendars = useCalendars()
  const { change: changeCalendar } = useCalendarActions()
  const now = momentOf(useNow().toISOString(), timezone)
  const words = useMemo(() => createDayWords(toFormatLocale(locale)), [locale])
  const todayText = now.toPlainDate().toString()
  const [today, day] = useMemo(
    () => [dayOf(todayText), dayOf(urlState.date ?? todayText)],
    [todayText, urlState.date],
  )
  const search = urlState.search.trim()
  const searching = search !== ''
  const { first, count } = useMemo(
    () => getVisibleDays(urlState.view, day, { weekStart, searching }),
    [urlState.view, day, weekStart, searching],
  )
  const days = useMemo(() => daysFrom(first, count), [first, count])
  const { query, displayedEvents } = useDisplayedEvents(
    { first, count, timezone, status: urlState.status, source: urlState.source },
    search,
    calendars.byId,
  )

  /** Offers to show a saved event that is outside the displayed days, or hidden by a filter or its calendar. */
  const createShowAction: CreateShowAction = (event) => {
    const calendar = calendars.byId.get(event.calendarId) ?? null
    const entry = toDisplayedEvent(event, timezone, calendar)
    const isHidden = calendar?.visible === false
    const isInRange = days.some((visibleDay) => touches(entry, visibleDay))
    const matchesFilters =
      (!urlState.status || urlState.status === event.status) &&
      (!urlState.source || urlState.source === event.source) &&
      (!searching || matchesSearch(event, search))
    if (isInRange && matchesFilters && !isHidden) return null
    return () => {
      if (isHidden) void attempt(() => changeCalendar(event.calendarId, { visible: true }))
      if (!isInRange || !matchesFilters) goToDay(entry.first.toString())
    }
  }

  return {
    urlState,
    go,
    goToday: () => go({ date: null }),
    goBy: (steps: number) => go({ date: step(urlState.view, day, steps).toString() }),
    now,
    today,
    day,
    days,
    words,
    title: toTitle(urlState.view, day, days, words),
    searching,
    isFiltered: searching || urlState.status !== null || urlState.source !== null,
    query,
    calendars,
    displayedEvents,
    createShowAction,
  }
}
