import * as t from '#locale/settings'
import * as common from '#locale/shared-texts'
import { Page } from '../../../shell/page.tsx'
import { UsageCard } from '../billing/billing-section.tsx'
import { BudgetsCard } from '../billing/budgets-card.tsx'
import { StorageCard } from '../storage/storage-card.tsx'

/** Replaces the billing page where no plans are sold. */
export const UsageSection = () => (
  <Page title={t.sections.usage.label} within={common.settings} about={t.sections.usage.about}>
    <StorageCard />
    <UsageCard />
    <BudgetsCard />
  </Page>
)
