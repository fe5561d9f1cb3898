import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PiggyBank, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { MEASURE_NAMES, MEASURES, type Measure } from './amounts.ts'

type Budget = Shape<'Budget'>

const Row = ({ budget, onRemove }: { budget: Budget; onRemove: () => void }) => {
  const { label, write } = MEASURES[budget.measure]
  return (
    <li>
      <div className="row-main">
        <p className="row-title">
          {label}
          {budget.reachedAt !== null && <Tag tone="warn">Reached</Tag>}
        </p>
        <p className="row-notes">
          <span>
            {write(budget.used)} of {write(budget.limit)}
          </span>
        </p>
        <progress
          aria-label={`${label} used`}
          max={budget.limit || 1}
          value={Math.min(budget.used, budget.limit)}
        />
      </div>
      <div className="row-actions">
        <Button
          kind="quiet"
          shape="icon"
          size="small"
          aria-label={`Remove the budget for ${label}`}
          onClick={onRemove}
        >
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
  const [isSetting, setIsSetting] = useState(false)
  const [measure, setMeasure] = useState<Measure>('aiCostUsd')
  const query = useQuery({
    queryKey: ['billing', 'budgets'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/budgets')),
  })
  const changed = () =>
    Promise.all(
      [['billing', 'budgets'], ['activity']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  const pathOf = (name: Measure) => ({ params: { path: { measure: name } } })

  const save = async (values: FormData) => {
    const { each } = MEASURES[measure]
    const limit = Number(values.get('limit')) * each
    await unwrap(
      client.PUT('/api/settings/billing/budgets/{measure}', {
        ...pathOf(measure),
        body: { limit: each === 1 ? limit : Math.round(limit) },
      }),
    )
    setIsSetting(false)
    notify('The budget is set.')
    await changed()
  }
  const remove = async (name: Measure) => {
    try {
      await unwrap(client.DELETE('/api/settings/billing/budgets/{measure}', pathOf(name)))
      notify('The budget is removed.')
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
    await changed()
  }
  return (
    <Card
      id="budgets"
      title="Budgets"
      about="You are told once a month when one is reached. Nothing is stopped by it."
      aside={
        <Button size="small" onClick={() => setIsSetting(true)}>
          <Plus size={16} aria-hidden="true" />
          Set a budget
        </Button>
      }
    >
      <Loaded query={query}>
        {({ budgets }) =>
          budgets.length === 0 ? (
            <Empty icon={PiggyBank} title="No budgets">
              <p>Set one to hear of it when a month costs more than you want.</p>
            </Empty>
          ) : (
            <ul className="rows budgets">
              {budgets.map((budget) => (
                <Row key={budget.measure} budget={budget} onRemove={() => void remove(budget.measure)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <FormDialog
        open={isSetting}
        onClose={() => setIsSetting(false)}
        title="Set a budget"
        action="Set budget"
        onSubmit={save}
      >
        <SelectField
          name="measure"
          label="Of what"
          value={measure}
          onChange={(event) => setMeasure(event.target.value as Measure)}
        >
          {MEASURE_NAMES.map((name) => (
            <option key={name} value={name}>
              {MEASURES[name].label}
            </option>
          ))}
        </SelectField>
        <TextField
          name="limit"
          label={MEASURES[measure].typed}
          type="number"
          min="0"
          step={MEASURES[measure].each === 1 && measure !== 'aiCostUsd' ? '1' : 'any'}
          inputMode="decimal"
          required
        />
      </FormDialog>
    </Card>
  )
}
