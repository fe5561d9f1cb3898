import { deviceName } from '#locale/activity'
import type { Shape } from '../api/client.ts'
import { describeActivity } from './activity-text.ts'
import { Time } from './time.tsx'

export const ActivityList = ({ entries }: { entries: readonly Shape<'ActivityEntry'>[] }) => (
  <ul className="rows">
    {entries.map(({ id, at, action, ip, device, details }) => {
      const { icon: Icon, describe, isSensitive = false } = describeActivity(action)
      return (
        <li key={id}>
          <span className="row-icon" data-grave={isSensitive}>
            <Icon size={18} aria-hidden="true" />
          </span>
          <div className="row-main">
            <p>{describe(details)}</p>
            <p className="row-notes">
              <Time at={at} />
              <span>{deviceName(device.name)}</span>
              <span>{ip}</span>
            </p>
          </div>
        </li>
      )
    })}
  </ul>
)
