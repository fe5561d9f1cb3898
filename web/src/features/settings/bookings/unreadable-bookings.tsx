import { useQuery } from '@tanstack/react-query'
import { unreadableBookingsQuery } from '../../../api/bookings.ts'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { type UnreadableItem, UnreadableNotice } from '../remote-accounts/unreadable-notice.tsx'

export const UnreadableBookings = ({ count }: { count: number }) => {
  const client = useClient()
  const notify = useNotify()
  const { data = [] } = useQuery(unreadableBookingsQuery(client, count))
  const download = async ({ id }: UnreadableItem) => {
    try {
      const call = client.GET('/api/bookingsvc/unreadable/{id}', {
        params: { path: { id } },
        parseAs: 'blob',
      })
      saveFile((await unwrap(call)) as Blob, `unreadable-booking-${id}.json`)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <UnreadableNotice
      nouns={['booking', 'bookings']}
      count={count}
      items={data}
      onDownload={(item) => void download(item)}
    />
  )
}
