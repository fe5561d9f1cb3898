import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { twoFactorQuery, useAccountChanged } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { PasswordDialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { BackupCodesDialog } from './backup-codes.tsx'
import { TwoFactorWizard } from './two-factor-wizard.tsx'

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
        about="Your password alone will be enough to sign in, and your backup codes are thrown away."
        action="Turn off"
        danger
        alert
        onConfirm={disable}
      />
      <BackupCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Card>
  )
}
