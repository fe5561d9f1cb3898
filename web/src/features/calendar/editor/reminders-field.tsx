import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import * as t from '#locale/event-editor'
import { useClient } from '../../../api/context.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { type DayWords, momentOf } from '../days.ts'
import type { Alarm } from '../event.ts'
import { alarmsQuery } from '../events.ts'
import { describeAlarm, describeReminder } from '../reminder-text.ts'

const CHOICES = [0, 5, 10, 15, 30, 60, 2 * 60, 24 * 60, 2 * 24 * 60, 7 * 24 * 60]
const MAX_REMINDERS = 20

interface RemindersProps {
  reminders: readonly number[]
  onChange: (reminders: readonly number[]) => void
}

export const RemindersField = ({ reminders, onChange }: RemindersProps) => (
  <div className="editor-list">
    <SelectField
      name="reminders"
      label={t.reminders}
      value=""
      disabled={reminders.length >= MAX_REMINDERS}
      onChange={(event) => {
        if (event.target.value !== '')
          onChange([...reminders, Number(event.target.value)].sort((one, other) => one - other))
      }}
    >
      <option value="">{reminders.length === 0 ? t.noReminders : t.addReminder}</option>
      {CHOICES.filter((minutes) => !reminders.includes(minutes)).map((minutes) => (
        <option key={minutes} value={minutes}>
          {describeReminder(minutes)}
        </option>
      ))}
    </SelectField>
    {reminders.length > 0 && (
      <ul className="pills" aria-label={t.activeReminders}>
        {reminders.map((minutes) => (
          <li key={minutes} className="pill">
            <span>{describeReminder(minutes)}</span>
            <button
              type="button"
              aria-label={t.removeReminder(describeReminder(minutes))}
              onClick={() => onChange(reminders.filter((other) => other !== minutes))}
            >
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    )}
  </div>
)

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
  const describe = (alarm: Alarm): string =>
    alarm.at === null
      ? describeAlarm(alarm)
      : t.dateAndTime({
          date: words.medium(momentOf(alarm.at, timezone, timezone).toPlainDate()),
          time: time(alarm.at),
        })
  return (
    <div className="editor-list">
      <p className="quiet">{t.sourceAlarms}</p>
      <ul className="pills" aria-label={t.sourceAlarms}>
        {alarms.map((alarm) => (
          <li key={alarm.id} className="pill">
            <span>{describe(alarm)}</span>
            <button
              type="button"
              aria-label={t.removeReminder(describe(alarm))}
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
