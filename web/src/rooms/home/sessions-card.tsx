import { MonitorSmartphone } from 'lucide-react'
import { useClient } from '../../api/context.tsx'
import { useSessions } from '../../api/sessions.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Time } from '../../ui/time.tsx'

const SHOWN = 3

/** Where else one is signed in: a glance is enough to see whether someone else is. */
export const SessionsCard = () => {
  const query = useSessions(useClient())
  return (
    <Card title="Signed in elsewhere">
      <LoadedList
        query={query}
        itemsOf={({ sessions }) => sessions.filter(({ current }) => !current)}
        empty={<Nowhere />}
      >
        {(others) => (
          <>
            <ul className="rows">
              {others.slice(0, SHOWN).map(({ id, device, ip, lastSeenAt }) => (
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
                {others.length > SHOWN ? `See all ${others.length}` : 'Manage sessions'}
              </LinkButton>
            </div>
          </>
        )}
      </LoadedList>
    </Card>
  )
}

const Nowhere = () => <p className="quiet">Nowhere but here.</p>
