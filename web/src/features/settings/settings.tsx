import { Link, Route, Switch, useLocation } from 'wouter'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { AiSection } from './ai/ai-section.tsx'
import { BillingSection } from './billing/billing-section.tsx'
import { BookingsSection } from './bookings/bookings-section.tsx'
import { CalendarAccountsSection } from './calendar-accounts/calendar-accounts-section.tsx'
import { DataSection } from './data/data-section.tsx'
import { FeedTokensSection } from './feed-tokens/feed-tokens-section.tsx'
import { InvitationsSection } from './invitations/invitations-section.tsx'
import { JobsSection } from './jobs/jobs-section.tsx'
import { MailAccountsSection } from './mail-accounts/mail-accounts-section.tsx'
import { NotificationsSection } from './notifications/notifications-section.tsx'
import { Overview } from './overview.tsx'
import { PreferencesSection } from './preferences/preferences-section.tsx'
import { ProfileSection } from './profile/profile-section.tsx'
import { SECTIONS } from './sections.ts'
import { SecuritySection } from './security/security-section.tsx'
import './settings.css'
import { TokensSection } from './tokens/tokens-section.tsx'
import { WebhooksSection } from './webhooks/webhooks-section.tsx'

const VIEWS: Readonly<Record<string, () => React.ReactNode>> = {
  profile: ProfileSection,
  preferences: PreferencesSection,
  notifications: NotificationsSection,
  'mail-accounts': MailAccountsSection,
  'calendar-accounts': CalendarAccountsSection,
  ai: AiSection,
  bookings: BookingsSection,
  security: SecuritySection,
  tokens: TokensSection,
  'feed-tokens': FeedTokensSection,
  webhooks: WebhooksSection,
  jobs: JobsSection,
  invitations: InvitationsSection,
  billing: BillingSection,
  data: DataSection,
}

const SectionNavigation = () => {
  const [path] = useLocation()
  return (
    <nav className="sections" aria-label="Settings">
      <ul>
        {SECTIONS.map(({ path: section, label, icon: Icon }) => (
          <li key={section}>
            <Link
              href={`/settings/${section}`}
              aria-current={path === `/settings/${section}` ? 'page' : undefined}
            >
              <Icon size={17} aria-hidden="true" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const NoSection = () => <NotFoundPage within="Settings" href="/settings" label="All settings" />

export const Settings = () => (
  <Switch>
    <Route path="/settings">
      <div className="settings-overview">
        <Overview />
      </div>
    </Route>
    <Route>
      <div className="settings">
        <SectionNavigation />
        <div className="settings-section">
          <Link href="/settings" className="back">
            All settings
          </Link>
          <Switch>
            {SECTIONS.map(({ path }) => {
              const View = VIEWS[path] ?? NoSection
              return (
                <Route key={path} path={`/settings/${path}`}>
                  <View />
                </Route>
              )
            })}
            <Route>
              <NoSection />
            </Route>
          </Switch>
        </div>
      </div>
    </Route>
  </Switch>
)
