import { CalendarDays, Rss, Trash2, Tv } from 'lucide-react'
import { useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/tokens'
import { toPublicUrl } from '../../../api/base-path.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { AddButton, IconButton } from '../../../ui/button.tsx'
import { Options, SelectField, TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { ListCard } from '../../../ui/list-card.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { Row } from '../../../ui/rows.tsx'
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

const FeedTokenRow = ({ token, onRevoke }: { token: FeedToken; onRevoke: () => Promise<void> }) => {
  const Icon = ICONS[token.purpose]
  return (
    <Row
      icon={Icon}
      title={token.name}
      actions={
        <FormPopover
          align="end"
          trigger={<IconButton icon={Trash2} label={t.revokeNamed(token.name)} />}
          title={t.revokeTitle(token.name)}
          about={t.revokeLinkAbout}
          action={t.revoke}
          danger
          onSubmit={onRevoke}
        />
      }
    >
      <p className="row-notes">
        <span>{t.purposes[token.purpose]}</span>
        <code>{token.hint}</code>
        <LastUsed at={token.lastUsedAt} />
      </p>
    </Row>
  )
}

const NewLink = ({ onCreate }: { onCreate: (values: FormData) => Promise<void> }) => (
  <FormPopover
    align="end"
    trigger={<AddButton kind="primary">{t.newPrivateLink}</AddButton>}
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
      <Options entries={Object.entries(t.purposes)} />
    </SelectField>
  </FormPopover>
)

/** Private links. The API calls them feed tokens. */
export const FeedTokensSection = () => {
  const client = useClient()
  const notify = useNotify()
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/feed-tokens', { params: { query: page } })),
  )
  const [link, setLink] = useState<string | null>(null)
  const changed = useRefetch(key, ['activity'])

  const create = async (values: FormData) => {
    const purpose = String(values.get('purpose')) as Purpose
    const body = { name: readText(values, 'name'), purpose }
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
      <ListCard
        id="feed-tokens"
        title={t.yourPrivateLinks}
        aside={<NewLink onCreate={create} />}
        query={query}
        itemsOf={({ feedTokens }) => feedTokens}
        empty={{ icon: Rss, title: t.noPrivateLinks, about: t.noPrivateLinksAbout }}
      >
        {(token) => <FeedTokenRow key={token.id} token={token} onRevoke={() => revoke(token)} />}
      </ListCard>
      <SecretDialog
        secret={link}
        title={t.yourPrivateLink}
        about={t.yourPrivateLinkAbout}
        onClose={() => setLink(null)}
      />
    </Page>
  )
}
