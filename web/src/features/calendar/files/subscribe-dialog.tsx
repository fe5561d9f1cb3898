import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import './files.css'

type FeedToken = Shape<'FeedToken'>

const key = ['feed-tokens']

const addressWith = (token: string): string =>
  `${window.location.origin}/api/calendar/feed.ics?token=${encodeURIComponent(token)}`

/** Feed addresses for other calendar programs. */
export const SubscribeDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [address, setAddress] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<FeedToken | null>(null)
  const named = useLastValue(revoking)
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/feed-tokens', { params: { query: page } })),
  )
  const changed = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  const make = async (values: FormData) => {
    const body = { name: String(values.get('name')).trim(), purpose: 'calendar' as const }
    const { token } = await unwrap(client.POST('/api/settings/feed-tokens', { body }))
    setAddress(addressWith(token))
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
    <>
      <Dialog
        open={open}
        onClose={onClose}
        size="large"
        title="Subscribe from elsewhere"
        about="An address that a phone or another calendar program reads this calendar from, and nothing else. Make one for each, so that you can revoke them one by one."
      >
        <Form onSubmit={make} resetOnSuccess label="New address">
          <div className="subscribe-new">
            <TextField
              name="name"
              label="What will use it"
              placeholder="Phone"
              maxLength={100}
              autoComplete="off"
              required
            />
            <Submit>Make an address</Submit>
          </div>
        </Form>
        <LoadedList
          query={query}
          itemsOf={({ feedTokens }) => feedTokens.filter(({ purpose }) => purpose === 'calendar')}
          empty={<p className="quiet">Nothing subscribes yet.</p>}
        >
          {(tokens) => (
            <ul className="rows" aria-label="Subscribers">
              {tokens.map((token) => (
                <li key={token.id}>
                  <div className="row-main">
                    <p className="row-title">{token.name}</p>
                    <p className="row-notes">
                      <code>{token.hint}</code>
                      <span>
                        {token.lastUsedAt === null ? (
                          'never used'
                        ) : (
                          <>used {<Time at={token.lastUsedAt} />}</>
                        )}
                      </span>
                    </p>
                  </div>
                  <Button
                    kind="quiet"
                    shape="icon"
                    size="small"
                    aria-label={`Revoke ${token.name}`}
                    onClick={() => setRevoking(token)}
                  >
                    <Trash2 size={17} aria-hidden="true" />
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </LoadedList>
      </Dialog>
      <SecretDialog
        secret={address}
        title="Your calendar’s address"
        about="Give it to the program that is to subscribe. Whoever has it can read your calendar. Copy it now: it is shown this once."
        onClose={() => setAddress(null)}
      />
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
    </>
  )
}
