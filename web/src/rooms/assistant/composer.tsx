import { Send, Square } from 'lucide-react'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { put } from '../../ui/kept-controls.ts'
import { useKept } from '../../ui/use-kept.ts'

interface ComposerProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** Resolves to whether it was taken. */
  onSay: (text: string) => Promise<boolean>
  onStop: () => void
  /** An answer comes; here, or in another conversation. */
  isAnswering: boolean
  isBusy: boolean
}

/** Where one writes. What was not taken stands in the field again, unless something else was written meanwhile. */
export const Composer = ({ field, onSay, onStop, isAnswering, isBusy }: ComposerProps) => {
  const form = useRef<HTMLFormElement>(null)
  const kept = useKept('chat', { silent: true })
  useEffect(() => {
    const words = kept.read()?.message?.now
    if (field.current && typeof words === 'string') put(field.current, words)
  }, [kept, field])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const text = field.current?.value.trim() ?? ''
    if (text === '' || isBusy || !field.current) return
    field.current.value = ''
    kept.forget()
    const isTaken = await onSay(text)
    if (!isTaken && field.current?.value === '') put(field.current, text)
  }
  return (
    <form className="chat-form" ref={form} onSubmit={(event) => void submit(event)}>
      <label className="only-heard" htmlFor="chat-message">
        Message
      </label>
      <textarea
        className="input"
        id="chat-message"
        ref={field}
        rows={2}
        maxLength={20_000}
        placeholder="Ask, or say what should be done"
        enterKeyHint="send"
        onInput={({ currentTarget: { value } }) =>
          kept.keep(value.trim() === '' ? {} : { message: { was: '', now: value } })
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          form.current?.requestSubmit()
        }}
      />
      {isAnswering ? (
        <Button onClick={onStop}>
          <Square size={16} aria-hidden="true" />
          Stop
        </Button>
      ) : (
        <Button kind="primary" type="submit" busy={isBusy}>
          <Send size={16} aria-hidden="true" />
          Send
        </Button>
      )}
    </form>
  )
}
