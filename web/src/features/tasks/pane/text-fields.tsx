import type { KeyboardEvent } from 'react'
import * as t from '#locale/task-pane'
import * as texts from '#locale/tasks'
import type { Versioned } from '../../../api/client.ts'
import { AreaField, TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import type { Task } from '../groups.ts'
import type { TaskActions } from '../use-tasks.ts'
import { TextForm } from './text-form.tsx'

interface TextFieldsProps {
  current: Versioned<Task>
  actions: TaskActions
}

const readNumber = (values: FormData, name: string): number | null => {
  const text = readText(values, name)
  return text === '' ? null : Number(text)
}

const saveOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

export const TitleAndNotes = (props: TextFieldsProps) => (
  <>
    <TextForm
      {...props}
      name="title"
      part={({ title }) => ({ title })}
      readPart={(values) => ({ title: readText(values, 'title').replace(/\s*\n\s*/g, ' ') })}
      describe={({ title }) => title}
    >
      {({ title }) => (
        <AreaField
          name="title"
          label={texts.title}
          rows={1}
          maxLength={500}
          required
          defaultValue={title}
          onKeyDown={saveOnEnter}
        />
      )}
    </TextForm>
    <TextForm
      {...props}
      name="notes"
      part={({ notes }) => ({ notes })}
      readPart={(values) => ({ notes: String(values.get('notes') ?? '') })}
      describe={({ notes }) => notes}
    >
      {({ notes }) => <AreaField name="notes" label={texts.notes} maxLength={20_000} defaultValue={notes} />}
    </TextForm>
  </>
)

export const Effort = (props: TextFieldsProps) => (
  <>
    <TextForm
      {...props}
      name="estimate"
      part={({ estimateMinutes }) => ({ estimateMinutes })}
      readPart={(values) => ({ estimateMinutes: readNumber(values, 'estimateMinutes') })}
      describe={({ estimateMinutes }) => String(estimateMinutes ?? '')}
    >
      {({ estimateMinutes }) => (
        <TextField
          name="estimateMinutes"
          label={texts.estimate}
          type="number"
          min={1}
          max={10_080}
          defaultValue={estimateMinutes ?? ''}
        />
      )}
    </TextForm>
    <TextForm
      {...props}
      name="percent"
      part={({ percentComplete }) => ({ percentComplete })}
      readPart={(values) => ({ percentComplete: readNumber(values, 'percentComplete') ?? 0 })}
      describe={({ percentComplete }) => String(percentComplete)}
    >
      {({ percentComplete }) => (
        <TextField
          name="percentComplete"
          label={t.percentComplete}
          type="number"
          min={0}
          max={100}
          defaultValue={percentComplete || ''}
        />
      )}
    </TextForm>
  </>
)
