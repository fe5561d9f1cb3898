import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { useNotify } from '../../../ui/toast.tsx'

type Settings = Shape<'BookingSettings'>

const PROVIDERS = { calcom: 'Cal.com', calendly: 'Calendly' } as const

const KeyStatus = ({ settings }: { settings: Settings }) => {
  if (!settings.configured)
    return (
      <p>
        <Tag>No key yet</Tag>
      </p>
    )
  return (
    <p className="booking-line">
      <Tag tone="good">Connected to {PROVIDERS[settings.provider]}</Tag>
      <span>
        with the key <code>{settings.apiKeyHint}</code>
        {settings.setBy === 'environment' && ', set by the operator'}
      </span>
    </p>
  )
}

export const ProviderForm = ({ settings }: { settings: Settings }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [isForgetting, setIsForgetting] = useState(false)
  const changed = async () => {
    queries.removeQueries({ queryKey: ['booking-event-types'] })
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['booking-settings'] }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }
  const save = async (values: FormData) => {
    const read = (name: string): string => String(values.get(name) ?? '').trim()
    await unwrap(
      client.POST('/api/bookingsvc/settings', {
        body: {
          apiKey: read('apiKey'),
          provider: read('provider') as Settings['provider'],
          baseUrl: read('baseUrl') || null,
          ...(read('webhookSecret') !== '' && { webhookSecret: read('webhookSecret') }),
        },
      }),
    )
    await changed()
    notify('The key is saved.')
  }
  const forget = async () => {
    await unwrap(client.DELETE('/api/bookingsvc/settings'))
    setIsForgetting(false)
    await changed()
    notify('The key is forgotten.')
  }
  const isOwnAddress = /^https:\/\/api\.(cal|calendly)\.com/.test(settings.baseUrl)
  return (
    <div className="booking-stack">
      <KeyStatus settings={settings} />
      <Form onSubmit={save} resetOnSuccess label="Booking provider">
        <SelectField name="provider" label="Where bookings are made" defaultValue={settings.provider}>
          {Object.entries(PROVIDERS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <PasswordField
          name="apiKey"
          label={settings.configured ? 'New API key' : 'API key'}
          hint="It is sealed, and never shown again."
          autoComplete="off"
        />
        <PasswordField
          name="webhookSecret"
          label="Webhook secret"
          hint={
            settings.webhookConfigured
              ? 'One is saved. Leave this empty to keep it.'
              : 'Without one, notices of the provider are not taken.'
          }
          autoComplete="off"
          required={false}
        />
        <TextField
          name="baseUrl"
          label="API address"
          hint="Leave it empty for the provider’s own."
          placeholder={settings.baseUrl}
          defaultValue={isOwnAddress ? '' : settings.baseUrl}
          inputMode="url"
          autoComplete="off"
        />
        <div className="form-actions">
          <Submit>Save key</Submit>
          {settings.setBy === 'person' && (
            <Button kind="warning" onClick={() => setIsForgetting(true)}>
              Forget the key
            </Button>
          )}
        </div>
      </Form>
      <FormDialog
        open={isForgetting}
        onClose={() => setIsForgetting(false)}
        alert
        danger
        title="Forget the key?"
        about="Bookings are no longer brought in step. Events that are in your calendar stay."
        action="Forget the key"
        onSubmit={forget}
      />
    </div>
  )
}
