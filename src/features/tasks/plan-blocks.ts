import { AppError, conflict, invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'
import type { BusyTime } from './queries.ts'
import type { OpenTask } from './repository.ts'
import type { PlanInput } from './schema.ts'

export interface Block extends Span {
  taskId: number
}

export interface Span {
  start: number
  end: number
}

const MINUTE = 60_000
const MIN_MINUTES = 5
const MAX_MINUTES = 1440

type ChosenBlock = NonNullable<PlanInput['blocks']>[number]

/** Reads the times of chosen blocks, in the order of their start. Throws for the first invalid one. */
export const readBlocks = (given: readonly ChosenBlock[], timezone: string, now: number): Block[] =>
  given
    .map(({ taskId, start, end }, index) => {
      const at = (name: 'start' | 'end', text: string): number =>
        Date.parse(readInstant(`blocks.${index}.${name}`, text, timezone))
      const block = { taskId, start: at('start', start), end: at('end', end) }
      const minutes = (block.end - block.start) / MINUTE
      if (minutes < MIN_MINUTES)
        throw invalidField(`blocks.${index}.end`, `must be at least ${MIN_MINUTES} minutes after the start`)
      if (minutes > MAX_MINUTES)
        throw invalidField(`blocks.${index}.end`, 'must be at most 24 hours after the start')
      if (block.start < now) throw invalidField(`blocks.${index}.start`, 'must not be in the past')
      return block
    })
    .sort((one, other) => one.start - other.start)

const timeTaken = (given: readonly ChosenBlock[], { start, taskId }: Block, other: string): AppError => {
  const index = given.findIndex((one) => one.taskId === taskId && Date.parse(one.start) === start)
  const path = `blocks.${Math.max(0, index)}`
  return new AppError(
    'conflict',
    'time_taken',
    `The block at ${new Date(start).toISOString()} overlaps ${other}. Move it, or leave it out.`,
    { details: { errors: [{ path, message: `overlaps ${other}` }] } },
  )
}

/** Throws if a task is closed, or a block overlaps another block or a busy time. */
export const requireBookable = (
  given: readonly ChosenBlock[],
  blocks: readonly Block[],
  tasks: ReadonlyMap<number, OpenTask>,
  busy: readonly BusyTime[],
): void => {
  for (const [index, { taskId }] of given.entries())
    if (!tasks.has(taskId))
      throw conflict(`The task of block ${index + 1} is not open. Remove the block, then try again.`)
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1]
    if (before && before.end > block.start) throw timeTaken(given, block, 'another block')
    const taken = busy.find(
      ({ start, end }) => Date.parse(start) < block.end && Date.parse(end) > block.start,
    )
    if (taken) throw timeTaken(given, block, `an event from ${taken.start} to ${taken.end}`)
  }
}
