import { Page } from '../../../shell/page.tsx'
import { DeletionCard } from './deletion-card.tsx'
import { ExportCard } from './export-card.tsx'
import { ImportCard } from './import-card.tsx'
import { SampleCard } from './sample-card.tsx'

export const DataSection = () => (
  <Page title="Your data" within="Settings" about="Take it with you, or take it away.">
    <ExportCard />
    <ImportCard />
    <SampleCard />
    <DeletionCard />
  </Page>
)
