import * as t from '#locale/assistant'
import { AreaField, SelectField, TextField } from '../../ui/field.tsx'
import { OptionalDateField, OptionalTimeField } from '../../ui/optional-date-time.tsx'
import { useDates } from '../../ui/time.tsx'
import { useDueFields } from '../tasks/due-fields.ts'

export type Input = Record<string, unknown>

/** `replyTo` → "Reply to", for tools and fields that this version does not know. */
const toWords = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())

export const toToolLabel = (tool: string): string => t.tools[tool] ?? toWords(tool)
const toFieldLabel = (field: string): string => t.fields[field] ?? toWords(field)

const isLine = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value)

const written = (value: unknown): string => {
  if (isLine(value)) return String(value)
  if (typeof value === 'boolean') return value ? t.yes : t.no
  return isList(value) ? value.join(', ') : JSON.stringify(value, null, 2)
}

/** The summary of an action names the change, and the objects that the other fields refer to. */
const IN_SUMMARY: ReadonlySet<string> = new Set(['change', 'id', 'ids', 'occurrence'])

/** The fields of an input that a person can read and edit. */
export const toReadableInput = (input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !IN_SUMMARY.has(name)))

/** The exact input of the action, read-only. */
export const Payload = ({ input }: { input: Input }) => {
  const { dateTime } = useDates()
  const parts = Object.entries(toReadableInput(input))
  if (parts.length === 0) return null
  return (
    <dl className="chat-payload">
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{toFieldLabel(name)}</dt>
          <dd>{isInstant(value) ? dateTime(value) : written(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const isLong = (value: unknown): boolean => {
  const text = written(value)
  return text.includes('\n') || text.length > 60
}

const timeName = (name: string): string => `${name}.time`

const InstantFields = ({ name, value }: { name: string; value: string }) => {
  const { day, time } = useDueFields().split(value)
  const label = toFieldLabel(name)
  return (
    <>
      <OptionalDateField name={name} label={label} required defaultValue={day} />
      <OptionalTimeField name={timeName(name)} label={t.timeOf(label)} defaultValue={time} />
    </>
  )
}

/** One form field per input property, and two for a date with a time. */
export const PayloadFields = ({ input }: { input: Input }) =>
  Object.entries(toReadableInput(input)).map(([name, value]) =>
    typeof value === 'boolean' ? (
      <SelectField key={name} name={name} label={toFieldLabel(name)} defaultValue={String(value)}>
        <option value="true">{t.yes}</option>
        <option value="false">{t.no}</option>
      </SelectField>
    ) : isInstant(value) ? (
      <InstantFields key={name} name={name} value={value} />
    ) : isLong(value) ? (
      <AreaField key={name} name={name} label={toFieldLabel(name)} rows={8} defaultValue={written(value)} />
    ) : (
      <TextField
        key={name}
        name={name}
        label={toFieldLabel(name)}
        defaultValue={written(value)}
        {...(isList(value) && { hint: t.separateWithCommas })}
        {...(typeof value === 'number' && { inputMode: 'numeric' as const })}
      />
    ),
  )

type ReadInstant = ReturnType<typeof useDueFields>['readInstant']

/** Reads the fields back with the types of `before`. Throws on invalid JSON. */
export const readPayload = (values: FormData, before: Input, readInstant: ReadInstant): Input => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(toReadableInput(before)).map(([name, value]) => {
      if (typeof value === 'boolean') return [name, values.get(name) === 'true']
      if (isInstant(value))
        return [name, readInstant(values, { day: name, time: timeName(name), defaultTime: '00:00' })]
      // Browsers submit textarea lines with CRLF.
      const text = String(values.get(name) ?? '').replaceAll('\r\n', '\n')
      if (typeof value === 'string') return [name, text]
      if (typeof value === 'number') return [name, Number(text)]
      if (!isList(value)) return [name, JSON.parse(text) as unknown]
      const entries = text.split(',').map((entry) => entry.trim())
      return [name, entries.filter((entry) => entry !== '')]
    }),
  ),
})
