import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useServices } from '../api/context.tsx'
import { Button } from './button.tsx'
import { PasswordField } from './field.tsx'
import { Form, Submit, useFormState } from './form.tsx'
import type { SavedFormControls } from './use-saved-form-controls.ts'

interface DialogProps {
  open: boolean
  /** Called on Escape, the close button, or a press outside. */
  onClose: () => void
  title: string
  about?: ReactNode
  size?: 'middle' | 'large'
  /** The dialog confirms an irreversible action: a press outside does not close it. */
  alert?: boolean
  /** A press outside does not close the dialog, because it shows a one-time secret or is busy. */
  persistent?: boolean
  children: ReactNode
}

/** Initial focus: the first form control, else the action marked with `data-first`. */
const INITIAL_FOCUS =
  'form :is(input:not([type="checkbox"], [type="hidden"]), select, textarea), .dialog-actions > [data-first]'

export const Dialog = ({
  open,
  onClose,
  title,
  about,
  size = 'middle',
  alert,
  persistent,
  children,
}: DialogProps) => {
  const Parts = alert ? AlertDialog : BaseDialog
  const popup = useRef<HTMLDivElement>(null)
  const { unsavedInput, needsReauthentication } = useServices()
  /**
   * Ignores a press outside when the dialog contains unsaved text, and every close request under the sign-in
   * overlay.
   */
  const isIgnoredClose = (reason: string): boolean =>
    needsReauthentication.get() ||
    (reason === 'outside-press' && (persistent || (popup.current !== null && unsavedInput.in(popup.current))))
  // Focuses the first field rather than a copy or close button. On touch devices no field gets the focus,
  // because the on-screen keyboard would open.
  const firstField = (type: string) =>
    type === 'touch' || (popup.current?.querySelector<HTMLElement>(INITIAL_FOCUS) ?? true)
  return (
    <Parts.Root
      open={open}
      onOpenChange={(wanted, { reason }) => {
        if (!wanted && !isIgnoredClose(reason)) onClose()
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
  /** Name under which unsent input is saved. Defaults to the title; null saves nothing. */
  savedAs?: string | null
  savedForm?: SavedFormControls
  children?: ReactNode
}

/** Cancel is the only way to close that deletes the saved input. */
const Cancel = ({ onClose }: { onClose: () => void }) => {
  const { discard } = useFormState()
  return (
    <Button
      onClick={() => {
        discard()
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
  savedAs,
  savedForm,
  children,
  ...rest
}: FormDialogProps) => {
  const sending = useRef(false)
  const name = savedAs === undefined && !rest.alert ? rest.title : (savedAs ?? null)
  // Ignored while the request runs, because closing would hide the result.
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
      <Form onSubmit={submit} savedAs={name} savedForm={savedForm} {...(codes && { codes })}>
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

/** The API requires the password again for dangerous actions. */
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
