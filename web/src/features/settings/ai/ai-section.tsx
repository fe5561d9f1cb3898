import { Page } from '../../../shell/page.tsx'
import { KeysCard } from './keys-card.tsx'
import { ModelCard } from './model-card.tsx'
import { SpendingCard } from './spending-card.tsx'

export const AiSection = () => (
  <Page
    title="AI"
    within="Settings"
    about="Which model answers, with whose key, and what it costs. Without a key the built-in engine answers; it never leaves this machine."
  >
    <ModelCard />
    <KeysCard />
    <SpendingCard />
  </Page>
)
