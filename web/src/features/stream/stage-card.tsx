import { CircleStop, Eye, OctagonX, Radio } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import type { StreamActions, StreamState } from './use-stream.ts'

const text = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()

const aboutOf = ({ live, startedAt, viewers }: StreamState) =>
  live && startedAt !== null ? (
    <>
      Live since <Time at={startedAt} />, {viewers} watching.
    </>
  ) : (
    'Nothing is live. Captions you send now are a rehearsal.'
  )

export const StageCard = ({ state, actions }: { state: StreamState; actions: StreamActions }) => (
  <Card
    title="On air"
    about={aboutOf(state)}
    aside={<span role="status">{state.live ? <Tag tone="bad">Live</Tag> : <Tag>Off air</Tag>}</span>}
  >
    <Form
      key={`${state.title}\n${state.scene}`}
      label="Title and scene"
      onSubmit={(values) => actions.describe({ title: text(values, 'title'), scene: text(values, 'scene') })}
    >
      <div className="stream-fields">
        <TextField name="title" label="Title" defaultValue={state.title} maxLength={300} autoComplete="off" />
        <TextField name="scene" label="Scene" defaultValue={state.scene} maxLength={100} autoComplete="off" />
        <Submit kind="plain">Save</Submit>
      </div>
    </Form>
    <div className="stream-buttons">
      {state.live ? (
        <Button onClick={() => void actions.stop()}>
          <CircleStop size={17} aria-hidden="true" />
          Stop
        </Button>
      ) : (
        <Button kind="primary" onClick={() => void actions.start()}>
          <Radio size={17} aria-hidden="true" />
          Go live
        </Button>
      )}
      {state.held ? (
        <Button onClick={() => void actions.showAgain()}>
          <Eye size={17} aria-hidden="true" />
          Show again
        </Button>
      ) : (
        <Button kind="danger" onClick={() => void actions.panic()}>
          <OctagonX size={17} aria-hidden="true" />
          Panic: clear the overlay
        </Button>
      )}
    </div>
    {state.held && (
      <Notice tone="warn">The overlay is held empty. What you send is kept, and not shown.</Notice>
    )}
  </Card>
)
