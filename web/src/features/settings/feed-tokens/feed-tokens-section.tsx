import { useQueryClient } from '@tanstack/react-query'
import { CalendarDays, Plus, Rss, Trash2, Tv } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'

type FeedToken = Shape<'FeedToken'>

const PURPOSES = {
  calendar: { label: 'Calendar', icon: CalendarDays },
  overlay: { label: 'Stream overlay', icon: Tv },
} as const

const key = ['feed-tokens']

const Row = ({ token, onRevoke }: { token: FeedToken; onRevoke: () => void }) => {
  const { label, icon: Icon } = PURPOSES[token.purpose]
  return (
    <li>
      <span className="row-icon">
        <Icon size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">{token.name}</p>
        <p className="row-notes">
          <span>{label}</span>
          <code>{token.hint}</code>
          <span>{token.lastUsedAt === null ? 'never used' : <>used {<Time at={token.lastUsedAt} />}</>}</span>
        </p>
      </div>
      <div className="row-actions">
        <Button kind="quiet" shape="icon" size="small" aria-label={`Revoke ${token.name}`} onClick={onRevoke}>
          <Trash2 size={17} aria-hidden="true" />
        </Button>
      </div>
    </li>
  )
}

export const FeedTokensSection = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/feed-tokens', { params: { query: page } })),
  )
  const [isMaking, setIsMaking] = useState(false)
  const [revoking, setRevoking] = useState<FeedToken | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const named = useLastValue(revoking)
  const changed = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }

  const make = async (values: FormData) => {
    const body = {
      name: String(values.get('name')).trim(),
      purpose: String(values.get('purpose')) as FeedToken['purpose'],
    }
    const { token } = await unwrap(client.POST('/api/settings/feed-tokens', { body }))
    setIsMaking(false)
    setSecret(token)
    await changed()
  }
  const revoke = async () => {
    if (!revoking) return
    await unwrap(client.DELETE('/api/settings/feed-tokens/{id}', { params: { path: { id: revoking.id } } }))
    await changed()
    setRevoking(null)
    notify(`“${revoking.name}” is revoked.`)
  }
  return (
    <Page
      title="Feed tokens"
      within="Settings"
      about="Some programs can only be given an address: a calendar that subscribes, a streaming program’s browser source. A feed token stands at the end of that address and lets it read one thing, nothing more."
    >
      <Card
        id="feed-tokens"
        title="Your feed tokens"
        aside={
          <Button kind="primary" size="small" onClick={() => setIsMaking(true)}>
            <Plus size={16} aria-hidden="true" />
            New feed token
          </Button>
        }
      >
        <LoadedList
          query={query}
          itemsOf={({ feedTokens }) => feedTokens}
          empty={
            <Empty icon={Rss} title="No feed tokens yet">
              <p>Make one for each program, so that you can revoke them one by one.</p>
            </Empty>
          }
        >
          {(tokens) => (
            <ul className="rows">
              {tokens.map((token) => (
                <Row key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
      <FormDialog
        open={isMaking}
        onClose={() => setIsMaking(false)}
        title="New feed token"
        action="Make token"
        onSubmit={make}
      >
        <TextField
          name="name"
          label="Name"
          hint="What will use it: “Phone calendar”."
          maxLength={100}
          autoComplete="off"
          required
        />
        <SelectField name="purpose" label="It may read" defaultValue="calendar">
          {Object.entries(PURPOSES).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </FormDialog>
      <FormDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        alert
        danger
        title={`Revoke “${named?.name ?? ''}”?`}
        about="Whatever uses its address is refused from then on. This cannot be taken back."
        action="Revoke"
        onSubmit={revoke}
      />
      <SecretDialog
        secret={secret}
        title="Your feed token"
        about="It goes to the end of the feed’s address, as ?token=… Copy it now: it is shown this once."
        onClose={() => setSecret(null)}
      />
    </Page>
  )
}
