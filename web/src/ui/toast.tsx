import { Toast } from '@base-ui/react/toast'
import { TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import * as t from '#locale/app'
import * as common from '#locale/shared-texts'

interface Notification {
  /** Adds an Undo button. */
  undo?: () => void
  /** Adds another action button. Beside Undo, it is the second one. */
  offer?: { label: string; accept: () => void }
  /** Called when the toast closes for any reason. Starts an action that was delayed for undo. */
  onClosed?: () => void
  /** An error: announced to screen readers immediately. */
  failed?: boolean
}

// Toasts use Base UI. Sonner inserts a style element, which the Content-Security-Policy forbids.
const ACTION_TOAST_MS = 10_000
const TOAST_MS = 5_000

/** Shows a toast, which screen readers announce too. The returned function dismisses it. */
export const useNotify = () => {
  const { add, close } = Toast.useToastManager()
  return (text: string, { undo, offer, onClosed, failed = false }: Notification = {}): (() => void) => {
    const action = undo ? { label: common.undo, accept: undo } : offer
    const second = undo ? offer : undefined
    const id = add({
      title: text,
      ...(failed && { type: 'failed' }),
      priority: failed ? 'high' : 'low',
      timeout: action ? ACTION_TOAST_MS : TOAST_MS,
      ...(onClosed && { onClose: onClosed }),
      ...(action && {
        data: {
          isUndo: undo !== undefined,
          ...(second && { second }),
        } satisfies ToastData,
        actionProps: {
          children: action.label,
          onClick: () => {
            action.accept()
            close(id)
          },
        },
      }),
    })
    return () => close(id)
  }
}

/** Dismisses all toasts on unmount, because the next user may be another person. */
export const useClearToastsOnUnmount = (): void => {
  const { close } = Toast.useToastManager()
  const forget = useRef(close)
  forget.current = close
  useEffect(() => () => forget.current(), [])
}

interface ToastData {
  isUndo: boolean
  second?: { label: string; accept: () => void }
}

/** The undo action of the newest toast that has one, or undefined. */
export const useLatestUndo = (): (() => void) | undefined => {
  const { toasts } = Toast.useToastManager<ToastData>()
  const last = toasts.find(({ data, transitionStatus }) => data?.isUndo && transitionStatus !== 'ending')
  const press = last?.actionProps?.onClick as (() => void) | undefined
  return press
}

const Toasts = () => {
  const { toasts, close } = Toast.useToastManager<ToastData>()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" swipeDirection={['left', 'right']}>
      <Toast.Content className="toast-content">
        {toast.type === 'failed' && <TriangleAlert className="toast-mark" size={18} aria-hidden="true" />}
        <Toast.Title className="toast-title" render={<p />} />
        <Toast.Action className="toast-action" />
        {toast.data?.second && (
          <button
            type="button"
            className="toast-action"
            onClick={() => {
              toast.data?.second?.accept()
              close(toast.id)
            }}
          >
            {toast.data.second.label}
          </button>
        )}
        <Toast.Close className="toast-close" aria-label={t.dismiss}>
          <X size={16} aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

export const ToastProvider = ({ children }: { children: ReactNode }) => (
  <Toast.Provider limit={3}>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <Toasts />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)
