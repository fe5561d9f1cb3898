import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/calendar'
import * as calendarTexts from '#locale/calendars'
import { toPublicUrl } from '../../../api/base-path.ts'
import type { Calendar } from '../../../api/calendars.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { IconButton } from '../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { nameCalendar } from '../calendars/calendar-access.ts'
import './files.css'
import { useRefetch } from '../../../api/use-refetch.ts'
import { readText } from '../../../ui/form-values.ts'

type FeedToken = Shape<'FeedToken'>

const key = ['feed-tokens']

const addressWith = (token: string): string =>
  `${toPublicUrl('/api/calendar/feed.ics')}?token=${encodeURIComponent(token)}`

interface SubscribeDialogProps {
  open: boolean
  /** Null: links with the events of all own calendars, and a list of all links. */
  calendar: Calendar | null
  calendars: readonly Calendar[]
  onClose: () => void
}

/** Feed addresses for other calendar programs. */
export const SubscribeDialog = ({ open, calendar, calendars, onClose }: SubscribeDialogProps) => {
  const client = useClient()
  const notify = useNotify()
  const { near, dateTime } = useDates()
  const [address, setAddress] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<FeedToken | null>(null)
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/feed-tokens', { params: { query: page } })),
  )
  const title = useLastValue(
    open ? (calendar === null ? t.privateLinks : calendarTexts.linksOf(calendar.name)) : null,
  )
  const nameOf = ({ calendarId }: FeedToken): string | null => {
    const limitedTo = calendars.find(({ id }) => id === calendarId)
    return limitedTo === undefined || calendar !== null ? null : nameCalendar(limitedTo)
  }
  const isListed = ({ purpose, calendarId }: FeedToken): boolean =>
    purpose === 'calendar' && (calendar === null || calendarId === calendar.id)
  const changed = useRefetch(key, ['activity'])
  const make = async (values: FormData) => {
    const body = {
      name: readText(values, 'name'),
      purpose: 'calendar' as const,
      ...(calendar !== null && { calendarId: calendar.id }),
    }
    const { token } = await unwrap(client.POST('/api/settings/feed-tokens', { body }))
    setAddress(addressWith(token))
    await changed()
  }
  const revoke = async ({ id, name }: FeedToken) => {
    await unwrap(client.DELETE('/api/settings/feed-tokens/{id}', { params: { path: { id } } }))
    await changed()
    notify(t.linkRevoked(name))
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        size="large"
        title={title ?? t.privateLinks}
        about={t.privateLinksAbout}
      >
        <Form onSubmit={make} resetOnSuccess label={t.newPrivateLink}>
          <div className="subscribe-new">
            <TextField
              name="name"
              label={t.linkName}
              placeholder={t.linkNameExample}
              maxLength={100}
              autoComplete="off"
              required
            />
            <Submit>{t.createLink}</Submit>
          </div>
        </Form>
        <RowList
          query={query}
          itemsOf={({ feedTokens }) => feedTokens.filter(isListed)}
          empty={<p className="quiet">{t.noPrivateLinks}</p>}
          label={t.privateLinks}
        >
          {(token) => (
            <Row
              key={token.id}
              title={token.name}
              actions={
                <IconButton
                  icon={Trash2}
                  label={t.revokeLink(token.name)}
                  onClick={() => setRevoking(token)}
                />
              }
            >
              <p className="row-notes">
                {nameOf(token) !== null && <span>{nameOf(token)}</span>}
                <code>{token.hint}</code>
                {token.lastUsedAt === null ? (
                  <span>{t.neverUsed}</span>
                ) : (
                  <time dateTime={token.lastUsedAt} title={dateTime(token.lastUsedAt)}>
                    {t.lastUsed(near(token.lastUsedAt))}
                  </time>
                )}
              </p>
            </Row>
          )}
        </RowList>
      </Dialog>
      <SecretDialog
        secret={address}
        title={t.linkCreated}
        about={t.linkCreatedAbout}
        onClose={() => setAddress(null)}
      />
      <ConfirmDialog
        item={revoking}
        onClose={() => setRevoking(null)}
        title={({ name }) => t.revokeQuestion(name)}
        about={() => t.revokeAbout}
        action={t.revoke}
        onConfirm={revoke}
      />
    </>
  )
}
