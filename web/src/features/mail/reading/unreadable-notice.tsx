import { CircleAlert, Download } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Email } from '../folders.ts'

interface UnreadableNoticeProps {
  unreadable: NonNullable<Email['unreadable']>
  onDownload: () => void
}

/** Replaces the text of a message that could not be parsed. */
export const UnreadableNotice = ({ unreadable, onDownload }: UnreadableNoticeProps) => (
  <Notice tone="warn" icon={CircleAlert}>
    <p>
      <strong>Could not be read.</strong> {unreadable.reason}
    </p>
    {unreadable.hasRaw && (
      <Button size="small" onClick={onDownload}>
        <Download size={16} aria-hidden="true" />
        Download original
      </Button>
    )}
  </Notice>
)
