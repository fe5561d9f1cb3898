import { Menu } from '@base-ui/react/menu'
import {
  AlarmClock,
  Archive,
  FolderInput,
  Inbox,
  ListChecks,
  Mail,
  MailOpen,
  OctagonAlert,
  Pin,
  PinOff,
  Star,
  Tag as TagIcon,
  Tags,
  Trash2,
  X,
} from 'lucide-react'
import type { ComponentProps } from 'react'
import * as t from '#locale/mail'
import * as folderTexts from '#locale/mail-folders'
import * as later from '#locale/mail-later'
import * as common from '#locale/shared-texts'
import { IconButton } from '../../../ui/button.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { useFolders } from '../folder-list.ts'
import { FOLDER_ICONS, type Folder, isPutAway } from '../folders.ts'
import { findTargets, MoveToPopover } from '../move-to-popover.tsx'
import { isRead, type Thread } from '../threads.ts'
import type { EmailActions } from '../use-email-actions.ts'
import type { SelectedEmailActions } from '../use-selected-email-actions.ts'
import { readTag, TagField } from './tag-dialog.tsx'

const BulkButton = (props: ComponentProps<typeof IconButton>) => <IconButton {...props} title={props.label} />

interface AddTagProps {
  tags: readonly string[]
  onAdd: (tag: string) => Promise<void>
}

const AddTag = ({ tags, onAdd }: AddTagProps) => (
  <FormPopover
    trigger={<BulkButton label={t.addTag} icon={TagIcon} />}
    title={t.addTag}
    action={t.add}
    onSubmit={(values) => {
      const tag = readTag(values)
      if (tag !== '') void onAdd(tag)
    }}
  >
    <TagField tags={tags} />
  </FormPopover>
)

/** Tags that at least one of the selected threads has. */
const RemoveTag = ({ tags, onRemove }: { tags: readonly string[]; onRemove: (tag: string) => void }) => (
  <Menu.Root>
    <Menu.Trigger render={<BulkButton label={t.removeTagTitle} icon={Tags} disabled={tags.length === 0} />} />
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={4} align="end" collisionPadding={8}>
        <Menu.Popup className="menu mail-tag-menu">
          {tags.map((tag) => (
            <Menu.Item key={tag} className="menu-item" onClick={() => onRemove(tag)}>
              #{tag}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)

/** Folders into which mail of any account can move. */
const TARGETS: readonly Folder[] = ['inbox', 'archive', 'trash']

const MoveMenu = ({ onMove }: { onMove: (folder: Folder) => void }) => (
  <Menu.Root>
    <Menu.Trigger render={<BulkButton label={t.moveTo} icon={FolderInput} />} />
    <Menu.Portal>
      <Menu.Positioner className="menu-place" sideOffset={4} align="end" collisionPadding={8}>
        <Menu.Popup className="menu">
          {TARGETS.map((folder) => {
            const Icon = FOLDER_ICONS[folder]
            return (
              <Menu.Item key={folder} className="menu-item" onClick={() => onMove(folder)}>
                <Icon size={17} aria-hidden="true" />
                {t.folders[folder]}
              </Menu.Item>
            )
          })}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)

interface BulkBarProps {
  selected: readonly Thread[]
  actions: EmailActions
  selectedActions: SelectedEmailActions
  tags: readonly string[]
  onClear: () => void
  onAll: () => void
  hasAll: boolean
}

/** Actions on the selected threads. */
export const BulkBar = (props: BulkBarProps) => {
  const { selected, actions, selectedActions, tags, onClear, onAll, hasAll } = props
  const areRead = selected.every(isRead)
  const isStarred = selected.every(({ starred }) => starred)
  const isPinned = selected.every(({ pinned }) => pinned)
  const isSnoozed = selected.every(({ snoozedUntil }) => snoozedUntil !== null)
  const isArchived = selected.every(isPutAway)
  const isSpam = selected.every(({ folder }) => folder === 'junk')
  const hasTargets = findTargets(useFolders(), selected).length > 0
  const usedTags = [...new Set(selected.flatMap((thread) => thread.tags))]
  return (
    <div className="mail-bulk" role="toolbar" aria-label={t.selectedEmails}>
      <BulkButton label={t.clearSelection} icon={X} onClick={onClear} />
      <strong aria-live="polite">{t.selectedCount(selected.length)}</strong>
      {!hasAll && <BulkButton label={t.selectAll} icon={ListChecks} onClick={onAll} />}
      <span className="mail-bulk-actions">
        <BulkButton
          label={isArchived ? t.moveToInbox : t.archive}
          icon={isArchived ? Inbox : Archive}
          onClick={() => selectedActions.toggleArchived(selected)}
        />
        <BulkButton
          label={isSnoozed ? later.unsnooze : later.snooze}
          icon={AlarmClock}
          onClick={() => selectedActions.snooze.ask(selected)}
        />
        <BulkButton
          label={isSpam ? folderTexts.notSpam : folderTexts.spam}
          icon={OctagonAlert}
          onClick={() => selectedActions.toggleSpam(selected)}
        />
        <BulkButton label={common.remove} icon={Trash2} onClick={() => selectedActions.remove(selected)} />
        <BulkButton
          label={areRead ? t.markUnread : t.markRead}
          icon={areRead ? Mail : MailOpen}
          onClick={() => void actions.markRead(selected, !areRead)}
        />
        <BulkButton
          label={isStarred ? t.unstar : t.star}
          icon={Star}
          onClick={() => void actions.star(selected, !isStarred)}
        />
        <BulkButton
          label={isPinned ? later.unpin : later.pin}
          icon={isPinned ? PinOff : Pin}
          onClick={() => void selectedActions.togglePin(selected)}
        />
        <AddTag tags={tags} onAdd={(tag) => actions.addTag(selected, tag)} />
        <RemoveTag tags={usedTags} onRemove={(tag) => void actions.removeTag(selected, tag)} />
        {hasTargets ? (
          <MoveToPopover emails={selected} onMove={(folder) => selectedActions.moveTo(folder, selected)} />
        ) : (
          <MoveMenu onMove={(folder) => selectedActions.moveToView(folder, selected)} />
        )}
      </span>
    </div>
  )
}
