import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import './cover.css'

/**
 * Lies over everything, dialogs included, and lets nothing through: the session is over, and what was being written
 * waits below it. The browser's own dialog, for it is the one thing that comes before those of the page.
 */
export const Cover = ({ children }: { children: ReactNode }) => {
  const cover = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = cover.current
    const name = document.title
    // A dialog that asks to be closed twice is closed by the browser, whatever one says.
    const stay = () => dialog?.showModal()
    dialog?.showModal()
    dialog?.addEventListener('close', stay)
    return () => {
      dialog?.removeEventListener('close', stay)
      // Before it is gone, so that the focus goes back to where it was.
      dialog?.close()
      document.title = name
    }
  }, [])
  return createPortal(
    <dialog ref={cover} className="cover" aria-label="Sign in" onCancel={(event) => event.preventDefault()}>
      {children}
    </dialog>,
    document.body,
  )
}
