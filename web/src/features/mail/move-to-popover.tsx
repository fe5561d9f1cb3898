import { FolderInput } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import * as t from '#locale/mail-folders'
import { IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Popover } from '../../ui/popover.tsx'
import { type MailFolder, useFolders } from './folder-list.ts'
import { iconOf, nameOfFolder } from './folder-tree.tsx'
import type { Thread } from './threads.ts'

const MAX_CHOICES = 100

/** Emails and threads. */
type Movable = Pick<Thread, 'accountId' | 'folderId'>

/** The folders that all of these emails can move to: those of their mail account. */
export const findTargets = (
  folders: readonly MailFolder[],
  emails: readonly Movable[],
): readonly MailFolder[] => {
  const [first] = emails
  if (!first || emails.some(({ accountId }) => accountId !== first.accountId)) return []
  const isSource = ({ id }: MailFolder) => emails.every(({ folderId }) => folderId === id)
  return folders.filter(
    (folder) => folder.accountId === first.accountId && folder.selectable && !isSource(folder),
  )
}

const matches = (folder: MailFolder, typed: string): boolean =>
  `${nameOfFolder(folder)} ${folder.path}`.toLowerCase().includes(typed.trim().toLowerCase())

const FolderChoices = ({
  emails,
  onPick,
}: {
  emails: readonly Movable[]
  onPick: (folder: MailFolder) => void
}) => {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const found = findTargets(useFolders(), emails)
    .filter((folder) => matches(folder, typed))
    .slice(0, MAX_CHOICES)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive((now) => Math.min(Math.max(now + step, 0), found.length - 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const folder = found[active]
      if (folder) onPick(folder)
    }
  }
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <input
        className="input"
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="move-choices"
        aria-activedescendant={found[active] ? `move-choice-${found[active].id}` : undefined}
        aria-label={t.findFolder}
        placeholder={t.findFolder}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className="move-choices" id="move-choices" role="listbox" aria-label={t.moveTo}>
        {found.map((folder, index) => {
          const Icon = iconOf(folder)
          return (
            <button
              key={folder.id}
              id={`move-choice-${folder.id}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              data-active={index === active}
              className="move-choice"
              onClick={() => onPick(folder)}
            >
              <Icon size={16} aria-hidden="true" />
              <span className="folder-name">{nameOfFolder(folder)}</span>
              {folder.parentId !== null && <span className="move-path">{folder.path}</span>}
            </button>
          )
        })}
      </div>
      {found.length === 0 && <p className="small quiet">{t.noTarget}</p>}
    </form>
  )
}

interface MoveToProps {
  emails: readonly Movable[]
  onMove: (folder: MailFolder) => void
}

/** The button that moves emails to a folder of their mail account. */
export const MoveToPopover = ({ emails, onMove }: MoveToProps) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      open={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      size="small"
      title={t.moveTo}
      trigger={
        <IconButton icon={FolderInput} label={t.moveTo} title={t.moveTo} onClick={() => setIsOpen(true)} />
      }
    >
      <FolderChoices
        emails={emails}
        onPick={(folder) => {
          setIsOpen(false)
          onMove(folder)
        }}
      />
    </Popover>
  )
}

/** The same choice for the shortcut, which has no button beside it. */
export const MoveToDialog = ({ emails, onMove, onClose }: MoveToProps & { onClose: () => void }) => (
  <Dialog open onClose={onClose} title={t.moveTo}>
    <FolderChoices
      emails={emails}
      onPick={(folder) => {
        onClose()
        onMove(folder)
      }}
    />
  </Dialog>
)
