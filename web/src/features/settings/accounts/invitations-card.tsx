import { useQuery } from '@tanstack/react-query'
import { Info, Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/instance'
import * as common from '#locale/shared-texts'
import { signInOptionsQuery } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { instanceSettingsQuery } from '../../../api/instance-settings.ts'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { AddButton, IconButton } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import {
  ConfirmDialog,
  ConfirmPasswordField,
  FormDialog,
  passwordOf,
  WRONG_PASSWORD,
} from '../../../ui/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { Empty, Notice } from '../../../ui/notice.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { SecretDialog } from '../../../ui/secret.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'

type Invitation = Shape<'Invitation'>

const key = ['invitations']

const guestOf = ({ email }: Invitation): string => email ?? t.anyone

const InvitationRow = ({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) => {
  const { date } = useDates()
  const isOver = new Date(invitation.expiresAt).getTime() <= Date.now()
  const { acceptedAt } = invitation
  return (
    <Row
      icon={UserPlus}
      title={guestOf(invitation)}
      tags={
        acceptedAt !== null ? (
          <Tag tone="good">{t.accepted}</Tag>
        ) : isOver ? (
          <Tag>{t.expired}</Tag>
        ) : (
          <Tag tone="accent">{t.open}</Tag>
        )
      }
      actions={
        acceptedAt === null && (
          <IconButton icon={Trash2} label={t.deleteInvitation(guestOf(invitation))} onClick={onRevoke} />
        )
      }
    >
      <p className="row-notes">
        <span>{t.createdOn(date(invitation.createdAt))}</span>
        <span>
          {acceptedAt === null ? t.expiresOn(date(invitation.expiresAt)) : t.acceptedOn(date(acceptedAt))}
        </span>
      </p>
    </Row>
  )
}

interface CreatedLink {
  url: string
  /** The instance should have mailed the link, and could not. */
  hasFailed: boolean
}

export const InvitationsCard = () => {
  const client = useClient()
  const notify = useNotify()
  const registration = useQuery(signInOptionsQuery).data?.registration
  const settings = useQuery(instanceSettingsQuery(client)).data
  const canMail = settings !== undefined && settings.mailAddress !== null && settings.hasPublicUrl
  const query = usePaged(key, (page) =>
    unwrap(client.GET('/api/settings/invitations', { params: { query: page } })),
  )
  const [isCreating, setIsCreating] = useState(false)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const [link, setLink] = useState<CreatedLink | null>(null)
  const displayedLink = useLastValue(link)
  const changed = useRefetch(key, ['activity'])

  const make = async (values: FormData) => {
    const email = readText(values, 'email')
    const sendEmail = values.get('sendEmail') === 'on'
    const body = { password: passwordOf(values), sendEmail, ...(email !== '' && { email }) }
    const { url, emailSent } = await unwrap(client.POST('/api/settings/invitations', { body }))
    setIsCreating(false)
    if (emailSent) notify(t.invitationSent(email))
    else setLink({ url, hasFailed: sendEmail })
    await changed()
  }
  const revoke = async ({ id }: Invitation) => {
    await unwrap(client.DELETE('/api/settings/invitations/{id}', { params: { path: { id } } }))
    await changed()
    notify(t.invitationDeleted)
  }

  return (
    <>
      <Card
        id="invitations"
        title={t.yourInvitations}
        about={t.invitationsAbout}
        aside={<AddButton onClick={() => setIsCreating(true)}>{t.invite}</AddButton>}
      >
        <div className="stack">
          {registration === 'open' && <Notice icon={Info}>{t.registrationOpen}</Notice>}
          {registration === 'closed' && <Notice icon={Info}>{t.registrationClosed}</Notice>}
          <RowList
            query={query}
            itemsOf={({ invitations }) => invitations}
            empty={<Empty icon={UserPlus} title={t.noInvitations} about={t.noInvitationsAbout} />}
          >
            {(invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                onRevoke={() => setRevoking(invitation)}
              />
            )}
          </RowList>
        </div>
      </Card>
      <FormDialog
        open={isCreating}
        onClose={() => setIsCreating(false)}
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
        {canMail && <CheckField name="sendEmail" label={t.sendByEmail} />}
        <ConfirmPasswordField />
      </FormDialog>
      <ConfirmDialog
        item={revoking}
        onClose={() => setRevoking(null)}
        title={() => t.deleteInvitationTitle}
        about={() => t.deleteInvitationAbout}
        action={common.remove}
        onConfirm={revoke}
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
