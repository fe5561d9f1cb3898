import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { ApiError } from '../../../api/problem.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { type EventChoice, EventsField } from './event-choice.tsx'

const needsEvents = () =>
  new ApiError({
    status: 400,
    code: 'validation_failed',
    message: 'Choose what it is told.',
    fields: [{ path: 'events', message: 'Choose at least one.' }],
  })

interface Props {
  open: boolean
  /** The edited webhook; null for a new one. */
  webhook: Shape<'Webhook'> | null
  onClose: () => void
  onSaved: (secret: string | null) => Promise<void>
}

export const WebhookFormDialog = ({ open, webhook, onClose, onSaved }: Props) => {
  const client = useClient()
  const [events, setEvents] = useState<EventChoice[]>(webhook?.events ?? [])
  const save = async (values: FormData) => {
    if (events.length === 0) throw needsEvents()
    const name = String(values.get('name')).trim()
    const body = { url: String(values.get('url')).trim(), events, ...(name !== '' && { name }) }
    if (webhook) {
      const params = { path: { id: webhook.id } }
      await unwrap(client.PATCH('/api/settings/webhooks/{id}', { params, body }))
      onClose()
      return onSaved(null)
    }
    const { secret } = await unwrap(client.POST('/api/settings/webhooks', { body }))
    onClose()
    return onSaved(secret)
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={webhook ? 'Change the webhook' : 'New webhook'}
      about="An address of yours that is told what happens, by a signed POST."
      action={webhook ? 'Save' : 'Add webhook'}
      size="large"
      savedAs={webhook ? `webhook ${webhook.id}` : 'webhook'}
      onSubmit={save}
    >
      <TextField
        name="url"
        label="Address"
        type="url"
        placeholder="https://"
        defaultValue={webhook?.url}
        maxLength={2000}
        autoComplete="off"
        required
      />
      <TextField
        name="name"
        label="Name"
        hint="Its host, unless you say otherwise."
        defaultValue={webhook?.name}
        maxLength={100}
        autoComplete="off"
      />
      <EventsField chosen={events} onChange={setEvents} />
    </FormDialog>
  )
}
