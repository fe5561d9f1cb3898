import { Page } from '../../../shell/page.tsx'
import { ActivityCard } from './activity-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

export const SecuritySection = () => (
  <Page title="Security" within="Settings" about="What guards your account, and who has been here.">
    <PasswordCard />
    <TwoFactorCard />
    <SessionsCard />
    <ActivityCard />
  </Page>
)
