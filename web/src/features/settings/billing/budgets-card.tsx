import { useQuery } from '@tanstack/react-query'
import { PiggyBank, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/billing'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { AddButton, IconButton } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { Options, SelectField, TextField } from '../../../ui/field.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { Row } from '../../../ui/rows.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { formatMeasure, labelOf, MEASURES, type Measure, unitOf, useAmounts } from './amounts.ts'

type Budget = Shape<'Budget'>

const BudgetRow = ({ budget, onRemove }: { budget: Budget; onRemove: () => void }) => {
  const amounts = useAmounts()
  const label = labelOf(budget.measure)
  const write = (value: number): string => formatMeasure(amounts, budget.measure, value)
  return (
    <Row
      className="budget"
      title={label}
      tags={budget.reachedAt !== null && <Tag tone="warn">{t.reached}</Tag>}
      actions={<IconButton icon={Trash2} label={t.deleteBudget(label)} onClick={onRemove} />}
    >
      <p className="row-notes">
        <span>{t.usedOfLimit({ used: write(budget.used), limit: write(budget.limit) })}</span>
      </p>
      <progress
        aria-label={t.budgetProgress(label)}
        max={budget.limit || 1}
        value={Math.min(budget.used, budget.limit)}
      />
    </Row>
  )
}

export const BudgetsCard = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const query = useQuery({
    queryKey: ['billing', 'budgets'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/budgets')),
  })
  const changed = useRefetch(['billing', 'budgets'], ['activity'])
  const pathOf = (measure: Measure) => ({ params: { path: { measure } } })

  const save = async (measure: Measure, limit: number) => {
    await unwrap(
      client.PUT('/api/settings/billing/budgets/{measure}', { ...pathOf(measure), body: { limit } }),
    )
    notify(t.budgetSaved)
    await changed()
  }
  const remove = async ({ measure, limit }: Budget) => {
    await attempt(async () => {
      await unwrap(client.DELETE('/api/settings/billing/budgets/{measure}', pathOf(measure)))
      notify(t.budgetDeleted, { undo: () => void attempt(() => save(measure, limit)) })
    })
    await changed()
  }
  return (
    <ListCard
      id="budgets"
      title={t.budgets}
      about={t.budgetsAbout}
      aside={<NewBudget onSave={save} />}
      query={query}
      itemsOf={({ budgets }) => budgets}
      empty={{ icon: PiggyBank, title: t.noBudgets, about: t.noBudgetsAbout }}
    >
      {(budget) => <BudgetRow key={budget.measure} budget={budget} onRemove={() => void remove(budget)} />}
    </ListCard>
  )
}

const NewBudget = ({ onSave }: { onSave: (measure: Measure, limit: number) => Promise<void> }) => {
  const [measure, setMeasure] = useState<Measure>('aiCostUsd')
  const save = (values: FormData) => {
    const limit = Number(values.get('limit')) * unitOf(measure)
    return onSave(measure, measure === 'aiCostUsd' ? limit : Math.round(limit))
  }
  return (
    <FormPopover
      align="end"
      trigger={<AddButton>{t.setBudget}</AddButton>}
      title={t.newBudget}
      action={common.save}
      savedAs="budget"
      onSubmit={save}
    >
      <SelectField
        name="measure"
        label={t.measure}
        value={measure}
        onChange={(event) => setMeasure(event.target.value as Measure)}
      >
        <Options entries={MEASURES.map((name) => [name, labelOf(name)])} />
      </SelectField>
      <TextField
        name="limit"
        label={t.budgetLimits[measure]}
        type="number"
        min="0"
        step={measure === 'aiCostUsd' || measure === 'storageBytes' ? 'any' : '1'}
        inputMode="decimal"
        required
      />
    </FormPopover>
  )
}
