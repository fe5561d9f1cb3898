import { Archive, Inbox, Mail, MailOpen, Star, Trash2, X } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import type { EmailSummary } from '../folders.ts'
import type { EmailActions } from '../use-email-actions.ts'

interface BulkBarProps {
  selected: readonly EmailSummary[]
  actions: EmailActions
  onDelete: () => void
  onDone: () => void
  onAll: () => void
  hasAll: boolean
}

/** Bulk actions for the selected emails. */
export const BulkBar = ({ selected, actions, onDelete, onDone, onAll, hasAll }: BulkBarProps) => {
  const isRead = selected.every(({ read }) => read)
  const isStarred = selected.every(({ starred }) => starred)
  const isArchived = selected.every(({ folder }) => folder === 'archive' || folder === 'trash')
  const then = (work: Promise<unknown>) => void work.then(onDone)
  return (
    <div className="mail-bulk" role="toolbar" aria-label="Selected e-mails">
      <Button kind="quiet" shape="icon" size="small" aria-label="Clear the selection" onClick={onDone}>
        <X size={17} aria-hidden="true" />
      </Button>
      <strong aria-live="polite">{selected.length} selected</strong>
      {!hasAll && (
        <Button kind="quiet" size="small" onClick={onAll}>
          All
        </Button>
      )}
      <span className="mail-bulk-actions">
        {isArchived ? (
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label="Move to the inbox"
            onClick={() => then(actions.toInbox(selected))}
          >
            <Inbox size={17} aria-hidden="true" />
          </Button>
        ) : (
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label="Archive"
            onClick={() => then(actions.archive(selected))}
          >
            <Archive size={17} aria-hidden="true" />
          </Button>
        )}
        <Button kind="quiet" shape="icon" size="small" aria-label="Delete" onClick={onDelete}>
          <Trash2 size={17} aria-hidden="true" />
        </Button>
        <Button
          kind="quiet"
          shape="icon"
          size="small"
          aria-label={isRead ? 'Mark as unread' : 'Mark as read'}
          onClick={() => then(actions.markRead(selected, !isRead))}
        >
          {isRead ? <Mail size={17} aria-hidden="true" /> : <MailOpen size={17} aria-hidden="true" />}
        </Button>
        <Button
          kind="quiet"
          shape="icon"
          size="small"
          aria-label={isStarred ? 'Take the stars away' : 'Star'}
          onClick={() => then(actions.star(selected, !isStarred))}
        >
          <Star size={17} aria-hidden="true" />
        </Button>
      </span>
    </div>
  )
}
