import { usePreferences, useProfile } from '../../api/account.ts'
import { Page } from '../../shell/page.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { ActivityCard } from './activity-card.tsx'
import { BriefingCard } from './briefing-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { greetingAt, hourIn } from './greeting.ts'
import './home.css'
import { toCityName } from '../../ui/time-zone.ts'
import { useNow } from '../../ui/use-now.ts'
import { InstanceCard } from './instance-card.tsx'
import { NextUpCard } from './next-up-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { Stats } from './stats.tsx'

export const Home = () => {
  const now = useNow()
  const { dayInFull, time, timeZone } = useDates()
  const profile = useProfile()
  const name = profile.data?.value.name
  // Waits for profile and preferences, so that the layout does not shift.
  const isKnown = [profile.isPending, usePreferences().isPending].every((isPending) => !isPending)
  const greeting = greetingAt(hourIn(timeZone, now))
  return (
    <div className="home">
      <Page
        name="Home"
        title={name === undefined ? greeting : `${greeting}, ${name}`}
        about={`${dayInFull(now)} · ${time(now)} in ${toCityName(timeZone)}`}
      >
        {!isKnown && <Skeleton lines={6} />}
        <div className="home-desk" hidden={!isKnown}>
          <Stats />
          <div className="home-cards">
            <div>
              <FirstSteps />
              <BriefingCard />
              <ActivityCard />
            </div>
            <div>
              <NextUpCard now={now} />
              <InstanceCard />
              <SessionsCard />
            </div>
          </div>
        </div>
      </Page>
    </div>
  )
}
