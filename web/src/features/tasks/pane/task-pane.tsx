import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/task-pane'
import { useClient } from '../../../api/context.tsx'
import { ApiError } from '../../../api/problem.ts'
import type { TaskLists } from '../../../api/task-lists.ts'
import { usePageSubject } from '../../../shell/page-subject.ts'
import { useKeys } from '../../../shell/shortcuts.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Skeleton } from '../../../ui/notice.tsx'
import { type TaskActions, taskQuery } from '../use-tasks.ts'
import { TaskDetails } from './task-details.tsx'
import { ViewedTask } from './viewed-task.tsx'
import './pane.css'

interface FrameProps {
  isBeside: boolean
  isLoaded: boolean
  onClose: () => void
  children: ReactNode
}

/** The pane is beside the list. In a narrow window, it covers the page. */
const Frame = ({ isBeside, isLoaded, onClose, children }: FrameProps) => {
  const pane = useRef<HTMLElement>(null)
  // The pane itself gets the focus, so that a typed letter changes nothing.
  useEffect(() => {
    if (isLoaded) pane.current?.focus({ preventScroll: true })
  }, [isLoaded])
  useKeys({ Escape: onClose })
  if (!isBeside)
    return (
      <Dialog open onClose={onClose} title={t.task} size="sheet">
        {children}
      </Dialog>
    )
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // React bubbles events from portals, such as a popover of the pane. Ignores those.
    const isInside = event.currentTarget.contains(event.target as Node)
    if (event.key !== 'Escape' || event.isDefaultPrevented() || !isInside || event.nativeEvent.isComposing)
      return
    event.preventDefault()
    onClose()
  }
  return (
    <aside ref={pane} className="task-pane card" aria-label={t.task} tabIndex={-1} onKeyDown={onKeyDown}>
      <IconButton icon={X} iconSize={18} label={common.close} title={common.close} onClick={onClose} />
      {children}
    </aside>
  )
}

interface TaskPaneProps {
  id: number
  isBeside: boolean
  lists: TaskLists
  actions: TaskActions
  onOpen: (id: number) => void
  onClose: () => void
}

/** The details of a task. Each field saves itself. */
export const TaskPane = ({ id, isBeside, lists, actions, onOpen, onClose }: TaskPaneProps) => {
  const client = useClient()
  const query = useQuery({ ...taskQuery(client, id), staleTime: 0, gcTime: 0 })
  const loaded = query.data?.value
  const isGone = loaded !== undefined && query.error instanceof ApiError && query.error.status === 404
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])
  usePageSubject(loaded ? { type: 'task', id, title: loaded.title } : null, { isTransient: true })
  return (
    <Frame isBeside={isBeside} isLoaded={loaded !== undefined} onClose={onClose}>
      <Loaded query={query} lines={6}>
        {(current) => {
          if (lists.isPending) return <Skeleton lines={6} />
          const list = lists.find(current.value.listId)
          const isEditable = lists.isEditable(current.value.listId)
          return isEditable ? (
            <TaskDetails current={current} lists={lists} actions={actions} onOpen={onOpen} />
          ) : (
            <ViewedTask task={current.value} list={list} actions={actions} />
          )
        }}
      </Loaded>
    </Frame>
  )
}
