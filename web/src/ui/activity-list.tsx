import type { Shape } from '../api/client.ts'
import { wordsFor } from './activity-words.ts'
import { Time } from './time.tsx'

export const ActivityList = ({ entries }: { entries: readonly Shape<'ActivityEntry'>[] }) => (
  <ul className="rows">
    {entries.map(({ id, at, action, ip, device, details }) => {
      const { icon: Icon, say, isGrave = false } = wordsFor(action)
      return (
        <li key={id}>
          <span className="row-icon" data-grave={isGrave}>
            <Icon size={18} aria-hidden="true" />
          </span>
          <div className="row-main">
            <p>{say(details)}</p>
            <p className="row-notes">
              <Time at={at} />
              <span>{device.name}</span>
              <span>{ip}</span>
            </p>
          </div>
        </li>
      )
    })}
  </ul>
)
