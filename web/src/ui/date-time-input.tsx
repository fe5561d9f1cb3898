import { Menu } from '@base-ui/react/menu'
import { CalendarDays, Clock3 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import * as t from '#locale/date-time'
import { IconButton } from './button.tsx'
import { formatClock, formatNumericDate, parseClock, parseNumericDate } from './date-time-format.ts'
import { type ControlProps, Field } from './field.tsx'
import { useDates } from './time.tsx'
import { useFormatLocale } from './use-format-locale.ts'
import './style/date-time-input.css'

interface ParsedInputProps {
  control: ControlProps
  value: string
  format: (value: string) => string
  /** Returns null if the text cannot be read. */
  parse: (text: string) => string | null
  /** Returns the validation message for a value, or for null if the text cannot be read. */
  validate: (value: string | null) => string
  /** Returns the value after the arrow keys, up is +1. */
  step: (value: string, steps: number) => string
  onChange: (value: string) => void
}

/** A text field for a formatted value. Text that cannot be read stays in the field and is reported by the form. */
const ParsedInput = ({ control, value, format, parse, validate, step, onChange }: ParsedInputProps) => {
  const input = useRef<HTMLInputElement>(null)
  // The typed text belongs to one value: a value from outside replaces it.
  const [typed, setTyped] = useState<{ text: string; value: string } | null>(null)
  const isTyped = typed !== null && typed.value === value
  const message = validate(isTyped ? parse(typed.text) : value)
  useEffect(() => {
    input.current?.setCustomValidity(message)
  }, [message])
  const change = (text: string) => {
    const read = parse(text)
    setTyped({ text, value: read ?? value })
    if (read !== null && read !== value) onChange(read)
  }
  const onKey = (event: KeyboardEvent) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    setTyped(null)
    onChange(step(value, steps))
  }
  return (
    <input
      {...control}
      ref={input}
      className="input"
      type="text"
      autoComplete="off"
      required
      value={isTyped ? typed.text : format(value)}
      onChange={(event) => {
        control.onInput()
        change(event.target.value)
      }}
      onBlur={() => {
        if (isTyped && parse(typed.text) !== null) setTyped(null)
      }}
      onKeyDown={onKey}
    />
  )
}

interface DateFieldProps {
  name: string
  label: string
  /** YYYY-MM-DD */
  value: string
  /** The first selectable day. */
  min?: string
  onChange: (day: string) => void
}

const DAY_MS = 86_400_000

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/**
 * A date in the format of the account. A native date field alone would use the format of the browser; here it only
 * provides the picker.
 */
export const DateField = ({ name, label, value, min, onChange }: DateFieldProps) => {
  const locale = useFormatLocale()
  const { dayOf } = useDates()
  const picker = useRef<HTMLInputElement>(null)
  const today = dayOf(new Date())
  const format = (day: string) => formatNumericDate(day, locale)
  const validate = (day: string | null): string => {
    if (day === null) return t.invalidDate(format(`${today.slice(0, 4)}-12-31`))
    return min !== undefined && day < min ? t.dateTooEarly(format(min)) : ''
  }
  return (
    <Field name={name} label={label}>
      {(control) => (
        <div className="input-with-button date-field">
          <ParsedInput
            control={control}
            value={value}
            format={format}
            parse={(text) => parseNumericDate(text, locale, today)}
            validate={validate}
            step={addDays}
            onChange={onChange}
          />
          <input
            ref={picker}
            className="date-picker"
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            min={min}
            value={value}
            onChange={(event) => {
              if (event.target.value !== '') onChange(event.target.value)
            }}
          />
          <IconButton
            icon={CalendarDays}
            label={t.chooseDate(label)}
            onClick={() => picker.current?.showPicker()}
          />
        </div>
      )}
    </Field>
  )
}

const HALF_HOURS = Array.from(
  { length: 48 },
  (_, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
)
const STEP_MINUTES = 15
const DAY_MINUTES = 24 * 60

const addMinutes = (time: string, minutes: number): string => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const total = (hour * 60 + minute + minutes + DAY_MINUTES) % DAY_MINUTES
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`
}

interface TimeFieldProps {
  name: string
  label: string
  /** HH:MM */
  value: string
  onChange: (time: string) => void
}

/** A time of day in the clock of the account, with a menu of half hours. */
export const TimeField = ({ name, label, value, onChange }: TimeFieldProps) => {
  const locale = useFormatLocale()
  const list = useRef<HTMLDivElement>(null)
  const format = (time: string) => formatClock(time, locale)
  const near = HALF_HOURS.findLast((time) => time <= value)
  return (
    <Field name={name} label={label}>
      {(control) => (
        <div className="input-with-button time-field">
          <ParsedInput
            control={control}
            value={value}
            format={format}
            parse={parseClock}
            validate={(time) => (time === null ? t.invalidTime(format('09:30')) : '')}
            step={(time, steps) => addMinutes(time, steps * STEP_MINUTES)}
            onChange={onChange}
          />
          <Menu.Root
            onOpenChangeComplete={(isOpen) => {
              if (isOpen)
                list.current?.querySelector('[data-near="true"]')?.scrollIntoView({ block: 'center' })
            }}
          >
            <Menu.Trigger
              className="button"
              data-kind="quiet"
              data-shape="icon"
              data-size="small"
              aria-label={t.chooseTime(label)}
            >
              <Clock3 size={17} aria-hidden="true" />
            </Menu.Trigger>
            <Menu.Portal>
              <Menu.Positioner className="menu-place" sideOffset={6} align="end" collisionPadding={8}>
                <Menu.Popup ref={list} className="menu time-menu">
                  <Menu.RadioGroup value={value} onValueChange={(time) => onChange(time as string)}>
                    {HALF_HOURS.map((time) => (
                      <Menu.RadioItem
                        key={time}
                        value={time}
                        className="menu-item"
                        data-near={time === near}
                        closeOnClick
                      >
                        {format(time)}
                      </Menu.RadioItem>
                    ))}
                  </Menu.RadioGroup>
                </Menu.Popup>
              </Menu.Positioner>
            </Menu.Portal>
          </Menu.Root>
        </div>
      )}
    </Field>
  )
}
