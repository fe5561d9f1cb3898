import * as t from '#locale/event-editor'
import { DateField } from '../../../ui/date-time-input.tsx'
import { Options, SelectField, TextField } from '../../../ui/field.tsx'
import { WEEKDAYS, type Weekday, weekFrom } from '../../../ui/weekdays.ts'
import { type Day, type DayWords, dayOf } from '../days.ts'
import type { Draft } from './draft.ts'
import {
  CODES,
  codeOf,
  isLastOfMonth,
  ordinalOf,
  type Pattern,
  type Repeat,
  SIMPLE,
  UNITS,
  type Unit,
} from './repeat.ts'
import { dayName, describeRepeat } from './repeat-text.ts'

interface RepeatProps {
  draft: Draft
  onChange: (draft: Draft) => void
  words: DayWords
  weekStart: Weekday
}

const WORKDAYS = CODES.slice(0, 5)

const PRESETS: readonly Pattern[] = [
  { ...SIMPLE, unit: 'day' },
  { ...SIMPLE, days: WORKDAYS },
  SIMPLE,
  { ...SIMPLE, every: 2 },
  { ...SIMPLE, unit: 'month' },
  { ...SIMPLE, unit: 'month', monthly: 'weekday' },
  { ...SIMPLE, unit: 'year' },
]

const isSame = (one: Pattern, other: Pattern): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The selected preset, or `own` for a custom pattern. */
const chosenIn = (repeat: Repeat): string => {
  if (repeat.kind !== 'pattern') return repeat.kind
  const preset = PRESETS.findIndex((pattern) => isSame(pattern, repeat.pattern))
  return preset === -1 ? 'own' : String(preset)
}

export const RepeatFields = ({ draft, onChange, words, weekStart }: RepeatProps) => {
  const start = dayOf(draft.startDay)
  const { repeat } = draft
  const set = (next: Repeat) => onChange({ ...draft, repeat: next })
  const chosen = chosenIn(repeat)
  const choose = (value: string) => {
    const preset = PRESETS[Number(value)]
    if (value === 'never') return set({ kind: 'never' })
    if (value === 'rule') return set({ kind: 'rule', text: '' })
    if (preset) return set({ kind: 'pattern', pattern: preset })
    // Initial custom pattern. It must differ from every preset.
    set({ kind: 'pattern', pattern: { ...SIMPLE, every: 2, days: [codeOf(start)] } })
  }
  return (
    <>
      <SelectField
        name="repeats"
        label={t.repeat}
        value={chosen}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="never">{t.doesNotRepeat}</option>
        {PRESETS.map((pattern, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is constant
          <option key={index} value={index}>
            {describeRepeat({ kind: 'pattern', pattern }, start, words)}
          </option>
        ))}
        <option value="own">{t.custom}</option>
        <option value="rule">{t.customRule}</option>
      </SelectField>
      {repeat.kind === 'pattern' && (
        <PatternFields
          pattern={repeat.pattern}
          isOwn={chosen === 'own'}
          start={start}
          weekStart={weekStart}
          onChange={(pattern) => set({ kind: 'pattern', pattern })}
        />
      )}
      {repeat.kind === 'rule' && (
        <TextField
          name="recurrence"
          label={t.rule}
          hint={t.ruleHint}
          required
          spellCheck={false}
          autoCapitalize="characters"
          maxLength={4000}
          value={repeat.text}
          onChange={(event) => set({ kind: 'rule', text: event.target.value })}
        />
      )}
      {chosen === 'own' && <p className="quiet small">{describeRepeat(repeat, start, words)}</p>}
    </>
  )
}

interface PatternProps {
  pattern: Pattern
  isOwn: boolean
  start: Day
  weekStart: Weekday
  onChange: (pattern: Pattern) => void
}

const PatternFields = ({ pattern, isOwn, start, weekStart, onChange }: PatternProps) => {
  const weekday = dayName(codeOf(start))
  const set = (change: Partial<Pattern>) => onChange({ ...pattern, ...change })
  return (
    <>
      {isOwn && (
        <div className="editor-pair">
          <TextField
            name="every"
            label={t.every}
            type="number"
            min={1}
            max={999}
            required
            value={pattern.every}
            onChange={(event) => set({ every: Math.max(1, Math.floor(Number(event.target.value)) || 1) })}
          />
          <SelectField
            name="unit"
            label={t.unit}
            value={pattern.unit}
            onChange={(event) => set({ unit: event.target.value as Unit, days: [] })}
          >
            <Options entries={UNITS.map((unit) => [unit, t.units[unit](pattern.every)])} />
          </SelectField>
        </div>
      )}
      {isOwn && pattern.unit === 'week' && (
        <DaysField pattern={pattern} start={start} weekStart={weekStart} onChange={onChange} />
      )}
      {isOwn && pattern.unit === 'month' && (
        <SelectField
          name="monthly"
          label={t.repeatOn}
          value={pattern.monthly}
          onChange={(event) => set({ monthly: event.target.value as Pattern['monthly'] })}
        >
          <option value="date">{t.onDate(start.day)}</option>
          <option value="weekday">{t.onWeekday({ ordinal: ordinalOf(start), weekday })}</option>
          {isLastOfMonth(start) && <option value="last">{t.onLastWeekday(weekday)}</option>}
        </SelectField>
      )}
      <EndingFields pattern={pattern} start={start} onChange={onChange} />
    </>
  )
}

const DaysField = ({ pattern, start, weekStart, onChange }: Omit<PatternProps, 'isOwn'>) => {
  const chosen = pattern.days.length > 0 ? pattern.days : [codeOf(start)]
  return (
    <fieldset className="field">
      <legend>{t.repeatOn}</legend>
      <div className="weekdays">
        {weekFrom(weekStart).map((day) => {
          const code = CODES[WEEKDAYS.indexOf(day)] ?? 'MO'
          const isOn = chosen.includes(code)
          const next = CODES.filter((other) => (other === code ? !isOn : chosen.includes(other)))
          return (
            <button
              key={code}
              type="button"
              className="button weekday"
              data-kind={isOn ? 'primary' : 'plain'}
              data-size="small"
              aria-pressed={isOn}
              aria-label={dayName(code)}
              onClick={() => onChange({ ...pattern, days: next })}
            >
              {dayName(code).slice(0, 2)}
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}

const EndingFields = ({ pattern, start, onChange }: Pick<PatternProps, 'pattern' | 'start' | 'onChange'>) => {
  const { ending } = pattern
  const set = (next: Pattern['ending']) => onChange({ ...pattern, ending: next })
  return (
    <div className="editor-pair">
      <SelectField
        name="ending"
        label={t.ends}
        value={ending.kind}
        onChange={(event) => {
          const kind = event.target.value
          if (kind === 'on') set({ kind, day: start.add({ months: 3 }).toString() })
          else if (kind === 'after') set({ kind, times: 10 })
          else set({ kind: 'never' })
        }}
      >
        <option value="never">{t.endings.never}</option>
        <option value="on">{t.endings.on}</option>
        <option value="after">{t.endings.after}</option>
      </SelectField>
      {ending.kind === 'on' && (
        <DateField
          name="until"
          label={t.endDate}
          min={start.toString()}
          value={ending.day}
          onChange={(day) => set({ kind: 'on', day })}
        />
      )}
      {ending.kind === 'after' && (
        <TextField
          name="times"
          label={t.occurrences}
          type="number"
          required
          min={1}
          max={9999}
          value={ending.times}
          onChange={(event) =>
            set({ kind: 'after', times: Math.max(1, Math.floor(Number(event.target.value)) || 1) })
          }
        />
      )}
    </div>
  )
}
