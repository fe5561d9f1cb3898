import type { RefObject } from 'react'
import { useKeys } from '../../shell/shortcuts.ts'
import type { EmailSummary } from './folders.ts'
import type { Selection } from './list/use-selection.ts'
import type { Way } from './place.ts'
import type { EmailActions } from './use-email-actions.ts'

interface MailKeys {
  way: Way
  emails: readonly EmailSummary[]
  list: RefObject<HTMLUListElement | null>
  selection: Selection
  actions: EmailActions
  onArchive: (emails: readonly EmailSummary[]) => void
  onDelete: (emails: readonly EmailSummary[]) => void
}

/** The keys of the room. They act on what is selected, else on what is open, else on the row that has the focus. */
export const useMailKeys = ({ way, emails, list, selection, actions, onArchive, onDelete }: MailKeys) => {
  const { open } = way.place
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('.mail-link') ?? [])]
  const focused = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('.mail-row')
    return emails.findIndex(({ id }) => id === Number(row?.dataset.email))
  }
  const targets = (): readonly EmailSummary[] => {
    if (selection.selected.length > 0) return selection.selected
    const one = emails.find(({ id }) => id === open) ?? emails[focused()]
    return one ? [one] : []
  }
  const step = (by: 1 | -1): void => {
    const at = typeof open === 'number' ? emails.findIndex(({ id }) => id === open) : focused()
    const next = Math.min(Math.max(at + by, 0), emails.length - 1)
    const email = emails[next]
    if (!email) return
    const link = links()[next]
    link?.scrollIntoView({ block: 'nearest' })
    if (typeof open === 'number') way.go({ open: email.id }, { replace: true })
    else link?.focus()
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    x: () => {
      const one = emails[focused()] ?? emails.find(({ id }) => id === open)
      if (one) selection.set(one.id, !selection.has(one.id))
    },
    e: () => onArchive(targets()),
    '#': () => onDelete(targets()),
    u: () => {
      const these = targets()
      void actions.markRead(
        these,
        these.some(({ read }) => !read),
      )
    },
    s: () => {
      const these = targets()
      void actions.star(
        these,
        these.some(({ starred }) => !starred),
      )
    },
    c: () => way.go({ open: 'new' }),
    Escape: () => {
      if (selection.selected.length > 0) selection.clear()
      else if (open !== null) way.go({ open: null })
    },
  })
}
