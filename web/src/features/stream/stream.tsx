import { useQueryClient } from '@tanstack/react-query'
import { CircleStop, Eye, KeyRound, OctagonX, Radio } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/stream'
import { toPublicUrl } from '../../api/base-path.ts'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { fromSnapshot } from '../../overlay/model.ts'
import { readOptions } from '../../overlay/options.ts'
import { createScreen, type Screen } from '../../overlay/screen.ts'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { Secret, SecretDialog } from '../../ui/secret.tsx'
import { useDates } from '../../ui/time.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { CaptionsCard } from './captions-card.tsx'
import { CredentialsCard } from './credentials-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { MilestonesCard } from './milestones-card.tsx'
import { type StreamActions, type StreamState, useOverlay, useStreamActions } from './use-stream.ts'
import './stream.css'
import { readText } from '../../ui/form-values.ts'

const addressWith = (token?: string): string =>
  `${toPublicUrl('/overlay')}${token === undefined ? '' : `?token=${encodeURIComponent(token)}`}`

/** Small preview with the renderer of the overlay page. */
const Preview = ({ overlay }: { overlay: Shape<'Overlay'> }) => {
  const container = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen | null>(null)
  useEffect(() => {
    if (!container.current) return
    const preview = createScreen(container.current, readOptions('?size=18&show=captions,milestones,title'))
    screen.current = preview
    return () => preview.remove()
  }, [])
  useEffect(() => {
    screen.current?.show(fromSnapshot(overlay, null, performance.now()))
  }, [overlay])
  return <div ref={container} className="overlay-preview" role="img" aria-label={t.overlayPreview} />
}

const OverlayCard = ({ overlay }: { overlay: Shape<'Overlay'> }) => {
  const client = useClient()
  const queries = useQueryClient()
  const attempt = useAttempt()
  const [address, setAddress] = useState<string | null>(null)
  const make = () =>
    attempt(async () => {
      const body = { name: t.overlay, purpose: 'overlay' as const }
      const { token } = await unwrap(client.POST('/api/settings/feed-tokens', { body }))
      setAddress(addressWith(token))
      await queries.invalidateQueries({ queryKey: ['feed-tokens'] })
    })
  return (
    <Card title={t.overlay} about={t.overlayHelp}>
      <Preview overlay={overlay} />
      <div className="overlay-address">
        <Secret text={addressWith()} />
        <p className="quiet small">{t.privateLinkHelp}</p>
        <Button size="small" onClick={() => void make()}>
          <KeyRound size={16} aria-hidden="true" />
          {t.createPrivateLink}
        </Button>
      </div>
      <SecretDialog
        secret={address}
        title={t.privateLink}
        about={t.privateLinkWarning}
        onClose={() => setAddress(null)}
      />
    </Card>
  )
}

const StageStatus = ({ state: { live, startedAt, viewers } }: { state: StreamState }) => {
  const { near, dateTime } = useDates()
  if (!live || startedAt === null) return t.offlineHelp
  return (
    <RichText
      text={t.liveSince({ time: near(startedAt), viewers })}
      tags={{
        time: (time) => (
          <time dateTime={startedAt} title={dateTime(startedAt)}>
            {time}
          </time>
        ),
      }}
    />
  )
}

const StageCard = ({ state, actions }: { state: StreamState; actions: StreamActions }) => (
  <Card
    title={t.broadcast}
    about={<StageStatus state={state} />}
    aside={<span role="status">{state.live ? <Tag tone="bad">{t.live}</Tag> : <Tag>{t.offline}</Tag>}</span>}
  >
    <Form
      key={`${state.title}\n${state.scene}`}
      label={t.titleAndScene}
      onSubmit={(values) =>
        actions.describe({ title: readText(values, 'title'), scene: readText(values, 'scene') })
      }
    >
      <div className="stream-fields">
        <TextField
          name="title"
          label={t.title}
          defaultValue={state.title}
          maxLength={300}
          autoComplete="off"
        />
        <TextField
          name="scene"
          label={t.scene}
          defaultValue={state.scene}
          maxLength={100}
          autoComplete="off"
        />
        <Submit kind="plain">{common.save}</Submit>
      </div>
    </Form>
    <div className="stream-buttons">
      {state.live ? (
        <Button onClick={() => void actions.stop()}>
          <CircleStop size={17} aria-hidden="true" />
          {t.endStream}
        </Button>
      ) : (
        <Button kind="primary" onClick={() => void actions.start()}>
          <Radio size={17} aria-hidden="true" />
          {t.goLive}
        </Button>
      )}
      {state.held ? (
        <Button onClick={() => void actions.showAgain()}>
          <Eye size={17} aria-hidden="true" />
          {t.showOverlay}
        </Button>
      ) : (
        <Button kind="danger" onClick={() => void actions.panic()}>
          <OctagonX size={17} aria-hidden="true" />
          {t.hideOverlay}
        </Button>
      )}
    </div>
    {state.held && <Notice tone="warn">{t.overlayIsHidden}</Notice>}
  </Card>
)

export const Stream = () => {
  const query = useOverlay()
  const actions = useStreamActions()
  return (
    <Page title={t.stream} about={t.streamHelp}>
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
