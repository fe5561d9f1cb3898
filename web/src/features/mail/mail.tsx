import { FolderTree as FolderTreeIcon } from 'lucide-react'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import * as t from '#locale/mail'
import * as folderTexts from '#locale/mail-folders'
import * as later from '#locale/mail-later'
import { useServices } from '../../api/context.tsx'
import { useTags } from '../../api/tags.ts'
import { Page } from '../../shell/page.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Divider } from '../../ui/divider.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { useLazy } from '../../ui/use-lazy.ts'
import { useSelection } from '../../ui/use-selection.ts'
import type { RowTarget } from '../../ui/virtual-list.tsx'
import { Composer } from './compose/composer.tsx'
import { readNewEmailSeed } from './compose/new-email-seed.ts'
import { type MailFolder, useFolders } from './folder-list.ts'
import { FolderTree, nameOfFolder } from './folder-tree.tsx'
import { type Folder, subjectOf } from './folders.ts'
import { SnoozeDialog } from './later/snooze-dialog.tsx'
import { BulkBar } from './list/bulk-bar.tsx'
import { MailList } from './list/mail-list.tsx'
import { TagDialog } from './list/tag-dialog.tsx'
import { FolderNav, Toolbar, WriteButton } from './list/toolbar.tsx'
import { useDensity } from './list/use-density.ts'
import { MoveToDialog } from './move-to-popover.tsx'
import type { Thread } from './threads.ts'
import { type MailNavigation, useUrlState } from './url-state.ts'
import { describeEmails, useEmailActions, usePendingThreadDeletions } from './use-email-actions.ts'
import {
  hasPinnedPart,
  listThreads,
  scopeOf,
  useCounts,
  useFindLoadedEmail,
  usePrefetchThread,
  useThreadList,
} from './use-emails.ts'
import { useMailKeys } from './use-mail-keys.ts'
import { FOLDER_WIDTHS, LIST_HEIGHTS, LIST_WIDTHS, useMailLayout } from './use-mail-layout.ts'
import { type SelectedEmailActions, useSelectedEmailActions } from './use-selected-email-actions.ts'
import './mail.css'

const loadThread = () => import('./reading/thread.tsx').then(({ ThreadView }) => ({ default: ThreadView }))

const LINK = '.mail-link'

