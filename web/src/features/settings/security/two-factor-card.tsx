import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { twoFactorQuery, useAccountChanged } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
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
    const made = await unwrap(client.POST('/api/settings/security/2fa/setup', { body: { password } }))
    setSetUp({ ...made, password })
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
        title="Set up two-step sign-in"
        about="You need an authenticator app on your phone: Aegis, 2FAS, Google Authenticator, 1Password or any other."
        action="Continue"
        onConfirm={begin}
      />
      <FormDialog
        open={open && setUp !== null}
        onClose={close}
        title="Connect your app"
        about="Scan this with your authenticator app. It shows six digits then, which change twice a minute."
        action="Turn on"
        size="large"
        codes={{ invalid_two_factor_code: 'code' }}
        onSubmit={enable}
      >
        {setUp && (
          <div className="scan">
            <img
              className="scan-code"
              src={setUp.qr}
              width={176}
              height={176}
              alt="QR code for your authenticator app"
            />
            <div className="stack">
              <div>
                <p className="field-label">Cannot scan it?</p>
                <p className="field-hint">
                  Enter this key in the app, or <a href={setUp.otpauthUrl}>open the app on this device</a>.
                </p>
              </div>
              <Secret text={grouped(setUp.secret)} copied={setUp.secret} />
            </div>
          </div>
        )}
        <TextField
          name="code"
          label="Code"
          hint="The six digits that the app shows now."
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
  new Blob([`Factotum backup codes\nEach is good for one sign-in.\n\n${codes.join('\n')}\n`], {
    type: 'text/plain',
  })

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
      title="Keep your backup codes"
      about="Each lets you in once when your phone cannot. Keep them where you would find them without it."
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
          Download
        </Button>
        <Button
          size="small"
          onClick={() => {
            window.print()
            keep()
          }}
        >
          <Printer size={15} aria-hidden="true" />
          Print
        </Button>
      </div>
      <label className="check backup-actions">
        <input type="checkbox" checked={isSaved} onChange={(event) => setIsSaved(event.target.checked)} />I
        have kept them somewhere safe
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
      <p>
        {enabledAt !== null && `On since ${date(enabledAt)}. `}
        {left === 1 ? 'One backup code is left.' : `${left} backup codes are left.`}
      </p>
      {left <= FEW_CODES && (
        <Notice tone="warn">
          Make new backup codes before they run out: they let you in when your phone cannot.
        </Notice>
      )}
      <div className="form-actions">
        <Button onClick={() => onOpen('renewal')}>Make new backup codes</Button>
        <Button kind="warning" onClick={() => onOpen('disabling')}>
          Turn off
        </Button>
      </div>
    </>
  )
}

const WhenOff = ({ onOpen }: { onOpen: (what: Open) => void }) => (
  <>
    <p>
      With it, signing in takes your password and a code from an authenticator app on your phone. Whoever
      learns your password alone stays outside.
    </p>
    <div className="form-actions">
      <Button kind="primary" onClick={() => onOpen('wizard')}>
        Set up two-step sign-in
      </Button>
    </div>
  </>
)

export const TwoFactorCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const accountChanged = useAccountChanged()
  const notify = useNotify()
  const query = useQuery(twoFactorQuery(client))
  const [open, setOpen] = useState<Open>('nothing')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => setOpen('nothing')
  const changed = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: twoFactorQuery(client).queryKey }),
      accountChanged(),
    ])
  }

  const renew = async (password: string) => {
    const made = await unwrap(client.POST('/api/settings/security/2fa/backup-codes', { body: { password } }))
    await changed()
    close()
    setCodes(made.backupCodes)
  }
  const disable = async (password: string) => {
    await unwrap(client.POST('/api/settings/security/2fa/disable', { body: { password } }))
    await changed()
    close()
    notify('Two-step sign-in is off.')
  }
  return (
    <Card
      id="two-factor"
      title="Two-step sign-in"
      aside={
        query.data && (
          <Tag tone={query.data.enabled ? 'good' : 'plain'}>{query.data.enabled ? 'On' : 'Off'}</Tag>
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
        onEnabled={async (made) => {
          close()
          setCodes(made)
          notify('Two-step sign-in is on.')
          await changed()
        }}
      />
      <PasswordDialog
        open={open === 'renewal'}
        onClose={close}
        title="Make new backup codes"
        about="The ones you have are worth nothing from then on."
        action="Make new codes"
        onConfirm={renew}
      />
      <PasswordDialog
        open={open === 'disabling'}
        onClose={close}
        title="Turn two-step sign-in off?"
        about="You will sign in with your password only. Your backup codes are deleted."
        action="Turn off"
        danger
        alert
        onConfirm={disable}
      />
      <BackupCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Card>
  )
}
