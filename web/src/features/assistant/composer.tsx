import { Send, Square } from 'lucide-react'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { setControlValue } from '../../ui/form-controls.ts'
import { useSavedForm } from '../../ui/use-saved-form.ts'

interface ComposerProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** Resolves to whether the message was accepted. */
  onSend: (text: string) => Promise<boolean>
  onStop: () => void
  /** An answer is streaming, here or in another conversation. */
  isAnswering: boolean
  isBusy: boolean
}

/** Message field. A rejected message is restored, unless the user has typed something else meanwhile. */
export const Composer = ({ field, onSend, onStop, isAnswering, isBusy }: ComposerProps) => {
  const form = useRef<HTMLFormElement>(null)
  const savedForm = useSavedForm('chat', { silent: true })
  useEffect(() => {
    const words = savedForm.read()?.message?.now
    if (field.current && typeof words === 'string') setControlValue(field.current, words)
  }, [savedForm, field])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const text = field.current?.value.trim() ?? ''
    if (text === '' || isBusy || !field.current) return
    field.current.value = ''
    savedForm.discard()
    const isAccepted = await onSend(text)
    if (!isAccepted && field.current?.value === '') setControlValue(field.current, text)
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
          savedForm.save(value.trim() === '' ? {} : { message: { was: '', now: value } })
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
