import { useMemo, useState } from 'react'
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
  daysBetween,
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

const SCROLL_MARGIN_DAYS = 28
const EPOCH = dayOf('1970-01-01')

/** The window of loaded events moves by four weeks at a time. */
const startOfBlock = (day: Day): Day =>
  day.subtract({
    days: ((daysBetween(EPOCH, day) % SCROLL_MARGIN_DAYS) + SCROLL_MARGIN_DAYS) % SCROLL_MARGIN_DAYS,
  })

/** The weeks by which the view was scrolled. Another day or view starts at zero. */
const useScrolledWeeks = (place: string) => {
  const [scrolled, setScrolled] = useState({ place, weeks: 0 })
  return {
    weeks: scrolled.place === place ? scrolled.weeks : 0,
    scrollWeeks: (change: number) =>
      setScrolled((now) => ({ place, weeks: (now.place === place ? now.weeks : 0) + change })),
  }
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
  const [today, urlDay] = useMemo(
    () => [dayOf(todayText), dayOf(urlState.date ?? todayText)],
    [todayText, urlState.date],
  )
  const search = urlState.search.trim()
  const searching = search !== ''
  const { weeks, scrollWeeks } = useScrolledWeeks(`${urlState.view} ${urlDay}`)
  const isMonth = urlState.view === 'month'
  const { first, count } = useMemo(() => {
    const visible = getVisibleDays(urlState.view, urlDay, { weekStart, searching })
    return { ...visible, first: visible.first.add({ weeks }) }
  }, [urlState.view, urlDay, weekStart, searching, weeks])
  const days = useMemo(() => daysFrom(first, count), [first, count])
  /** After scrolling, the month in the middle is the current one. */
  const day = useMemo(
    () => (weeks === 0 ? urlDay : first.add({ days: Math.floor(count / 2) })),
    [weeks, urlDay, first, count],
  )
  // The weeks around a month are loaded with it, so that they are there when the month scrolls.
  const margin = isMonth ? SCROLL_MARGIN_DAYS : 0
  const loadedFirst = useMemo(
    () => (isMonth ? startOfBlock(first.subtract({ days: margin })) : first),
    [isMonth, first, margin],
  )
  const loadedCount = isMonth ? count + margin * 2 + SCROLL_MARGIN_DAYS : count
  const { query, displayedEvents: loadedEvents } = useDisplayedEvents(
    {
      first: loadedFirst,
      count: loadedCount,
      timezone,
      status: urlState.status,
      source: urlState.source,
    },
    search,
    calendars.byId,
  )
  const displayedEvents = useMemo(() => {
    const last = first.add({ days: count - 1 })
    return loadedEvents.filter(
      (entry) => daysBetween(first, entry.last) >= 0 && daysBetween(entry.first, last) >= 0,
    )
  }, [loadedEvents, first, count])

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
    scrollWeeks,
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
