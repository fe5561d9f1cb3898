import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/ui'
import { useServices } from '../api/context.tsx'
import { Button, IconButton } from './button.tsx'
import { PasswordField } from './field.tsx'
import { Form, SaveButton, Submit, useFormState } from './form.tsx'
import { rememberRowFocus } from './row-focus.ts'
import { useLastValue } from './use-last-value.ts'
import type { SavedFormControls } from './use-saved-form-controls.ts'

interface DialogProps {
  open: boolean
  /** Called on Escape, the close button, or a press outside. */
  onClose: () => void
  title: string
  about?: ReactNode
  /** `sheet`: covers the page. */
  size?: 'middle' | 'large' | 'sheet'
  /** The dialog confirms an irreversible action: a press outside does not close it. */
  alert?: boolean
  /** A press outside does not close the dialog, because it shows a one-time secret or is busy. */
  persistent?: boolean
  children: ReactNode
}

/** Initial focus without `data-initial-focus`: the first form control, else the action marked with `data-first`. */
const INITIAL_FOCUS =
  'form :is(input:not([type="checkbox"], [type="radio"], [type="hidden"]), select, textarea), .dialog-actions > [data-first]'

interface DialogPopupProps {
  open: boolean
  onClose: () => void
  alert?: boolean | undefined
  persistent?: boolean | undefined
  /** `popover`: for small things, at the top of the page without dimming it. */
  kind?: 'dialog' | 'popover' | undefined
  size?: 'middle' | 'large' | 'sheet' | undefined
  /** Set when a field gets the focus on touch devices too, because the dialog consists of it. */
  focusesField?: boolean | undefined
  /** False when the focus must not return to the opener, because another page opens. */
  returnsFocus?: (() => boolean) | undefined
  /** Called after the dialog has closed and the focus has returned. */
  onClosed?: (() => void) | undefined
  className?: string | undefined
  children: ReactNode
}

/** The behaviour that all dialogs share: Escape, presses outside, initial focus and the return of the focus. */
export const DialogPopup = ({
  open,
  onClose,
  alert,
  persistent,
  kind = 'dialog',
  size = 'middle',
  focusesField = false,
  returnsFocus,
  onClosed,
  className = '',
  children,
}: DialogPopupProps) => {
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
    (type === 'touch' && !focusesField) ||
    (popup.current?.querySelector<HTMLElement>('[data-initial-focus]') ??
      popup.current?.querySelector<HTMLElement>(INITIAL_FOCUS) ??
      true)
  return (
    <Parts.Root
      open={open}
      {...(!alert && { modal: kind === 'dialog' })}
      onOpenChange={(wanted, { reason }) => {
        if (!wanted && !isIgnoredClose(reason)) onClose()
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClosed?.()
      }}
    >
      <Parts.Portal>
        {kind === 'dialog' && <Parts.Backdrop className="dialog-veil" />}
        <Parts.Viewport className="dialog-place" data-kind={kind}>
          <Parts.Popup
            ref={popup}
            className={`dialog ${className}`}
            data-size={size}
            initialFocus={firstField}
            finalFocus={() => returnsFocus?.() ?? true}
          >
            {children}
          </Parts.Popup>
        </Parts.Viewport>
      </Parts.Portal>
    </Parts.Root>
  )
}

export const Dialog = ({ title, about, alert, children, ...rest }: DialogProps) => {
  const Parts = alert ? AlertDialog : BaseDialog
  return (
    <DialogPopup {...rest} alert={alert}>
      <Parts.Title className="dialog-title">{title}</Parts.Title>
      {about !== undefined && (
        <Parts.Description className="dialog-about" render={<div />}>
          {about}
        </Parts.Description>
      )}
      {children}
      <Parts.Close
        render={<IconButton icon={X} iconSize={18} label={common.close} />}
        className="button dialog-close"
      />
    </DialogPopup>
  )
}

interface FormDialogProps extends Omit<DialogProps, 'children' | 'stays'> {
  /** The label of the submit button. Without it, the dialog edits saved values and has a Save button. */
  action?: string
  danger?: boolean
  codes?: Readonly<Record<string, string>>
  onSubmit(values: FormData): Promise<void> | void
  /** Name under which unsent input is saved. Defaults to the title; null saves nothing. */
  savedAs?: string | null
  savedForm?: SavedFormControls
  children?: ReactNode
}

/** Cancel is the only way to close that deletes the saved input. */
export const CancelButton = ({ onClose }: { onClose: () => void }) => {
  const { discard } = useFormState()
  return (
    <Button
      onClick={() => {
        discard()
        onClose()
      }}
    >
      {common.cancel}
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
          <CancelButton onClose={close} />
          {action === undefined ? (
            <SaveButton />
          ) : (
            <Submit kind={danger ? 'danger' : 'primary'}>{action}</Submit>
          )}
        </div>
      </Form>
    </Dialog>
  )
}

export const passwordOf = (values: FormData): string => String(values.get('password'))

/** The API requires the password again for dangerous actions. */
export const ConfirmPasswordField = ({ label = t.yourPassword, hint }: { label?: string; hint?: string }) => (
  <PasswordField name="password" label={label} autoComplete="current-password" {...(hint && { hint })} />
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

interface ConfirmDialogProps<T> {
  /** The item that the action concerns; null closes the dialog. */
  item: T | null
  onClose: () => void
  title: (item: T) => string
  about?: (item: T) => ReactNode
  action: string
  /** The dialog closes afterwards. */
  onConfirm: (item: T, values: FormData) => Promise<unknown>
  /** Options of the action. */
  children?: ReactNode
}

/** Asks before an action that cannot be undone. */
export const ConfirmDialog = <T,>({
  item,
  onClose,
  title,
  about,
  action,
  onConfirm,
  children,
}: ConfirmDialogProps<T>) => {
  const displayed = useLastValue(item)
  const confirm = async (values: FormData) => {
    const restoreFocus = rememberRowFocus()
    if (item !== null) await onConfirm(item, values)
    onClose()
    restoreFocus()
  }
  return (
    <FormDialog
      open={item !== null}
      onClose={onClose}
      alert
      danger
      title={displayed === null ? '' : title(displayed)}
      about={displayed === null ? undefined : about?.(displayed)}
      action={action}
      onSubmit={confirm}
    >
      {children}
    </FormDialog>
  )
}
