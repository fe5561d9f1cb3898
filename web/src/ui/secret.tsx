import { Check, Copy, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as t from '#locale/ui'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'
import { useLastValue } from './use-last-value.ts'
import './style/secret.css'

/**
 * The Clipboard API exists on secure pages only. On plain http this uses `execCommand`, inside the focused
 * dialog.
 */
const copyText = async (text: string, beside: HTMLElement): Promise<boolean> => {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard)
    return clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  beside.after(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  beside.focus()
  return done
}

const FEEDBACK_MS = 2_500

interface CopyProps {
  text: string
  label?: string
  onCopied?: () => void
}

export const CopyButton = ({ text, label = t.copy, onCopied }: CopyProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), FEEDBACK_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    if (!button.current) return
    const done = await copyText(text, button.current)
    setState(done ? 'copied' : 'failed')
    if (done) onCopied?.()
  }
  return (
    <>
      <Button ref={button} size="small" onClick={() => void copy()}>
        {state === 'copied' ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
        {state === 'copied' ? t.copied : label}
      </Button>
      <span className="visually-hidden" role="status">
        {state === 'copied' && t.copied}
        {state === 'failed' && t.copyFailed}
      </span>
    </>
  )
}

interface SecretProps {
  text: string
  /** Text to copy, if it differs from the displayed text. */
  copied?: string
  onCopied?: () => void
}

export const Secret = ({ text, copied = text, onCopied }: SecretProps) => (
  <div className="secret">
    <code>{text}</code>
    <CopyButton text={copied} {...(onCopied && { onCopied })} />
  </div>
)

interface OneTimeSecretDialogProps {
  open: boolean
  title: string
  about: string
  /** Whether the user copied or downloaded the secret. */
  isSaved: boolean
  onClose: () => void
  size?: 'middle' | 'large'
  children: ReactNode
}

/**
 * Shows a secret that is displayed only once. The first attempt to close it before it was saved shows a
 * warning.
 */
export const OneTimeSecretDialog = ({ isSaved, onClose, children, ...rest }: OneTimeSecretDialogProps) => {
  const [warned, setWarned] = useState(false)
  const close = () => {
    if (!isSaved && !warned) return setWarned(true)
    setWarned(false)
    onClose()
  }
  return (
    <Dialog {...rest} onClose={close} persistent>
      {children}
      <div role="status" className="once-warning">
        {warned && !isSaved && (
          <Notice tone="warn" icon={TriangleAlert}>
            {t.secretNotSaved}
          </Notice>
        )}
      </div>
      <div className="dialog-actions">
        <Button kind="primary" onClick={close}>
          {t.done}
        </Button>
      </div>
    </Dialog>
  )
}

interface SecretDialogProps {
  /** Null closes the dialog. */
  secret: string | null
  title: string
  about: string
  onClose: () => void
}

export const SecretDialog = ({ secret, onClose, ...rest }: SecretDialogProps) => {
  const [isSaved, setIsSaved] = useState(false)
  const displayedSecret = useLastValue(secret)
  const close = () => {
    setIsSaved(false)
    onClose()
  }
  return (
    <OneTimeSecretDialog {...rest} open={secret !== null} isSaved={isSaved} onClose={close}>
      {displayedSecret !== null && <Secret text={displayedSecret} onCopied={() => setIsSaved(true)} />}
    </OneTimeSecretDialog>
  )
}
