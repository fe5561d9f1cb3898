import type { Shape } from '../../api/client.ts'
import { instantOf, toLocalTime } from './local-time.ts'

/** A proposed block with the changes of the person. */
export interface EditedBlock {
  key: string
  taskId: number
  title: string
  part: number
  parts: number
  start: string
  end: string
  isIncluded: boolean
}

const MINUTE_MS = 60_000
export const MIN_MINUTES = 5
export const MAX_MINUTES = 1440

export const toEditedBlocks = (blocks: Shape<'TaskPlan'>['blocks']): EditedBlock[] =>
  blocks.map(({ taskId, title, part, parts, start, end }) => ({
    key: `${taskId}-${part}`,
    taskId,
    title,
    part,
    parts,
    start,
    end,
    isIncluded: true,
  }))

export const minutesOf = ({ start, end }: Pick<EditedBlock, 'start' | 'end'>): number =>
  Math.round((Date.parse(end) - Date.parse(start)) / MINUTE_MS)

const shift = (at: string, minutes: number): string =>
  new Date(Date.parse(at) + minutes * MINUTE_MS).toISOString()

/** Moves a block and keeps its length. */
export const moveBlock = (block: EditedBlock, start: string): EditedBlock => ({
  ...block,
  start,
  end: shift(start, minutesOf(block)),
})

export const moveBlockBy = (block: EditedBlock, minutes: number): EditedBlock =>
  moveBlock(block, shift(block.start, minutes))

export const resizeBlock = (block: EditedBlock, minutes: number): EditedBlock => ({
  ...block,
  end: shift(block.start, Math.min(MAX_MINUTES, Math.max(MIN_MINUTES, minutes))),
})

/** Moves a block to a local day or time. */
export const moveToLocal = (block: EditedBlock, local: string, timeZone: string): EditedBlock =>
  moveBlock(block, instantOf(local, timeZone))

export const localStartOf = ({ start }: EditedBlock, timeZone: string): { day: string; time: string } => {
  const local = toLocalTime(start, timeZone)
  return { day: local.slice(0, 10), time: local.slice(11, 16) }
}

/** Returns the included blocks that overlap another one. */
export const findOverlaps = (blocks: readonly EditedBlock[]): ReadonlySet<string> => {
  const included = blocks.filter(({ isIncluded }) => isIncluded)
  const overlaps = included.filter((one) =>
    included.some((other) => other !== one && other.start < one.end && other.end > one.start),
  )
  return new Set(overlaps.map(({ key }) => key))
}
