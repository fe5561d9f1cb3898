import { CircleAlert, Download } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

export interface UnreadableItem {
  id: number
  name: string
  reason: string
}

interface UnreadableNoticeProps {
  /** Singular and plural noun for the items. */
  nouns: readonly [one: string, several: string]
  count: number
  items: readonly UnreadableItem[]
  onDownload: (item: UnreadableItem) => void
}

/** Lists items that a sync could not read, with the reasons. */
export const UnreadableNotice = ({ nouns, count, items, onDownload }: UnreadableNoticeProps) => (
  <Notice tone="warn" icon={CircleAlert}>
    <p>
      {count.toLocaleString('en')} {nouns[count === 1 ? 0 : 1]} could not be read. Everything else is synced.
    </p>
    <ul>
      {items.map((item) => (
        <li key={item.id}>
          <code>{item.name}</code>: {item.reason}{' '}
          <Button size="small" onClick={() => onDownload(item)}>
            <Download size={14} aria-hidden="true" />
            Download
          </Button>
        </li>
      ))}
    </ul>
  </Notice>
)
