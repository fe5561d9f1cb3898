import { Field, SelectField, TextField } from '../../../ui/field.tsx'
import type { MailAccount, Tls } from './account-form.ts'

const TLS_WORDS: readonly (readonly [Tls, string])[] = [
  ['implicit', 'TLS from the start'],
  ['starttls', 'STARTTLS'],
  ['none', 'None (unprotected)'],
]
const DEFAULT_PORTS = { imap: 993, smtp: 465 } as const

interface ServerFieldsProps {
  side: 'imap' | 'smtp'
  server: Partial<MailAccount['imap']> | null
}

/** Fields for the IMAP or SMTP server. */
export const ServerFields = ({ side, server }: ServerFieldsProps) => (
  <fieldset className="server-fields">
    <legend>{side === 'imap' ? 'Reading (IMAP)' : 'Sending (SMTP)'}</legend>
    <TextField
      name={`${side}.host`}
      label="Server"
      defaultValue={server?.host ?? ''}
      placeholder={`${side}.example.org`}
      maxLength={253}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
    <TextField
      name={`${side}.port`}
      label="Port"
      type="number"
      min={1}
      max={65_535}
      defaultValue={server?.port ?? DEFAULT_PORTS[side]}
      required
    />
    <SelectField name={`${side}.tls`} label="Protection" defaultValue={server?.tls ?? 'implicit'}>
      {TLS_WORDS.map(([tls, words]) => (
        <option key={tls} value={tls}>
          {words}
        </option>
      ))}
    </SelectField>
    <details className="server-certificate" open={Boolean(server?.certificate)}>
      <summary>Certificate of its own</summary>
      <Field
        name={`${side}.certificate`}
        label="Trusted certificate (PEM)"
        hint="Only for a server at home whose certificate nobody has signed."
      >
        {(control) => (
          <textarea
            className="input"
            rows={3}
            maxLength={10_000}
            spellCheck={false}
            defaultValue={server?.certificate ?? ''}
            {...control}
          />
        )}
      </Field>
    </details>
  </fieldset>
)
