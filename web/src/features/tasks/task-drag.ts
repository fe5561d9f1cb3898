import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import {
  draggable,
  dropTargetForElements,
  type ElementEventBasePayload,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  autoScrollForElements,
  autoScrollWindowForElements,
} from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { type RefObject, useEffect, useRef } from 'react'

/** The place where a task is dropped: beside a row, into a group of rows, or onto a list of the navigation. */
type Target = { row: number } | { group: string } | { list: number }

interface DropProps {
  isEnabled: boolean
  /** Has a new identity only if the target is another one. */
  target: string
  toTarget: () => Target
}

const isTask = ({ source }: Pick<ElementEventBasePayload, 'source'>): boolean => 'task' in source.data

const markTarget = (element: HTMLElement, isOver: boolean): void => {
  if (isOver) element.dataset.drop = 'true'
  else delete element.dataset.drop
}

/** Makes an element a place on which tasks can be dropped. It is marked while it is the innermost one. */
export const useTaskDrop = (
  ref: RefObject<HTMLElement | null>,
  { isEnabled, target, toTarget }: DropProps,
) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `target` names what `toTarget` returns
  useEffect(() => {
    const element = ref.current
    if (!element || !isEnabled) return
    return dropTargetForElements({
      element,
      canDrop: isTask,
      getData: toTarget,
      onDropTargetChange: ({ self, location }) =>
        markTarget(element, location.current.dropTargets[0]?.element === self.element),
      onDragLeave: () => markTarget(element, false),
      onDrop: () => markTarget(element, false),
    })
  }, [ref, isEnabled, target])
}

/** Makes a row draggable, and a place beside which others can be dropped. */
export const useTaskRowDrag = (
  ref: RefObject<HTMLElement | null>,
  { id, isEnabled, isTarget }: { id: number; isEnabled: boolean; isTarget: boolean },
) =>
  useEffect(() => {
    const element = ref.current
    if (!element || !isEnabled) return
    return combine(
      draggable({
        element,
        getInitialData: () => ({ task: id }),
        onDragStart: () => {
          element.dataset.dragged = 'true'
        },
        onDrop: () => {
          delete element.dataset.dragged
        },
      }),
      ...(isTarget ? [dropTargetForElements({ element, getData: () => ({ row: id }) })] : []),
    )
  }, [ref, id, isEnabled, isTarget])

/** The place that the pointer names, in pixels of the window. */
export interface DropPoint {
  task: number
  target: Target
  /** True in the lower half of the target. */
  isBelow: boolean
  /** From the start of the row, in the direction of the text. */
  inset: number
  element: HTMLElement
}

/** A drag that ends where it began is a long press with a finger. */
const MAX_PRESS_PX = 8

const readPoint = ({ source, location }: ElementEventBasePayload): DropPoint | null => {
  const innermost = location.current.dropTargets[0]
  if (!innermost) return null
  const element = innermost.element as HTMLElement
  const { top, height, left } = element.getBoundingClientRect()
  const { clientX, clientY } = location.current.input
  return {
    task: source.data.task as number,
    target: innermost.data as Target,
    isBelow: clientY > top + height / 2,
    inset: clientX - left,
    element,
  }
}

interface TaskDragProps {
  /** Scrolls, too, if it is wider than the page. */
  scroller: RefObject<HTMLElement | null>
  /** Null when the pointer leaves all targets. */
  onOver: (point: DropPoint | null) => void
  onDrop: (point: DropPoint) => void
  onPress: (task: number) => void
}

/** Follows the drags of tasks. The page scrolls when the pointer comes near its edge. */
export const useTaskDrag = (props: TaskDragProps): void => {
  const latest = useRef(props)
  latest.current = props
  const { scroller } = props
  useEffect(
    () =>
      combine(
        ...(scroller.current
          ? [autoScrollForElements({ element: scroller.current, canScroll: isTask })]
          : []),
        monitorForElements({
          canMonitor: isTask,
          onDrag: (event) => latest.current.onOver(readPoint(event)),
          onDrop: (event) => {
            const { onOver, onDrop, onPress } = latest.current
            onOver(null)
            const { initial, current } = event.location
            const [x, y] = [
              current.input.clientX - initial.input.clientX,
              current.input.clientY - initial.input.clientY,
            ]
            const point = readPoint(event)
            if (Math.hypot(x, y) < MAX_PRESS_PX) onPress(event.source.data.task as number)
            else if (point) onDrop(point)
          },
        }),
        autoScrollWindowForElements({ canScroll: isTask }),
      ),
    [scroller],
  )
}
