import { History } from 'lucide-react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { ActivityList } from '../../../ui/activity-list.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'

const PAGE = 20

export const ActivityCard = () => {
  const client = useClient()
  const query = usePaged(['activity', 'all'], (page) =>
    unwrap(client.GET('/api/settings/security/activity', { params: { query: { limit: PAGE, ...page } } })),
  )
  return (
    <Card id="activity" title="Activity" about="What was done with your account, when and from where.">
      <LoadedList
        query={query}
        itemsOf={({ activity }) => activity}
        empty={
          <Empty icon={History} title="Nothing yet">
            <p>What you do with your account is noted here.</p>
          </Empty>
        }
      >
        {(entries) => <ActivityList entries={entries} />}
      </LoadedList>
    </Card>
  )
}
