import type { ReactNode } from 'react'
import * as t from '#locale/task-pane'
import * as texts from '#locale/tasks'
import type { Versioned } from '../../../api/client.ts'
import { useVersionedForm, VersionedForm } from '../../../ui/versioned-form.tsx'
import type { Task } from '../groups.ts'
import type { RowChange, TaskActions } from '../use-tasks.ts'

interface TextFormProps<C> {
  /** Names the saved input. */
  name: string
  current: Versioned<Task>
  actions: TaskActions
  part: (task: Task) => C
  readPart: (values: FormData) => C
  describe: (task: Task) => string
  children: (task: Task) => ReactNode
}

/** A text of a task. It is saved when the focus leaves it, or with Enter. */
export const TextForm = <C extends RowChange>(props: TextFormProps<C>) => {
  const { name, current, actions, part, readPart, describe, children } = props
  const { id, title } = current.value
  const editing = useVersionedForm({
    current,
    part,
    toastText: texts.taskSaved(title),
    read: () => actions.read(id),
    send: (change: C, etag) => actions.save(id, change, etag),
  })
  return (
    <VersionedForm
      editing={editing}
      savedAs={`task ${id} ${name}`}
      savesOnBlur
      describeSaved={(task) => t.savedText(describe(task))}
      onSubmit={(values) => editing.save(readPart(values))}
    >
      {children(editing.base)}
    </VersionedForm>
  )
}
