import { Toast } from '@base-ui/react/toast'
import { TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'

interface Notification {
  /** Takes it back. */
  undo?: () => void
  /** Something went wrong: said at once rather than politely. */
  failed?: boolean
}

/** Says briefly what was done. Screen readers hear it too. What is returned takes the words away again. */
export const useNotify = () => {
  const { add, close } = Toast.useToastManager()
  return (text: string, { undo, failed = false }: Notification = {}): (() => void) => {
    const id = add({
      title: text,
      ...(failed && { type: 'failed' }),
      priority: failed ? 'high' : 'low',
      timeout: undo ? 10_000 : 5_000,
      ...(undo && {
        actionProps: {
          children: 'Undo',
          onClick: () => {
            close(id)
            undo()
          },
        },
      }),
    })
    return () => close(id)
  }
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
