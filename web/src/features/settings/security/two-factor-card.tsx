import { useQuery } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/security'
import { sections } from '#locale/settings'
import { twoFactorQuery, useAccountChanged } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { CopyButton, OneTimeSecretDialog, Secret } from '../../../ui/secret.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import './two-factor.css'

interface WizardProps {
  open: boolean
  onClose: () => void
  onEnabled: (backupCodes: readonly string[]) => Promise<void>
}

interface SetUp extends Shape<'TwoFactorSetup'> {
  /** Kept until the dialog closes, because the enable request needs it again. */
  password: string
}

/** Groups the secret in fours for manual entry. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

/** Steps: password, secret with a code as proof, backup codes. */
const TwoFactorWizard = ({ open, onClose, onEnabled }: WizardProps) => {
  const client = useClient()
  const [setUp, setSetUp] = useState<SetUp | null>(null)
  const close = () => {
    setSetUp(null)
    onClose()
  }
  const begin = async (password: string) => {
    const setup = await unwrap(client.POST('/api/settings/security/2fa/setup', { body: { password } }))
    setSetUp({ ...setup, password })
  }
  const enable = async (values: FormData) => {
    if (!setUp) return
    const body = { password: setUp.password, code: String(values.get('code')).replace(/\s/g, '') }
    const { backupCodes } = await unwrap(client.POST('/api/settings/security/2fa/enable', { body }))
    setSetUp(null)
    await onEnabled(backupCodes)
  }
  return (
    <>
      <PasswordDialog
        open={open && setUp === null}
        onClose={close}
        title={t.setUpTwoFactor}
        about={t.setUpAbout}
        action={t.next}
        onConfirm={begin}
      />
      <FormDialog
        open={open && setUp !== null}
        onClose={close}
        title={t.connectApp}
        about={t.connectAppAbout}
        action={t.turnOn}
        size="large"
        codes={{ invalid_two_factor_code: 'code' }}
        onSubmit={enable}
      >
        {setUp && (
          <div className="scan">
            <img className="scan-code" src={setUp.qr} width={176} height={176} alt={t.qrCode} />
            <div className="stack">
              <div>
                <p className="field-label">{t.cannotScan}</p>
                <p className="field-hint">
                  <RichText
                    text={t.enterKey}
                    tags={{ link: (text) => <a href={setUp.otpauthUrl}>{text}</a> }}
                  />
                </p>
              </div>
              <Secret text={grouped(setUp.secret)} copied={setUp.secret} />
            </div>
          </div>
        )}
        <TextField
          name="code"
          label={t.code}
          hint={t.codeHint}
          code
          inputMode="numeric"
          autoComplete="one-time-code"
          minLength={6}
          maxLength={20}
          required
        />
      </FormDialog>
    </>
  )
}

const asFile = (codes: readonly string[]): Blob =>
  new Blob([t.backupCodesFile(codes.join('\n'))], { type: 'text/plain' })

const BackupCodesDialog = ({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) => {
  const [isSaved, setIsSaved] = useState(false)
  const displayedCodes = useLastValue(codes) ?? []
  const keep = () => setIsSaved(true)
  const close = () => {
    setIsSaved(false)
    onClose()
  }
  return (
    <OneTimeSecretDialog
      open={codes !== null}
      onClose={close}
      isSaved={isSaved}
      title={t.saveBackupCodes}
      about={t.saveBackupCodesAbout}
    >
      <ul className="backup-codes">
        {displayedCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="form-actions backup-actions">
        <CopyButton text={displayedCodes.join('\n')} onCopied={keep} />
        <Button
          size="small"
          onClick={() => {
            saveFile(asFile(displayedCodes), 'factotum-backup-codes.txt')
            keep()
          }}
        >
          <Download size={15} aria-hidden="true" />
          {t.download}
        </Button>
        <Button
          size="small"
          onClick={() => {
            window.print()
            keep()
          }}
        >
          <Printer size={15} aria-hidden="true" />
          {t.print}
        </Button>
      </div>
      <label className="check backup-actions">
        <input type="checkbox" checked={isSaved} onChange={(event) => setIsSaved(event.target.checked)} />
        {t.backupCodesSaved}
      </label>
    </OneTimeSecretDialog>
  )
}

const FEW_CODES = 3

type Open = 'nothing' | 'wizard' | 'renewal' | 'disabling'

const WhenOn = ({ status, onOpen }: { status: Shape<'TwoFactorStatus'>; onOpen: (what: Open) => void }) => {
  const { date } = useDates()
  const { enabledAt, backupCodesLeft: left } = status
  return (
    <>
      <p className="row-notes">
        {enabledAt !== null && <span>{t.onSince(date(enabledAt))}</span>}
        <span>{t.backupCodesLeft(left)}</span>
      </p>
      {left <= FEW_CODES && <Notice tone="warn">{t.fewBackupCodes}</Notice>}
      <div className="form-actions">
        <Button onClick={() => onOpen('renewal')}>{t.newBackupCodes}</Button>
        <Button kind="warning" onClick={() => onOpen('disabling')}>
          {t.turnOff}
        </Button>
      </div>
    </>
  )
}

const WhenOff = ({ onOpen }: { onOpen: (what: Open) => void }) => (
  <div className="form-actions">
    <Button kind="primary" onClick={() => onOpen('wizard')}>
      {t.setUpTwoFactor}
    </Button>
  </div>
)

export const TwoFactorCard = () => {
  const client = useClient()
  const accountChanged = useAccountChanged()
  const notify = useNotify()
  const query = useQuery(twoFactorQuery(client))
  const [open, setOpen] = useState<Open>('nothing')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => setOpen('nothing')
  const statusChanged = useRefetch(twoFactorQuery(client).queryKey)
  const changed = () => Promise.all([statusChanged(), accountChanged()])

  const renew = async (password: string) => {
    const { backupCodes } = await unwrap(
      client.POST('/api/settings/security/2fa/backup-codes', { body: { password } }),
    )
    await changed()
    close()
    setCodes(backupCodes)
  }
  const disable = async (password: string) => {
    await unwrap(client.POST('/api/settings/security/2fa/disable', { body: { password } }))
    await changed()
    close()
    notify(t.turnedOff)
  }
  return (
    <Card
      id="two-factor"
      title={sections.security.cards['two-factor'].label}
      about={t.twoFactorAbout}
      aside={
        query.data && (
          <Tag tone={query.data.enabled ? 'good' : 'plain'}>{query.data.enabled ? t.on : t.off}</Tag>
        )
      }
    >
      <div className="stack">
        <Loaded query={query}>
          {(status) =>
            status.enabled ? <WhenOn status={status} onOpen={setOpen} /> : <WhenOff onOpen={setOpen} />
          }
        </Loaded>
      </div>
      <TwoFactorWizard
        open={open === 'wizard'}
        onClose={close}
        onEnabled={async (backupCodes) => {
          close()
          setCodes(backupCodes)
          notify(t.turnedOn)
          await changed()
        }}
      />
      <PasswordDialog
        open={open === 'renewal'}
        onClose={close}
        title={t.newBackupCodes}
        about={t.newBackupCodesAbout}
        action={t.newBackupCodes}
        onConfirm={renew}
      />
      <PasswordDialog
        open={open === 'disabling'}
        onClose={close}
        title={t.turnOffTitle}
        about={t.turnOffAbout}
        action={t.turnOff}
        danger
        alert
        onConfirm={disable}
      />
      <BackupCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Card>
  )
}
