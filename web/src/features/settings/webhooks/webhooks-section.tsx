import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/webhooks'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { toFieldError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { RichText } from '../../../ui/rich-text.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { describeAttemptError } from './attempt-error.ts'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { type EventChoice, EventsField } from './event-choice.tsx'
import { type WebhookAction, WebhookRow } from './webhook-row.tsx'
import './webhooks.css'
import { useRefetch } from '../../../api/use-refetch.ts'
import { ListCard } from '../../../ui/list-card.tsx'
import { useItemDialog } from '../../../ui/use-item-dialog.ts'

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
    if (events.length === 0) throw toFieldError('events', t.eventsMissing, t.selectOne)
    const name = readText(values, 'name')
    const body = { url: readText(values, 'url'), events, ...(name !== '' && { name }) }
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
      title={webhook ? t.editWebhook : t.newWebhook}
      about={t.formAbout}
      {...(!webhook && { action: t.addWebhook })}
      size="large"
      savedAs={webhook ? `webhook:${webhook.id}` : 'webhook'}
      onSubmit={save}
    >
      <TextField
        name="url"
        label={t.address}
        type="url"
        placeholder="https://"
        defaultValue={webhook?.url}
        maxLength={2000}
        autoComplete="off"
        required
      />
      <TextField
        name="name"
        label={t.name}
        hint={t.nameHint}
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
  const attempt = useAttempt()
  const pathOf = ({ id }: Webhook) => ({ params: { path: { id } } })
  const setEnabled = async (webhook: Webhook, enabled: boolean, undo?: () => void): Promise<void> => {
    await attempt(async () => {
      await unwrap(client.PATCH('/api/settings/webhooks/{id}', { ...pathOf(webhook), body: { enabled } }))
      notify(enabled ? t.turnedOn(webhook.name) : t.turnedOff(webhook.name), { ...(undo && { undo }) })
    })
    await changed()
  }
  return {
    rotate: async (webhook: Webhook): Promise<string> =>
      (await unwrap(client.POST('/api/settings/webhooks/{id}/rotate', pathOf(webhook)))).secret,
    remove: async (webhook: Webhook): Promise<void> => {
      await unwrap(client.DELETE('/api/settings/webhooks/{id}', pathOf(webhook)))
      notify(t.deleted(webhook.name))
      await changed()
    },
    async test(webhook: Webhook): Promise<void> {
      await attempt(async () => {
        const { state, tries } = await unwrap(
          client.POST('/api/settings/webhooks/{id}/test', pathOf(webhook)),
        )
        const last = tries.at(-1)
        if (state === 'delivered') notify(t.testDelivered)
        else notify(t.testFailed((last && describeAttemptError(last)) ?? ''), { failed: true })
      })
      await changed()
    },
    setEnabled,
  }
}

export const WebhooksSection = () => {
  const client = useClient()
  const notify = useNotify()
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/webhooks', { params: { query: page } })),
  )
  const [isCreating, setIsCreating] = useState(false)
  const { lastItem, open, close, itemOf } = useItemDialog<Webhook, WebhookAction>()
  const [secret, setSecret] = useState<string | null>(null)
  const changed = useRefetch(key, ['activity'])
  const actions = useWebhookActions(changed)

  const choose = (action: WebhookAction, webhook: Webhook) => {
    const { enabled } = webhook
    if (action === 'test') void actions.test(webhook)
    else if (action === 'switch')
      void actions.setEnabled(webhook, !enabled, () => void actions.setEnabled(webhook, enabled))
    else open(action, webhook)
  }
  const saved = async (newSecret: string | null) => {
    if (newSecret === null) notify(t.webhookSaved)
    else setSecret(newSecret)
    await changed()
  }
  return (
    <Page
      title={t.title}
      within={common.settings}
      about={
        <RichText
          text={t.about}
          tags={{
            link: (text) => (
              <a href="https://www.standardwebhooks.com/" rel="noreferrer">
                {text}
              </a>
            ),
          }}
        />
      }
    >
      <ListCard
        id="webhooks"
        title={t.endpoints}
        add={{ label: t.newWebhook, onClick: () => setIsCreating(true) }}
        query={query}
        itemsOf={({ webhooks }) => webhooks}
        empty={{ icon: WebhookIcon, title: t.noWebhooks, about: t.noWebhooksAbout }}
      >
        {(webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} onAction={(action) => choose(action, webhook)} />
        )}
      </ListCard>
      <WebhookFormDialog
        key={isCreating ? 'new' : 'none'}
        open={isCreating}
        webhook={null}
        onClose={() => setIsCreating(false)}
        onSaved={saved}
      />
      {lastItem && (
        <>
          <WebhookFormDialog
            key={`${lastItem.id}.${lastItem.version}`}
            open={itemOf('edit') !== null}
            webhook={lastItem}
            onClose={close}
            onSaved={saved}
          />
          <FormDialog
            open={itemOf('rotate') !== null}
            onClose={close}
            title={t.newSecretTitle(lastItem.name)}
            about={t.newSecretAbout}
            action={t.createSecret}
            onSubmit={async () => {
              const newSecret = await actions.rotate(lastItem)
              close()
              await saved(newSecret)
            }}
          />
        </>
      )}
      <ConfirmDialog
        item={itemOf('remove')}
        onClose={close}
        title={({ name }) => t.deleteTitle(name)}
        about={() => t.deleteAbout}
        action={common.remove}
        onConfirm={actions.remove}
      />
      <DeliveriesDialog webhook={itemOf('deliveries')} onClose={close} />
      <SecretDialog
        secret={secret}
        title={t.secretTitle}
        about={t.secretAbout}
        onClose={() => setSecret(null)}
      />
    </Page>
  )
}
