import { Popover } from '@base-ui/react/popover'
import { Bell, BellRing, CheckCheck, Settings, Trash2, Undo2, Video, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as common from '#locale/shared-texts'
import * as t from '#locale/shell'
import { type Notification, useNotificationActions, useNotifications } from '../api/notifications.ts'
import { describeError } from '../api/problem.ts'
import { Button, IconButton, LinkButton } from '../ui/button.tsx'
import { LoadedList } from '../ui/loaded.tsx'
import { Empty } from '../ui/notice.tsx'
import { Time } from '../ui/time.tsx'
import { useNotify } from '../ui/toast.tsx'
import './notification-bell.css'

const MAX_DISPLAYED_COUNT = 99

/** Accepts only same-origin paths, because the link comes from a notification. */
const isPath = (link: string | null): link is string => link !== null && /^\/(?![/\\])/.test(link)

const labelOf = (unread: number): string => (unread === 0 ? t.notifications : t.newNotifications(unread))

const NotificationText = ({
  notification: { title, body, read, createdAt, email },
}: {
  notification: Notification
}) => (
  <>
    {!read && <span className="visually-hidden">{t.unread} </span>}
    <span className="notification-title">{title}</span>
    {body !== '' && <span className="notification-body">{body}</span>}
    <span className="notification-note">
      <Time at={createdAt} />
      {email?.state === 'failed' && ` · ${t.emailFailed(email.error ?? '')}`}
      {email?.state === 'uncertain' && ` · ${t.emailUncertain}`}
    </span>
  </>
)

/** The link of the video call of an event that starts. */
const findMeetingUrl = ({ kind, data }: Notification): string | null => {
  const link = kind === 'event_starting' ? data?.meetingUrl : null
  return typeof link === 'string' && /^https?:/i.test(link) ? link : null
}

interface RowProps {
  notification: Notification
  onOpen: () => void
  onRemove: () => void
  onUndo: (actionId: number) => void
}

const Row = ({ notification, onOpen, onRemove, onUndo }: RowProps) => {
  const meetingUrl = findMeetingUrl(notification)
  return (
    <li className="notification" data-read={notification.read}>
      {isPath(notification.link) ? (
        <Link href={notification.link} className="notification-open" onClick={onOpen}>
          <NotificationText notification={notification} />
        </Link>
      ) : (
        <button type="button" className="notification-open" onClick={onOpen}>
          <NotificationText notification={notification} />
        </button>
      )}
      {meetingUrl !== null && (
        <a
          className="button"
          data-kind="primary"
          data-size="small"
          href={meetingUrl}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={t.joinEvent(notification.title)}
          onClick={onOpen}
        >
          <Video size={15} aria-hidden="true" />
          {t.join}
        </a>
      )}
      {notification.actionId !== null && (
        <IconButton
          icon={Undo2}
          iconSize={16}
          label={t.undoNotification(notification.title)}
          onClick={() => onUndo(notification.actionId as number)}
        />
      )}
      <IconButton
        icon={X}
        iconSize={16}
        label={t.deleteNotification(notification.title)}
        onClick={onRemove}
      />
    </li>
  )
}

/** Notification list with the unread count. */
export const NotificationBell = () => {
  const [isOpen, setIsOpen] = useState(false)
  const query = useNotifications()
  const notify = useNotify()
  const { read, remove, readAll, clear, undo } = useNotificationActions()
  const pages = query.data?.pages ?? []
  const unread = pages[0]?.unread ?? 0
  const newest = pages[0]?.notifications[0]?.id
  const report = { onError: (error: unknown) => void notify(describeError(error), { failed: true }) }
  const open = ({ id, read: isRead, link }: Notification) => {
    if (!isRead) read.mutate(id, report)
    if (isPath(link)) setIsOpen(false)
  }
  const Icon = unread > 0 ? BellRing : Bell
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger
        className="button bell"
        data-kind="quiet"
        data-shape="icon"
        aria-label={labelOf(unread)}
      >
        <Icon size={19} aria-hidden="true" />
        {unread > 0 && (
          <span className="bell-count" aria-hidden="true">
            {unread > MAX_DISPLAYED_COUNT ? `${MAX_DISPLAYED_COUNT}+` : unread}
          </span>
        )}
      </Popover.Trigger>
      {/* Announces new notifications to screen readers. */}
      <span className="visually-hidden" role="status">
        {unread > 0 && t.unreadCount(unread)}
      </span>
      <Popover.Portal>
        <Popover.Positioner
          className="menu-place"
          positionMethod="fixed"
          side="bottom"
          align="start"
          sideOffset={8}
          collisionPadding={8}
        >
          <Popover.Popup className="menu bell-popup">
            <div className="bell-head">
              <Popover.Title>{t.notifications}</Popover.Title>
              <LinkButton
                href="/settings/notifications"
                kind="quiet"
                size="small"
                onClick={() => setIsOpen(false)}
              >
                <Settings size={16} aria-hidden="true" />
                {common.settings}
              </LinkButton>
            </div>
            <div className="bell-scroll">
              <LoadedList
                query={query}
                itemsOf={(page) => page.notifications}
                empty={<Empty icon={Bell} title={t.noNotifications} about={t.noNotificationsHelp} />}
              >
                {(notifications) => (
                  <ul>
                    {notifications.map((notification) => (
                      <Row
                        key={notification.id}
                        notification={notification}
                        onOpen={() => open(notification)}
                        onRemove={() => remove.mutate(notification.id, report)}
                        onUndo={(id) =>
                          undo.mutate(id, { ...report, onSuccess: () => void notify(t.undone) })
                        }
                      />
                    ))}
                  </ul>
                )}
              </LoadedList>
            </div>
            {newest !== undefined && (
              <div className="bell-actions">
                <Button
                  size="small"
                  kind="quiet"
                  disabled={unread === 0}
                  busy={readAll.isPending}
                  onClick={() => readAll.mutate(newest, report)}
                >
                  <CheckCheck size={16} aria-hidden="true" />
                  {t.markAllRead}
                </Button>
                <Button
                  size="small"
                  kind="quiet"
                  busy={clear.isPending}
                  onClick={() => clear.mutate(newest, report)}
                >
                  <Trash2 size={16} aria-hidden="true" />
                  {t.deleteAll}
                </Button>
              </div>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
