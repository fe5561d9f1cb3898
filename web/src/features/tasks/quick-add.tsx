import { ListPlus, Plus } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import * as t from '#locale/tasks'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { TaskPreview, useQuickPreview } from './quick-add-preview.tsx'
import { useTaskActions } from './use-tasks.ts'
import './quick-add.css'

interface QuickAddTaskProps {
  /** The list of the new task. Default: the Inbox. */
  listId?: number | null
  /** Called after the service has stored the task. */
  onAdded?: () => void
  /** Adds a button that opens the new task. */
  onOpen?: (id: number) => void
}

/** One-line form for a new task with a preview of the parsed fields. Works on every page. */
export const QuickAddTask = ({ listId = null, onAdded, onOpen }: QuickAddTaskProps) => {
  const actions = useTaskActions()
  const [text, setText] = useState('')
  const [isPlain, setIsPlain] = useState(false)
  const preview = useQuickPreview(text)
  const descriptionId = useId()
  /** Whether the submitted task is opened. */
  const wantsDetails = useRef(false)
  const understands = preview !== null && preview.understood.length > 0
  const submit = async (values: FormData): Promise<void> => {
    const line = readText(values, 'text')
    const isVerbatim = values.get('plain') === 'yes'
    const opens = wantsDetails.current
    wantsDetails.current = false
    const { id } = await (isVerbatim
      ? actions.add({ title: line, ...(listId !== null && { listId }) })
      : actions.capture(line, listId === null ? {} : { listId }))
    onAdded?.()
    if (opens) onOpen?.(id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!onOpen || event.key !== 'Enter' || !event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    wantsDetails.current = true
    event.currentTarget.form?.requestSubmit()
  }
  const empty = (): void => {
    setText('')
    setIsPlain(false)
  }
  return (
    <div className="task-add" onReset={empty}>
      <Form label={t.addTask} queuesSubmits onSubmit={submit}>
        <input type="hidden" name="plain" value={isPlain ? 'yes' : 'no'} />
        <Field name="text" label={t.newTask}>
          {({ onInput, ...control }) => (
            <>
              <input
                className="input"
                type="text"
                maxLength={500}
                autoComplete="off"
                placeholder={t.quickAddExample}
                required
                {...control}
                aria-describedby={[control['aria-describedby'], descriptionId].filter(Boolean).join(' ')}
                onInput={(event) => {
                  onInput()
                  setText(event.currentTarget.value)
                  if (event.currentTarget.value.trim() === '') setIsPlain(false)
                }}
                onKeyDown={onKeyDown}
              />
              <div className="quick-understood" id={descriptionId} aria-live="polite">
                {understands && !isPlain && <TaskPreview preview={preview} />}
                {understands && isPlain && <span>{t.isPlainText}</span>}
              </div>
              {understands && (
                <Button kind="quiet" size="small" aria-pressed={isPlain} onClick={() => setIsPlain(!isPlain)}>
                  {t.addAsPlainText}
                </Button>
              )}
            </>
          )}
        </Field>
        <Submit kind="primary">
          <Plus size={16} aria-hidden="true" />
          <span>{t.add}</span>
        </Submit>
        {onOpen && (
          <Button
            type="submit"
            aria-label={t.addDetails}
            title={t.addDetails}
            aria-keyshortcuts="Shift+Enter"
            onClick={() => {
              wantsDetails.current = true
            }}
          >
            <ListPlus size={18} aria-hidden="true" />
          </Button>
        )}
      </Form>
    </div>
  )
}
