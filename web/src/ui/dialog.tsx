import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useWorld } from '../api/context.tsx'
import { Button } from './button.tsx'
import { PasswordField } from './field.tsx'
import { Form, Submit, useFormState } from './form.tsx'
import type { KeptForm } from './use-kept-form.ts'

interface DialogProps {
  open: boolean
  /** Escape, the cross, or a press outside. */
  onClose: () => void
  title: string
  about?: ReactNode
  size?: 'middle' | 'large'
  /** It asks about something that cannot be taken back: a press beside it is no answer. */
  alert?: boolean
  /** It holds what is shown only once, or is at work. */
  stays?: boolean
  children: ReactNode
}

/** What is asked for; where nothing is, what most come for. */
const FIRST =
  'form :is(input:not([type="checkbox"], [type="hidden"]), select, textarea), .dialog-actions > [data-first]'

export const Dialog = ({
  open,
  onClose,
  title,
  about,
  size = 'middle',
  alert,
  stays,
  children,
}: DialogProps) => {
  const Parts = alert ? AlertDialog : BaseDialog
  const popup = useRef<HTMLDivElement>(null)
  const { unsaved, isHeld } = useWorld()
  /** A press beside what somebody has written something into is no answer; nor is one on what lies over it. */
  const isNoAnswer = (reason: string): boolean =>
    isHeld.get() ||
    (reason === 'outside-press' && (stays || (popup.current !== null && unsaved.in(popup.current))))
  // What is asked comes before what could be copied or closed; where a keyboard would pop up, nothing is touched yet.
  const firstField = (type: string) =>
    type === 'touch' || (popup.current?.querySelector<HTMLElement>(FIRST) ?? true)
  return (
    <Parts.Root
      open={open}
      onOpenChange={(wanted, { reason }) => {
        if (!wanted && !isNoAnswer(reason)) onClose()
      }}
    >
      <Parts.Portal>
        <Parts.Backdrop className="dialog-veil" />
        <Parts.Viewport className="dialog-place">
          <Parts.Popup ref={popup} className="dialog" data-size={size} initialFocus={firstField}>
            <Parts.Title className="dialog-title">{title}</Parts.Title>
            {about !== undefined && (
              <Parts.Description className="dialog-about" render={<div />}>
                {about}
              </Parts.Description>
            )}
            {children}
            <Parts.Close
              render={
                <Button kind="quiet" shape="icon" size="small" aria-label="Close">
                  <X size={18} aria-hidden="true" />
                </Button>
              }
              className="button dialog-close"
            />
          </Parts.Popup>
        </Parts.Viewport>
      </Parts.Portal>
    </Parts.Root>
  )
}

interface FormDialogProps extends Omit<DialogProps, 'children' | 'stays'> {
  action: string
  danger?: boolean
  codes?: Readonly<Record<string, string>>
  onSubmit(values: FormData): Promise<void> | void
  /** Under this name what is written waits until it is sent: that of the dialog, unless it says otherwise. */
  keeps?: string | null
  kept?: KeptForm
  children?: ReactNode
}

/** The one way out that means it: what was written goes. */
const Cancel = ({ onClose }: { onClose: () => void }) => {
  const { forget } = useFormState()
  return (
    <Button
      onClick={() => {
        forget()
        onClose()
      }}
    >
      Cancel
    </Button>
  )
}

export const FormDialog = ({
  action,
  danger = false,
  codes,
  onSubmit,
  onClose,
  keeps,
  kept,
  children,
  ...rest
}: FormDialogProps) => {
  const sending = useRef(false)
  const name = keeps === undefined && !rest.alert ? rest.title : (keeps ?? null)
  // Closing while it is under way would hide how it ended.
  const close = () => {
    if (!sending.current) onClose()
  }
  const submit = async (values: FormData) => {
    sending.current = true
    try {
      await onSubmit(values)
    } finally {
      sending.current = false
    }
  }
  return (
    <Dialog {...rest} onClose={close}>
      <Form onSubmit={submit} keeps={name} kept={kept} {...(codes && { codes })}>
        {children}
        <div className="dialog-actions">
          <Cancel onClose={close} />
          <Submit kind={danger ? 'danger' : 'primary'}>{action}</Submit>
        </div>
      </Form>
    </Dialog>
  )
}

export const passwordOf = (values: FormData): string => String(values.get('password'))

/** The API asks for the password again before anything dangerous. */
export const ConfirmPasswordField = ({ label = 'Your password' }: { label?: string }) => (
  <PasswordField name="password" label={label} autoComplete="current-password" />
)

export const WRONG_PASSWORD = { invalid_credentials: 'password' } as const

interface PasswordDialogProps extends Omit<FormDialogProps, 'onSubmit' | 'codes' | 'children'> {
  onConfirm(password: string): Promise<void>
}

export const PasswordDialog = ({ onConfirm, ...rest }: PasswordDialogProps) => (
  <FormDialog {...rest} codes={WRONG_PASSWORD} onSubmit={(values) => onConfirm(passwordOf(values))}>
    <ConfirmPasswordField />
  </FormDialog>
)
