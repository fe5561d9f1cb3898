import { FolderTree as FolderTreeIcon, Mail as MailIcon } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import * as t from '#locale/mail'
import * as folderTexts from '#locale/mail-folders'
import { useTags } from '../../api/tags.ts'
import { Page } from '../../shell/page.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Popover } from '../../ui/popover.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import type { RowTarget } from '../../ui/virtual-list.tsx'
import { Composer } from './compose/composer.tsx'
import { EMPTY_SEED } from './compose/seeds.ts'
import { type MailFolder, useFolders } from './folder-list.ts'
import { FolderTree, nameOfFolder } from './folder-tree.tsx'
import { type EmailSummary, subjectOf } from './folders.ts'
import { BulkBar } from './list/bulk-bar.tsx'
import { MailList } from './list/mail-list.tsx'
import { FolderNav, Toolbar, WriteButton } from './list/toolbar.tsx'
import { useDensity } from './list/use-density.ts'
import { useSelection } from './list/use-selection.ts'
import { MoveToDialog } from './move-to-popover.tsx'
import { Conversation } from './reading/conversation.tsx'
import { type MailNavigation, useUrlState } from './url-state.ts'
import { describeEmails, useEmailActions, usePendingEmailDeletions } from './use-email-actions.ts'
import { useCounts, useEmailList } from './use-emails.ts'
import { useMailKeys } from './use-mail-keys.ts'
import { type SelectedEmailActions, useSelectedEmailActions } from './use-selected-email-actions.ts'
import './mail.css'

const NoEmailOpen = () => (
  <div className="mail-nothing">
    <MailIcon size={36} strokeWidth={1.4} aria-hidden="true" />
    <p>{t.selectToRead}</p>
    <p className="small">
      <RichText text={t.keyboardHint} tags={{ key: (key) => <kbd>{key}</kbd> }} />
    </p>
  </div>
)

const LINK = '.mail-link'

/** Returns the keyboard focus to the list after an email was closed or removed. */
const useFocusInList = (emails: readonly EmailSummary[], open: number | 'new' | null) => {
  const [target, setTarget] = useState<RowTarget | null>(null)
  const lastOpened = useRef<{ index: number; id: number } | null>(null)
  const wasOpen = useRef(open)
  const focusAt = (index: number) => {
    const email = emails[Math.min(index, emails.length - 1)]
    if (email) setTarget({ id: email.id, part: LINK })
  }
  useEffect(() => {
    const index = emails.findIndex(({ id }) => id === open)
    if (index >= 0 && typeof open === 'number') lastOpened.current = { index, id: open }
    if (open === null && wasOpen.current !== null && lastOpened.current) {
      const { id, index: before } = lastOpened.current
      const now = emails.findIndex((email) => email.id === id)
      if (document.activeElement === document.body || document.activeElement?.closest('.mail-reading'))
        focusAt(now >= 0 ? now : before)
    }
    wasOpen.current = open
  })
  const lost = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list has changed
  useEffect(() => {
    if (lost.current === null || document.activeElement !== document.body) return
    focusAt(lost.current)
    lost.current = null
  }, [emails])
  return {
    target,
    focusRow: (id: number) => setTarget({ id, part: LINK }),
    scrollToRow: (id: number) => setTarget({ id, part: null }),
    /** Call before the focused row may be removed. */
    remember() {
      const row = document.activeElement?.closest<HTMLElement>('.mail-row')
      const index = emails.findIndex(({ id }) => id === Number(row?.dataset.email))
      lost.current = index < 0 ? null : index
    },
  }
}

const DeleteDialog = ({ emails, cancel, confirm }: SelectedEmailActions['deletion']) => (
  <FormDialog
    open={emails !== null}
    onClose={cancel}
    alert
    danger
    title={t.deleteTitle(describeEmails(useLastValue(emails) ?? []))}
    about={t.deleteAbout}
    action={t.deletePermanently}
    onSubmit={confirm}
  />
)

const NONE: readonly EmailSummary[] = []
/** Screens with a column for the folders. */
const WIDE = '(min-width: 1280px)'

interface FoldersButtonProps {
  navigation: MailNavigation
  onDrop: (ids: readonly number[], folder: MailFolder) => void
}

/** The folders of the mail accounts on smaller screens. */
const FoldersButton = ({ navigation, onDrop }: FoldersButtonProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={button} type="button" className="mail-folder" onClick={() => setIsOpen(true)}>
        <FolderTreeIcon size={16} aria-hidden="true" />
        <span className="mail-folder-name">{folderTexts.folders}</span>
      </button>
      <Popover
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={folderTexts.accountFolders}
        anchor={button}
      >
        <FolderTree navigation={navigation} onDrop={onDrop} onOpen={() => setIsOpen(false)} />
      </Popover>
    </>
  )
}

