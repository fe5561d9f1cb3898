import { PanelLeft } from 'lucide-react'
import * as t from '#locale/calendars'
import type { Calendar } from '../../../api/calendars.ts'
import { Button } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import type { CalendarAction } from './calendar-dialogs.tsx'
import { CalendarList } from './calendar-list.tsx'
import type { CalendarSidebar } from './use-calendar-sidebar.ts'

interface CalendarsButtonProps {
  sidebar: CalendarSidebar
  calendars: readonly Calendar[]
  onAction: (action: CalendarAction) => void
}

/** Shows and hides the sidebar. Without space for a sidebar, it opens the calendars in a popover. */
export const CalendarsButton = ({ sidebar, calendars, onAction }: CalendarsButtonProps) => {
  const look = {
    kind: 'quiet',
    shape: 'icon',
    'aria-label': t.calendars,
    title: t.calendars,
    'data-calendars-button': '',
    children: <PanelLeft size={18} aria-hidden="true" />,
  } as const
  if (sidebar.isWide) return <Button {...look} aria-expanded={sidebar.isOpen} onClick={sidebar.toggle} />
  return (
    <Popover
      open={sidebar.isPopoverOpen}
      onOpen={sidebar.openPopover}
      onClose={sidebar.closePopover}
      title={t.calendars}
      trigger={<Button {...look} />}
      size="small"
    >
      <CalendarList calendars={calendars} onAction={onAction} />
    </Popover>
  )
}
