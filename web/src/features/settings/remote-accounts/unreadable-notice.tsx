import { CircleAlert, Download } from 'lucide-react'
import * as t from '#locale/remote-accounts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

export interface UnreadableItem {
  id: number
  name: string
  reason: string
}

interface UnreadableNoticeProps {
  text: string
  items: readonly UnreadableItem[]
  onDownload: (item: UnreadableItem) => void
}

/** Lists items that a sync could not read, with the reasons. */
export const UnreadableNotice = ({ text, items, onDownload }: UnreadableNoticeProps) => (
  <Notice tone="warn" icon={CircleAlert}>
    <p>{text}</p>
    <ul>
      {items.map((item) => (
        <li key={item.id}>
          <code>{item.name}</code>: {item.reason}{' '}
          <Button size="small" onClick={() => onDownload(item)}>
            <Download size={14} aria-hidden="true" />
            {t.download}
          </Button>
        </li>
      ))}
    </ul>
  </Notice>
)