export const Mail = () => {
  const navigation = useUrlState()
  const { urlState, go } = navigation
  const query = useEmailList(urlState)
  const gone = usePendingEmailDeletions()
  const emails = useMemo(
    () => query.data?.pages.flatMap((page) => page.emails).filter(({ id }) => !gone.has(id)) ?? NONE,
    [query.data, gone],
  )
  const actions = useEmailActions()
  const selection = useSelection(emails)
  const density = useDensity()
  const { target, focusRow, scrollToRow, remember } = useFocusInList(emails, urlState.open)
  const used = useTags('emails')
  const tags = useMemo(() => {
    const visibleTags = [...new Set(emails.flatMap((email) => email.tags))]
    const keys = new Set(visibleTags.map((tag) => tag.toLowerCase()))
    return [...visibleTags, ...used.filter((tag) => !keys.has(tag.toLowerCase()))].sort((a, b) =>
      a.localeCompare(b),
    )
  }, [emails, used])

  const selectedActions = useSelectedEmailActions({
    navigation,
    emails,
    selection,
    actions,
    onRemoval: remember,
  })
  useMailKeys({ navigation, emails, focusRow, scrollToRow, selection, selectedActions })

  // Clears the selection when the folder or the search changes.
  const { folder, folderId, q, tag, unread } = urlState
  const clear = useRef(selection.clear)
  clear.current = selection.clear
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when any of them changes
  useEffect(() => clear.current(), [folder, folderId, q, tag, unread])

  const serverFolders = useFolders()
  const serverFolder = serverFolders.find(({ id }) => id === folderId)
  const label = serverFolder ? nameOfFolder(serverFolder) : t.folders[urlState.folder]
  const hasTree = serverFolders.length > 0
  const isWide = useMediaQuery(WIDE)
  const drop = (ids: readonly number[], target: MailFolder) =>
    selectedActions.moveTo(
      target,
      emails.filter(({ id }) => ids.includes(id)),
    )
  const waiting = useCounts().data?.inbox
  const windowName = folder === 'inbox' && waiting ? `${label} (${waiting})` : label
  const opened = emails.find(({ id }) => id === urlState.open)
  return (
    <div className="mail" data-open={urlState.open !== null}>
      <Page
        title={t.mail}
        name={opened ? subjectOf(opened) : windowName}
        {...(!opened && { within: t.mail })}
      >
        <div className="mail-top">
          <FolderNav navigation={navigation}>
            {hasTree && !isWide && <FoldersButton navigation={navigation} onDrop={drop} />}
          </FolderNav>
          <WriteButton navigation={navigation} />
        </div>
        <div className="mail-panes" data-tree={hasTree && isWide}>
          {hasTree && isWide && (
            <div className="folder-pane">
              <FolderTree navigation={navigation} onDrop={drop} />
            </div>
          )}
          <section
            className="mail-list"
            data-compact={density.isCompact}
            aria-label={q === '' ? label : t.searchResults}
          >
            {selection.selected.length > 0 ? (
              <BulkBar
                selected={selection.selected}
                actions={actions}
                selectedActions={selectedActions}
                tags={tags}
                onClear={selection.clear}
                onAll={selection.all}
                hasAll={selection.selected.length === emails.length}
              />
            ) : (
              <Toolbar navigation={navigation} tags={tags} density={density} />
            )}
            <div className="mail-scroll">
              <MailList
                query={query}
                emails={emails}
                hints={query.data?.pages[0]?.hints ?? []}
                urlState={urlState}
                actions={actions}
                selection={selection}
                isCompact={density.isCompact}
                target={target}
              />
            </div>
          </section>
          <div className="mail-reading">
            {urlState.open === 'new' && (
              <Composer
                seed={EMPTY_SEED}
                title={t.newEmail}
                onDone={() => go({ open: null })}
                navigation={navigation}
              />
            )}
            {typeof urlState.open === 'number' && (
              <Conversation
                key={urlState.open}
                id={urlState.open}
                navigation={navigation}
                actions={actions}
                onArchive={(email) => selectedActions.toggleArchived([email])}
                onDelete={(email) => selectedActions.remove([email])}
                onMove={(email, folder) => selectedActions.moveTo(folder, [email])}
                onSpam={(email) => selectedActions.toggleSpam([email])}
              />
            )}
            {urlState.open === null && emails.length > 0 && <NoEmailOpen />}
          </div>
        </div>
      </Page>
      <DeleteDialog {...selectedActions.deletion} />
      {selectedActions.move.emails && (
        <MoveToDialog
          emails={selectedActions.move.emails}
          onClose={selectedActions.move.close}
          onMove={(target) => selectedActions.moveTo(target, selectedActions.move.emails ?? NONE)}
        />
      )}
    </div>
  )
}
