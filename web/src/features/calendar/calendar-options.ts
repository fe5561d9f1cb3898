import { useState } from 'react'
import { useServices } from '../../api/context.tsx'

/** What the views display. Each device has its own settings. */
export interface CalendarOptions {
  weekNumbers: boolean
  /** A time zone for a second column of hours; null shows one column. */
  secondZone: string | null
}

const WEEK_NUMBERS = 'calendar-week-numbers'
const SECOND_ZONE = 'calendar-second-zone'

export const useCalendarOptions = () => {
  const { browserStorage } = useServices()
  const [options, setOptions] = useState<CalendarOptions>(() => ({
    weekNumbers: browserStorage.read(WEEK_NUMBERS) !== 'off',
    secondZone: browserStorage.read(SECOND_ZONE),
  }))
  const change = (changed: Partial<CalendarOptions>) => {
    const next = { ...options, ...changed }
    browserStorage.write(WEEK_NUMBERS, next.weekNumbers ? null : 'off')
    browserStorage.write(SECOND_ZONE, next.secondZone)
    setOptions(next)
  }
  return { options, change }
}
