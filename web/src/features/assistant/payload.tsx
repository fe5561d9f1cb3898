import { AreaField, TextField } from '../../ui/field.tsx'

export type Input = Record<string, unknown>

/** `replyTo` → "Reply to". */
export const toLabel = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())

const isLine = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')

const written = (value: unknown): string => {
  if (isLine(value)) return String(value)
  return isList(value) ? value.join(', ') : JSON.stringify(value, null, 2)
}

/**
 * The exact input of the action, read-only. The summary above already names the object that `id` refers to.
 */
export const Payload = ({ input }: { input: Input }) => {
  const parts = Object.entries(input).filter(([name]) => name !== 'id')
  if (parts.length === 0) return null
  return (
    <dl className="chat-payload">
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{toLabel(name)}</dt>
          <dd>{written(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const isLong = (value: unknown): boolean => {
  const text = written(value)
  return text.includes('\n') || text.length > 60
}

/** One form field per input property. */
export const PayloadFields = ({ input }: { input: Input }) =>
  Object.entries(input).map(([name, value]) =>
    isLong(value) ? (
      <AreaField key={name} name={name} label={toLabel(name)} rows={8} defaultValue={written(value)} />
    ) : (
      <TextField
        key={name}
        name={name}
        label={toLabel(name)}
        defaultValue={written(value)}
        {...(isList(value) && { hint: 'Separate with commas' })}
        {...(typeof value === 'number' && { inputMode: 'numeric' as const })}
      />
    ),
  )

/** Reads the fields back with the types of `before`. Throws on invalid JSON. */
export const readPayload = (values: FormData, before: Input): Input =>
  Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      // Browsers submit textarea lines with CRLF.
      const text = String(values.get(name) ?? '').replaceAll('\r\n', '\n')
      if (typeof value === 'string') return [name, text]
      if (typeof value === 'number') return [name, Number(text)]
      if (!isList(value)) return [name, JSON.parse(text) as unknown]
      const entries = text.split(',').map((entry) => entry.trim())
      return [name, entries.filter((entry) => entry !== '')]
    }),
  )
