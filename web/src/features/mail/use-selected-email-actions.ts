import { useState } from 'react'
import type { Selection } from '../../ui/use-selection.ts'
import type { MailFolder } from './folder-list.ts'
import { nameOfFolder } from './folder-tree.tsx'
import { type Folder, isPutAway } from './folders.ts'
import { isRead, type Thread, toThread } from './threads.ts'
import type { MailNavigation } from './url-state.ts'
import type { EmailActions } from './use-email-actions.ts'
import { scopeOf, useFindLoadedEmail } from './use-emails.ts'

const NONE: readonly Thread[] = []

interface SelectedEmails {
  navigation: MailNavigation
  threads: readonly Thread[]
  /** The thread that is open, if the list contains it. */
  opened: Thread | undefined
  selection: Selection<Thread>
  actions: EmailActions
  /** The page shows either the list or an email. */
  isAlone: boolean
  /** Called before threads leave the list. */
  onRemoval: () => void
}

export type SelectedEmailActions = ReturnType<typeof useSelectedEmailActions>

/**
 * Named actions on the selected threads, else on the open one, else on the focused row. Shortcuts, toolbars and
 * commands share them. Each accepts other threads instead.
 */
export const useSelectedEmailActions = (props: SelectedEmails) => {
  const { navigation, threads, opened, selection, actions, isAlone, onRemoval } = props
  const { open } = navigation.urlState
  const findLoaded = useFindLoadedEmail()
  const [moving, setMoving] = useState<readonly Thread[] | null>(null)
  const [tagging, setTagging] = useState<readonly Thread[] | null>(null)
  const [snoozing, setSnoozing] = useState<readonly Thread[] | null>(null)
  const [confirming, setConfirming] = useState<readonly Thread[] | null>(null)
  const [autoOpenedId, setAutoOpenedId] = useState<number | null>(null)

  /** Read it before a menu or the command palette takes the focus, and pass the result to the action. */
  const targets = (): readonly Thread[] => {
    if (selection.selected.length > 0) return selection.selected
    if (typeof open === 'number') {
      if (opened) return [opened]
      const email = findLoaded(open)
      return email ? [toThread(email)] : NONE
    }
    const row = document.activeElement?.closest<HTMLElement>('.mail-row')
    const focused = threads.find(({ id }) => id === Number(row?.dataset.thread))
    return focused ? [focused] : NONE
  }

  /** Opens the next thread after the open one was removed. Small screens return to the list. */
  const openNext = (removed: readonly Thread[]): void => {
    onRemoval()
    selection.clear()
    const isRemoved = ({ id }: Thread): boolean => removed.some((one) => one.id === id)
    const isOpenRemoved = opened ? isRemoved(opened) : removed.some(({ emailId }) => emailId === open)
    if (!isOpenRemoved) return
    const at = opened ? threads.indexOf(opened) : -1
    const next = at < 0 ? undefined : threads.slice(at).find((thread) => !isRemoved(thread))
    const last = at < 0 ? undefined : threads.slice(0, at).findLast((thread) => !isRemoved(thread))
    const following = isAlone ? undefined : (next ?? last)
    setAutoOpenedId(following?.emailId ?? null)
    navigation.go({ open: following?.emailId ?? null }, { replace: true })
  }
  const removeWith = (these: readonly Thread[], work: () => unknown): void => {
    if (these.length === 0) return
    openNext(these)
    void work()
  }
  const archive = (these = targets()): void => removeWith(these, () => actions.archive(these))
  const moveToInbox = (these = targets()): void => removeWith(these, () => actions.toInbox(these))

  return {
    targets,
    archive,
    moveToInbox,
    /** Moves to a folder of all mail accounts. */
    moveToView(folder: Folder, these = targets()): void {
      const moves = {
        inbox: actions.toInbox,
        archive: actions.archive,
        junk: actions.toJunk,
        trash: actions.toTrash,
      }
      const move = moves[folder as keyof typeof moves]
      if (move) removeWith(these, () => move(these))
    },
    /** Moves to a folder of a mail account. */
    moveTo: (folder: MailFolder, these = targets()): void =>
      removeWith(these, () => actions.toFolder(these, folder, nameOfFolder(folder))),
    /** The choice of a folder that a shortcut opens. */
    move: {
      threads: moving,
      ask(these = targets()): void {
        if (these.length > 0) setMoving(these)
      },
      close: () => setMoving(null),
    },
    /** The choice of a time until which threads are snoozed. Snoozed ones return at once. */
    snooze: {
      threads: snoozing,
      ask(these = targets()): void {
        if (these.length === 0) return
        if (!these.every(({ snoozedUntil }) => snoozedUntil !== null)) setSnoozing(these)
        else if (navigation.urlState.snoozed) removeWith(these, () => actions.unsnooze(these))
        else void actions.unsnooze(these)
      },
      choose(until: string): void {
        const these = snoozing ?? NONE
        setSnoozing(null)
        const work = () => actions.snooze(these, until)
        // Other lists keep snoozed threads.
        if (scopeOf(navigation.urlState)?.folder === 'inbox') removeWith(these, work)
        else {
          selection.clear()
          void work()
        }
      },
      close: () => setSnoozing(null),
    },
    togglePin: (these = targets()) =>
      actions.pin(
        these,
        these.some(({ pinned }) => !pinned),
      ),
    /** Marks as spam. Moves threads that are all spam back to the inbox. */
    toggleSpam(these = targets()): void {
      if (these.every(({ folder }) => folder === 'junk')) moveToInbox(these)
      else removeWith(these, () => actions.toJunk(these))
    },
    /** The email that opened because the one before it was removed. It stays unread for a moment. */
    autoOpenedId,
    /** Moves threads that are already archived or deleted back to the inbox. */
    toggleArchived: (these = targets()): void =>
      these.every(isPutAway) ? moveToInbox(these) : archive(these),
    /** Moves to the trash. Asks before it deletes threads of the trash. */
    remove(these = targets()): void {
      if (these.some(({ folder }) => folder === 'trash')) setConfirming(these)
      else removeWith(these, () => actions.toTrash(these))
    },
    toggleRead: (these = targets()) => actions.markRead(these, !these.every(isRead)),
    toggleStar: (these = targets()) =>
      actions.star(
        these,
        these.some(({ starred }) => !starred),
      ),
    addTag: (tag: string, these = targets()) => actions.addTag(these, tag),
    /** The choice of a tag that a shortcut opens. */
    tagging: {
      threads: tagging,
      ask(these = targets()): void {
        if (these.length > 0) setTagging(these)
      },
      add(tag: string): void {
        const these = tagging ?? NONE
        setTagging(null)
        if (tag !== '') void actions.addTag(these, tag)
      },
      close: () => setTagging(null),
    },
    /** The question before a permanent deletion. */
    deletion: {
      threads: confirming,
      cancel: () => setConfirming(null),
      confirm(): void {
        const these = confirming ?? NONE
        setConfirming(null)
        removeWith(these, () => actions.remove(these))
      },
    },
  }
}
