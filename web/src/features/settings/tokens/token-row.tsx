import { KeyRound, PencilLine, RefreshCw, Trash2 } from 'lucide-react'
import type { Shape } from '../../../api/client.ts'
import { Tag } from '../../../ui/card.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time, useDates } from '../../../ui/time.tsx'
import { inWords, SENDING_NOTES } from './scopes.ts'

export type TokenAction = 'rename' | 'rotate' | 'revoke'

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

export const TokenRow = ({
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
