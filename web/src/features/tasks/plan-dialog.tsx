import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import * as t from '#locale/tasks'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'

type Plan = Shape<'TaskPlan'>

const DAY_MS = 86_400_000

const Blocks = ({ blocks }: Pick<Plan, 'blocks'>) => {
  const { dayInFull, hours } = useDates()
  const days = new Map<string, Plan['blocks']>()
  for (const block of blocks) {
    const day = dayInFull(block.start)
    days.set(day, [...(days.get(day) ?? []), block])
  }
  return [...days].map(([day, planned]) => (
    <section key={day} aria-label={day}>
      <h3 className="plan-day">{day}</h3>
      <ul className="plan-blocks">
        {planned.map(({ taskId, title, start, end, part, parts }) => (
          <li key={`${taskId} ${part}`}>
            <span className="plan-hours">{hours(start, end)}</span>
            <span>
              {title}
              {parts > 1 && <span className="quiet"> {t.partOf({ part, parts })}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  ))
}

const Proposal = ({ plan: { blocks, unplanned } }: { plan: Plan }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section className="plan" aria-label={t.planTasks} tabIndex={0}>
    {blocks.length === 0 ? <p>{t.nothingToPlan}</p> : <Blocks blocks={blocks} />}
    {unplanned.length > 0 && (
      <section aria-label={t.notPlanned}>
        <h3 className="plan-day">{t.notPlanned}</h3>
        <ul className="plan-blocks">
          {unplanned.map(({ taskId, title, reason }) => (
            <li key={taskId}>
              <span>
                {title} <span className="quiet">{t.notPlannedReasons[reason]}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
  </section>
)

/** Proposes calendar times for open tasks and books them on request. */
export const PlanDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [days, setDays] = useState(7)
  // The same start time for preview and booking, so that the booked times match the displayed ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: recomputed each time the dialog opens
  const stretch = useMemo(() => {
    const now = Date.now()
    return { start: new Date(now).toISOString(), end: new Date(now + days * DAY_MS).toISOString() }
  }, [days, open])
  const ask = (apply: boolean) => unwrap(client.POST('/api/tasks/plan', { body: { ...stretch, apply } }))
  const query = useQuery({
    queryKey: ['plan', stretch],
    queryFn: () => ask(false),
    enabled: open,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const changed = () => queries.invalidateQueries({ queryKey: ['calendar'] })
  const undo = async (id: number): Promise<void> => {
    try {
      await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      notify(t.planUndone)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
    await changed()
  }
  const book = async () => {
    const { blocks, actionId } = await ask(true)
    onClose()
    await changed()
    if (actionId === null) notify(t.noBlocksAdded)
    else notify(t.blocksAdded(blocks.length), { undo: () => void undo(actionId) })
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.planTasks}
      about={t.planHelp}
      size="large"
      action={t.addToCalendar}
      onSubmit={book}
    >
      <SelectField
        name="days"
        label={t.period}
        defaultValue={String(days)}
        onChange={(event) => setDays(Number(event.target.value))}
      >
        {Object.entries(t.periods).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Loaded query={query} lines={4}>
        {(plan) => <Proposal plan={plan} />}
      </Loaded>
    </FormDialog>
  )
}
