import { CalendarDays } from 'lucide-react'
import { type FormEvent, type ReactNode, useRef } from 'react'
import * as t from '#locale/date-time'
import { IconButton } from './button.tsx'
import { formatClock, formatNumericDate, parseClock, parseNumericDate } from './date-time-format.ts'
import { Field } from './field.tsx'
import { setControlValue } from './form-controls.ts'
import { useDates } from './time.tsx'
import { useFormatLocale } from './use-format-locale.ts'
import './style/date-time-input.css'

/** Reads and writes dates (YYYY-MM-DD) and times (HH:MM) in the format of the account. An empty text is null. */
export const useDateTimeText = () => {
  const locale = useFormatLocale()
  const { dayOf } = useDates()
  return {
    formatDay: (day: string | null): string => (day === null ? '' : formatNumericDate(day, locale)),
    formatTime: (time: string | null): string => (time === null ? '' : formatClock(time, locale)),
    parseDay: (text: string): string | null => parseNumericDate(text, locale, dayOf(new Date())),
    parseTime: parseClock,
  }
}

interface OptionalFieldProps {
  name: string
  label: string
  hint?: ReactNode
  /** YYYY-MM-DD or HH:MM */
  defaultValue: string | null
  required?: boolean
  onChange?: (text: string) => void
}

interface FormattedInputProps extends Omit<OptionalFieldProps, 'hint' | 'label'> {
  control: Readonly<Record<string, unknown>> & { onInput: () => void }
  format: (value: string | null) => string
  parse: (text: string) => string | null
  invalidText: string
}

/** The value of the control is the text in the format of the account: a saved form restores what was typed. */
const FormattedInput = (props: FormattedInputProps) => {
  const { control, defaultValue, required, onChange, format, parse, invalidText } = props
  const check = ({ currentTarget: input }: FormEvent<HTMLInputElement>) => {
    input.setCustomValidity(input.value.trim() === '' || parse(input.value) !== null ? '' : invalidText)
    control.onInput()
    onChange?.(input.value.trim())
  }
  return (
    <input
      {...control}
      className="input"
      type="text"
      autoComplete="off"
      required={required}
      defaultValue={format(defaultValue)}
      onInput={check}
      onBlur={({ currentTarget: input }) => {
        const value = parse(input.value)
        if (value !== null && input.value !== format(value)) setControlValue(input, format(value))
      }}
    />
  )
}

/** A date that may stay empty, in the format of the account. The native date field only provides the picker. */
export const OptionalDateField = ({
  name,
  label,
  hint,
  defaultValue,
  required,
  onChange,
}: OptionalFieldProps) => {
  const { formatDay, parseDay } = useDateTimeText()
  const { dayOf } = useDates()
  const container = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const findInput = () => container.current?.querySelector<HTMLInputElement>('.input')
  const pick = () => {
    if (!picker.current) return
    picker.current.value = parseDay(findInput()?.value ?? '') ?? ''
    picker.current.showPicker()
  }
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => (
        <div ref={container} className="input-with-button date-field">
          <FormattedInput
            control={{ ...control }}
            name={name}
            defaultValue={defaultValue}
            required={required ?? false}
            {...(onChange && { onChange })}
            format={formatDay}
            parse={parseDay}
            invalidText={t.invalidDate(formatDay(`${dayOf(new Date()).slice(0, 4)}-12-31`))}
          />
          <input
            ref={picker}
            className="date-picker"
            type="date"
            max="9989-12-31"
            tabIndex={-1}
            aria-hidden="true"
            onChange={({ currentTarget }) => {
              const input = findInput()
              if (input) setControlValue(input, formatDay(currentTarget.value || null))
            }}
          />
          <IconButton icon={CalendarDays} label={t.chooseDate(label)} onClick={pick} />
        </div>
      )}
    </Field>
  )
}

/** A time of day that may stay empty, in the clock of the account. */
export const OptionalTimeField = ({
  name,
  label,
  hint,
  defaultValue,
  required,
  onChange,
}: OptionalFieldProps) => {
  const { formatTime, parseTime } = useDateTimeText()
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => (
        <FormattedInput
          control={{ ...control }}
          name={name}
          defaultValue={defaultValue}
          required={required ?? false}
          {...(onChange && { onChange })}
          format={formatTime}
          parse={parseTime}
          invalidText={t.invalidTime(formatTime('09:30'))}
        />
      )}
    </Field>
  )
}
