import { Suspense } from 'react'
import * as t from '#locale/home'
import { usePreferences, useProfile } from '../../api/account.ts'
import { Page } from '../../shell/page.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { toCityName } from '../../ui/time-zone.ts'
import { useLazy } from '../../ui/use-lazy.ts'
import { useNow } from '../../ui/use-now.ts'
import { FirstSteps } from './first-steps.tsx'
import { TodayCard } from './timeline.tsx'
import './home.css'

const loadQuickAdd = () =>
  import('../finder/quick-add-form.tsx').then(({ QuickAddForm }) => ({ default: QuickAddForm }))

/** Loaded after the page, because the day is more urgent than a new entry. */
const QuickAdd = () => {
  const QuickAddForm = useLazy(loadQuickAdd)
  return (
    <div className="home-add">
      <Suspense fallback={<Skeleton lines={1} />}>
        <QuickAddForm />
      </Suspense>
    </div>
  )
}

const hourIn = (timeZone: string, now: Date): number =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now))

/** The first name. A title such as “Dr.” or a name such as “Ruiz, Ana” is kept whole. */
const toFirstName = (name: string): string => {
  const [first = name] = name.trim().split(/\s+/)
  return /[.,]$/.test(first) ? name : first
}

const greet = (hour: number, name: string): string => {
  if (hour < 5) return t.helloTo(name)
  if (hour < 12) return t.goodMorning(name)
  return hour < 18 ? t.goodAfternoon(name) : t.goodEvening(name)
}

export const Home = () => {
  const now = useNow()
  const { dayInFull, time, timeZone } = useDates()
  const profile = useProfile()
  const name = profile.data?.value.name
  // Waits for profile and preferences, so that the layout does not shift.
  const isKnown = [profile.isPending, usePreferences().isPending].every((isPending) => !isPending)
  return (
    <div className="home">
      <Page
        name={t.home}
        title={name === undefined ? t.hello : greet(hourIn(timeZone, now), toFirstName(name))}
        about={t.dateAndPlace({ date: dayInFull(now), time: time(now), city: toCityName(timeZone) })}
      >
        {isKnown ? (
          <div className="home-parts">
            <QuickAdd />
            <TodayCard now={now} />
            <FirstSteps />
          </div>
        ) : (
          <Skeleton lines={6} />
        )}
      </Page>
    </div>
  )
}
