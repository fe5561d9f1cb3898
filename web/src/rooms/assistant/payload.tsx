import { AreaField, TextField } from '../../ui/field.tsx'

export type Input = Record<string, unknown>

/** `replyTo` → "Reply to". */
export const namedOf = (name: string): string =>
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

/** Exactly what will be done, to be read. What is only pointed at has its name in the sentence above. */
export const Payload = ({ input }: { input: Input }) => {
  const parts = Object.entries(input).filter(([name]) => name !== 'id')
  if (parts.length === 0) return null
  return (
    <dl className="chat-payload">
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{namedOf(name)}</dt>
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

/** One field for each part of it. */
export const PayloadFields = ({ input }: { input: Input }) =>
  Object.entries(input).map(([name, value]) =>
    isLong(value) ? (
      <AreaField key={name} name={name} label={namedOf(name)} rows={8} defaultValue={written(value)} />
    ) : (
      <TextField
        key={name}
        name={name}
        label={namedOf(name)}
        defaultValue={written(value)}
        {...(isList(value) && { hint: 'Parted by commas.' })}
        {...(typeof value === 'number' && { inputMode: 'numeric' as const })}
      />
    ),
  )

/** What was written into the fields, each as what it was before; throws what is not. */
export const readPayload = (values: FormData, before: Input): Input =>
  Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      // Browsers send lines that end as those of a letter do.
      const text = String(values.get(name) ?? '').replaceAll('\r\n', '\n')
      if (typeof value === 'string') return [name, text]
      if (typeof value === 'number') return [name, Number(text)]
      if (!isList(value)) return [name, JSON.parse(text) as unknown]
      const entries = text.split(',').map((entry) => entry.trim())
      return [name, entries.filter((entry) => entry !== '')]
    }),
  )
