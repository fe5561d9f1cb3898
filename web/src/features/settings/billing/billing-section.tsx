import { Page } from '../../../shell/page.tsx'
import { BudgetsCard } from './budgets-card.tsx'
import { DetailsCard } from './details-card.tsx'
import { InvoicesCard } from './invoices-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { UsageCard } from './usage-card.tsx'
import './billing.css'

export const BillingSection = () => (
  <Page title="Billing" within="Settings" about="The plan you are on, what is used, and what it costs.">
    <PlanCard />
    <UsageCard />
    <BudgetsCard />
    <InvoicesCard />
    <DetailsCard />
  </Page>
)
