import { Flag, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { usePendingDeletionIds } from '../../ui/use-undoable-delete.ts'
import { type Milestone, type StreamActions, useMilestones } from './use-stream.ts'

const SOURCES = {
  manual: 'What you add',
  tasks_completed: 'Completed tasks',
  bookings: 'Bookings',
  emails_received: 'Received mail',
} as const

const text = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()

const Fields = ({ milestone }: { milestone: Milestone | null }) => (
  <>
    <TextField
      name="title"
      label="Title"
      defaultValue={milestone?.title}
      maxLength={200}
      autoComplete="off"
      required
    />
    <div className="stream-fields">
      <TextField
        name="target"
        label="Target"
        type="number"
        min={1}
        max={1_000_000_000_000}
        defaultValue={milestone?.target}
        required
      />
      <TextField
        name="unit"
        label="Unit"
        hint="Such as followers."
        defaultValue={milestone?.unit}
        maxLength={40}
        autoComplete="off"
      />
    </div>
    {milestone === null && (
      <SelectField name="source" label="What counts" defaultValue="manual">
        {Object.entries(SOURCES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
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

const Row = ({ milestone, onAdd, onEdit, onRemove }: RowProps) => {
  const { title, current, target, unit, reached, source } = milestone
  return (
    <li className="milestone">
      <div className="row-main">
        <p className="row-title">
          {title}
          {reached && <Tag tone="good">reached</Tag>}
          {source !== 'manual' && <Tag>{SOURCES[source].toLowerCase()}</Tag>}
        </p>
        <progress value={Math.min(current, target)} max={target} aria-label={title} />
        <p className="row-notes">
          <span>
            {current} of {target} {unit}
          </span>
        </p>
      </div>
      {source === 'manual' && (
        <Form
          label={`Add to ${title}`}
          savedAs={null}
          resetOnSuccess
          onSubmit={async (values) => void (await onAdd(Number(values.get('amount'))))}
        >
          <input
            className="input"
            type="number"
            name="amount"
            aria-label={`How much to add to ${title}`}
            min={-1_000_000_000}
            max={1_000_000_000}
            required
          />
          <Submit kind="plain">
            <Plus size={16} aria-hidden="true" />
            <span className="only-heard">Add</span>
          </Submit>
        </Form>
      )}
      <RowMenu
        label={`More for ${title}`}
        actions={[
          { label: 'Edit', icon: Pencil, onSelect: onEdit },
          { label: 'Delete', icon: Trash2, onSelect: onRemove },
        ]}
      />
    </li>
  )
}

export const MilestonesCard = ({ actions }: { actions: StreamActions }) => {
  const query = useMilestones()
  const [isAdding, setIsAdding] = useState(false)
  const [editing, setEditing] = useState<Milestone | null>(null)
  const pendingIds = usePendingDeletionIds('milestone')
  const edited = useLastValue(editing)
  const common = (values: FormData) => ({
    title: text(values, 'title'),
    target: Number(values.get('target')),
    unit: text(values, 'unit'),
  })
  const add = async (values: FormData) => {
    await actions.addMilestone({
      ...common(values),
      source: text(values, 'source') as Milestone['source'],
    })
    setIsAdding(false)
  }
  const change = async (values: FormData) => {
    if (editing) await actions.changeMilestone(editing, common(values))
    setEditing(null)
  }
  return (
    <Card
      title="Milestones"
      about="Goals that the overlay shows with how far you have come."
      aside={
        <Button size="small" onClick={() => setIsAdding(true)}>
          <Plus size={16} aria-hidden="true" />
          New milestone
        </Button>
      }
    >
      <Loaded query={query}>
        {({ milestones: all }) => {
          const milestones = all.filter(({ id }) => !pendingIds.has(id))
          return milestones.length === 0 ? (
            <Empty icon={Flag} title="No milestones yet">
              <p>Set one, and add to it as you get there.</p>
            </Empty>
          ) : (
            <ul className="rows" aria-label="Milestones">
              {milestones.map((milestone) => (
                <Row
                  key={milestone.id}
                  milestone={milestone}
                  onAdd={(amount) => actions.addProgress(milestone, amount)}
                  onEdit={() => setEditing(milestone)}
                  onRemove={() => actions.removeMilestone(milestone)}
                />
              ))}
            </ul>
          )
        }}
      </Loaded>
      <FormDialog
        open={isAdding}
        onClose={() => setIsAdding(false)}
        title="New milestone"
        action="Set milestone"
        onSubmit={add}
      >
        <Fields milestone={null} />
      </FormDialog>
      <FormDialog
        open={editing !== null}
        onClose={() => setEditing(null)}
        title="Edit milestone"
        action="Save milestone"
        savedAs={`milestone ${edited?.id}`}
        onSubmit={change}
      >
        <Fields key={edited?.id} milestone={edited} />
      </FormDialog>
    </Card>
  )
}
