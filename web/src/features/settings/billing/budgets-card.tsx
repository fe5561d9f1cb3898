import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PiggyBank, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/billing'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { formatMeasure, labelOf, MEASURES, type Measure, unitOf, useAmounts } from './amounts.ts'

type Budget = Shape<'Budget'>

const Row = ({ budget, onRemove }: { budget: Budget; onRemove: () => void }) => {
  const amounts = useAmounts()
  const label = labelOf(budget.measure)
  const write = (value: number): string => formatMeasure(amounts, budget.measure, value)
  return (
    <li>
      <div className="row-main">
        <p className="row-title">
          {label}
          {budget.reachedAt !== null && <Tag tone="warn">{t.reached}</Tag>}
        </p>
        <p className="row-notes">
          <span>{t.usedOfLimit({ used: write(budget.used), limit: write(budget.limit) })}</span>
        </p>
        <progress
          aria-label={t.budgetProgress(label)}
          max={budget.limit || 1}
          value={Math.min(budget.used, budget.limit)}
        />
      </div>
      <div className="row-actions">
        <Button kind="quiet" shape="icon" size="small" aria-label={t.deleteBudget(label)} onClick={onRemove}>
          <Trash2 size={17} aria-hidden="true" />
        </Button>
      </div>
    </li>
  )
}

export const BudgetsCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const query = useQuery({
    queryKey: ['billing', 'budgets'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/budgets')),
  })
  const changed = () =>
    Promise.all(
      [['billing', 'budgets'], ['activity']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  const pathOf = (measure: Measure) => ({ params: { path: { measure } } })

  const save = async (measure: Measure, limit: number) => {
    await unwrap(
      client.PUT('/api/settings/billing/budgets/{measure}', { ...pathOf(measure), body: { limit } }),
    )
    notify(t.budgetSaved)
    await changed()
  }
  const fail = (error: unknown) => notify(describeError(error), { failed: true })
  const remove = async ({ measure, limit }: Budget) => {
    try {
      await unwrap(client.DELETE('/api/settings/billing/budgets/{measure}', pathOf(measure)))
      notify(t.budgetDeleted, { undo: () => void save(measure, limit).catch(fail) })
    } catch (error) {
      fail(error)
    }
    await changed()
  }
  return (
    <Card id="budgets" title={t.budgets} about={t.budgetsAbout} aside={<NewBudget onSave={save} />}>
      <Loaded query={query}>
        {({ budgets }) =>
          budgets.length === 0 ? (
            <Empty icon={PiggyBank} title={t.noBudgets}>
              <p>{t.noBudgetsAbout}</p>
            </Empty>
          ) : (
            <ul className="rows budgets">
              {budgets.map((budget) => (
                <Row key={budget.measure} budget={budget} onRemove={() => void remove(budget)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
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
      trigger={
        <Button size="small">
          <Plus size={16} aria-hidden="true" />
          {t.setBudget}
        </Button>
      }
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
        {MEASURES.map((name) => (
          <option key={name} value={name}>
            {labelOf(name)}
          </option>
        ))}
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
