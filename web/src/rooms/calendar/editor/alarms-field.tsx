import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useClient } from '../../../api/context.tsx'
import { type DayWords, momentOf } from '../days.ts'
import { alarmsQuery } from '../events.ts'
import { type Alarm, alarmWords } from '../words.ts'

interface AlarmsProps {
  eventId: number
  /** Those to be taken off. */
  silenced: readonly string[]
  onSilence: (id: string) => void
  words: DayWords
  time: (at: string) => string
  timezone: string
}

/** What a file or a server has the event remind of, beside its reminders. */
export const AlarmsField = ({ eventId, silenced, onSilence, words, time, timezone }: AlarmsProps) => {
  const { data } = useQuery(alarmsQuery(useClient(), eventId))
  const alarms = data?.alarms.filter(({ id }) => !silenced.includes(id)) ?? []
  if (alarms.length === 0) return null
  const told = (alarm: Alarm): string =>
    alarm.at === null
      ? alarmWords(alarm)
      : `${words.medium(momentOf(alarm.at, timezone, timezone).toPlainDate())}, ${time(alarm.at)}`
  return (
    <div className="people">
      <p className="quiet">The calendar it came from also reminds:</p>
      <ul className="pills" aria-label="Alarms of the calendar it came from">
        {alarms.map((alarm) => (
          <li key={alarm.id} className="pill">
            <span>{told(alarm)}</span>
            <button type="button" aria-label={`Remove: ${told(alarm)}`} onClick={() => onSilence(alarm.id)}>
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
