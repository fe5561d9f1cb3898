import { useState } from 'react'
import type { MailFolder } from './folder-list.ts'
import { nameOfFolder } from './folder-tree.tsx'
import { type EmailSummary, isPutAway } from './folders.ts'
import type { Selection } from './list/use-selection.ts'
import type { MailNavigation } from './url-state.ts'
import type { EmailActions } from './use-email-actions.ts'
import { useFindLoadedEmail } from './use-emails.ts'

/** Screens that show either the list or an email. */
const NARROW = '(max-width: 1100px)'

const NONE: readonly EmailSummary[] = []

interface SelectedEmails {
  navigation: MailNavigation
  emails: readonly EmailSummary[]
  selection: Selection
  actions: EmailActions
  /** Called before emails leave the list. */
  onRemoval: () => void
}

export type SelectedEmailActions = ReturnType<typeof useSelectedEmailActions>

/**
 * Named actions on the selected emails, else on the open email, else on the focused row. Shortcuts, toolbars
 * and commands share them. Each accepts other emails instead.
 */
export const useSelectedEmailActions = (props: SelectedEmails) => {
  const { navigation, emails, selection, actions, onRemoval } = props
  const { open } = navigation.urlState
  const findLoaded = useFindLoadedEmail()
  const [moving, setMoving] = useState<readonly EmailSummary[] | null>(null)
  const [confirming, setConfirming] = useState<readonly EmailSummary[] | null>(null)

  /** Read it before a menu or the command palette takes the focus, and pass the result to the action. */
  const targets = (): readonly EmailSummary[] => {
    if (selection.selected.length > 0) return selection.selected
    const row = document.activeElement?.closest<HTMLElement>('.mail-row')
    const find = (wanted: number) => emails.find(({ id }) => id === wanted)
    const target =
      typeof open === 'number' ? (find(open) ?? findLoaded(open)) : find(Number(row?.dataset.email))
    return target ? [target] : NONE
  }

  /** Opens the next email after the open one was removed. Small screens return to the list. */
  const openNext = (removed: readonly EmailSummary[]): void => {
    onRemoval()
    selection.clear()
    if (!removed.some(({ id }) => id === open)) return
    const at = emails.findIndex(({ id }) => id === open)
    const isRemoved = ({ id }: EmailSummary): boolean => removed.some((one) => one.id === id)
    const rest = emails.filter((email) => !isRemoved(email))
    const next = emails.slice(at).find((email) => !isRemoved(email)) ?? rest.at(-1)
    const isAlone = window.matchMedia(NARROW).matches
    navigation.go({ open: isAlone || !next ? null : next.id }, { replace: true })
  }
  const removeWith = (these: readonly EmailSummary[], work: () => unknown): void => {
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
    /** Moves emails that are already archived or deleted back to the inbox. */
    toggleArchived: (these = targets()): void =>
      these.every(isPutAway) ? moveToInbox(these) : archive(these),
    /** Marks as spam. Moves emails that are all spam back to the inbox. */
    toggleSpam(these = targets()): void {
      if (these.every(({ folder }) => folder === 'junk')) moveToInbox(these)
      else removeWith(these, () => actions.toJunk(these))
    },
    moveTo: (folder: MailFolder, these = targets()): void =>
      removeWith(these, () => actions.toFolder(these, folder, nameOfFolder(folder))),
    /** The choice of a folder that a shortcut opens. */
    move: {
      emails: moving,
      ask(these = targets()): void {
        if (these.length > 0) setMoving(these)
      },
      close: () => setMoving(null),
    },
    /** Moves to the trash. Asks before it deletes emails of the trash. */
    remove(these = targets()): void {
      if (these.some(({ folder }) => folder === 'trash')) setConfirming(these)
      else removeWith(these, () => actions.toTrash(these))
    },
    toggleRead: (these = targets()) =>
      actions.markRead(
        these,
        these.some(({ read }) => !read),
      ),
    toggleStar: (these = targets()) =>
      actions.star(
        these,
        these.some(({ starred }) => !starred),
      ),
    addTag: (tag: string, these = targets()) => actions.addTag(these, tag),
    /** The question before a permanent deletion. */
    deletion: {
      emails: confirming,
      cancel: () => setConfirming(null),
      confirm(): void {
        const these = confirming ?? NONE
        setConfirming(null)
        removeWith(these, () => actions.remove(these))
      },
    },
  }
}
