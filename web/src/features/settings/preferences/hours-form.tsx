import { CopyPlus, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { Versioned } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { Form, Submit, useFormState } from '../../../ui/form.tsx'
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

interface IntervalProps {
  /** Index in the request body. API validation errors refer to it. */
  index: number
  hours: DraftHours
  onChange: (change: Partial<DraftHours>) => void
  onRemove: () => void
}

const Interval = ({ index, hours, onChange, onRemove }: IntervalProps) => {
  const { errors, clear } = useFormState()
  const ends = ['start', 'end'] as const
  const words = { start: 'from', end: 'to' }
  const wrong = ends.find((end) => errors[`workingHours.${index}.${end}`] !== undefined)
  const errorId = `hours-error-${hours.key}`
  return (
    <li>
      <div className="interval">
        {ends.map((end) => {
          const name = `workingHours.${index}.${end}`
          return (
            <input
              key={end}
              className="input"
              type="time"
              name={name}
              required
              aria-label={`${nameOf(hours.day)}, ${words[end]}`}
              aria-invalid={errors[name] === undefined ? undefined : true}
              aria-describedby={errors[name] === undefined ? undefined : errorId}
              value={hours[end]}
              onChange={(event) => {
                clear(name)
                onChange({ [end]: event.target.value })
              }}
            />
          )
        })}
        <Button
          kind="quiet"
          shape="icon"
          size="small"
          aria-label={`Remove ${nameOf(hours.day)}, ${hours.start} to ${hours.end}`}
          onClick={onRemove}
        >
          <X size={16} aria-hidden="true" />
        </Button>
      </div>
      {wrong && (
        <FieldError
          id={errorId}
          label={wrong === 'start' ? 'The start' : 'The end'}
          message={errors[`workingHours.${index}.${wrong}`] ?? ''}
        />
      )}
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
      <legend className="only-heard">{nameOf(day)}</legend>
      <span className="day-name" aria-hidden="true">
        {nameOf(day)}
      </span>
      {own.length === 0 ? (
        <span className="day-free quiet">Free</span>
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
      <Button
        kind="quiet"
        shape="icon"
        size="small"
        aria-label={`Add hours on ${nameOf(day)}`}
        onClick={() => onDraft(addHours(draft, day))}
      >
        <Plus size={16} aria-hidden="true" />
      </Button>
    </fieldset>
  )
}

const countHours = (hours: Preferences['workingHours']): string => {
  const minutes = hours
    .map(({ start, end }) => [start, end].map((time) => time.split(':').map(Number)))
    .reduce((sum, [[h1 = 0, m1 = 0] = [], [h2 = 0, m2 = 0] = []]) => sum + (h2 * 60 + m2) - (h1 * 60 + m1), 0)
  return `${Math.round(minutes / 6) / 10} hours a week`
}

export const HoursForm = ({ current }: { current: Versioned<Preferences> }) => {
  const editing = usePreferencesForm({
    current,
    part: ({ workingHours }) => ({ workingHours }),
    toastText: 'Your working hours are saved.',
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
  const save = async () => {
    await editing.save({ workingHours: draft.map(({ key: _, ...hours }) => hours) })
  }
  return (
    <Form key={editing.generation} label="Working hours" onSubmit={save}>
      {editing.conflict && (
        <ChangedElsewhere
          theirs={`There it is ${countHours(editing.conflict.theirs.value.workingHours)}.`}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <div className="working-week">
        {weekFrom(current.value.weekStart).map((day) => (
          <Day key={day} day={day} draft={draft} onDraft={change} />
        ))}
      </div>
      <div className="form-actions">
        <Submit>Save working hours</Submit>
        <Button kind="quiet" onClick={() => change(copyMonday(draft))}>
          <CopyPlus size={16} aria-hidden="true" />
          Copy Monday to all workdays
        </Button>
      </div>
    </Form>
  )
}
