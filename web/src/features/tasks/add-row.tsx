import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import * as t from '#locale/tasks'
import { useAttempt } from '../../ui/use-attempt.ts'
import type { RowProps } from '../../ui/virtual-list.tsx'
import { depthStyle } from './task-row.tsx'
import { type NewPlace, useTaskActions } from './use-tasks.ts'

interface AddFieldProps {
  place: NewPlace
  label: string
  onClose: () => void
  /** Changes the level of the next task. Returns false if there is no such level. */
  onLevel?: ((step: 1 | -1) => boolean) | undefined
}

/** A field that adds tasks at its place until Escape closes it. */
export const AddTaskField = ({ place, label, onClose, onLevel }: AddFieldProps) => {
  const attempt = useAttempt()
  const { capture } = useTaskActions()
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const isMoving = useRef(false)
  // An element that moves in the document loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the field is at another place
  useLayoutEffect(() => {
    input.current?.focus()
    isMoving.current = false
  }, [place.parentId, place.sectionId])
  const changeLevel = (step: 1 | -1): boolean => {
    isMoving.current = onLevel?.(step) ?? false
    return isMoving.current
  }
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
    // Without another level, Tab leaves the field.
    else if (event.key !== 'Tab' || !changeLevel(event.shiftKey ? -1 : 1)) return
    event.preventDefault()
  }
  return (
    <input
      ref={input}
      className="input"
      type="text"
      maxLength={500}
      autoComplete="off"
      aria-label={label}
      placeholder={t.addRowHelp}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => text.trim() === '' && !isMoving.current && onClose()}
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
