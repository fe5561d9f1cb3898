import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import * as t from '#locale/tasks'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useRefetch } from '../../api/use-refetch.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Options, SelectField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useUndoActions } from '../../ui/use-undo-actions.ts'
import { type EditedBlock, toEditedBlocks } from './plan-blocks.ts'
import { PlanArea, PlanEditor } from './plan-editor.tsx'

type Plan = Shape<'TaskPlan'>

const DAY_MS = 86_400_000

interface ProposalProps {
  blocks: readonly EditedBlock[]
  onChange: (block: EditedBlock) => void
  unplanned: Plan['unplanned']
}

const HEADINGS = [t.partlyPlanned, t.notPlanned, t.alreadyPlanned]

/** A task can have blocks for a part of its time, or for all of it from an earlier plan. */
const headingOf = (task: Plan['unplanned'][number], blocks: readonly EditedBlock[]): string => {
  if (task.reason === 'already_planned') return t.alreadyPlanned
  return blocks.some(({ taskId }) => taskId === task.taskId) ? t.partlyPlanned : t.notPlanned
}

const TaskGroup = ({ heading, tasks }: { heading: string; tasks: Plan['unplanned'] }) =>
  tasks.length === 0 ? null : (
    <section aria-label={heading}>
      <h3 className="plan-day">{heading}</h3>
      <ul className="plan-blocks">
        {tasks.map(({ taskId, title, reason }) => (
          <li key={taskId}>
            {title} <span className="quiet">{t.notPlannedReasons[reason]}</span>
          </li>
        ))}
      </ul>
    </section>
  )

const Proposal = ({ blocks, unplanned, onChange }: ProposalProps) => (
  <PlanArea label={t.planTasks}>
    {blocks.length === 0 ? <p>{t.nothingToPlan}</p> : <PlanEditor blocks={blocks} onChange={onChange} />}
    {HEADINGS.map((heading) => (
      <TaskGroup
        key={heading}
        heading={heading}
        tasks={unplanned.filter((task) => headingOf(task, blocks) === heading)}
      />
    ))}
  </PlanArea>
)

/** Proposes calendar times for open tasks and books them on request. */
export const PlanDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const client = useClient()
  const notify = useNotify()
  const [days, setDays] = useState(7)
  // The same start time for preview and booking, so that the booked times match the displayed ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: recomputed each time the dialog opens
  const period = useMemo(() => {
    const now = Date.now()
    return { start: new Date(now).toISOString(), end: new Date(now + days * DAY_MS).toISOString() }
  }, [days, open])
  const query = useQuery({
    queryKey: ['plan', period],
    queryFn: () => unwrap(client.POST('/api/tasks/plan', { body: period })),
    enabled: open,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // The changes belong to one proposal: another period starts anew.
  const [edited, setEdited] = useState<{ plan: Plan; blocks: EditedBlock[] } | null>(null)
  const blocksOf = (plan: Plan): EditedBlock[] =>
    edited?.plan === plan ? edited.blocks : toEditedBlocks(plan.blocks)
  const change = (plan: Plan, block: EditedBlock) =>
    setEdited({ plan, blocks: blocksOf(plan).map((one) => (one.key === block.key ? block : one)) })
  const changed = useRefetch(['calendar'])
  const undoActions = useUndoActions(['calendar'])
  const book = async () => {
    const chosen = (query.data ? blocksOf(query.data) : []).filter(({ isIncluded }) => isIncluded)
    if (chosen.length === 0) {
      onClose()
      notify(t.noBlocksAdded)
      return
    }
    const blocks = chosen.map(({ taskId, start, end }) => ({ taskId, start, end }))
    const { actionId } = await unwrap(
      client.POST('/api/tasks/plan', { body: { ...period, blocks, apply: true } }),
    )
    onClose()
    await changed()
    if (actionId === null) notify(t.noBlocksAdded)
    else notify(t.blocksAdded(blocks.length), { undo: () => void undoActions([actionId], t.planUndone) })
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.planTasks}
      about={t.planHelp}
      size="large"
      action={t.addToCalendar}
      savedAs={null}
      onSubmit={book}
    >
      <SelectField
        name="days"
        label={t.period}
        defaultValue={String(days)}
        onChange={(event) => setDays(Number(event.target.value))}
      >
        <Options entries={Object.entries(t.periods)} />
      </SelectField>
      <Loaded query={query} lines={4}>
        {(plan) => (
          <Proposal
            blocks={blocksOf(plan)}
            unplanned={plan.unplanned}
            onChange={(block) => change(plan, block)}
          />
        )}
      </Loaded>
    </FormDialog>
  )
}
