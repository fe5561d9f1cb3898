import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarClock, Flag, Globe, Hash, ListPlus, Plus, Repeat, Timer } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { useDates } from '../../ui/time.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { describeRecurrence } from './recurrence-text.ts'
import type { TaskActions } from './use-tasks.ts'

/** Dry run of the quick-add parser; null while empty or loading. */
const usePreview = (text: string) => {
  const client = useClient()
  const line = useDebouncedValue(text.trim())
  const { data } = useQuery({
    queryKey: ['quick-task', line],
    queryFn: ({ signal }) =>
      unwrap(client.POST('/api/tasks/quick', { body: { text: line, dryRun: true }, signal })),
    enabled: line !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  return line === '' || text.trim() === '' ? null : (data ?? null)
}

const ParsedField = ({ icon: Icon, children }: { icon: typeof Flag; children: ReactNode }) => (
  <li className="quick-piece">
    <Icon size={14} aria-hidden="true" />
    <span>{children}</span>
  </li>
)

const Understood = ({ task }: { task: Shape<'QuickPreview'> }) => {
  const { due } = useDates()
  const zone = task.understood.find(({ kind }) => kind === 'zone')?.text
  return (
    <>
      <span className="only-heard">Understood: </span>
      <strong>{task.title}</strong>
      <ul className="quick-pieces">
        {task.dueAt !== null && (
          <ParsedField icon={CalendarClock}>due {due(task.dueAt, task.dueDay)}</ParsedField>
        )}
        {zone !== undefined && <ParsedField icon={Globe}>{zone}, on your clock</ParsedField>}
        {task.recurrence !== null && (
          <ParsedField icon={Repeat}>{describeRecurrence(task.recurrence)}</ParsedField>
        )}
        {task.priority !== 'normal' && <ParsedField icon={Flag}>{task.priority}</ParsedField>}
        {task.estimateMinutes !== null && <ParsedField icon={Timer}>{task.estimateMinutes} min</ParsedField>}
        {task.tags.map((tag) => (
          <ParsedField key={tag} icon={Hash}>
            {tag}
          </ParsedField>
        ))}
      </ul>
    </>
  )
}

interface QuickAddProps {
  actions: TaskActions
  onMore: () => void
  onPlan: () => void
}

/** One-line task input with a preview of the parsed fields. */
export const QuickAdd = ({ actions, onMore, onPlan }: QuickAddProps) => {
  const [text, setText] = useState('')
  const [isPlain, setIsPlain] = useState(false)
  const preview = usePreview(text)
  const descriptionId = useId()
  const understands = preview !== null && preview.understood.length > 0
  const submit = async (values: FormData): Promise<void> => {
    const line = String(values.get('text')).trim()
    await (values.get('plain') === 'yes' ? actions.add({ title: line }) : actions.capture(line))
  }
  const empty = (): void => {
    setText('')
    setIsPlain(false)
  }
  return (
    <div className="task-add" onReset={empty}>
      <Form label="Add a task" queuesSubmits onSubmit={submit}>
        <input type="hidden" name="plain" value={isPlain ? 'yes' : 'no'} />
        <Field name="text" label="New task">
          {({ onInput, ...control }) => (
            <>
              <input
                className="input"
                type="text"
                maxLength={500}
                autoComplete="off"
                placeholder="pay rent every month on the 1st !high #home"
                required
                {...control}
                aria-describedby={[control['aria-describedby'], descriptionId].filter(Boolean).join(' ')}
                onInput={(event) => {
                  onInput()
                  setText(event.currentTarget.value)
                  if (event.currentTarget.value.trim() === '') setIsPlain(false)
                }}
              />
              <div className="quick-understood" id={descriptionId} aria-live="polite">
                {understands && !isPlain && <Understood task={preview} />}
                {understands && isPlain && <span>Taken as it is written.</span>}
              </div>
              {understands && (
                <Button kind="quiet" size="small" aria-pressed={isPlain} onClick={() => setIsPlain(!isPlain)}>
                  Take it as it is written
                </Button>
              )}
            </>
          )}
        </Field>
        <Submit kind="primary">
          <Plus size={16} aria-hidden="true" />
          Add
        </Submit>
      </Form>
      <Button onClick={onMore}>
        <ListPlus size={16} aria-hidden="true" />
        With details
      </Button>
      <Button onClick={onPlan}>
        <CalendarClock size={16} aria-hidden="true" />
        Plan my tasks
      </Button>
    </div>
  )
}
