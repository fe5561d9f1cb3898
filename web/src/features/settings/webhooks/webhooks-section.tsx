import { useQueryClient } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { ApiError, describeError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { type EventChoice, EventsField } from './event-choice.tsx'
import { type WebhookAction, WebhookRow } from './webhook-row.tsx'
import './webhooks.css'

const needsEvents = () =>
  new ApiError({
    status: 400,
    code: 'validation_failed',
    message: 'Choose at least one event.',
    fields: [{ path: 'events', message: 'Choose at least one.' }],
  })

interface Props {
  open: boolean
  /** The edited webhook; null for a new one. */
  webhook: Shape<'Webhook'> | null
  onClose: () => void
  onSaved: (secret: string | null) => Promise<void>
}

const WebhookFormDialog = ({ open, webhook, onClose, onSaved }: Props) => {
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

type Webhook = Shape<'Webhook'>

const key = ['webhooks']

const useWebhookActions = (changed: () => Promise<void>) => {
  const client = useClient()
  const notify = useNotify()
  const pathOf = ({ id }: Webhook) => ({ params: { path: { id } } })
  return {
    rotate: async (webhook: Webhook): Promise<string> =>
      (await unwrap(client.POST('/api/settings/webhooks/{id}/rotate', pathOf(webhook)))).secret,
    remove: async (webhook: Webhook): Promise<void> => {
      await unwrap(client.DELETE('/api/settings/webhooks/{id}', pathOf(webhook)))
      notify(`“${webhook.name}” is removed.`)
    },
    /** Actions without a confirmation dialog. */
    async runImmediately(action: 'test' | 'switch', webhook: Webhook): Promise<void> {
      try {
        if (action === 'test') {
          const { state, tries } = await unwrap(
            client.POST('/api/settings/webhooks/{id}/test', pathOf(webhook)),
          )
          notify(
            state === 'delivered' ? 'The test arrived.' : `The test failed: ${tries.at(-1)?.error ?? ''}`,
          )
        } else {
          const body = { enabled: !webhook.enabled }
          await unwrap(client.PATCH('/api/settings/webhooks/{id}', { ...pathOf(webhook), body }))
          notify(body.enabled ? 'The webhook is on.' : 'The webhook is off.')
        }
      } catch (error) {
        notify(describeError(error))
      }
      await changed()
    },
  }
}

export const WebhooksSection = () => {
  const client = useClient()
  const queries = useQueryClient()
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/webhooks', { params: { query: page } })),
  )
  const [isMaking, setIsMaking] = useState(false)
  const [chosen, setChosen] = useState<{ action: WebhookAction; webhook: Webhook } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const changed = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }
  const actions = useWebhookActions(changed)
  const last = useLastValue(chosen)?.webhook ?? null
  const close = () => setChosen(null)
  const shows = (action: WebhookAction) => chosen?.action === action

  const choose = (action: WebhookAction, webhook: Webhook) =>
    action === 'test' || action === 'switch'
      ? void actions.runImmediately(action, webhook)
      : setChosen({ action, webhook })
  const saved = async (made: string | null) => {
    if (made !== null) setSecret(made)
    await changed()
  }
  return (
    <Page
      title="Webhooks"
      within="Settings"
      about={
        <>
          Addresses that are told what happens, as it happens. What is sent is signed by the{' '}
          <a href="https://www.standardwebhooks.com/" rel="noreferrer">
            Standard Webhooks
          </a>{' '}
          scheme.
        </>
      }
    >
      <Card
        id="webhooks"
        title="Your webhooks"
        aside={
          <Button kind="primary" size="small" onClick={() => setIsMaking(true)}>
            <Plus size={16} aria-hidden="true" />
            New webhook
          </Button>
        }
      >
        <LoadedList
          query={query}
          itemsOf={({ webhooks }) => webhooks}
          empty={
            <Empty icon={WebhookIcon} title="No webhooks yet">
              <p>Add one when another program should know of new mail, tasks or events at once.</p>
            </Empty>
          }
        >
          {(webhooks) => (
            <ul className="rows">
              {webhooks.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onAction={(action) => choose(action, webhook)}
                />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
      <WebhookFormDialog
        key={isMaking ? 'new' : 'none'}
        open={isMaking}
        webhook={null}
        onClose={() => setIsMaking(false)}
        onSaved={saved}
      />
      {last && (
        <>
          <WebhookFormDialog
            key={`${last.id}.${last.version}`}
            open={shows('change')}
            webhook={last}
            onClose={close}
            onSaved={saved}
          />
          <FormDialog
            open={shows('rotate')}
            onClose={close}
            title={`A new secret for “${last.name}”`}
            about="For a day everything is signed with both, so that the receiver can change over."
            action="Make a new secret"
            onSubmit={async () => {
              const made = await actions.rotate(last)
              close()
              await saved(made)
            }}
          />
          <FormDialog
            open={shows('remove')}
            onClose={close}
            alert
            danger
            title={`Remove “${last.name}”?`}
            about="It receives no more events, and its delivery history is deleted. This cannot be undone."
            action="Remove"
            onSubmit={async () => {
              await actions.remove(last)
              close()
              await changed()
            }}
          />
        </>
      )}
      <DeliveriesDialog webhook={shows('deliveries') ? last : null} onClose={close} />
      <SecretDialog
        secret={secret}
        title="The webhook’s secret"
        about="The receiver checks the signatures with it. It is shown this once."
        onClose={() => setSecret(null)}
      />
    </Page>
  )
}
