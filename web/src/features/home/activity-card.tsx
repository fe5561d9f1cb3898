import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ActivityList } from '../../ui/activity-list.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'

const MAX_ITEMS = 6

export const ActivityCard = () => {
  const client = useClient()
  const query = useQuery({
    queryKey: ['activity', 'latest'],
    queryFn: () =>
      unwrap(client.GET('/api/settings/security/activity', { params: { query: { limit: MAX_ITEMS } } })),
  })
  return (
    <Card title="Latest activity" about="What was done with your account.">
      <Loaded query={query} lines={6}>
        {({ activity, nextCursor }) =>
          activity.length === 0 ? (
            <Empty icon={History} title="Nothing yet">
              <p>What you do with your account is noted here.</p>
            </Empty>
          ) : (
            <>
              <ActivityList entries={activity} />
              {nextCursor !== null && (
                <div className="home-more">
                  <LinkButton href="/settings/security#activity" size="small">
                    See all activity
                  </LinkButton>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
