import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import * as t from '#locale/assistant'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useDates } from '../../ui/time.tsx'
import type { EditedBlock } from '../tasks/plan-blocks.ts'
import { PlanArea, PlanEditor } from '../tasks/plan-editor.tsx'
import type { Input } from './payload.tsx'

export interface PlannedBlock {
  taskId: number
  start: string
  end: string
}

export const isPlan = ({ tool }: { tool: string }): boolean => tool === 'book_plan'

const isBlock = (value: unknown): value is PlannedBlock =>
  typeof value === 'object' && value !== null && 'taskId' in value && 'start' in value && 'end' in value

export const toPlannedBlocks = ({ blocks }: Input): readonly PlannedBlock[] =>
  Array.isArray(blocks) ? blocks.filter(isBlock) : []

/** The titles of the tasks. The input of the action has only their ids. */
const useTitles = (blocks: readonly PlannedBlock[]): ReadonlyMap<number, string> => {
  const client = useClient()
  const ids = [...new Set(blocks.map(({ taskId }) => taskId))]
  const results = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['tasks', 'one', id, 'title'],
      queryFn: async () => (await unwrap(client.GET('/api/tasks/{id}', { params: { path: { id } } }))).title,
    })),
  })
  return new Map(ids.map((id, index) => [id, results[index]?.data ?? '…']))
}

/** The blocks that will be booked, by day. */
export const PlanPreview = ({ blocks }: { blocks: readonly PlannedBlock[] }) => {
  const { dayOf, dayInFull, hours } = useDates()
  const titles = useTitles(blocks)
  const days = new Map<string, PlannedBlock[]>()
  for (const block of blocks) {
    const day = dayOf(block.start)
    days.set(day, [...(days.get(day) ?? []), block])
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="chat-plan" aria-label={t.fields.blocks} tabIndex={0}>
      {[...days].map(([day, planned]) => (
        <div key={day}>
          <h3>{dayInFull(planned[0]?.start ?? day)}</h3>
          <ul>
            {planned.map(({ taskId, start, end }) => (
              <li key={start}>
                <span>{hours(start, end)}</span> <span>{titles.get(taskId)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

const toEditedBlocks = (
  blocks: readonly PlannedBlock[],
  titles: ReadonlyMap<number, string>,
): EditedBlock[] =>
  blocks.map(({ taskId, start, end }, index) => {
    const parts = blocks.filter((other) => other.taskId === taskId)
    return {
      key: `${taskId}-${index}`,
      taskId,
      title: titles.get(taskId) ?? '',
      part: blocks.slice(0, index + 1).filter((other) => other.taskId === taskId).length,
      parts: parts.length,
      start,
      end,
      isIncluded: true,
    }
  })

/** The changes of the person to the blocks of a plan. Another plan starts anew. */
export const usePlanEdit = (input: Input | null) => {
  const planned = input === null ? [] : toPlannedBlocks(input)
  const titles = useTitles(planned)
  const [changed, setChanged] = useState<{ input: Input; blocks: readonly EditedBlock[] } | null>(null)
  const blocks =
    changed !== null && changed.input === input ? changed.blocks : toEditedBlocks(planned, titles)
  return {
    blocks,
    change(block: EditedBlock): void {
      if (input === null) return
      setChanged({ input, blocks: blocks.map((one) => (one.key === block.key ? block : one)) })
    },
    toInput: (): Input => ({
      ...input,
      blocks: blocks
        .filter(({ isIncluded }) => isIncluded)
        .map(({ taskId, start, end }) => ({ taskId, start, end })),
    }),
  }
}

export const PlanFields = ({ edit }: { edit: ReturnType<typeof usePlanEdit> }) => (
  <PlanArea label={t.fields.blocks ?? ''}>
    <PlanEditor blocks={edit.blocks} onChange={edit.change} />
  </PlanArea>
)
