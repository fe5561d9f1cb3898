import {
  CalendarArrowDown,
  CalendarDays,
  CalendarRange,
  CalendarSearch,
  CopyPlus,
  Eye,
  Pencil,
  Trash2,
  Video,
} from 'lucide-react'
import * as t from '#locale/commands'
import * as shell from '#locale/shell'
import { type Command, type CommandGroup, useCommands } from '../../shell/commands.ts'
import { VIEWS, type View } from './address.ts'
import { VIEW_KEYS } from './calendar-keys.ts'
import { isEditable } from './calendars/calendar-access.ts'
import { type Day, daysBetween } from './days.ts'
import type { DisplayedEvent } from './displayed-event.ts'
import { moveBy, type When } from './timing.ts'

interface CalendarCommands {
  /** The event in the open popover. */
  opened: DisplayedEvent | null
  displayedEvents: readonly DisplayedEvent[]
  today: Day
  onToday: () => void
  onView: (view: View) => void
  onOpen: (item: DisplayedEvent, anchor: HTMLElement) => void
  onEdit: (item: DisplayedEvent) => void
  onMove: (item: DisplayedEvent, when: When) => void
  onDuplicate: (item: DisplayedEvent) => void
  onDelete: (item: DisplayedEvent) => void
  onGoToDate: () => void
}

const DAYS_PER_WEEK = 7

/** The focused element of an event. */
export const findFocused = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[data-event]') ?? null

const listChangeCommands = (calendar: CalendarCommands, item: DisplayedEvent): Command[] => {
  const daysToTomorrow = daysBetween(item.first, calendar.today) + 1
  const moveByDays = (days: number) => () => calendar.onMove(item, moveBy(item, { days, minutes: 0 }))
  return [
    ...(daysToTomorrow === 0
      ? []
      : [
          {
            id: 'calendar.event.tomorrow',
            label: t.moveToTomorrow,
            icon: CalendarArrowDown,
            run: moveByDays(daysToTomorrow),
          },
        ]),
    {
      id: 'calendar.event.week',
      label: t.moveByOneWeek,
      icon: CalendarArrowDown,
      run: moveByDays(DAYS_PER_WEEK),
    },
    {
      id: 'calendar.event.delete',
      label: t.remove,
      icon: Trash2,
      keys: ['Delete'],
      run: () => calendar.onDelete(item),
    },
  ]
}

/** The actions on the open or focused event. */
const listEventCommands = (calendar: CalendarCommands): CommandGroup[] => {
  const focused = findFocused()
  const item =
    calendar.opened ?? calendar.displayedEvents.find(({ key }) => key === focused?.dataset.event) ?? null
  if (!item) return []
  const { title, meetingUrl } = item.event
  const commands: Command[] = []
  if (calendar.opened === null && focused)
    commands.push({
      id: 'calendar.event.open',
      label: t.showDetails,
      icon: Eye,
      keys: ['Enter'],
      run: () => calendar.onOpen(item, focused),
    })
  if (isEditable(item))
    commands.push({
      id: 'calendar.event.edit',
      label: t.edit,
      icon: Pencil,
      keys: ['e'],
      run: () => calendar.onEdit(item),
    })
  if (!item.isBusyTime)
    commands.push({
      id: 'calendar.event.duplicate',
      label: t.duplicate,
      icon: CopyPlus,
      run: () => calendar.onDuplicate(item),
    })
  if (meetingUrl !== null && /^https?:/i.test(meetingUrl))
    commands.push({
      id: 'calendar.event.join',
      label: t.joinMeeting,
      icon: Video,
      run: () => void window.open(meetingUrl, '_blank', 'noopener,noreferrer'),
    })
  if (isEditable(item)) commands.push(...listChangeCommands(calendar, item))
  return commands.length === 0 ? [] : [{ title, commands }]
}

/** Adds the actions on an event and the views of the calendar to the command palette. */
export const useCalendarCommands = (calendar: CalendarCommands): void =>
  useCommands(() => [
    ...listEventCommands(calendar),
    {
      title: shell.pages.calendar,
      commands: [
        { id: 'calendar.today', label: t.today, icon: CalendarDays, keys: ['t'], run: calendar.onToday },
        {
          id: 'calendar.date',
          label: t.goToDate,
          icon: CalendarSearch,
          keys: ['g', 'g'],
          run: calendar.onGoToDate,
        },
        ...VIEWS.map((view) => ({
          id: `calendar.${view}`,
          label: t.calendarViews[view],
          icon: CalendarRange,
          keys: [VIEW_KEYS[view]],
          run: () => calendar.onView(view),
        })),
      ],
    },
  ])
