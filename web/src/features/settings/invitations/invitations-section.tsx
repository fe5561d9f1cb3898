import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Info, Plus, Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { signInOptionsQuery } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { ApiError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty, Notice } from '../../../ui/notice.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'

type Invitation = Shape<'Invitation'>

const key = ['invitations']

const guestOf = ({ email }: Invitation): string => email ?? 'Whoever has the link'

const Row = ({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) => {
  const { date } = useDates()
  const isOver = new Date(invitation.expiresAt).getTime() <= Date.now()
  const { acceptedAt } = invitation
  return (
    <li>
      <span className="row-icon">
        <UserPlus size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">
          {guestOf(invitation)}
          {acceptedAt !== null ? (
            <Tag tone="good">Accepted</Tag>
          ) : isOver ? (
            <Tag>Expired</Tag>
          ) : (
            <Tag tone="accent">Open</Tag>
          )}
        </p>
        <p className="row-notes">
          <span>made {date(invitation.createdAt)}</span>
          <span>
            {acceptedAt === null
              ? `good until ${date(invitation.expiresAt)}`
              : `accepted ${date(acceptedAt)}`}
          </span>
        </p>
      </div>
      {acceptedAt === null && (
        <div className="row-actions">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={`Take back: ${guestOf(invitation)}`}
            onClick={onRevoke}
          >
            <Trash2 size={17} aria-hidden="true" />
          </Button>
        </div>
      )}
    </li>
  )
}

export const InvitationsSection = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const registration = useQuery(signInOptionsQuery).data?.registration
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/invitations', { params: { query: page } })),
  )
  const [isMaking, setIsMaking] = useState(false)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const changed = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }

  const make = async (values: FormData) => {
    const email = String(values.get('email')).trim()
    const body = { password: passwordOf(values), ...(email !== '' && { email }) }
    const { url } = await unwrap(client.POST('/api/settings/invitations', { body }))
    setIsMaking(false)
    setLink(url)
    await changed()
  }
  const revoke = async () => {
    if (!revoking) return
    await unwrap(client.DELETE('/api/settings/invitations/{id}', { params: { path: { id: revoking.id } } }))
    await changed()
    setRevoking(null)
    notify('The invitation is taken back.')
  }

  const isRefused = query.error instanceof ApiError && query.error.status === 403
  return (
    <Page
      title="Invitations"
      within="Settings"
      about="Whoever you invite has settings of their own, and shares the mail, tasks and calendar of this instance."
    >
      {registration === 'open' && (
        <Notice icon={Info}>
          Anyone who reaches this instance can create an account: nobody needs an invitation now.
        </Notice>
      )}
      {registration === 'closed' && (
        <Notice icon={Info}>This instance takes no more accounts, not even with an invitation.</Notice>
      )}
      <Card
        id="invitations"
        title="Your invitations"
        about="Each is good for one account, for a week."
        aside={
          !isRefused && (
            <Button kind="primary" size="small" onClick={() => setIsMaking(true)}>
              <Plus size={16} aria-hidden="true" />
              Invite someone
            </Button>
          )
        }
      >
        {isRefused ? (
          <Notice icon={Info}>{query.error?.message}</Notice>
        ) : (
          <LoadedList
            query={query}
            itemsOf={({ invitations }) => invitations}
            empty={
              <Empty icon={UserPlus} title="Nobody is invited">
                <p>An invitation is a link that lets one person create an account here.</p>
              </Empty>
            }
          >
            {(invitations) => (
              <ul className="rows">
                {invitations.map((invitation) => (
                  <Row key={invitation.id} invitation={invitation} onRevoke={() => setRevoking(invitation)} />
                ))}
              </ul>
            )}
          </LoadedList>
        )}
      </Card>
      <FormDialog
        open={isMaking}
        onClose={() => setIsMaking(false)}
        title="Invite someone"
        about="You get a link to send them. Factotum sends nothing by itself."
        action="Make invitation"
        codes={WRONG_PASSWORD}
        onSubmit={make}
      >
        <TextField
          name="email"
          label="Their e-mail (optional)"
          hint="With it, the invitation is good for that address alone."
          type="email"
          autoComplete="off"
        />
        <ConfirmPasswordField />
      </FormDialog>
      <FormDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        alert
        danger
        title="Take this invitation back?"
        about="Its link lets nobody in from then on."
        action="Take back"
        onSubmit={revoke}
      />
      <SecretDialog
        secret={link}
        title="The invitation"
        about="Send this link to the person you invite. It is shown this once."
        onClose={() => setLink(null)}
      />
    </Page>
  )
}
