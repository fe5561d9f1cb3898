import { useQuery } from '@tanstack/react-query'
import { bookingSettingsQuery } from '../../../api/bookings.ts'
import { useClient } from '../../../api/context.tsx'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import './bookings.css'
import { DriftCard } from './drift-card.tsx'
import { EventTypesCard } from './event-types-card.tsx'
import { ProviderForm } from './provider-form.tsx'
import { SyncCard } from './sync-card.tsx'
import { WebhookCard } from './webhook-card.tsx'

export const BookingsSection = () => {
  const query = useQuery(bookingSettingsQuery(useClient()))
  return (
    <Page
      title="Bookings"
      within="Settings"
      about="What others book with you at Cal.com or Calendly becomes events in your calendar. Their time, status and guests follow the provider; your notes and tags stay yours."
    >
      <Card id="booking-provider" title="Provider">
        <Loaded query={query}>
          {(settings) => <ProviderForm key={settings.provider} settings={settings} />}
        </Loaded>
      </Card>
      {query.data && (
        <>
          <SyncCard settings={query.data} />
          <WebhookCard settings={query.data} />
          {query.data.configured && (
            <>
              <EventTypesCard />
              <DriftCard />
            </>
          )}
        </>
      )}
    </Page>
  )
}
