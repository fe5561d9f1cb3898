import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import * as t from '#locale/commands'
import { dropTask, putTask } from '../../api/cached-tasks.ts'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { toFieldError } from '../../api/problem.ts'
import { Field } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { addressOf } from '../calendar/address.ts'
import {
  EventPreview,
  findEventEnd,
  parseQuickText,
  type QuickPreview,
  TaskPreview,
  useQuickPreview,
} from '../tasks/quick-add-preview.tsx'
import { taskHref } from '../tasks/url-state.ts'
import '../../ui/style/segments.css'
import './quick-add.css'

type Kind = 'task' | 'event'

/** The event that a parsed text describes; null without a day or a time. */
const toNewEvent = (parsed: QuickPreview, timezone: string): Shape<'NewEvent'> | null => {
  const { title, dueAt, dueDay, recurrence, tags } = parsed
  if (dueAt === null) return null
  return {
    title,
    timezone,
    tags,
    recurrence,
    ...(dueDay === null
      ? { start: dueAt, end: findEventEnd(dueAt, parsed) }
      : { start: dueDay, allDay: true }),
  }
}

/** Creates a task or an event. The toast offers to undo it and to open it. */
const useCreate = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const [, navigate] = useLocation()
  const { timeZone, dayOf } = useDates()

  const offer = (added: { text: string; title: string; href: string; remove: () => Promise<unknown> }) =>
    notify(added.text, {
      undo: () =>
        void attempt(async () => {
          await added.remove()
          notify(t.notAdded(added.title))
        }),
      offer: { label: t.open, accept: () => navigate(added.href) },
    })

  const createTask = async (text: string): Promise<void> => {
    // Only a dry run returns less than the task.
    const task = (await unwrap(client.POST('/api/tasks/quick', { body: { text } }))) as Shape<'QuickTask'>
    const { id, title } = task
    putTask(queries, task)
    offer({
      text: t.taskAdded(title),
      title,
      href: taskHref(id),
      async remove() {
        await unwrap(client.DELETE('/api/tasks/{id}', { params: { path: { id } } }))
        dropTask(queries, id)
      },
    })
  }

  const createEvent = async (text: string): Promise<void> => {
    const body = toNewEvent(await parseQuickText(client, text), timeZone)
    if (body === null) throw toFieldError('text', t.needsDate)
    const { id, title, start, allDay } = await unwrap(client.POST('/api/calendar/events', { body }))
    await queries.invalidateQueries({ queryKey: ['calendar'] })
    offer({
      text: t.eventAdded(title),
      title,
      href: addressOf({ date: allDay ? start.slice(0, 10) : dayOf(start) }),
      async remove() {
        await unwrap(client.DELETE('/api/calendar/events/{id}', { params: { path: { id }, query: {} } }))
        await queries.invalidateQueries({ queryKey: ['calendar'] })
      },
    })
  }
  return (kind: Kind, text: string) => (kind === 'task' ? createTask(text) : createEvent(text))
}

const KINDS = [
  { kind: 'task', label: t.task },
  { kind: 'event', label: t.event },
] as const

/** Adds a task or an event from one line of text, with a preview of the parsed fields. */
export const QuickAddForm = ({ onDone }: { onDone?: () => void }) => {
  const [kind, setKind] = useState<Kind>('task')
  const [text, setText] = useState('')
  const preview = useQuickPreview(text)
  const descriptionId = useId()
  const create = useCreate()
  const understands = preview !== null && preview.understood.length > 0
  const submit = async (values: FormData): Promise<void> => {
    await create(kind, readText(values, 'text'))
    setText('')
    onDone?.()
  }
  return (
    <Form label={t.quickAdd} savedAs={null} onSubmit={submit}>
      <div className="quick-add-parts">
        <Field name="text" label={kind === 'task' ? t.taskText : t.eventText}>
          {({ onInput, ...control }) => (
            <>
              <input
                className="input"
                type="text"
                maxLength={500}
                autoComplete="off"
                placeholder={kind === 'task' ? t.taskExample : t.eventExample}
                required
                {...control}
                aria-describedby={[control['aria-describedby'], descriptionId].filter(Boolean).join(' ')}
                value={text}
                onChange={(event) => {
                  onInput()
                  setText(event.currentTarget.value)
                }}
              />
              <div className="quick-understood" id={descriptionId} aria-live="polite">
                {understands && kind === 'task' && <TaskPreview preview={preview} />}
                {understands && kind === 'event' && <EventPreview preview={preview} />}
              </div>
            </>
          )}
        </Field>
        <div className="quick-add-actions">
          <fieldset className="segments">
            <legend className="visually-hidden">{t.taskOrEvent}</legend>
            {KINDS.map((each) => (
              <label key={each.kind}>
                <input
                  type="radio"
                  name="kind"
                  value={each.kind}
                  checked={kind === each.kind}
                  onChange={() => setKind(each.kind)}
                />
                <span>{each.label}</span>
              </label>
            ))}
          </fieldset>
          <Submit>{t.add}</Submit>
        </div>
      </div>
    </Form>
  )
}
