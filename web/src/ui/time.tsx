import { useMemo } from 'react'
import { usePreferences } from '../api/account.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The console speaks English; dates are written the person's way. */
const relatively = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Formats by the person's language and clock; by the browser's until those are known. */
export const useDates = () => {
  const preferences = usePreferences().data?.value
  const locale = preferences?.locale
  const timeZone = preferences?.timezone ?? browserTimeZone()
  return useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) => {
      const formatter = new Intl.DateTimeFormat(locale, { timeZone, ...options })
      return (at: string | Date) => formatter.format(new Date(at))
    }
    const date = format({ dateStyle: 'medium' })
    const dateTime = format({ dateStyle: 'medium', timeStyle: 'short' })
    return {
      timeZone,
      date,
      dateTime,
      dayInFull: format({ weekday: 'long', day: 'numeric', month: 'long' }),
      time: format({ timeStyle: 'short' }),
      /** Short and near: "5 minutes ago"; further off, the date itself. */
      near(at: string, now = Date.now()): string {
        const ms = new Date(at).getTime() - now
        const size = Math.abs(ms)
        if (size < MINUTE_MS) return 'just now'
        if (size < HOUR_MS) return relatively.format(Math.round(ms / MINUTE_MS), 'minute')
        if (size < DAY_MS) return relatively.format(Math.round(ms / HOUR_MS), 'hour')
        if (size < 7 * DAY_MS) return relatively.format(Math.round(ms / DAY_MS), 'day')
        return date(at)
      },
    }
  }, [locale, timeZone])
}

/** An instant, briefly; in full where the pointer rests on it. */
export const Time = ({ at }: { at: string }) => {
  const { near, dateTime } = useDates()
  return (
    <time dateTime={at} title={dateTime(at)}>
      {near(at)}
    </time>
  )
}
