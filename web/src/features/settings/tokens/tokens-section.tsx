import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, PencilLine, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { Time, useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { inWords, SENDING_NOTES } from './scopes.ts'

type TokenAction = 'rename' | 'rotate' | 'revoke'

const EXPIRES_SOON_MS = 7 * 86_400_000

const Expiry = ({ at }: { at: string | null }) => {
  const { date } = useDates()
  if (at === null) return <span>never expires</span>
  return <span>until {date(at)}</span>
}

const ExpiryTag = ({ at }: { at: string | null }) => {
  if (at === null) return null
  const left = new Date(at).getTime() - Date.now()
  if (left <= 0) return <Tag tone="bad">Expired</Tag>
  return left < EXPIRES_SOON_MS ? <Tag tone="warn">Expires soon</Tag> : null
}

const TokenRow = ({
  token,
  onAction,
}: {
  token: Shape<'Token'>
  onAction: (action: TokenAction) => void
}) => (
  <li>
    <span className="row-icon">
      <KeyRound size={18} aria-hidden="true" />
    </span>
    <div className="row-main">
      <p className="row-title">
        {token.name}
        <ExpiryTag at={token.expiresAt} />
      </p>
      <ul className="token-scopes" aria-label="May">
        {token.scopes.map((scope) => (
          <li key={scope}>
            <Tag>{inWords(scope)}</Tag>
          </li>
        ))}
      </ul>
      {SENDING_NOTES.filter(({ scope }) => token.scopes.includes(scope)).map(({ scope, note }) => (
        <p key={scope} className="row-notes">
          {note}
        </p>
      ))}
      <p className="row-notes">
        <code>{token.hint}</code>
        <span>{token.lastUsedAt === null ? 'never used' : <>used {<Time at={token.lastUsedAt} />}</>}</span>
        <Expiry at={token.expiresAt} />
      </p>
    </div>
    <div className="row-actions">
      <RowMenu
        label={`Actions for ${token.name}`}
        actions={[
          { label: 'Rename', icon: PencilLine, onSelect: () => onAction('rename') },
          { label: 'Give it a new secret', icon: RefreshCw, onSelect: () => onAction('rotate') },
          { label: 'Revoke', icon: Trash2, onSelect: () => onAction('revoke') },
        ]}
      />
    </div>
  </li>
)

interface TokenDialogsProps {
  /** The selected action and token; null closes the dialogs. */
  chosen: { action: TokenAction; token: Shape<'Token'> } | null
  onClose: () => void
  onChanged: () => Promise<void>
  onSecret: (secret: string) => void
}

const TokenDialogs = ({ chosen, onClose, onChanged, onSecret }: TokenDialogsProps) => {
  const client = useClient()
  const notify = useNotify()
  const last = useLastValue(chosen)
  if (!last) return null
  const { id, name } = last.token
  const params = { path: { id } }
  const shows = (action: TokenAction) => chosen?.action === action

  const rename = async (values: FormData) => {
    const body = { name: String(values.get('name')).trim() }
    await unwrap(client.PATCH('/api/settings/tokens/{id}', { params, body }))
    await onChanged()
    onClose()
    notify('The token has its new name.')
  }
  const rotate = async (password: string) => {
    const { token } = await unwrap(
      client.POST('/api/settings/tokens/{id}/rotate', { params, body: { password } }),
    )
    onClose()
    onSecret(token)
    await onChanged()
  }
  const revoke = async () => {
    await unwrap(client.DELETE('/api/settings/tokens/{id}', { params }))
    await onChanged()
    onClose()
    notify(`“${name}” is revoked.`)
  }
  return (
    <>
      <FormDialog
        open={shows('rename')}
        onClose={onClose}
        title="Rename the token"
        action="Rename"
        savedAs={`token ${id}`}
        onSubmit={rename}
      >
        <TextField
          key={id}
          name="name"
          label="Name"
          defaultValue={name}
          maxLength={100}
          autoComplete="off"
          required
        />
      </FormDialog>
      <PasswordDialog
        open={shows('rotate')}
        onClose={onClose}
        title={`A new secret for “${name}”`}
        about="The present one is worth nothing from then on: whatever uses it needs the new one."
        action="Make a new secret"
        onConfirm={rotate}
      />
      <FormDialog
        open={shows('revoke')}
        onClose={onClose}
        alert
        danger
        title={`Revoke “${name}”?`}
        about="Apps that use this token lose access at once. You cannot undo this."
        action="Revoke"
        onSubmit={revoke}
      />
    </>
  )
}

const key = ['tokens']

export const TokensSection = () => {
  const client = useClient()
  const queries = useQueryClient()
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/tokens', { params: { query: page } })),
  )
  const [isMaking, setIsMaking] = useState(false)
  const [chosen, setChosen] = useState<{ action: TokenAction; token: Shape<'Token'> } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const changed = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }
  return (
    <Page
      title="Access tokens"
      within="Settings"
      about={
        <>
          For programs that use the <a href="/docs">API</a> in your name. A token never reaches your settings.
        </>
      }
    >
      <Card
        id="tokens"
        title="Your tokens"
        aside={
          <Button kind="primary" size="small" onClick={() => setIsMaking(true)}>
            <Plus size={16} aria-hidden="true" />
            New token
          </Button>
        }
      >
        <LoadedList
          query={query}
          itemsOf={({ tokens }) => tokens}
          empty={
            <Empty icon={KeyRound} title="No tokens yet">
              <p>Make one when a script or another program should read or write something here.</p>
            </Empty>
          }
        >
          {(tokens) => (
            <ul className="rows">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} onAction={(action) => setChosen({ action, token })} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
      <NewTokenDialog
        open={isMaking}
        onClose={() => setIsMaking(false)}
        onMade={async ({ token }) => {
          setSecret(token)
          await changed()
        }}
      />
      <TokenDialogs
        chosen={chosen}
        onClose={() => setChosen(null)}
        onChanged={changed}
        onSecret={setSecret}
      />
      <SecretDialog
        secret={secret}
        title="Your token"
        about="Copy it to where it will be used. It is shown this once."
        onClose={() => setSecret(null)}
      />
    </Page>
  )
}
