import { type ReactElement, useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/tasks'
import { useTags } from '../../api/tags.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Popover } from '../../ui/popover.tsx'
import { readTags } from './tags.ts'

interface TagsPopoverProps {
  tags: readonly string[]
  /** The button that opens it. */
  trigger: ReactElement
  onChange: (tags: string[]) => void
}

/** Names of the checkboxes; a tag may contain any character but a comma. */
const CHOSEN = 'chosen'

const TagsForm = ({ tags, onSubmit }: { tags: readonly string[]; onSubmit: (tags: string[]) => void }) => {
  const known = useTags('tasks')
  const all = [...new Set([...tags, ...known])]
  const submit = (values: FormData) => {
    const added = readTags(String(values.get('tags') ?? ''))
    onSubmit([...new Set([...values.getAll(CHOSEN).map(String), ...added])])
  }
  return (
    <Form label={t.tags} savedAs={null} onSubmit={submit}>
      <div className="task-tag-choices">
        {all.map((tag, index) => (
          <label key={tag} className="task-tag-choice">
            <input
              type="checkbox"
              name={CHOSEN}
              value={tag}
              defaultChecked={tags.includes(tag)}
              data-first={index === 0 || undefined}
            />
            <span>#{tag}</span>
          </label>
        ))}
      </div>
      <TextField
        name="tags"
        label={t.newTags}
        hint={t.separateWithCommas}
        maxLength={500}
        autoComplete="off"
      />
      <Submit>{common.save}</Submit>
    </Form>
  )
}

/** Sets the tags beside the row. */
export const TagsPopover = ({ tags, trigger, onChange }: TagsPopoverProps) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      open={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      trigger={trigger}
      title={t.tags}
      size="small"
    >
      <TagsForm
        tags={tags}
        onSubmit={(chosen) => {
          setIsOpen(false)
          onChange(chosen)
        }}
      />
    </Popover>
  )
}
