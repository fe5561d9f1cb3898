import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useClient } from '../../../api/context.tsx'
import { type DayWords, momentOf } from '../days.ts'
import { alarmsQuery } from '../events.ts'
import { type Alarm, alarmWords } from '../words.ts'

interface AlarmsProps {
  eventId: number
  /** Ids of the alarms to delete. */
  deletedAlarmIds: readonly string[]
  onDelete: (id: string) => void
  words: DayWords
  time: (at: string) => string
  timezone: string
}

/** Alarms from an imported file or a CalDAV server, in addition to the event's reminders. */
export const AlarmsField = ({ eventId, deletedAlarmIds, onDelete, words, time, timezone }: AlarmsProps) => {
  const { data } = useQuery(alarmsQuery(useClient(), eventId))
  const alarms = data?.alarms.filter(({ id }) => !deletedAlarmIds.includes(id)) ?? []
  if (alarms.length === 0) return null
  const describeAlarm = (alarm: Alarm): string =>
    alarm.at === null
      ? alarmWords(alarm)
      : `${words.medium(momentOf(alarm.at, timezone, timezone).toPlainDate())}, ${time(alarm.at)}`
  return (
    <div className="people">
      <p className="quiet">The calendar it came from also reminds:</p>
      <ul className="pills" aria-label="Alarms of the calendar it came from">
        {alarms.map((alarm) => (
          <li key={alarm.id} className="pill">
            <span>{describeAlarm(alarm)}</span>
            <button
              type="button"
              aria-label={`Remove: ${describeAlarm(alarm)}`}
              onClick={() => onDelete(alarm.id)}
            >
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
