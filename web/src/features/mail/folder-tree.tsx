import { useQuery } from '@tanstack/react-query'
import {
  ChevronRight,
  Folder as FolderIcon,
  FolderInput,
  FolderPlus,
  Inbox,
  type LucideIcon,
  PenLine,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/mail-folders'
import { useClient, useServices } from '../../api/context.tsx'
import { mailAccountsQuery } from '../../api/mail-accounts.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Options, SelectField, TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { RowMenu } from '../../ui/row-menu.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { acceptThreads } from './dragged-threads.ts'
import {
  type FolderNode,
  listParents,
  type MailFolder,
  toTrees,
  useFolderActions,
  useFolders,
} from './folder-list.ts'
import { FOLDER_ICONS } from './folders.ts'
import { hrefOf, type MailNavigation, PLAIN_VIEW } from './url-state.ts'
import './folder-tree.css'

const USE_ICONS: Readonly<Record<string, LucideIcon>> = { ...FOLDER_ICONS, all: Inbox }

export const iconOf = ({ specialUse }: MailFolder): LucideIcon => USE_ICONS[specialUse ?? ''] ?? FolderIcon

/** Special folders have the names of the console, other folders the ones of the server. */
export const nameOfFolder = ({ specialUse, name }: MailFolder): string =>
  specialUse === null ? name : t.specialFolders[specialUse]

type Question =
  | { kind: 'create'; accountId: string; parent: MailFolder | null }
  | { kind: 'rename' | 'move' | 'delete'; folder: MailFolder }

const TOP_LEVEL = 'top'

interface MoveFolderDialogProps {
  open: boolean
  folder: MailFolder
  onClose: () => void
  onSubmit: (values: FormData) => Promise<void>
}

const MoveFolderDialog = ({ open, folder, onClose, onSubmit }: MoveFolderDialogProps) => {
  const folders = useFolders()
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.moveFolderTitle(folder.name)}
      action={t.move}
      onSubmit={onSubmit}
    >
      <SelectField name="parent" label={t.parentFolder}>
        {folder.parentId !== null && <option value={TOP_LEVEL}>{t.topLevel}</option>}
        <Options
          entries={listParents(folders, folder).map((parent) => [
            parent.id,
            parent.specialUse === null ? parent.path : nameOfFolder(parent),
          ])}
        />
      </SelectField>
    </FormDialog>
  )
}

/** The forms that create, rename, move and delete a folder. */
const FolderDialogs = ({ question, onClose }: { question: Question | null; onClose: () => void }) => {
  const actions = useFolderActions()
  const displayed = useLastValue(question)
  const nameOf = (values: FormData) => readText(values, 'name')
  const submit = async (values: FormData) => {
    if (displayed?.kind === 'create')
      await actions.create(displayed.accountId, nameOf(values), displayed.parent?.id ?? null)
    else if (displayed?.kind === 'rename') await actions.rename(displayed.folder.id, nameOf(values))
    else if (displayed?.kind === 'move') {
      const parent = String(values.get('parent'))
      await actions.move(displayed.folder.id, parent === TOP_LEVEL ? null : Number(parent))
    }
    if (displayed?.kind === 'delete') await actions.remove(displayed.folder.id)
    onClose()
  }
  if (displayed?.kind === 'delete')
    return (
      <FormDialog
        open={question !== null}
        onClose={onClose}
        alert
        danger
        title={t.deleteTitle(displayed.folder.name)}
        about={t.deleteAbout(displayed.folder.total)}
        action={t.deleteFolder}
        onSubmit={submit}
      />
    )
  if (displayed?.kind === 'move')
    return (
      <MoveFolderDialog
        open={question !== null}
        folder={displayed.folder}
        onClose={onClose}
        onSubmit={submit}
      />
    )
  const parent = displayed?.kind === 'create' ? displayed.parent : null
  return (
    <FormDialog
      open={question !== null}
      onClose={onClose}
      title={
        displayed?.kind === 'rename' ? t.renameFolder : parent ? t.newFolderIn(parent.name) : t.newFolder
      }
      action={displayed?.kind === 'rename' ? t.rename : t.create}
      onSubmit={submit}
    >
      <TextField
        name="name"
        label={t.folderName}
        maxLength={200}
        autoComplete="off"
        required
        defaultValue={displayed?.kind === 'rename' ? displayed.folder.name : ''}
      />
    </FormDialog>
  )
}

interface BranchProps {
  nodes: readonly FolderNode[]
  depth: number
  current: number | null
  closed: ReadonlySet<number>
  onToggle: (id: number) => void
  onAsk: (question: Question) => void
  onDrop: (ids: readonly number[], folder: MailFolder) => void
  onOpen: (() => void) | undefined
}

