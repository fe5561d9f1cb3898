import { useQueryClient } from '@tanstack/react-query'
import { CalendarDays, Plus, Rss, Trash2, Tv } from 'lucide-react'
import { useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/tokens'
import { toPublicUrl } from '../../../api/base-path.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { LastUsed } from '../tokens/tokens-section.tsx'

type FeedToken = Shape<'FeedToken'>
type Purpose = FeedToken['purpose']

const ICONS = { calendar: CalendarDays, overlay: Tv } as const
const PATHS = { calendar: '/api/calendar/feed.ics', overlay: '/overlay' } as const

const toLink = (purpose: Purpose, token: string): string =>
  `${toPublicUrl(PATHS[purpose])}?token=${encodeURIComponent(token)}`

const key = ['feed-tokens']

const Row = ({ token, onRevoke }: { token: FeedToken; onRevoke: () => Promise<void> }) => {
  const Icon = ICONS[token.purpose]
  return (
    <li>
      <span className="row-icon">
        <Icon size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">{token.name}</p>
        <p className="row-notes">
          <span>{t.purposes[token.purpose]}</span>
          <code>{token.hint}</code>
          <LastUsed at={token.lastUsedAt} />
        </p>
      </div>
      <div className="row-actions">
        <FormPopover
          align="end"
          trigger={
            <Button kind="quiet" shape="icon" size="small" aria-label={t.revokeNamed(token.name)}>
              <Trash2 size={17} aria-hidden="true" />
            </Button>
          }
          title={t.revokeTitle(token.name)}
          about={t.revokeLinkAbout}
          action={t.revoke}
          danger
          onSubmit={onRevoke}
        />
      </div>
    </li>
  )
}

const NewLink = ({ onCreate }: { onCreate: (values: FormData) => Promise<void> }) => (
  <FormPopover
    align="end"
    trigger={
      <Button kind="primary" size="small">
        <Plus size={16} aria-hidden="true" />
        {t.newPrivateLink}
      </Button>
    }
    title={t.newPrivateLink}
    action={t.createPrivateLink}
    savedAs="private-link"
    onSubmit={onCreate}
  >
    <TextField
      name="name"
      label={t.name}
      hint={t.privateLinkNameHint}
      maxLength={100}
      autoComplete="off"
      required
    />
    <SelectField name="purpose" label={t.content} defaultValue="calendar">
      {Object.entries(t.purposes).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  </FormPopover>
)

/** Private links. The API calls them feed tokens. */
export const FeedTokensSection = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/feed-tokens', { params: { query: page } })),
  )
  const [link, setLink] = useState<string | null>(null)
  const changed = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }

  const create = async (values: FormData) => {
    const purpose = String(values.get('purpose')) as Purpose
    const body = { name: String(values.get('name')).trim(), purpose }
    const { token } = await unwrap(client.POST('/api/settings/feed-tokens', { body }))
    setLink(toLink(purpose, token))
    await changed()
  }
  const revoke = async ({ id, name }: FeedToken) => {
    await unwrap(client.DELETE('/api/settings/feed-tokens/{id}', { params: { path: { id } } }))
    notify(t.revoked(name))
    await changed()
  }
  return (
    <Page title={t.privateLinks} within={common.settings} about={t.privateLinksAbout}>
      <Card id="feed-tokens" title={t.yourPrivateLinks} aside={<NewLink onCreate={create} />}>
        <LoadedList
          query={query}
          itemsOf={({ feedTokens }) => feedTokens}
          empty={
            <Empty icon={Rss} title={t.noPrivateLinks}>
              <p>{t.noPrivateLinksAbout}</p>
            </Empty>
          }
        >
          {(tokens) => (
            <ul className="rows">
              {tokens.map((token) => (
                <Row key={token.id} token={token} onRevoke={() => revoke(token)} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
      <SecretDialog
        secret={link}
        title={t.yourPrivateLink}
        about={t.yourPrivateLinkAbout}
        onClose={() => setLink(null)}
      />
    </Page>
  )
}
