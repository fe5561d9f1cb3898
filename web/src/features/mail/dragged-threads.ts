import type { DragEvent } from 'react'

/** The type of dragged threads: a list of their ids. */
const DRAGGED = 'application/x-factotum-threads'

export const dragThreads = (event: DragEvent, ids: readonly number[]): void => {
  event.dataTransfer.setData(DRAGGED, JSON.stringify(ids))
  event.dataTransfer.effectAllowed = 'move'
}

/** Properties of an element on which threads can be dropped. */
export const acceptThreads = (onDrop: (ids: readonly number[]) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
  },
  onDrop: (event: DragEvent) => {
    event.preventDefault()
    onDrop(JSON.parse(event.dataTransfer.getData(DRAGGED) || '[]') as number[])
  },
})