const menuOf = (folder: FolderNode, onAsk: BranchProps['onAsk']) => [
  {
    label: t.newSubfolder,
    icon: FolderPlus,
    onSelect: () => onAsk({ kind: 'create', accountId: folder.accountId, parent: folder }),
  },
  ...(folder.specialUse === null
    ? [
        { label: t.renameFolder, icon: PenLine, onSelect: () => onAsk({ kind: 'rename', folder }) },
        { label: t.moveFolder, icon: FolderInput, onSelect: () => onAsk({ kind: 'move', folder }) },
      ]
    : []),
  ...(folder.specialUse === null && folder.children.length === 0
    ? [{ label: t.deleteFolder, icon: Trash2, onSelect: () => onAsk({ kind: 'delete', folder }) }]
    : []),
]

const FolderLink = ({
  folder,
  current,
  onDrop,
  onOpen,
}: { folder: FolderNode } & Pick<BranchProps, 'current' | 'onDrop' | 'onOpen'>) => {
  const Icon = iconOf(folder)
  const name = nameOfFolder(folder)
  const label = (
    <>
      <Icon size={16} aria-hidden="true" />
      <span className="folder-name">{name}</span>
    </>
  )
  if (!folder.selectable) return <span className="folder-link">{label}</span>
  return (
    <Link
      className="folder-link"
      href={hrefOf({ ...PLAIN_VIEW, folder: 'other', folderId: folder.id })}
      aria-current={folder.id === current ? 'page' : undefined}
      onClick={onOpen}
      {...acceptThreads((ids) => onDrop(ids, folder))}
    >
      {label}
      {folder.unread > 0 && (
        <>
          <span className="mail-count" aria-hidden="true">
            {folder.unread > 999 ? '999+' : folder.unread}
          </span>
          <span className="visually-hidden">{t.unreadCount(folder.unread)}</span>
        </>
      )}
    </Link>
  )
}

const Branch = (props: BranchProps) => {
  const { nodes, depth, closed, onToggle, onAsk } = props
  return (
    <ul className="folder-branch">
      {nodes.map((folder) => {
        const isOpen = !closed.has(folder.id)
        return (
          <li key={folder.id}>
            <div className="folder-row" style={{ paddingInlineStart: `${depth * 14}px` }}>
              {folder.children.length > 0 ? (
                <button
                  type="button"
                  className="folder-toggle"
                  aria-expanded={isOpen}
                  aria-label={t.subfoldersOf(nameOfFolder(folder))}
                  onClick={() => onToggle(folder.id)}
                >
                  <ChevronRight size={14} aria-hidden="true" />
                </button>
              ) : (
                <span className="folder-toggle" />
              )}
              <FolderLink
                folder={folder}
                current={props.current}
                onDrop={props.onDrop}
                onOpen={props.onOpen}
              />
              <RowMenu label={t.actionsFor(nameOfFolder(folder))} actions={menuOf(folder, onAsk)} />
            </div>
            {isOpen && folder.children.length > 0 && (
              <Branch {...props} nodes={folder.children} depth={depth + 1} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

const STORED = 'closed-folders'

/** Remembers collapsed folders in this browser. */
const useClosedFolders = () => {
  const { browserStorage } = useServices()
  const [closed, setClosed] = useState<ReadonlySet<number>>(
    () => new Set((browserStorage.read(STORED) ?? '').split(',').filter(Boolean).map(Number)),
  )
  const toggle = (id: number) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
    browserStorage.write(STORED, [...next].join(','))
  }
  return { closed, toggle }
}

/** Whether the views over all accounts show the same emails, so that a single account need not list the folder. */
const hasView = ({ specialUse, children }: FolderNode): boolean =>
  specialUse !== null && specialUse !== 'all' && children.length === 0

interface FolderTreeProps {
  navigation: MailNavigation
  onDrop: (ids: readonly number[], folder: MailFolder) => void
  /** Called when a folder is opened. */
  onOpen?: () => void
}

/** The folders of all mail accounts, with the actions on them. */
export const FolderTree = ({ navigation, onDrop, onOpen }: FolderTreeProps) => {
  const folders = useFolders()
  const accounts = useQuery(mailAccountsQuery(useClient())).data ?? []
  const { closed, toggle } = useClosedFolders()
  const [question, setQuestion] = useState<Question | null>(null)
  return (
    <nav className="folder-tree" aria-label={t.accountFolders}>
      {accounts.map(({ id, name }) => (
        <section key={id} aria-label={name}>
          <div className="folder-account">
            <h2>{name}</h2>
            <RowMenu
              label={t.actionsFor(name)}
              actions={[
                {
                  label: t.newFolder,
                  icon: FolderPlus,
                  onSelect: () => setQuestion({ kind: 'create', accountId: id, parent: null }),
                },
              ]}
            />
          </div>
          <Branch
            nodes={toTrees(folders, id).filter((node) => accounts.length > 1 || !hasView(node))}
            depth={0}
            current={navigation.urlState.folderId}
            closed={closed}
            onToggle={toggle}
            onAsk={setQuestion}
            onDrop={onDrop}
            onOpen={onOpen}
          />
        </section>
      ))}
      <FolderDialogs question={question} onClose={() => setQuestion(null)} />
    </nav>
  )
}
