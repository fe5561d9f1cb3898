import { Toast } from '@base-ui/react/toast'
import { TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'

interface Notification {
  /** Takes it back. */
  undo?: () => void
  /** Something else that may be wanted now. */
  offer?: { label: string; accept: () => void }
  /** When it is no longer offered, by whatever way: what was put off until then happens. */
  onOver?: () => void
  /** Something went wrong: said at once rather than politely. */
  failed?: boolean
}

const OFFERED_MS = 10_000
const SAID_MS = 5_000

/** Says briefly what was done. Screen readers hear it too. What is returned takes the words away again. */
export const useNotify = () => {
  const { add, close } = Toast.useToastManager()
  return (text: string, { undo, offer, onOver, failed = false }: Notification = {}): (() => void) => {
    const action = undo ? { label: 'Undo', accept: undo } : offer
    const id = add({
      title: text,
      ...(failed && { type: 'failed' }),
      priority: failed ? 'high' : 'low',
      timeout: action ? OFFERED_MS : SAID_MS,
      ...(onOver && { onClose: onOver }),
      ...(action && {
        data: { isUndo: undo !== undefined } satisfies ToastData,
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

/** Takes away all that was said when whoever it was said to leaves: the next person may be another. */
export const useForgetfulness = (): void => {
  const { close } = Toast.useToastManager()
  const forget = useRef(close)
  forget.current = close
  useEffect(() => () => forget.current(), [])
}

interface ToastData {
  isUndo: boolean
}

/** Takes back what was said last and can be taken back; undefined when nothing can. */
export const useLatestUndo = (): (() => void) | undefined => {
  const { toasts } = Toast.useToastManager<ToastData>()
  const last = toasts.find(({ data, transitionStatus }) => data?.isUndo && transitionStatus !== 'ending')
  const press = last?.actionProps?.onClick as (() => void) | undefined
  return press
}

const Toasts = () => {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" swipeDirection={['left', 'right']}>
      <Toast.Content className="toast-content">
        {toast.type === 'failed' && <TriangleAlert className="toast-mark" size={18} aria-hidden="true" />}
        <Toast.Title className="toast-title" render={<p />} />
        <Toast.Action className="toast-action" />
        <Toast.Close className="toast-close" aria-label="Dismiss">
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
