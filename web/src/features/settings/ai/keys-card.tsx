import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { titleOf } from './providers.ts'
import './ai.css'

type Key = Shape<'AiKey'>

const SOURCES = { runtime: 'given here', environment: 'from the environment', none: 'no key' } as const

const Row = ({ status, act }: { status: Key; act: (what: 'set' | 'verify' | 'remove') => void }) => {
  const title = titleOf(status.provider)
  return (
    <li>
      <span className="row-icon">
        <KeyRound size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">
          {title}
          {status.verified === true && <Tag tone="good">Verified</Tag>}
          {status.verified === false && <Tag tone="bad">Not verified</Tag>}
        </p>
        <p className="row-notes">
          <span>{SOURCES[status.source]}</span>
          {status.hint !== '' && <code>{status.hint}</code>}
          {status.reason !== null && <span>{status.reason}</span>}
        </p>
      </div>
      <div className="row-actions">
        <Button
          size="small"
          onClick={() => act('set')}
          aria-label={`${status.configured ? 'Replace the key' : 'Set key'} for ${title}`}
        >
          {status.configured ? 'Replace' : 'Set key'}
        </Button>
        {status.configured && (
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={`Verify the key for ${title}`}
            onClick={() => act('verify')}
          >
            <RotateCw size={17} aria-hidden="true" />
          </Button>
        )}
        {status.source === 'runtime' && (
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={`Remove the key for ${title}`}
            onClick={() => act('remove')}
          >
            <Trash2 size={17} aria-hidden="true" />
          </Button>
        )}
      </div>
    </li>
  )
}

export const KeysCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const query = useQuery({ queryKey: ['ai-keys'], queryFn: () => unwrap(client.GET('/api/api-keys')) })
  const [setting, setSetting] = useState<Key | null>(null)
  const named = useLastValue(setting)
  const changed = () =>
    Promise.all(
      [['ai-keys'], ['ai-models'], ['activity']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  const reportVerification = ({ provider, verified, reason }: Key) =>
    notify(verified ? `${titleOf(provider)} takes the key.` : (reason ?? 'The key is kept.'), {
      failed: verified === false,
    })

  const save = async (values: FormData) => {
    if (!setting) return
    const [key, baseUrl] = ['key', 'baseUrl'].map((name) => String(values.get(name) ?? '').trim())
    const body = { provider: setting.provider, ...(key && { key }), ...(baseUrl && { baseUrl }) }
    const saved = await unwrap(client.POST('/api/api-keys', { body }))
    await changed()
    setSetting(null)
    reportVerification(saved)
  }
  const act = async (status: Key, what: 'set' | 'verify' | 'remove') => {
    if (what === 'set') return setSetting(status)
    const params = { path: { keyId: status.keyId } }
    try {
      if (what === 'verify')
        reportVerification(await unwrap(client.POST('/api/api-keys/{keyId}/verify', { params })))
      else {
        await unwrap(client.DELETE('/api/api-keys/{keyId}', { params }))
        notify(`The key for ${titleOf(status.provider)} is removed.`)
      }
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
    await changed()
  }
  const isOwn = named?.provider === 'openai-compatible'
  return (
    <Card id="keys" title="Keys" about="Kept sealed, used from the next request on, and never shown again.">
      <Loaded query={query} lines={4}>
        {({ keys }) => (
          <ul className="rows">
            {keys.map((status) => (
              <Row key={status.keyId} status={status} act={(what) => void act(status, what)} />
            ))}
          </ul>
        )}
      </Loaded>
      <FormDialog
        open={setting !== null}
        onClose={() => setSetting(null)}
        title={`Key for ${titleOf(named?.provider ?? '')}`}
        about="The provider is asked whether it takes the key."
        action="Save key"
        onSubmit={save}
      >
        <PasswordField name="key" label="Key" autoComplete="off" required={!isOwn} />
        <TextField
          name="baseUrl"
          label="Address"
          hint={
            isOwn ? 'Such as http://127.0.0.1:11434 for Ollama.' : 'Only if it is not the provider’s own.'
          }
          inputMode="url"
          autoComplete="off"
          required={isOwn}
        />
      </FormDialog>
    </Card>
  )
}
