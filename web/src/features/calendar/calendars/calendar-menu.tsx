import { Menu } from '@base-ui/react/menu'
import {
  CalendarCheck2,
  CalendarClock,
  Check,
  Ellipsis,
  FileUp,
  Link2,
  LogOut,
  Pencil,
  Trash2,
  UserRoundPlus,
} from 'lucide-react'
import * as t from '#locale/calendars'
import type { Calendar } from '../../../api/calendars.ts'
import type { CalendarAction } from './calendar-dialogs.tsx'
import { ColorMenuGroup } from './color-choice.tsx'

type Notifications = Calendar['notifications']
const CHOICES = Object.entries(t.notificationChoices) as [Notifications, string][]

interface CalendarMenuProps {
  calendar: Calendar
  onAction: (action: CalendarAction) => void
  onColor: (color: string) => void
  onNotifications: (notifications: Notifications) => void
  onMakeDefault: () => void
}

const OwnItems = ({
  calendar,
  onAction,
  onMakeDefault,
}: Omit<CalendarMenuProps, 'onColor' | 'onNotifications'>) => (
  <>
    <Menu.Item className="menu-item" onClick={() => onAction({ kind: 'rename', calendar })}>
      <Pencil size={17} aria-hidden="true" />
      {t.rename}
    </Menu.Item>
    {!calendar.isDefault && !calendar.readOnly && (
      <Menu.Item className="menu-item" onClick={onMakeDefault}>
        <CalendarCheck2 size={17} aria-hidden="true" />
        {t.makeDefault}
      </Menu.Item>
    )}
    <Menu.Item className="menu-item" onClick={() => onAction({ kind: 'share', calendar })}>
      <UserRoundPlus size={17} aria-hidden="true" />
      {t.share}
    </Menu.Item>
    <Menu.Item className="menu-item" onClick={() => onAction({ kind: 'mirrors', calendar })}>
      <CalendarClock size={17} aria-hidden="true" />
      {t.showAsBusyIn}
    </Menu.Item>
  </>
)

/** The notifications about a calendar as a part of its menu. */
const NotificationGroup = ({
  value,
  onChange,
}: {
  value: Notifications
  onChange: (value: Notifications) => void
}) => (
  <Menu.RadioGroup value={value} onValueChange={onChange}>
    <Menu.GroupLabel className="menu-label">{t.notifications}</Menu.GroupLabel>
    {CHOICES.map(([choice, label]) => (
      <Menu.RadioItem key={choice} value={choice} className="menu-item" closeOnClick>
        {label}
        <Menu.RadioItemIndicator className="menu-note">
          <Check size={16} aria-hidden="true" />
        </Menu.RadioItemIndicator>
      </Menu.RadioItem>
    ))}
  </Menu.RadioGroup>
)

/** Actions on a calendar. Those that need access which the user does not have are left out. */
export const CalendarMenu = ({
  calendar,
  onAction,
  onColor,
  onNotifications,
  onMakeDefault,
}: CalendarMenuProps) => {
  const isOwn = calendar.owner === null
  return (
    <Menu.Root>
      <Menu.Trigger
        className="button"
        data-kind="quiet"
        data-shape="icon"
        data-size="small"
        aria-label={t.actionsFor(calendar.name)}
      >
        <Ellipsis size={18} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="menu-place" sideOffset={4} align="start" collisionPadding={8}>
          <Menu.Popup className="menu">
            <ColorMenuGroup value={calendar.color} onChange={onColor} />
            <Menu.Separator className="menu-rule" />
            <NotificationGroup value={calendar.notifications} onChange={onNotifications} />
            <Menu.Separator className="menu-rule" />
            {isOwn && <OwnItems calendar={calendar} onAction={onAction} onMakeDefault={onMakeDefault} />}
            <Menu.Item className="menu-item" onClick={() => onAction({ kind: 'links', calendar })}>
              <Link2 size={17} aria-hidden="true" />
              {t.privateLink}
            </Menu.Item>
            {!calendar.readOnly && (
              <Menu.Item className="menu-item" onClick={() => onAction({ kind: 'import', calendar })}>
                <FileUp size={17} aria-hidden="true" />
                {t.importFile}
              </Menu.Item>
            )}
            {isOwn && !calendar.isDefault && calendar.account === null && (
              <Menu.Item className="menu-item" onClick={() => onAction({ kind: 'delete', calendar })}>
                <Trash2 size={17} aria-hidden="true" />
                {t.remove}
              </Menu.Item>
            )}
            {!isOwn && (
              <Menu.Item className="menu-item" onClick={() => onAction({ kind: 'leave', calendar })}>
                <LogOut size={17} aria-hidden="true" />
                {t.leave}
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
