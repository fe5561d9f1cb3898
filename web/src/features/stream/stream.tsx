import { Page } from '../../shell/page.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { CaptionsCard } from './captions-card.tsx'
import { CredentialsCard } from './credentials-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { MilestonesCard } from './milestones-card.tsx'
import { OverlayCard } from './overlay-card.tsx'
import { StageCard } from './stage-card.tsx'
import { useOverlay, useStreamActions } from './use-stream.ts'
import './stream.css'

export const Stream = () => {
  const query = useOverlay()
  const actions = useStreamActions()
  return (
    <Page title="Stream" about="Go live, say what is said, and show how far you have come.">
      <Loaded query={query} lines={6}>
        {(overlay) => (
          <div className="stream-columns">
            <div>
              <StageCard state={overlay.state} actions={actions} />
              <CaptionsCard actions={actions} />
              <HistoryCard actions={actions} />
            </div>
            <div>
              <OverlayCard overlay={overlay} />
              <MilestonesCard actions={actions} />
              <CredentialsCard actions={actions} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}
