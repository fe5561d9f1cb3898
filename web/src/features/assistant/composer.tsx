import { CalendarDays, ListChecks, Mail, Send, Square, UserRound, X } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import * as t from '#locale/assistant'
import type { PageSubject } from '../../shell/page-subject.ts'
import { Button } from '../../ui/button.tsx'
import { setControlValue } from '../../ui/form-controls.ts'
import { useSavedForm } from '../../ui/use-saved-form.ts'

export const SUBJECT_ICONS = {
  email: Mail,
  event: CalendarDays,
  task: ListChecks,
  contact: UserRound,
} as const

interface ContextChipProps {
  subject: PageSubject
  onRemove: () => void
}

/** The item that the message refers to. */
const ContextChip = ({ subject, onRemove }: ContextChipProps) => {
  const Icon = SUBJECT_ICONS[subject.type]
  return (
    <p className="chat-context">
      <Icon size={14} aria-hidden="true" />
      <span className="visually-hidden">{t.about}</span>
      <span className="chat-context-title">{subject.title}</span>
      <button type="button" aria-label={t.removeContext(subject.title)} onClick={onRemove}>
        <X size={14} aria-hidden="true" />
      </button>
    </p>
  )
}

interface ComposerProps {
  field: RefObject<HTMLTextAreaElement | null>
  subject: PageSubject | null
  onRemoveSubject: () => void
  /** Displayed above the field, such as the note about an edited message. */
  note: ReactNode
  /** Resolves to whether the message was stored. */
  onSend: (text: string) => Promise<boolean>
  onStop: () => void
  /** An answer is streaming, here or in another conversation. */
  isAnswering: boolean
  isBusy: boolean
}

/** Message field. A rejected message is restored, unless the user has typed something else meanwhile. */
export const Composer = (props: ComposerProps) => {
  const { field, subject, onRemoveSubject, note, onSend, onStop, isAnswering, isBusy } = props
  const form = useRef<HTMLFormElement>(null)
  const savedForm = useSavedForm('chat', { silent: true })
  const save = (value: string) =>
    savedForm.save(value.trim() === '' ? {} : { message: { was: '', now: value } })
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
    const isStored = await onSend(text)
    if (isStored) return
    // The panel may be closed by now. The text is there when it opens again.
    if (!field.current) save(text)
    else if (field.current.value === '') setControlValue(field.current, text)
  }
  return (
    <form className="chat-form" ref={form} onSubmit={(event) => void submit(event)}>
      {subject && <ContextChip subject={subject} onRemove={onRemoveSubject} />}
      {note}
      <div className="chat-field">
        <label className="visually-hidden" htmlFor="chat-message">
          {t.message}
        </label>
        <textarea
          className="input"
          id="chat-message"
          ref={field}
          rows={2}
          maxLength={20_000}
          placeholder={t.askOrTell}
          enterKeyHint="send"
          onInput={({ currentTarget: { value } }) => save(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            form.current?.requestSubmit()
          }}
        />
        {isAnswering ? (
          <Button onClick={onStop}>
            <Square size={16} aria-hidden="true" />
            {t.stop}
          </Button>
        ) : (
          <Button kind="primary" type="submit" busy={isBusy}>
            <Send size={16} aria-hidden="true" />
            {t.send}
          </Button>
        )}
      </div>
    </form>
  )
}
