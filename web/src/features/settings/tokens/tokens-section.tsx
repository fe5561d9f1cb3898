import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { TokenDialogs } from './token-dialogs.tsx'
import { type TokenAction, TokenRow } from './token-row.tsx'

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
