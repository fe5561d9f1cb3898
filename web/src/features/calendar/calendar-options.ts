import { useState } from 'react'
import { useServices } from '../../api/context.tsx'
import { isSupportedTimeZone } from '../../ui/time-zone.ts'

/** Options of the views. Each device has its own settings. */
export interface CalendarOptions {
  weekNumbers: boolean
  /** Tasks on their due day. */
  tasks: boolean
  /** Open tasks beside the hours. */
  taskLane: boolean
  /** A time zone for a second column of hours; null shows one column. */
  secondZone: string | null
}

const WEEK_NUMBERS = 'calendar-week-numbers'
const TASKS = 'calendar-tasks'
const TASK_LANE = 'calendar-task-lane'
const SECOND_ZONE = 'calendar-second-zone'

const readZone = (zone: string | null): string | null =>
  zone !== null && isSupportedTimeZone(zone) ? zone : null

export const useCalendarOptions = () => {
  const { browserStorage } = useServices()
  const [options, setOptions] = useState<CalendarOptions>(() => ({
    weekNumbers: browserStorage.read(WEEK_NUMBERS) !== 'off',
    tasks: browserStorage.read(TASKS) !== 'off',
    taskLane: browserStorage.read(TASK_LANE) === 'on',
    secondZone: readZone(browserStorage.read(SECOND_ZONE)),
  }))
  const change = (changed: Partial<CalendarOptions>) => {
    const next = { ...options, ...changed }
    browserStorage.write(WEEK_NUMBERS, next.weekNumbers ? null : 'off')
    browserStorage.write(TASKS, next.tasks ? null : 'off')
    browserStorage.write(TASK_LANE, next.taskLane ? 'on' : null)
    browserStorage.write(SECOND_ZONE, next.secondZone)
    setOptions(next)
  }
  return { options, change }
}
