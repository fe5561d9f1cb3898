import { MailX, Webhook } from 'lucide-react'
import { Link } from 'wouter'
import { useNotificationSettings } from '../../../api/notifications.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { KindsForm } from './kinds-form.tsx'
import './notifications.css'
import type { Settings } from './save-settings.ts'
import { DigestForm, QuietHoursForm } from './times-form.tsx'

/** Warns about selected channels that are not configured. */
const ChannelWarnings = ({ settings: { kinds, email, webhooks } }: { settings: Settings }) => {
  const wanted = Object.values(kinds)
  return (
    <>
      {!email.ready && wanted.some((channels) => channels.email !== 'off') && (
        <Notice tone="warn" icon={MailX}>
          You have no mail account to send with, so what should be mailed is shown in the console instead.{' '}
          <Link href="/settings/mail-accounts">Add a mail account</Link>
        </Notice>
      )}
      {webhooks.endpoints === 0 && wanted.some(({ webhook }) => webhook) && (
        <Notice tone="warn" icon={Webhook}>
          None of your webhooks is told of notifications. <Link href="/settings/webhooks">Choose one</Link>
        </Notice>
      )}
    </>
  )
}

export const NotificationsSection = () => {
  const query = useNotificationSettings()
  const settings = query.data?.value
  return (
    <Page
      title="Notifications"
      within="Settings"
      about="Which notifications you get, by which channels, and your quiet hours."
    >
      <Card
        id="kinds"
        title="Notification types"
        about={
          settings?.email.ready
            ? `Mail goes from ${settings.email.from} to ${settings.email.to}.`
            : 'Mail goes by your own mail account to the address that you sign in with.'
        }
      >
        <Loaded query={query} lines={12}>
          {(current) => (
            <>
              <ChannelWarnings settings={current.value} />
              <KindsForm current={current} />
            </>
          )}
        </Loaded>
      </Card>
      <Card
        id="quiet-hours"
        title="Quiet hours"
        about={`Mail and webhooks wait until they are over, and mail then comes as one.${settings ? ` By the clock in ${settings.timezone}; an end before the start is on the next day.` : ''}`}
      >
        <Loaded query={query} lines={4}>
          {(current) => <QuietHoursForm current={current} />}
        </Loaded>
      </Card>
      <Card
        id="digest"
        title="Digest"
        about="One mail with everything that is meant for it; none when there is nothing."
      >
        <Loaded query={query} lines={3}>
          {(current) => <DigestForm current={current} />}
        </Loaded>
      </Card>
    </Page>
  )
}