/** Returns the keyboard focus to the list after a thread was closed or removed. */
const useFocusInList = (
  threads: readonly Thread[],
  open: number | 'new' | null,
  opened: Thread | undefined,
) => {
  const [target, setTarget] = useState<RowTarget | null>(null)
  const lastOpened = useRef<{ index: number; id: number } | null>(null)
  const wasOpen = useRef(open)
  const focusAt = (index: number) => {
    const thread = threads[Math.min(index, threads.length - 1)]
    if (thread) setTarget({ id: thread.id, part: LINK })
  }
  useEffect(() => {
    if (opened) lastOpened.current = { index: threads.indexOf(opened), id: opened.id }
    if (open === null && wasOpen.current !== null && lastOpened.current) {
      const { id, index: before } = lastOpened.current
      const now = threads.findIndex((thread) => thread.id === id)
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
  }, [threads])
  return {
    target,
    focusRow: (id: number) => setTarget({ id, part: LINK }),
    scrollToRow: (id: number) => setTarget({ id, part: null }),
    /** Call before the focused row may be removed. */
    remember() {
      const row = document.activeElement?.closest<HTMLElement>('.mail-row')
      const index = threads.findIndex(({ id }) => id === Number(row?.dataset.thread))
      lost.current = index < 0 ? null : index
    },
  }
}

const DeleteDialog = ({ threads, cancel, confirm }: SelectedEmailActions['deletion']) => (
  <FormDialog
    open={threads !== null}
    onClose={cancel}
    alert
    danger
    title={t.deleteTitle(describeEmails(useLastValue(threads) ?? []))}
    about={t.deleteAbout}
    action={t.deletePermanently}
    onSubmit={confirm}
  />
)

/** The listed thread of the open email, which may not be its newest one. */
const useOpenedThread = (threads: readonly Thread[], open: number | 'new' | null): Thread | undefined => {
  const findLoaded = useFindLoadedEmail()
  if (typeof open !== 'number') return undefined
  const threadId = findLoaded(open)?.threadId
  return threads.find(({ id, emailId }) => emailId === open || id === threadId)
}

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

/** The choice of a folder that the shortcut opens. */
const MoveDialog = ({ move, moveTo }: Pick<SelectedEmailActions, 'move' | 'moveTo'>) => {
  const { threads, close } = move
  if (!threads) return null
  return <MoveToDialog emails={threads} onClose={close} onMove={(folder) => moveTo(folder, threads)} />
}

const NO_THREADS: readonly Thread[] = []

/** A thread that was pinned a moment ago may still be in both parts. */
const joinThreads = (pinned: readonly Thread[], others: readonly Thread[]): readonly Thread[] => {
  if (pinned.length === 0) return others
  const ids = new Set(pinned.map(({ id }) => id))
  return [...pinned, ...others.filter(({ id }) => !ids.has(id))]
}

export const Mail = () => {
  const navigation = useUrlState()
  const { urlState, go } = navigation
  const isSplit = hasPinnedPart(urlState)
  const query = useThreadList(urlState, isSplit ? false : null)
  const pinnedQuery = useThreadList(urlState, true, isSplit)
  const gone = usePendingThreadDeletions()
  const pinned = useMemo(
    () => (isSplit ? listThreads(pinnedQuery.data, gone) : NO_THREADS),
    [isSplit, pinnedQuery.data, gone],
  )
  const threads = useMemo(
    () => joinThreads(pinned, listThreads(query.data, gone)),
    [pinned, query.data, gone],
  )
  const opened = useOpenedThread(threads, urlState.open)
  const actions = useEmailActions(scopeOf(urlState))
  const selection = useSelection(threads)
  const density = useDensity()
  const { target, focusRow, scrollToRow, remember } = useFocusInList(threads, urlState.open, opened)
  const tags = useTags('emails')
  const isOpen = urlState.open !== null
  const layout = useMailLayout(isOpen)
  const { connectivity } = useServices()
  const ThreadView = useLazy(loadThread)
  const prefetchThread = usePrefetchThread()

  const selectedActions = useSelectedEmailActions({
    navigation,
    threads,
    opened,
    selection,
    actions,
    isAlone: layout.reading === 'alone',
    onRemoval: remember,
  })
  useMailKeys({ navigation, threads, opened, focusRow, scrollToRow, selection, selectedActions })

  // Clears the selection when the folder or the search changes.
  const { folder, folderId, q, tag, unread, starred, snoozed } = urlState
  const clear = useRef(selection.clear)
  clear.current = selection.clear
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when any of them changes
  useEffect(() => clear.current(), [folder, folderId, q, tag, unread, starred, snoozed])

  const serverFolders = useFolders()
  const serverFolder = serverFolders.find(({ id }) => id === folderId)
  const folderName = serverFolder ? nameOfFolder(serverFolder) : t.folders[folder]
  const label = starred ? t.starred : snoozed ? later.snoozed : folderName
  const hasTree = serverFolders.length > 0
  const findDropped = (ids: readonly number[]) => threads.filter(({ id }) => ids.includes(id))
  const drop = (ids: readonly number[], target: MailFolder) =>
    selectedActions.moveTo(target, findDropped(ids))
  const dropOnView = (ids: readonly number[], view: Folder) =>
    selectedActions.moveToView(view, findDropped(ids))
  const waiting = useCounts().data?.inbox
  const windowName = folder === 'inbox' && !starred && !snoozed && waiting ? `${label} (${waiting})` : label
  return (
    <div className="mail" data-open={isOpen} data-reading={layout.reading}>
      <Page
        title={t.mail}
        name={opened ? subjectOf(opened) : windowName}
        {...(!opened && { within: t.mail })}
      >
        {!layout.hasFolders && (
          <div className="mail-top">
            <FolderNav navigation={navigation} onDrop={dropOnView}>
              {hasTree && <FoldersButton navigation={navigation} onDrop={drop} />}
            </FolderNav>
            <WriteButton navigation={navigation} />
          </div>
        )}
        <div className="mail-panes" data-wide={layout.hasFolders} style={layout.grid}>
          {layout.hasFolders && (
            <>
              <div className="folder-pane">
                <WriteButton navigation={navigation} />
                <FolderNav navigation={navigation} onDrop={dropOnView} />
                {hasTree && <FolderTree navigation={navigation} onDrop={drop} />}
              </div>
              <Divider
                label={t.foldersWidth}
                size={layout.foldersWidth}
                sizes={FOLDER_WIDTHS}
                onResize={layout.resizeFolders}
              />
            </>
          )}
          <section
            className="mail-list"
            data-compact={density.isCompact}
            aria-label={q === '' ? label : t.searchResults}
            onPointerEnter={() => connectivity.prefetch(loadThread)}
            onFocus={() => connectivity.prefetch(loadThread)}
          >
            <div className="mail-bars" data-selected={selection.selected.length > 0}>
              <Toolbar
                navigation={navigation}
                tags={tags}
                density={density}
                layout={layout}
                selection={selection}
                folderName={folderName}
              />
              {selection.selected.length > 0 && (
                <BulkBar
                  selected={selection.selected}
                  actions={actions}
                  selectedActions={selectedActions}
                  tags={tags}
                  onClear={selection.clear}
                  onAll={selection.all}
                  hasAll={selection.selected.length === threads.length}
                />
              )}
            </div>
            <div className="mail-scroll">
              <MailList
                query={query}
                threads={threads}
                pinnedCount={pinned.length}
                opened={opened}
                hints={query.data?.pages[0]?.hints ?? []}
                urlState={urlState}
                handlers={{
                  press: ({ emailId }) => prefetchThread(emailId),
                  select: ({ id }, isSelected, isRange) => selection.set(id, isSelected, isRange),
                  dragged: ({ id }) =>
                    selection.has(id) ? selection.selected.map((selected) => selected.id) : [id],
                  star: (thread) => void actions.star([thread], !thread.starred),
                  toggleArchived: (thread) => selectedActions.toggleArchived([thread]),
                  remove: (thread) => selectedActions.remove([thread]),
                  toggleRead: (thread) => void selectedActions.toggleRead([thread]),
                  snooze: (thread) => selectedActions.snooze.ask([thread]),
                }}
                selection={selection}
                isCompact={density.isCompact}
                target={target}
              />
            </div>
          </section>
          {isOpen && layout.reading === 'right' && (
            <Divider
              label={t.listWidth}
              size={layout.listWidth}
              sizes={LIST_WIDTHS}
              onResize={layout.resizeListWidth}
            />
          )}
          {isOpen && layout.reading === 'below' && (
            <Divider
              label={t.listHeight}
              orientation="horizontal"
              size={layout.listHeight}
              sizes={LIST_HEIGHTS}
              onResize={layout.resizeListHeight}
            />
          )}
          <div className="mail-reading">
            {urlState.open === 'new' && (
              <Composer
                seed={readNewEmailSeed()}
                title={t.newEmail}
                onDone={() => go({ open: null })}
                navigation={navigation}
              />
            )}
            {typeof urlState.open === 'number' && (
              <Suspense fallback={<Skeleton lines={6} />}>
                <ThreadView
                  key={urlState.open}
                  id={urlState.open}
                  navigation={navigation}
                  actions={actions}
                  isAutoOpened={selectedActions.autoOpenedId === urlState.open}
                  onArchive={() => selectedActions.toggleArchived()}
                  onDelete={() => selectedActions.remove()}
                  onMove={(target) => selectedActions.moveTo(target)}
                  onSpam={() => selectedActions.toggleSpam()}
                  onSnooze={() => selectedActions.snooze.ask()}
                  onPin={() => void selectedActions.togglePin()}
                />
              </Suspense>
            )}
          </div>
        </div>
      </Page>
      <DeleteDialog {...selectedActions.deletion} />
      <SnoozeDialog {...selectedActions.snooze} />
      <TagDialog tags={tags} tagging={selectedActions.tagging} />
      <MoveDialog move={selectedActions.move} moveTo={selectedActions.moveTo} />
    </div>
  )
}
