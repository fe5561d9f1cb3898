import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Secret } from '../../../ui/secret.tsx'
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
export const TwoFactorWizard = ({ open, onClose, onEnabled }: WizardProps) => {
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
