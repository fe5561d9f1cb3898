import { CopyPlus, Plus, X } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/account-settings'
import type { Versioned } from '../../../api/client.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TimeField } from '../../../ui/date-time-input.tsx'
import { VersionedForm } from '../../../ui/versioned-form.tsx'
import { type Hours, nameOf, WEEKDAYS, type Weekday, weekFrom } from '../../../ui/weekdays.ts'
import { type Preferences, usePreferencesForm } from './save-preferences.ts'
import './hours.css'

/** Working hours under edit, with a stable React key. */
interface DraftHours extends Hours {
  key: number
}

const WORKDAYS = WEEKDAYS.slice(1, 5)
const LAST_MINUTE = 23 * 60 + 59

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const timeOf = (minutes: number): string => {
  const within = Math.min(minutes, LAST_MINUTE)
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}

const nextKey = (draft: readonly DraftHours[]): number => Math.max(0, ...draft.map(({ key }) => key)) + 1

const draftOf = (hours: readonly Hours[]): DraftHours[] =>
  [...hours]
    .sort((one, other) => one.start.localeCompare(other.start))
    .map((entry, index) => ({ ...entry, key: index + 1 }))

/** The first interval of a day is 9 to 17. Further ones start one hour after the last. */
const addHours = (draft: readonly DraftHours[], day: Weekday): DraftHours[] => {
  const last = draft.filter((entry) => entry.day === day).at(-1)
  const key = nextKey(draft)
  if (!last) return [...draft, { key, day, start: '09:00', end: '17:00' }]
  const start = minutesOf(last.end || '17:00') + 60
  return [...draft, { key, day, start: timeOf(start), end: timeOf(start + 4 * 60) }]
}

/** Copies Monday's hours to Tuesday through Friday. */
const copyMonday = (draft: readonly DraftHours[]): DraftHours[] => {
  const rest = draft.filter(({ day }) => !WORKDAYS.includes(day))
  const monday = draft.filter(({ day }) => day === 'monday')
  const first = nextKey(draft)
  const copies = WORKDAYS.flatMap((day, index) =>
    monday.map((entry, at) => ({ ...entry, day, key: first + index * monday.length + at })),
  )
  return [...rest, ...copies]
}

const toHours = (draft: readonly DraftHours[]): Hours[] => draft.map(({ key: _, ...hours }) => hours)

interface IntervalProps {
  /** Index in the request body. API validation errors refer to it. */
  index: number
  hours: DraftHours
  onChange: (change: Partial<DraftHours>) => void
  onRemove: () => void
}

const Interval = ({ index, hours, onChange, onRemove }: IntervalProps) => {
  const labels = { start: t.hoursFrom, end: t.hoursTo }
  return (
    <li className="interval">
      {(['start', 'end'] as const).map((end) => (
        <TimeField
          key={end}
          name={`workingHours.${index}.${end}`}
          label={labels[end](nameOf(hours.day))}
          value={hours[end]}
          onChange={(time) => onChange({ [end]: time })}
        />
      ))}
      <IconButton
        icon={X}
        iconSize={16}
        label={t.deleteHours({ day: nameOf(hours.day), start: hours.start, end: hours.end })}
        onClick={onRemove}
      />
    </li>
  )
}

interface DayProps {
  day: Weekday
  draft: readonly DraftHours[]
  onDraft: (draft: DraftHours[]) => void
}

const Day = ({ day, draft, onDraft }: DayProps) => {
  const own = draft.filter((entry) => entry.day === day)
  return (
    <fieldset className="day">
      <legend className="visually-hidden">{nameOf(day)}</legend>
      <span className="day-name" aria-hidden="true">
        {nameOf(day)}
      </span>
      {own.length === 0 ? (
        <span className="day-free quiet">{t.noHours}</span>
      ) : (
        <ul className="intervals">
          {own.map((hours) => (
            <Interval
              key={hours.key}
              index={draft.indexOf(hours)}
              hours={hours}
              onChange={(change) =>
                onDraft(draft.map((entry) => (entry === hours ? { ...entry, ...change } : entry)))
              }
              onRemove={() => onDraft(draft.filter((entry) => entry !== hours))}
            />
          ))}
        </ul>
      )}
      <IconButton
        icon={Plus}
        iconSize={16}
        label={t.addHours(nameOf(day))}
        onClick={() => onDraft(addHours(draft, day))}
      />
    </fieldset>
  )
}

const countHours = (hours: Preferences['workingHours']): number => {
  const minutes = hours
    .map(({ start, end }) => [start, end].map((time) => time.split(':').map(Number)))
    .reduce((sum, [[h1 = 0, m1 = 0] = [], [h2 = 0, m2 = 0] = []]) => sum + (h2 * 60 + m2) - (h1 * 60 + m1), 0)
  return Math.round(minutes / 6) / 10
}

export const HoursForm = ({ current }: { current: Versioned<Preferences> }) => {
  const editing = usePreferencesForm({
    current,
    part: ({ workingHours }) => ({ workingHours }),
    toastText: t.workingHoursSaved,
  })
  const [{ generation, draft }, setState] = useState(() => ({
    generation: editing.generation,
    draft: draftOf(editing.base.workingHours),
  }))
  if (generation !== editing.generation)
    setState({ generation: editing.generation, draft: draftOf(editing.base.workingHours) })

  const change = (next: DraftHours[]) => {
    editing.touch()
    setState({ generation: editing.generation, draft: next })
  }
  const workingHours = toHours(draft)
  const isChanged =
    JSON.stringify(workingHours) !== JSON.stringify(toHours(draftOf(editing.base.workingHours)))
  return (
    <VersionedForm
      editing={editing}
      label={t.workingHours}
      isChanged={isChanged}
      describeSaved={(saved) => t.savedHoursAre(countHours(saved.workingHours))}
      onSubmit={() => editing.save({ workingHours })}
      actions={
        <Button kind="quiet" onClick={() => change(copyMonday(draft))}>
          <CopyPlus size={16} aria-hidden="true" />
          {t.copyMonday}
        </Button>
      }
    >
      <div className="working-week">
        {weekFrom(current.value.weekStart).map((day) => (
          <Day key={day} day={day} draft={draft} onDraft={change} />
        ))}
      </div>
    </VersionedForm>
  )
}
