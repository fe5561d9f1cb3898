import {
  Archive,
  Inbox,
  type LucideIcon,
  Mail,
  MailOpen,
  OctagonAlert,
  Star,
  Tag as TagIcon,
  Trash2,
  X,
} from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import * as t from '#locale/mail'
import * as folderTexts from '#locale/mail-folders'
import * as common from '#locale/shared-texts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { type EmailSummary, isPutAway } from '../folders.ts'
import { MoveToPopover } from '../move-to-popover.tsx'
import type { EmailActions } from '../use-email-actions.ts'
import type { SelectedEmailActions } from '../use-selected-email-actions.ts'

interface BulkButtonProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  label: string
  icon: LucideIcon
}

const BulkButton = ({ label, icon: Icon, ...rest }: BulkButtonProps) => (
  <Button {...rest} kind="quiet" shape="icon" size="small" aria-label={label} title={label}>
    <Icon size={17} aria-hidden="true" />
  </Button>
)

interface AddTagProps {
  tags: readonly string[]
  onAdd: (tag: string) => Promise<void>
}

const AddTag = ({ tags, onAdd }: AddTagProps) => {
  const suggestions = useId()
  const add = (values: FormData) => {
    const tag = String(values.get('tag')).trim().replace(/^#/, '')
    if (tag !== '') void onAdd(tag)
  }
  return (
    <FormPopover
      trigger={<BulkButton label={t.addTag} icon={TagIcon} />}
      title={t.addTag}
      action={t.add}
      onSubmit={add}
    >
      <TextField name="tag" label={t.newTag} list={suggestions} maxLength={50} autoComplete="off" required />
      <datalist id={suggestions}>
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </FormPopover>
  )
}

interface BulkBarProps {
  selected: readonly EmailSummary[]
  actions: EmailActions
  selectedActions: SelectedEmailActions
  tags: readonly string[]
  onClear: () => void
  onAll: () => void
  hasAll: boolean
}

/** Bulk actions for the selected emails. */
export const BulkBar = (props: BulkBarProps) => {
  const { selected, actions, selectedActions, tags, onClear, onAll, hasAll } = props
  const isRead = selected.every(({ read }) => read)
  const isStarred = selected.every(({ starred }) => starred)
  const isArchived = selected.every(isPutAway)
  return (
    <div className="mail-bulk" role="toolbar" aria-label={t.selectedEmails}>
      <BulkButton label={t.clearSelection} icon={X} onClick={onClear} />
      <strong aria-live="polite">{t.selectedCount(selected.length)}</strong>
      {!hasAll && (
        <Button kind="quiet" size="small" onClick={onAll}>
          {t.selectAll}
        </Button>
      )}
      <span className="mail-bulk-actions">
        <BulkButton
          label={isArchived ? t.moveToInbox : t.archive}
          icon={isArchived ? Inbox : Archive}
          onClick={() => selectedActions.toggleArchived(selected)}
        />
        <MoveToPopover emails={selected} onMove={(folder) => selectedActions.moveTo(folder, selected)} />
        <BulkButton
          label={selected.every(({ folder }) => folder === 'junk') ? folderTexts.notSpam : folderTexts.spam}
          icon={OctagonAlert}
          onClick={() => selectedActions.toggleSpam(selected)}
        />
        <BulkButton label={common.remove} icon={Trash2} onClick={() => selectedActions.remove(selected)} />
        <BulkButton
          label={isRead ? t.markUnread : t.markRead}
          icon={isRead ? Mail : MailOpen}
          onClick={() => void actions.markRead(selected, !isRead)}
        />
        <BulkButton
          label={isStarred ? t.unstar : t.star}
          icon={Star}
          onClick={() => void actions.star(selected, !isStarred)}
        />
        <AddTag tags={tags} onAdd={(tag) => actions.addTag(selected, tag)} />
      </span>
    </div>
  )
}
