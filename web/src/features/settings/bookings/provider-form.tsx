import { useQueryClient } from '@tanstack/react-query'
import * as t from '#locale/booking-settings'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { Options, PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, SaveButton } from '../../../ui/form.tsx'
import { readText } from '../../../ui/form-values.ts'
import { FormPopover } from '../../../ui/popover.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { useNotify } from '../../../ui/toast.tsx'

type Settings = Shape<'BookingSettings'>

const KeyStatus = ({ settings, onDelete }: { settings: Settings; onDelete: () => Promise<void> }) => {
  if (!settings.configured)
    return (
      <p>
        <Tag>{t.noKey}</Tag>
      </p>
    )
  const toHint = settings.setBy === 'environment' ? t.environmentKeyHint : t.keyHint
  return (
    <div className="booking-line">
      <Tag tone="good">{t.connectedTo(t.providers[settings.provider])}</Tag>
      <span>
        <RichText text={toHint(settings.apiKeyHint ?? '')} tags={{ code: (hint) => <code>{hint}</code> }} />
      </span>
      {settings.setBy === 'person' && (
        <FormPopover
          align="end"
          trigger={<Button size="small">{t.deleteKey}</Button>}
          title={t.deleteKeyTitle}
          about={t.deleteKeyAbout}
          action={t.deleteKey}
          danger
          onSubmit={onDelete}
        />
      )}
    </div>
  )
}

export const ProviderForm = ({ settings }: { settings: Settings }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const changed = async () => {
    queries.removeQueries({ queryKey: ['booking-event-types'] })
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['booking-settings'] }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }
  const save = async (values: FormData) => {
    const read = (name: string): string => readText(values, name)
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
    notify(t.keySaved)
  }
  const remove = async () => {
    await unwrap(client.DELETE('/api/bookingsvc/settings'))
    await changed()
    notify(t.keyDeleted)
  }
  const isOwnAddress = /^https:\/\/api\.(cal|calendly)\.com/.test(settings.baseUrl)
  return (
    <div className="booking-stack">
      <KeyStatus settings={settings} onDelete={remove} />
      <Form onSubmit={save} resetOnSuccess label={t.provider} savedAs="booking-provider">
        <SelectField name="provider" label={t.provider} defaultValue={settings.provider}>
          <Options entries={Object.entries(t.providers)} />
        </SelectField>
        <PasswordField
          name="apiKey"
          label={settings.configured ? t.newApiKey : t.apiKey}
          hint={t.apiKeyHint}
          autoComplete="off"
        />
        <PasswordField
          name="webhookSecret"
          label={t.webhookSecret}
          hint={settings.webhookConfigured ? t.keepSecretHint : t.noSecretHint}
          autoComplete="off"
          required={false}
        />
        <TextField
          name="baseUrl"
          label={t.apiAddress}
          hint={t.apiAddressHint}
          placeholder={settings.baseUrl}
          defaultValue={isOwnAddress ? '' : settings.baseUrl}
          inputMode="url"
          autoComplete="off"
        />
        <div className="form-actions">
          <SaveButton />
        </div>
      </Form>
    </div>
  )
}
