import { useQuery } from '@tanstack/react-query'
import { KeyRound, RotateCw, Trash2 } from 'lucide-react'
import * as t from '#locale/ai-settings'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { Row } from '../../../ui/rows.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { titleOf } from './providers.ts'
import './ai.css'
import { useRefetch } from '../../../api/use-refetch.ts'

type Key = Shape<'AiKey'>

const useKeyActions = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const changed = useRefetch(['ai-keys'], ['ai-models'], ['activity'])
  const reportVerification = ({ provider, verified, reason }: Key) =>
    notify(verified ? t.keyAccepted(titleOf(provider)) : (reason ?? t.keySaved), {
      failed: verified === false,
    })
  const pathOf = ({ keyId }: Key) => ({ params: { path: { keyId } } })
  return {
    async save({ provider }: Key, values: FormData): Promise<void> {
      const [key, baseUrl] = ['key', 'baseUrl'].map((name) => readText(values, name))
      const body = { provider, ...(key && { key }), ...(baseUrl && { baseUrl }) }
      const saved = await unwrap(client.POST('/api/api-keys', { body }))
      await changed()
      reportVerification(saved)
    },
    async verify(status: Key): Promise<void> {
      await attempt(async () =>
        reportVerification(await unwrap(client.POST('/api/api-keys/{keyId}/verify', pathOf(status)))),
      )
      await changed()
    },
    async remove(status: Key): Promise<void> {
      await unwrap(client.DELETE('/api/api-keys/{keyId}', pathOf(status)))
      notify(t.keyDeleted(titleOf(status.provider)))
      await changed()
    },
  }
}

type KeyActions = ReturnType<typeof useKeyActions>

const KeyPopover = ({ status, save }: { status: Key; save: KeyActions['save'] }) => {
  const title = titleOf(status.provider)
  const isOwnServer = status.provider === 'openai-compatible'
  return (
    <FormPopover
      align="end"
      trigger={
        <Button size="small" aria-label={status.configured ? t.replaceKeyFor(title) : t.addKeyFor(title)}>
          {status.configured ? t.replaceKey : t.addKey}
        </Button>
      }
      title={t.keyTitle(title)}
      about={t.keyAbout}
      action={common.save}
      savedAs={`ai-key:${status.provider}`}
      onSubmit={(values) => save(status, values)}
    >
      <PasswordField name="key" label={t.key} autoComplete="off" required={!isOwnServer} />
      <TextField
        name="baseUrl"
        label={t.address}
        hint={isOwnServer ? t.ownServerHint : t.addressHint}
        inputMode="url"
        autoComplete="off"
        required={isOwnServer}
      />
    </FormPopover>
  )
}

const KeyRow = ({ status, actions }: { status: Key; actions: KeyActions }) => {
  const title = titleOf(status.provider)
  return (
    <Row
      icon={KeyRound}
      title={title}
      tags={
        <>
          {status.verified === true && <Tag tone="good">{t.verified}</Tag>}
          {status.verified === false && <Tag tone="bad">{t.notVerified}</Tag>}
        </>
      }
      actions={
        <>
          <KeyPopover status={status} save={actions.save} />
          {status.configured && (
            <IconButton
              icon={RotateCw}
              label={t.verifyKeyFor(title)}
              onClick={() => void actions.verify(status)}
            />
          )}
          {status.source === 'runtime' && (
            <FormPopover
              align="end"
              trigger={<IconButton icon={Trash2} label={t.deleteKeyFor(title)} />}
              title={t.deleteKeyTitle(title)}
              about={t.deleteKeyAbout}
              action={t.deleteKey}
              danger
              onSubmit={() => actions.remove(status)}
            />
          )}
        </>
      }
    >
      <p className="row-notes">
        <span>{t.keySources[status.source]}</span>
        {status.hint !== '' && <code>{status.hint}</code>}
        {status.reason !== null && <span>{status.reason}</span>}
      </p>
    </Row>
  )
}

export const KeysCard = () => {
  const client = useClient()
  const query = useQuery({ queryKey: ['ai-keys'], queryFn: () => unwrap(client.GET('/api/api-keys')) })
  const actions = useKeyActions()
  return (
    <Card id="keys" title={t.keys} about={t.keysAbout}>
      <Loaded query={query} lines={4}>
        {({ keys }) => (
          <ul className="rows">
            {keys.map((status) => (
              <KeyRow key={status.keyId} status={status} actions={actions} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
