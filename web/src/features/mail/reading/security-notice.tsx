import { Download, FileSignature, LockKeyhole, ShieldAlert, ShieldCheck } from 'lucide-react'
import { Fragment, useState } from 'react'
import * as t from '#locale/mail-security'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useDates } from '../../../ui/time.tsx'
import { useBusyAttempt } from '../../../ui/use-busy-attempt.ts'
import { readAttachment } from '../attachment-bytes.ts'
import type { Email } from '../folders.ts'

export type EmailSecurity = NonNullable<Email['security']>
type SecuredEmail = Email & { security: EmailSecurity }

export const isSecured = (email: Email): email is SecuredEmail => email.security !== null

const ICONS = {
  verified: ShieldCheck,
  unverified: FileSignature,
  invalid: ShieldAlert,
  unchecked: FileSignature,
} satisfies Record<EmailSecurity['status'], unknown>

const describe = ({ kind, protocol, status, signer }: EmailSecurity): string => {
  if (kind === 'encrypted') return t.encrypted[protocol]
  if (status === 'verified') return t.verified(signer?.name || signer?.addresses[0] || t.unnamed)
  if (status === 'unchecked') return t.unchecked[protocol]
  return status === 'invalid' ? t.invalid : t.unverified
}

const SignerDetails = ({ signer }: { signer: NonNullable<EmailSecurity['signer']> }) => {
  const { date, dateTime } = useDates()
  const rows = [
    [t.fields.signer, signer.name],
    [t.fields.addresses, signer.addresses.join(', ')],
    [t.fields.issuer, signer.issuer],
    [t.fields.valid, t.validity({ from: date(signer.validFrom), until: date(signer.validUntil) })],
    [t.fields.algorithm, signer.algorithm],
    [t.fields.signedAt, signer.signedAt === null ? '' : dateTime(signer.signedAt)],
  ].filter(([, value]) => value !== '')
  return (
    <dl className="message-details">
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

const DownloadFile = ({ email }: { email: SecuredEmail }) => {
  const client = useClient()
  const { isBusy, attempt } = useBusyAttempt()
  const file = email.attachments.find(({ id }) => id === email.security.attachmentId)
  if (!file) return null
  const download = () =>
    attempt(async () => saveFile(await readAttachment(client, email.id, file), file.filename))
  return (
    <Button size="small" busy={isBusy} onClick={() => void download()}>
      {!isBusy && <Download size={16} aria-hidden="true" />}
      {t.download(file.filename)}
    </Button>
  )
}

/** Names the signature or encryption of an email, with the reasons and the certificate in a popover. */
export const SecurityNotice = ({ email }: { email: SecuredEmail }) => {
  const { security } = email
  const [isOpen, setIsOpen] = useState(false)
  const isEncrypted = security.kind === 'encrypted'
  const Icon = isEncrypted ? LockKeyhole : ICONS[security.status]
  const title = describe(security)
  return (
    <section className="security-notice" data-status={security.status} aria-label={t.label}>
      <Icon className="security-icon" size={16} aria-hidden="true" />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        {isEncrypted && <p>{t.encryptedAbout}</p>}
      </div>
      {isEncrypted && <DownloadFile email={email} />}
      <Popover
        open={isOpen}
        onOpen={() => setIsOpen(true)}
        onClose={() => setIsOpen(false)}
        title={title}
        align="end"
        size="small"
        trigger={
          <Button size="small" kind="quiet">
            {t.details}
          </Button>
        }
      >
        {security.reasons.map((reason) => (
          <p key={reason}>{t.reasons[reason]}</p>
        ))}
        {security.signer && <SignerDetails signer={security.signer} />}
        {security.status === 'verified' && <p className="quiet small">{t.noRevocation}</p>}
      </Popover>
    </section>
  )
}
