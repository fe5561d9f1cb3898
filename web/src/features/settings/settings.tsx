import { Search } from 'lucide-react'
import { useId } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import * as t from '#locale/settings'
import * as common from '#locale/shared-texts'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { AccountsSection } from './accounts/accounts-section.tsx'
import { AiSection } from './ai/ai-section.tsx'
import { AppsSection } from './apps/apps-section.tsx'
import { BackupsSection } from './backups/backups-section.tsx'
import { BillingSection } from './billing/billing-section.tsx'
import { BookingsSection } from './bookings/bookings-section.tsx'
import { CalendarAccountsSection } from './calendar-accounts/calendar-accounts-section.tsx'
import { DataSection } from './data/data-section.tsx'
import { FeedTokensSection } from './feed-tokens/feed-tokens-section.tsx'
import { ImportsSection } from './imports/imports-section.tsx'
import { InstanceSection } from './instance/instance-section.tsx'
import { JobsSection } from './jobs/jobs-section.tsx'
import { MailAccountsSection } from './mail-accounts/mail-accounts-section.tsx'
import { MailTemplatesSection } from './mail-templates/mail-templates-section.tsx'
import { NotificationsSection } from './notifications/notifications-section.tsx'
import { OauthClientsSection } from './oauth-clients/oauth-clients-section.tsx'
import { Overview } from './overview.tsx'
import { PreferencesSection } from './preferences/preferences-section.tsx'
import { ProfileSection } from './profile/profile-section.tsx'
import { type Group, needsHeading, type SectionPath } from './sections.ts'
import { SecuritySection } from './security/security-section.tsx'
import './settings.css'
import { SharingSection } from './sharing/sharing-section.tsx'
import { TokensSection } from './tokens/tokens-section.tsx'
import { UsageSection } from './usage/usage-section.tsx'
import { useSettingsGroups, useViewer } from './use-settings-groups.ts'
import { WebhooksSection } from './webhooks/webhooks-section.tsx'

const VIEWS: Readonly<Record<SectionPath, () => React.ReactNode>> = {
  profile: ProfileSection,
  preferences: PreferencesSection,
  security: SecuritySection,
  sharing: SharingSection,
  data: DataSection,
  imports: ImportsSection,
  usage: UsageSection,
  billing: BillingSection,
  'mail-accounts': MailAccountsSection,
  'mail-templates': MailTemplatesSection,
  apps: AppsSection,
  'calendar-accounts': CalendarAccountsSection,
  bookings: BookingsSection,
  ai: AiSection,
  notifications: NotificationsSection,
  tokens: TokensSection,
  'feed-tokens': FeedTokensSection,
  webhooks: WebhooksSection,
  instance: InstanceSection,
  backups: BackupsSection,
  jobs: JobsSection,
  accounts: AccountsSection,
  'oauth-clients': OauthClientsSection,
}

const NavigationGroup = ({ label, sections }: Group) => {
  const heading = useId()
  const [path] = useLocation()
  const hasHeading = needsHeading({ label, sections })
  return (
    <li>
      {hasHeading && (
        <span className="sections-group" id={heading}>
          {label}
        </span>
      )}
      <ul {...(hasHeading && { 'aria-labelledby': heading })}>
        {sections.map(({ path: section, label: name, icon: Icon }) => (
          <li key={section}>
            <Link
              href={`/settings/${section}`}
              aria-current={path === `/settings/${section}` ? 'page' : undefined}
            >
              <Icon size={17} aria-hidden="true" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  )
}

const SectionNavigation = ({ groups }: { groups: readonly Group[] }) => (
  <nav className="sections" aria-label={common.settings}>
    <ul>
      <li>
        <Link href="/settings" state={{ focus: 'search' }}>
          <Search size={17} aria-hidden="true" />
          {common.search}
        </Link>
      </li>
      {groups.map((group) => (
        <NavigationGroup key={group.name} {...group} />
      ))}
    </ul>
  </nav>
)

const NoSection = () => <NotFoundPage within={common.settings} href="/settings" label={t.allSettings} />

/** The plan and the usage share their address with links in notifications, whether plans are sold or not. */
const MOVED: Partial<Record<SectionPath, SectionPath>> = { billing: 'usage', usage: 'billing' }

const HiddenSection = ({ path }: { path: SectionPath }) => {
  const { isOwner, plansSold } = useViewer()
  if (isOwner === undefined || plansSold === undefined) return <Skeleton lines={6} />
  const moved = MOVED[path]
  return moved ? <Redirect to={`/settings/${moved}`} replace /> : <NoSection />
}

const SectionRoutes = ({ groups }: { groups: readonly Group[] }) => {
  const visible = new Set(groups.flatMap(({ sections }) => sections.map(({ path }) => path)))
  return (
    <Switch>
      {(Object.keys(VIEWS) as SectionPath[]).map((path) => {
        const View = VIEWS[path]
        return (
          <Route key={path} path={`/settings/${path}`}>
            {visible.has(path) ? <View /> : <HiddenSection path={path} />}
          </Route>
        )
      })}
      {/* Invitations had a page of their own. */}
      <Route path="/settings/invitations">
        <Redirect to="/settings/accounts#invitations" replace />
      </Route>
      <Route>
        <NoSection />
      </Route>
    </Switch>
  )
}

export const Settings = () => {
  const groups = useSettingsGroups()
  return (
    <Switch>
      <Route path="/settings">
        <div className="settings-overview">
          <Overview />
        </div>
      </Route>
      <Route>
        <div className="settings">
          <SectionNavigation groups={groups} />
          <div className="settings-section">
            <Link href="/settings" className="back">
              {t.allSettings}
            </Link>
            <SectionRoutes groups={groups} />
          </div>
        </div>
      </Route>
    </Switch>
  )
}
