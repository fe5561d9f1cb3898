import { type KeyboardEvent, useState } from 'react'
import * as t from '#locale/tasks'
import { useAttempt } from '../../ui/use-attempt.ts'
import type { RowProps } from '../../ui/virtual-list.tsx'
import { depthStyle } from './task-row.tsx'
import { type NewPlace, useTaskActions } from './use-tasks.ts'

interface AddFieldProps {
  place: NewPlace
  label: string
  onClose: () => void
}

/** A field that adds tasks at its place until Escape closes it. */
export const AddTaskField = ({ place, label, onClose }: AddFieldProps) => {
  const attempt = useAttempt()
  const { capture } = useTaskActions()
  const [text, setText] = useState('')
  const add = async (): Promise<void> => {
    const line = text.trim()
    if (line === '') return onClose()
    setText('')
    // A failed request returns the text, unless the next task is being typed.
    if (!(await attempt(() => capture(line, place)))) setText((typed) => typed || line)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') void add()
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    <input
      className="input"
      type="text"
      maxLength={500}
      autoComplete="off"
      aria-label={label}
      placeholder={t.addRowHelp}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field
      autoFocus
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => text.trim() === '' && onClose()}
    />
  )
}

interface AddRowProps extends AddFieldProps {
  row: RowProps
  depth: number
}

/** The field between the rows of a list. */
export const AddTaskRow = ({ row, depth, ...field }: AddRowProps) => (
  <li {...row} className="task-add-row" style={depthStyle(depth)}>
    <AddTaskField {...field} />
  </li>
)
