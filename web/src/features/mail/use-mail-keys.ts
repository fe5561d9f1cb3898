import { useKeys } from '../../shell/shortcuts.ts'
import { openField } from '../../shell/type-ahead.ts'
import type { Selection } from '../../ui/use-selection.ts'
import { useMailCommands } from './mail-commands.ts'
import type { Thread } from './threads.ts'
import type { MailNavigation } from './url-state.ts'
import type { SelectedEmailActions } from './use-selected-email-actions.ts'

interface MailKeys {
  navigation: MailNavigation
  threads: readonly Thread[]
  opened: Thread | undefined
  focusRow: (id: number) => void
  scrollToRow: (id: number) => void
  selection: Selection<Thread>
  selectedActions: SelectedEmailActions
}

/** Mail shortcuts. */
export const useMailKeys = ({
  navigation,
  threads,
  opened,
  focusRow,
  scrollToRow,
  selection,
  selectedActions,
}: MailKeys) => {
  const { open } = navigation.urlState
  const focused = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('.mail-row')
    return threads.findIndex(({ id }) => id === Number(row?.dataset.thread))
  }
  const step = (by: 1 | -1): void => {
    const at = typeof open === 'number' ? (opened ? threads.indexOf(opened) : -1) : focused()
    const thread = threads[Math.min(Math.max(at + by, 0), threads.length - 1)]
    if (!thread) return
    if (typeof open === 'number') {
      scrollToRow(thread.id)
      navigation.go({ open: thread.emailId }, { replace: true })
    } else focusRow(thread.id)
  }
  const openChoice = ({ ask, close }: SelectedEmailActions['move' | 'tagging']): void => {
    const these = selectedActions.targets()
    if (these.length > 0) openField(() => ask(these), close)
  }
  useMailCommands(selectedActions)
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    x: () => {
      const one = threads[focused()] ?? opened
      if (one) selection.set(one.id, !selection.has(one.id))
    },
    o: () => {
      const one = open === null ? threads[focused()] : undefined
      if (one) navigation.go({ open: one.emailId })
    },
    '*': () => selection.toggleAll(),
    e: () => selectedActions.toggleArchived(),
    '#': () => selectedActions.remove(),
    v: () => openChoice(selectedActions.move),
    l: () => openChoice(selectedActions.tagging),
    h: () => selectedActions.snooze.ask(),
    p: () => {
      const row = threads[focused()]
      // The row moves to the other part of the list, which takes its focus.
      void selectedActions.togglePin().then(() => row && focusRow(row.id))
    },
    '!': () => selectedActions.toggleSpam(),
    u: () => void selectedActions.toggleRead(),
    s: () => void selectedActions.toggleStar(),
    c: () => {
      if (open !== 'new')
        openField(
          () => navigation.go({ open: 'new' }),
          () => navigation.go({ open: null }),
        )
    },
    Escape: () => {
      if (selection.selected.length > 0) selection.clear()
      else if (open !== null) navigation.go({ open: null })
    },
  })
}
