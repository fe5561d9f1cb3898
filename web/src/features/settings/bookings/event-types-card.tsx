import { useQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { eventTypesQuery } from '../../../api/bookings.ts'
import { useClient } from '../../../api/context.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'

export const EventTypesCard = () => {
  const query = useQuery(eventTypesQuery(useClient(), true))
  return (
    <Card id="booking-event-types" title="What can be booked">
      <Loaded query={query}>
        {(types) =>
          types.length === 0 ? (
            <Empty icon={CalendarClock} title="Nothing can be booked yet">
              <p>Make an event type at the provider.</p>
            </Empty>
          ) : (
            <ul className="rows">
              {types.map(({ id, title, durationMinutes, url, active }) => (
                <li key={id}>
                  <span className="row-icon">
                    <CalendarClock size={18} aria-hidden="true" />
                  </span>
                  <div className="row-main">
                    <p className="row-title">{title}</p>
                    <p className="row-notes">
                      {durationMinutes !== null && <span>{durationMinutes} minutes</span>}
                      {!active && <Tag>Hidden</Tag>}
                      {url !== null && (
                        <a className="booking-link" href={url} target="_blank" rel="noreferrer noopener">
                          {url.replace(/^https?:\/\//, '')}
                        </a>
                      )}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
