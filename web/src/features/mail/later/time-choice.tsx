import { type KeyboardEvent, useRef, useState } from 'react'
import * as t from '#locale/mail-later'
import { useClient } from '../../../api/context.tsx'
import { toFieldError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { DateField, TimeField } from '../../../ui/date-time-input.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useDates } from '../../../ui/time.tsx'
import { addDays, dayOf, instantOf, toLocalTime } from '../../tasks/local-time.ts'
import { parseQuickText, type QuickPreview, useQuickPreview } from '../../tasks/quick-add-preview.tsx'
import { MORNING, type Preset } from './presets.ts'
import './time-choice.css'

/** The local time that a text names. A day without a time starts in the morning. */
const toWall = ({ dueAt, dueDay }: QuickPreview, timeZone: string): string | null => {
  if (dueDay) return `${dueDay}T${MORNING}`
  return dueAt === null ? null : toLocalTime(dueAt, timeZone)
}

export type TimeChoiceState = ReturnType<typeof useTimeChoice>

/** The time that a person chooses: typed as text, or as a date and a time. */
export const useTimeChoice = () => {
  const client = useClient()
  const { timeZone } = useDates()
  const now = new Date()
  const [wall, setWall] = useState<string | null>(null)
  const [text, setText] = useState('')
  const chosen = wall ?? `${addDays(dayOf(now, timeZone), 1)}T${MORNING}`
  return {
    now,
    timeZone,
    day: chosen.slice(0, 10),
    time: chosen.slice(11),
    text,
    setText,
    /** A date or a preset replaces the typed text. */
    choose(day: string, time: string): void {
      setText('')
      setWall(`${day}T${time}`)
    },
    /** Returns the instant. Throws an error for the form if there is none in the future. */
    async resolve(): Promise<string> {
      const read = text.trim() === '' ? chosen : toWall(await parseQuickText(client, text.trim()), timeZone)
      if (read === null) throw toFieldError('typedTime', t.noTimeFound)
      const at = instantOf(read, timeZone)
      if (Date.parse(at) <= Date.now()) throw toFieldError(text === '' ? 'day' : 'typedTime', t.pastTime)
      return at
    },
  }
}

interface TimeChoiceProps {
  choice: TimeChoiceState
  presets: readonly Preset[]
  /** Set if a preset is the answer. Without it, a preset fills the fields. */
  onPick?: (at: string) => void
}

/** The hint below the text field: the time that the text names. */
const ReadTime = ({ choice: { text, timeZone } }: Pick<TimeChoiceProps, 'choice'>) => {
  const { dateTime } = useDates()
  const preview = useQuickPreview(text)
  if (preview === null) return t.timeExample
  const wall = toWall(preview, timeZone)
  return wall === null ? t.noTimeFound : dateTime(instantOf(wall, timeZone))
}

/** Fields for a time, in the format and the time zone of the account. */
export const TimeChoice = ({ choice, presets, onPick }: TimeChoiceProps) => {
  const { nearDue } = useDates()
  const { timeZone, day, time } = choice
  const list = useRef<HTMLUListElement>(null)
  const field = useRef<HTMLDivElement>(null)
  /** A number chooses a preset. Other characters are typed into the field. */
  const typeInstead = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || event.key === ' ') return
    const chosen = list.current?.querySelectorAll('button')[Number(event.key) - 1]
    if (chosen) {
      event.preventDefault()
      chosen.click()
    } else field.current?.querySelector('input')?.focus()
  }
  return (
    <>
      <div ref={field}>
        <TextField
          name="typedTime"
          label={t.typeTime}
          hint={<ReadTime choice={choice} />}
          maxLength={200}
          autoComplete="off"
          value={choice.text}
          onChange={(event) => choice.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            list.current?.querySelector('button')?.focus()
          }}
        />
      </div>
      <ul ref={list} className="time-presets" aria-label={t.suggestedTimes} onKeyDown={onPick && typeInstead}>
        {presets.map((preset, index) => {
          const at = instantOf(`${preset.day}T${preset.time}`, timeZone)
          return (
            <li key={preset.label}>
              <Button
                wide
                {...(onPick && index === 0 && { 'data-initial-focus': true })}
                {...(onPick && { 'aria-keyshortcuts': String(index + 1) })}
                {...(!onPick && {
                  'aria-pressed': choice.text === '' && preset.day === day && preset.time === time,
                })}
                onClick={() => (onPick ? onPick(at) : choice.choose(preset.day, preset.time))}
              >
                <span>
                  {onPick && (
                    <span aria-hidden="true">
                      <kbd>{index + 1}</kbd>
                    </span>
                  )}{' '}
                  {preset.label}
                </span>
                <span className="quiet small">{nearDue(at, null, choice.now)}</span>
              </Button>
            </li>
          )
        })}
      </ul>
      <div className="time-fields">
        <DateField
          name="day"
          label={t.date}
          value={day}
          min={dayOf(choice.now, timeZone)}
          onChange={(chosen) => choice.choose(chosen, time)}
        />
        <TimeField
          name="time"
          label={t.time}
          value={time}
          onChange={(chosen) => choice.choose(day, chosen)}
        />
      </div>
      <p className="field-hint">{t.timeZone(timeZone.replaceAll('_', ' '))}</p>
    </>
  )
}
