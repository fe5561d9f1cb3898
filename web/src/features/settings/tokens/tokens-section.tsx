import { KeyRound, PencilLine, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/tokens'
import { toServerPath } from '../../../api/base-path.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { Tag } from '../../../ui/card.tsx'
import { ConfirmDialog, FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { ListCard } from '../../../ui/list-card.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Row } from '../../../ui/rows.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { Time, useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useItemDialog } from '../../../ui/use-item-dialog.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { inWords, SENDING_NOTES } from './scopes.ts'

type Token = Shape<'Token'>
type TokenAction = 'rename' | 'rotate' | 'revoke'

const EXPIRES_SOON_MS = 7 * 86_400_000

const Expiry = ({ at }: { at: string | null }) => {
  const { date } = useDates()
  if (at === null) return <span>{t.neverExpires}</span>
  return <span>{t.expiresOn(date(at))}</span>
}

const ExpiryTag = ({ at }: { at: string | null }) => {
  if (at === null) return null
  const left = new Date(at).getTime() - Date.now()
  if (left <= 0) return <Tag tone="bad">{t.expired}</Tag>
  return left < EXPIRES_SOON_MS ? <Tag tone="warn">{t.expiresSoon}</Tag> : null
}

export const LastUsed = ({ at }: { at: string | null }) => (
  <span>
    {at === null ? t.neverUsed : <RichText text={t.lastUsed} tags={{ time: () => <Time at={at} /> }} />}
  </span>
)

const TokenRow = ({ token, onAction }: { token: Token; onAction: (action: TokenAction) => void }) => (
  <Row
    icon={KeyRound}
    title={token.name}
    tags={<ExpiryTag at={token.expiresAt} />}
    actions={
      <RowMenu
        label={t.actionsFor(token.name)}
        actions={[
          { label: t.rename, icon: PencilLine, onSelect: () => onAction('rename') },
          { label: t.newSecret, icon: RefreshCw, onSelect: () => onAction('rotate') },
          { label: t.revoke, icon: Trash2, onSelect: () => onAction('revoke') },
        ]}
      />
    }
  >
    <ul className="token-scopes" aria-label={t.scopes}>
      {token.scopes.map((scope) => (
        <li key={scope}>
          <Tag>{inWords(scope)}</Tag>
        </li>
      ))}
    </ul>
    {SENDING_NOTES.filter(([scope]) => token.scopes.includes(scope)).map(([scope, note]) => (
      <p key={scope} className="row-notes">
        <span>{note}</span>
      </p>
    ))}
    <p className="row-notes">
      <code>{token.hint}</code>
      <LastUsed at={token.lastUsedAt} />
      <Expiry at={token.expiresAt} />
    </p>
  </Row>
)

interface TokenDialogsProps {
  dialog: ReturnType<typeof useItemDialog<Token, TokenAction>>
  onChanged: () => Promise<void>
  onSecret: (secret: string) => void
}

const TokenDialogs = ({ dialog, onChanged, onSecret }: TokenDialogsProps) => {
  const client = useClient()
  const notify = useNotify()
  const { lastItem, close, itemOf } = dialog
  if (!lastItem) return null
  const { id, name } = lastItem
  const params = { path: { id } }

  const rename = async (values: FormData) => {
    const body = { name: readText(values, 'name') }
    await unwrap(client.PATCH('/api/settings/tokens/{id}', { params, body }))
    await onChanged()
    close()
    notify(t.renamed)
  }
  const rotate = async (password: string) => {
    const { token } = await unwrap(
      client.POST('/api/settings/tokens/{id}/rotate', { params, body: { password } }),
    )
    close()
    onSecret(token)
    await onChanged()
  }
  const revoke = async () => {
    await unwrap(client.DELETE('/api/settings/tokens/{id}', { params }))
    await onChanged()
    notify(t.revoked(name))
  }
  return (
    <>
      <FormDialog
        open={itemOf('rename') !== null}
        onClose={close}
        title={t.renameTitle}
        savedAs={`access-token:${id}`}
        onSubmit={rename}
      >
        <TextField
          key={id}
          name="name"
          label={t.name}
          defaultValue={name}
          maxLength={100}
          autoComplete="off"
          required
        />
      </FormDialog>
      <PasswordDialog
        open={itemOf('rotate') !== null}
        onClose={close}
        title={t.newSecretTitle(name)}
        about={t.newSecretAbout}
        action={t.createSecret}
        onConfirm={rotate}
      />
      <ConfirmDialog
        item={itemOf('revoke')}
        onClose={close}
        title={(token) => t.revokeTitle(token.name)}
        about={() => t.revokeTokenAbout}
        action={t.revoke}
        onConfirm={revoke}
      />
    </>
  )
}

const key = ['tokens']

export const TokensSection = () => {
  const client = useClient()
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/tokens', { params: { query: page } })),
  )
  const [isCreating, setIsCreating] = useState(false)
  const dialog = useItemDialog<Token, TokenAction>()
  const [secret, setSecret] = useState<string | null>(null)
  const changed = useRefetch(key, ['activity'])
  return (
    <Page
      title={t.accessTokens}
      within={common.settings}
      about={
        <RichText
          text={t.accessTokensAbout}
          tags={{ link: (text) => <a href={toServerPath('/docs')}>{text}</a> }}
        />
      }
    >
      <ListCard
        id="tokens"
        title={t.yourTokens}
        add={{ label: t.newToken, onClick: () => setIsCreating(true) }}
        query={query}
        itemsOf={({ tokens }) => tokens}
        empty={{ icon: KeyRound, title: t.noTokens, about: t.noTokensAbout }}
      >
        {(token) => (
          <TokenRow key={token.id} token={token} onAction={(action) => dialog.open(action, token)} />
        )}
      </ListCard>
      <NewTokenDialog
        open={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={async ({ token }) => {
          setSecret(token)
          await changed()
        }}
      />
      <TokenDialogs dialog={dialog} onChanged={changed} onSecret={setSecret} />
      <SecretDialog
        secret={secret}
        title={t.yourToken}
        about={t.yourTokenAbout}
        onClose={() => setSecret(null)}
      />
    </Page>
  )
}
