import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Info, Plus, Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/instance'
import * as common from '#locale/shared-texts'
import { signInOptionsQuery } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { instanceSettingsQuery } from '../../../api/instance-settings.ts'
import { usePaged } from '../../../api/paged.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty, Notice } from '../../../ui/notice.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'

type Invitation = Shape<'Invitation'>

const key = ['invitations']

const guestOf = ({ email }: Invitation): string => email ?? t.anyone

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
            <Tag tone="good">{t.accepted}</Tag>
          ) : isOver ? (
            <Tag>{t.expired}</Tag>
          ) : (
            <Tag tone="accent">{t.open}</Tag>
          )}
        </p>
        <p className="row-notes">
          <span>{t.createdOn(date(invitation.createdAt))}</span>
          <span>
            {acceptedAt === null ? t.expiresOn(date(invitation.expiresAt)) : t.acceptedOn(date(acceptedAt))}
          </span>
        </p>
      </div>
      {acceptedAt === null && (
        <div className="row-actions">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={t.deleteInvitation(guestOf(invitation))}
            onClick={onRevoke}
          >
            <Trash2 size={17} aria-hidden="true" />
          </Button>
        </div>
      )}
    </li>
  )
}

interface CreatedLink {
  url: string
  /** The instance should have mailed the link, and could not. */
  hasFailed: boolean
}

export const InvitationsCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const registration = useQuery(signInOptionsQuery).data?.registration
  const settings = useQuery(instanceSettingsQuery(client)).data
  const canMail = settings !== undefined && settings.mailAddress !== null && settings.hasPublicUrl
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/invitations', { params: { query: page } })),
  )
  const [isMaking, setIsMaking] = useState(false)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const [link, setLink] = useState<CreatedLink | null>(null)
  const displayedLink = useLastValue(link)
  const changed = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
  }

  const make = async (values: FormData) => {
    const email = String(values.get('email')).trim()
    const sendEmail = values.get('sendEmail') === 'on'
    const body = { password: passwordOf(values), sendEmail, ...(email !== '' && { email }) }
    const { url, emailSent } = await unwrap(client.POST('/api/settings/invitations', { body }))
    setIsMaking(false)
    if (emailSent) notify(t.invitationSent(email))
    else setLink({ url, hasFailed: sendEmail })
    await changed()
  }
  const revoke = async () => {
    if (!revoking) return
    await unwrap(client.DELETE('/api/settings/invitations/{id}', { params: { path: { id: revoking.id } } }))
    await changed()
    setRevoking(null)
    notify(t.invitationDeleted)
  }

  return (
    <>
      <Card
        id="invitations"
        title={t.yourInvitations}
        about={t.invitationsAbout}
        aside={
          <Button size="small" onClick={() => setIsMaking(true)}>
            <Plus size={16} aria-hidden="true" />
            {t.invite}
          </Button>
        }
      >
        <div className="stack">
          {registration === 'open' && <Notice icon={Info}>{t.registrationOpen}</Notice>}
          {registration === 'closed' && <Notice icon={Info}>{t.registrationClosed}</Notice>}
          <LoadedList
            query={query}
            itemsOf={({ invitations }) => invitations}
            empty={
              <Empty icon={UserPlus} title={t.noInvitations}>
                <p>{t.noInvitationsAbout}</p>
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
        </div>
      </Card>
      <FormDialog
        open={isMaking}
        onClose={() => setIsMaking(false)}
        title={t.invite}
        about={canMail ? t.inviteAbout : t.inviteWithoutMailAbout}
        action={t.createInvitation}
        codes={WRONG_PASSWORD}
        onSubmit={make}
      >
        <TextField
          name="email"
          label={t.guestEmail}
          hint={t.guestEmailHint}
          type="email"
          autoComplete="off"
        />
        {canMail && (
          <label className="check">
            <input type="checkbox" name="sendEmail" />
            <span>{t.sendByEmail}</span>
          </label>
        )}
        <ConfirmPasswordField />
      </FormDialog>
      <FormDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        alert
        danger
        title={t.deleteInvitationTitle}
        about={t.deleteInvitationAbout}
        action={common.remove}
        onSubmit={revoke}
      />
      <SecretDialog
        secret={link?.url ?? null}
        title={t.invitationLink}
        about={displayedLink?.hasFailed ? t.invitationNotSent : t.invitationLinkAbout}
        onClose={() => setLink(null)}
      />
    </>
  )
}
