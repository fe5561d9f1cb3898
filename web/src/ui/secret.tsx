import { Check, Copy, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'
import { useLast } from './use-last.ts'

/** Browsers hand the clipboard to secure pages only; plain http gets the old way, from within the focused dialog. */
const copyText = async (text: string, beside: HTMLElement): Promise<boolean> => {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard)
    return clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'only-heard'
  beside.after(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  beside.focus()
  return done
}

const SAID_FOR_MS = 2_500

interface CopyProps {
  text: string
  label?: string
  onCopied?: () => void
}

export const CopyButton = ({ text, label = 'Copy', onCopied }: CopyProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SAID_FOR_MS)
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
        {state === 'copied' ? 'Copied' : label}
      </Button>
      <span className="only-heard" role="status">
        {state === 'copied' && 'Copied.'}
        {state === 'failed' && 'It could not be copied. Select the text and copy it yourself.'}
      </span>
    </>
  )
}

interface SecretProps {
  text: string
  /** What is copied, when that is not what is shown. */
  copied?: string
  onCopied?: () => void
}

export const Secret = ({ text, copied = text, onCopied }: SecretProps) => (
  <div className="secret">
    <code>{text}</code>
    <CopyButton text={copied} {...(onCopied && { onCopied })} />
  </div>
)

interface OnceDialogProps {
  open: boolean
  title: string
  about: string
  /** Whether it was copied, or kept otherwise. */
  kept: boolean
  onClose: () => void
  size?: 'middle' | 'large'
  children: ReactNode
}

/** Shows what is never shown again; the first try to close it before it was kept is met with a question. */
export const OnceDialog = ({ kept, onClose, children, ...rest }: OnceDialogProps) => {
  const [warned, setWarned] = useState(false)
  const close = () => {
    if (!kept && !warned) return setWarned(true)
    setWarned(false)
    onClose()
  }
  return (
    <Dialog {...rest} onClose={close} stays>
      {children}
      <div role="status" className="once-warning">
        {warned && !kept && (
          <Notice tone="warn" icon={TriangleAlert}>
            You have not kept it yet, and it will not be shown again. Close once more to go on without it.
          </Notice>
        )}
      </div>
      <div className="dialog-actions">
        <Button kind="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

interface SecretDialogProps {
  /** Null: nothing to show, the dialog is closed. */
  secret: string | null
  title: string
  about: string
  onClose: () => void
}

export const SecretDialog = ({ secret, onClose, ...rest }: SecretDialogProps) => {
  const [kept, setKept] = useState(false)
  const shown = useLast(secret)
  const close = () => {
    setKept(false)
    onClose()
  }
  return (
    <OnceDialog {...rest} open={secret !== null} kept={kept} onClose={close}>
      {shown !== null && <Secret text={shown} onCopied={() => setKept(true)} />}
    </OnceDialog>
  )
}
