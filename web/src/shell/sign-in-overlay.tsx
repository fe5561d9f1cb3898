import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import * as t from '#locale/app'
import './sign-in-overlay.css'

/**
 * Sign-in overlay above everything, dialogs included. It keeps the page mounted, so that unsaved input
 * survives an expired session. A native modal dialog is the only element that covers the page's own dialogs.
 */
export const SignInOverlay = ({ children }: { children: ReactNode }) => {
  const overlayDialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = overlayDialog.current
    const name = document.title
    // Browsers close a dialog on the second Escape even if `cancel` is prevented.
    const reopenDialog = () => dialog?.showModal()
    dialog?.showModal()
    dialog?.addEventListener('close', reopenDialog)
    return () => {
      dialog?.removeEventListener('close', reopenDialog)
      // Closes before the unmount, so that the browser restores the focus.
      dialog?.close()
      document.title = name
    }
  }, [])
  return createPortal(
    <dialog
      ref={overlayDialog}
      className="sign-in-overlay"
      aria-label={t.signIn}
      onCancel={(event) => event.preventDefault()}
    >
      {children}
    </dialog>,
    document.body,
  )
}
