import { Flag, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/stream'
import { AddButton } from '../../ui/button.tsx'
import { Tag } from '../../ui/card.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Options, SelectField, TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { ListCard } from '../../ui/list-card.tsx'
import { FormPopover } from '../../ui/popover.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { usePendingDeletionIds } from '../../ui/use-undoable-delete.ts'
import { type Milestone, type StreamActions, useMilestones } from './use-stream.ts'

const Fields = ({ milestone }: { milestone: Milestone | null }) => (
  <>
    <TextField
      name="title"
      label={t.title}
      defaultValue={milestone?.title}
      maxLength={200}
      autoComplete="off"
      required
    />
    <div className="stream-fields">
      <TextField
        name="target"
        label={t.target}
        type="number"
        min={1}
        max={1_000_000_000_000}
        defaultValue={milestone?.target}
        required
      />
      <TextField
        name="unit"
        label={t.unit}
        hint={t.unitExample}
        defaultValue={milestone?.unit}
        maxLength={40}
        autoComplete="off"
      />
    </div>
    {milestone === null && (
      <SelectField name="source" label={t.source} defaultValue="manual">
        <Options entries={Object.entries(t.sources)} />
      </SelectField>
    )}
  </>
)

interface RowProps {
  milestone: Milestone
  onAdd: (amount: number) => Promise<unknown>
  onEdit: () => void
  onRemove: () => void
}

const MilestoneRow = ({ milestone, onAdd, onEdit, onRemove }: RowProps) => {
  const { title, current, target, unit, reached, source } = milestone
  return (
    <li className="milestone">
      <div className="row-main">
        <p className="row-title">
          {title}
          {reached && <Tag tone="good">{t.reached}</Tag>}
          {source !== 'manual' && <Tag>{t.sources[source]}</Tag>}
        </p>
        <progress value={Math.min(current, target)} max={target} aria-label={title} />
        <p className="row-notes">
          <span>{t.progress({ current, target, unit })}</span>
        </p>
      </div>
      {source === 'manual' && (
        <Form
          label={t.addTo(title)}
          savedAs={null}
          resetOnSuccess
          onSubmit={async (values) => void (await onAdd(Number(values.get('amount'))))}
        >
          <input
            className="input"
            type="number"
            name="amount"
            aria-label={t.amountFor(title)}
            placeholder={t.amount}
            min={-1_000_000_000}
            max={1_000_000_000}
            required
          />
          <Submit kind="plain">
            <Plus size={16} aria-hidden="true" />
            <span className="visually-hidden">{t.add}</span>
          </Submit>
        </Form>
      )}
      <RowMenu
        label={t.moreFor(title)}
        actions={[
          { label: common.edit, icon: Pencil, onSelect: onEdit },
          { label: common.remove, icon: Trash2, onSelect: onRemove },
        ]}
      />
    </li>
  )
}

export const MilestonesCard = ({ actions }: { actions: StreamActions }) => {
  const query = useMilestones()
  const [editing, setEditing] = useState<Milestone | null>(null)
  const pendingIds = usePendingDeletionIds('milestone')
  const edited = useLastValue(editing)
  const readGoal = (values: FormData) => ({
    title: readText(values, 'title'),
    target: Number(values.get('target')),
    unit: readText(values, 'unit'),
  })
  const add = async (values: FormData) => {
    await actions.addMilestone({
      ...readGoal(values),
      source: readText(values, 'source') as Milestone['source'],
    })
  }
  const change = async (values: FormData) => {
    if (editing) await actions.changeMilestone(editing, readGoal(values))
    setEditing(null)
  }
  return (
    <>
      <ListCard
        title={t.goals}
        about={t.goalsHelp}
        aside={
          <FormPopover
            align="end"
            trigger={<AddButton>{t.newGoal}</AddButton>}
            title={t.newGoal}
            action={t.addGoal}
            savedAs={t.newGoal}
            onSubmit={add}
          >
            <Fields milestone={null} />
          </FormPopover>
        }
        query={query}
        itemsOf={({ milestones }) => milestones.filter(({ id }) => !pendingIds.has(id))}
        empty={{ icon: Flag, title: t.noGoals, about: t.noGoalsHelp }}
        label={t.goals}
      >
        {(milestone) => (
          <MilestoneRow
            key={milestone.id}
            milestone={milestone}
            onAdd={(amount) => actions.addProgress(milestone, amount)}
            onEdit={() => setEditing(milestone)}
            onRemove={() => actions.removeMilestone(milestone)}
          />
        )}
      </ListCard>
      <FormDialog
        open={editing !== null}
        onClose={() => setEditing(null)}
        title={t.editGoal}
        action={common.save}
        savedAs={`milestone ${edited?.id}`}
        onSubmit={change}
      >
        <Fields key={edited?.id} milestone={edited} />
      </FormDialog>
    </>
  )
}
