import { useQuery } from '@tanstack/react-query'
import { UserRound, X } from 'lucide-react'
import { useId, useRef } from 'react'
import * as t from '#locale/shares'
import { useClient } from '../../api/context.tsx'
import {
  resourceSharesQuery,
  type Share,
  type SharedResource,
  type ShareKind,
  type ShareRole,
  useShareActions,
} from '../../api/shares.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Tag } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { Row, RowList } from '../../ui/rows.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useLastValue } from '../../ui/use-last-value.ts'
import './share-dialog.css'

const ROLES: Readonly<Record<ShareKind, readonly ShareRole[]>> = {
  taskList: ['viewer', 'editor'],
  calendar: ['viewer', 'editor', 'freeBusy'],
}

const RoleOptions = ({ kind }: { kind: ShareKind }) =>
  ROLES[kind].map((role) => (
    <option key={role} value={role}>
      {t.roles[role]}
    </option>
  ))

interface ShareRowProps {
  kind: ShareKind
  share: Share
  onChangeRole: (role: ShareRole) => void
  onOfferAgain: () => void
  onRevoke: () => void
}

const ShareRow = ({ kind, share, onChangeRole, onOfferAgain, onRevoke }: ShareRowProps) => {
  const { email, name, role, status } = share
  const person = name ?? email
  return (
    <Row
      data-wraps="true"
      className="share-row"
      icon={UserRound}
      title={person}
      actions={
        <>
          {status === 'declined' ? (
            <Button size="small" aria-label={t.offerAgainTo(person)} onClick={onOfferAgain}>
              {t.offerAgain}
            </Button>
          ) : (
            <select
              className="input"
              aria-label={t.roleOf(person)}
              value={role}
              onChange={({ target }) => onChangeRole(target.value as ShareRole)}
            >
              <RoleOptions kind={kind} />
            </select>
          )}
          <IconButton
            icon={X}
            iconSize={18}
            label={t.stopSharingWith(person)}
            title={t.stopSharingWith(person)}
            onClick={onRevoke}
          />
        </>
      }
    >
      {name !== null && (
        <p className="row-notes">
          <span>{email}</span>
        </p>
      )}
      {status === 'pending' && <Tag>{t.waiting}</Tag>}
      {status === 'declined' && <Tag tone="warn">{t.declined}</Tag>}
    </Row>
  )
}

const Shares = ({ resource }: { resource: SharedResource }) => {
  const { kind } = resource
  const client = useClient()
  const notify = useNotify()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const query = useQuery(resourceSharesQuery(client, resource))
  const { offer, changeRole, revoke } = useShareActions(resource)
  const attempt = useAttempt()
  const runWithToast = (work: Promise<void>, toastText: string, undo?: () => void) =>
    attempt(async () => {
      await work
      notify(toastText, { ...(undo && { undo }) })
    })
  const offerTo = ({ email, role }: Share) => runWithToast(offer(email, role), t.offered(email))
  const change = (share: Share, role: ShareRole, undo?: () => void) => {
    const person = share.name ?? share.email
    return runWithToast(changeRole(share, role), t.roleChanged({ person, role: t.roles[role] }), undo)
  }
  const stop = async (share: Share): Promise<void> => {
    const person = share.name ?? share.email
    const pressed = document.activeElement
    // A revoked share cannot be restored. Undo is a new offer, which the person has to accept again.
    await runWithToast(revoke(share), t.stoppedSharing(person), () => void offerTo(share))
    if (!pressed?.isConnected) heading.current?.focus()
  }
  return (
    <section aria-labelledby={headingId}>
      <h3 ref={heading} id={headingId} className="share-heading" tabIndex={-1}>
        {t.sharedWith}
      </h3>
      <RowList query={query} itemsOf={({ shares }) => shares} empty={<p className="quiet">{t.notShared}</p>}>
        {(share) => (
          <ShareRow
            key={share.id}
            kind={kind}
            share={share}
            onChangeRole={(role) => void change(share, role, () => void change(share, share.role))}
            onOfferAgain={() => void offerTo(share)}
            onRevoke={() => void stop(share)}
          />
        )}
      </RowList>
    </section>
  )
}

const OfferForm = ({ resource }: { resource: SharedResource }) => {
  const notify = useNotify()
  const { offer } = useShareActions(resource)
  const submit = async (values: FormData): Promise<void> => {
    const email = readText(values, 'email')
    await offer(email, values.get('role') as ShareRole)
    notify(t.offered(email))
  }
  return (
    <Form
      label={t.shareTitle(resource.name)}
      savedAs={`share:${resource.kind}:${resource.id}`}
      resetOnSuccess
      onSubmit={submit}
    >
      <div className="share-fields">
        <TextField
          name="email"
          label={t.email}
          type="email"
          maxLength={254}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <SelectField name="role" label={t.role} defaultValue="viewer">
          <RoleOptions kind={resource.kind} />
        </SelectField>
        <Submit>{t.share}</Submit>
      </div>
    </Form>
  )
}

interface ShareDialogProps {
  /** The user's own task list or calendar. Null closes the dialog. */
  resource: SharedResource | null
  onClose: () => void
}

/** Shares a task list or calendar with other accounts. Every change takes effect at once. */
export const ShareDialog = ({ resource, onClose }: ShareDialogProps) => {
  const displayed = useLastValue(resource)
  return (
    <Dialog
      open={resource !== null}
      onClose={onClose}
      title={t.shareTitle(displayed?.name ?? '')}
      about={t.shareHelp}
      size="large"
    >
      {displayed && (
        <>
          <OfferForm resource={displayed} />
          <Shares resource={displayed} />
        </>
      )}
    </Dialog>
  )
}
