import { MonitorSmartphone } from 'lucide-react'
import { useClient } from '../../api/context.tsx'
import { useSessions } from '../../api/sessions.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Time } from '../../ui/time.tsx'

const MAX_ITEMS = 3

/** Other active sessions, so that users notice a foreign one. */
export const SessionsCard = () => {
  const query = useSessions(useClient())
  return (
    <Card title="Signed in elsewhere">
      <LoadedList
        needsClick
        query={query}
        itemsOf={({ sessions }) => sessions.filter(({ current }) => !current)}
        empty={<NoOtherSessions />}
      >
        {(others) => (
          <>
            <ul className="rows">
              {others.slice(0, MAX_ITEMS).map(({ id, device, ip, lastSeenAt }) => (
                <li key={id}>
                  <span className="row-icon">
                    <MonitorSmartphone size={18} aria-hidden="true" />
                  </span>
                  <div className="row-main">
                    <p>{device.name}</p>
                    <p className="row-notes">
                      <Time at={lastSeenAt} />
                      <span>{ip}</span>
                    </p>
                  </div>
                </li>
              ))}
            </ul>
            <div className="home-more">
              <LinkButton href="/settings/security#sessions" size="small">
                {others.length > MAX_ITEMS ? `See all ${others.length}` : 'Manage sessions'}
              </LinkButton>
            </div>
          </>
        )}
      </LoadedList>
    </Card>
  )
}

const NoOtherSessions = () => <p className="quiet">Nowhere but here.</p>
