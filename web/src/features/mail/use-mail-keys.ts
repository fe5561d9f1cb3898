import { useKeys } from '../../shell/shortcuts.ts'
import type { EmailSummary } from './folders.ts'
import type { Selection } from './list/use-selection.ts'
import { useMailCommands } from './mail-commands.ts'
import type { MailNavigation } from './url-state.ts'
import type { SelectedEmailActions } from './use-selected-email-actions.ts'

interface MailKeys {
  navigation: MailNavigation
  emails: readonly EmailSummary[]
  focusRow: (id: number) => void
  scrollToRow: (id: number) => void
  selection: Selection
  selectedActions: SelectedEmailActions
}

/** Mail shortcuts. */
export const useMailKeys = ({
  navigation,
  emails,
  focusRow,
  scrollToRow,
  selection,
  selectedActions,
}: MailKeys) => {
  const { open } = navigation.urlState
  const focused = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('.mail-row')
    return emails.findIndex(({ id }) => id === Number(row?.dataset.email))
  }
  const step = (by: 1 | -1): void => {
    const at = typeof open === 'number' ? emails.findIndex(({ id }) => id === open) : focused()
    const email = emails[Math.min(Math.max(at + by, 0), emails.length - 1)]
    if (!email) return
    if (typeof open === 'number') {
      scrollToRow(email.id)
      navigation.go({ open: email.id }, { replace: true })
    } else focusRow(email.id)
  }
  useMailCommands(selectedActions)
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    x: () => {
      const one = emails[focused()] ?? emails.find(({ id }) => id === open)
      if (one) selection.set(one.id, !selection.has(one.id))
    },
    e: () => selectedActions.toggleArchived(),
    '#': () => selectedActions.remove(),
    v: () => selectedActions.move.ask(),
    '!': () => selectedActions.toggleSpam(),
    u: () => void selectedActions.toggleRead(),
    s: () => void selectedActions.toggleStar(),
    c: () => navigation.go({ open: 'new' }),
    Escape: () => {
      if (selection.selected.length > 0) selection.clear()
      else if (open !== null) navigation.go({ open: null })
    },
  })
}
