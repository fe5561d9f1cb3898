import { useQuery } from '@tanstack/react-query'
import { unreadableEventsQuery } from '../../../api/calendar-accounts.ts'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { type UnreadableItem, UnreadableNotice } from '../accounts/unreadable-notice.tsx'
import type { CalendarAccount } from './account-form.ts'

export const UnreadableEvents = ({ account: { id, sync } }: { account: CalendarAccount }) => {
  const client = useClient()
  const notify = useNotify()
  const { data = [] } = useQuery(unreadableEventsQuery(client, id, sync.unreadable))
  const download = async (item: UnreadableItem) => {
    try {
      const path = { id, itemId: String(item.id) }
      const call = client.GET('/api/settings/calendar-accounts/{id}/unreadable/{itemId}', {
        params: { path },
        parseAs: 'blob',
      })
      saveFile((await unwrap(call)) as unknown as Blob, `unreadable-${item.id}.ics`)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <UnreadableNotice
      nouns={['event', 'events']}
      count={sync.unreadable}
      items={data}
      onDownload={(item) => void download(item)}
    />
  )
}
