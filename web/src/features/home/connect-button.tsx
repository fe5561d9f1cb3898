import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import * as t from '#locale/remote-accounts'
import { Button } from '../../ui/button.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useLazy } from '../../ui/use-lazy.ts'

interface AddDialogProps {
  open: boolean
  onClose: () => void
  onAdded: (account: { name: string }) => void
}

const loadMailDialog = () =>
  import('../settings/mail-accounts/connect-dialog.tsx').then(({ AddMailAccountDialog }) => ({
    default: AddMailAccountDialog as (props: AddDialogProps) => ReactNode,
  }))

const loadCalendarDialog = () =>
  import('../settings/calendar-accounts/account-dialogs.tsx').then(({ AddCalendarAccountDialog }) => ({
    default: AddCalendarAccountDialog as (props: AddDialogProps) => ReactNode,
  }))

const TARGETS = {
  mail: { load: loadMailDialog, queryKey: ['mail-accounts'], addedText: t.emailAccountAdded },
  calendar: { load: loadCalendarDialog, queryKey: ['calendar-accounts'], addedText: t.calendarAccountAdded },
} as const

interface ConnectButtonProps {
  target: keyof typeof TARGETS
  label: string
  kind?: 'plain' | 'primary'
  children: ReactNode
}

/** Opens the dialog that adds an account, on the same page. Its code is loaded on the first press. */
export const ConnectButton = ({ target, label, kind = 'plain', children }: ConnectButtonProps) => {
  const { load, queryKey, addedText } = TARGETS[target]
  const queries = useQueryClient()
  const notify = useNotify()
  const AddDialog = useLazy(load)
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <Button size="small" kind={kind} aria-label={label} onClick={() => setState('open')}>
        {children}
      </Button>
      {state !== 'never' && (
        <Suspense fallback={null}>
          <AddDialog
            open={state === 'open'}
            onClose={() => setState('closed')}
            onAdded={({ name }) => {
              notify(addedText(name))
              void queries.invalidateQueries({ queryKey })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
