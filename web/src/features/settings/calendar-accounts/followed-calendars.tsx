import { useState } from 'react'
import type { Shape } from '../../../api/client.ts'

export type Calendar = Shape<'RemoteCalendar'>

interface FollowedCalendarsProps {
  calendars: readonly Calendar[]
  /** Settles when the request has finished. */
  onFollow: (calendar: Calendar, followed: boolean) => Promise<unknown>
}

export const FollowedCalendars = ({ calendars, onFollow }: FollowedCalendarsProps) => {
  // Optimistic checkbox states, dropped when the request has finished.
  const [pressed, setPressed] = useState<ReadonlyMap<number, boolean>>(new Map())
  const press = async (calendar: Calendar, followed: boolean) => {
    setPressed((before) => new Map(before).set(calendar.id, followed))
    await onFollow(calendar, followed)
    setPressed((before) => new Map([...before].filter(([id]) => id !== calendar.id)))
  }
  return (
    <fieldset className="followed-calendars">
      <legend className="quiet small">Calendars that are shown here</legend>
      {calendars.map((calendar) => (
        <label key={calendar.id} className="check">
          <input
            type="checkbox"
            checked={pressed.get(calendar.id) ?? calendar.followed}
            onChange={({ target }) => void press(calendar, target.checked)}
          />
          <span
            className="calendar-colour"
            style={calendar.colour === null ? undefined : { background: calendar.colour }}
          />
          <span>
            {calendar.name}
            {!calendar.writable && <span className="quiet"> (to be read only)</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
