import { Captions as CaptionsIcon, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { AreaField, TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { type Caption, type StreamActions, useCaptions } from './use-stream.ts'

const text = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()

/** Formats seconds as 1:02:03. */
const clockOf = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

const Row = ({
  caption,
  onCorrect,
  onDelete,
}: {
  caption: Caption
  onCorrect: () => void
  onDelete: () => void
}) => (
  <li>
    <div className="row-main">
      <p className="caption-text" dir="auto" lang={caption.language}>
        {caption.speaker !== null && <strong>{caption.speaker}: </strong>}
        {caption.text}
      </p>
      <p className="row-notes">
        <span>{clockOf(caption.start)}</span>
        <span>{caption.language}</span>
        {caption.updatedAt !== caption.createdAt && (
          <span>
            <Tag>corrected</Tag>
          </span>
        )}
      </p>
    </div>
    <div className="row-actions">
      <Button
        kind="quiet"
        shape="icon"
        size="small"
        aria-label={`Correct “${caption.text.slice(0, 60)}”`}
        onClick={onCorrect}
      >
        <Pencil size={17} aria-hidden="true" />
      </Button>
      <Button
        kind="quiet"
        shape="icon"
        size="small"
        aria-label={`Delete “${caption.text.slice(0, 60)}”`}
        onClick={onDelete}
      >
        <Trash2 size={17} aria-hidden="true" />
      </Button>
    </div>
  </li>
)

export const CaptionsCard = ({ actions }: { actions: StreamActions }) => {
  const query = useCaptions()
  const [language, setLanguage] = useState('')
  const [correcting, setCorrecting] = useState<Caption | null>(null)
  const displayed = useLastValue(correcting)
  const addCaption = async (values: FormData) => {
    await actions.addCaption({
      text: text(values, 'text'),
      ...(language.trim() !== '' && { language: language.trim() }),
    })
  }
  const correct = async (values: FormData) => {
    if (!correcting) return
    await actions.correct(correcting, {
      text: text(values, 'text'),
      speaker: text(values, 'speaker') || null,
    })
    setCorrecting(null)
  }
  return (
    <Card title="Captions" about="What is said, on the screen at once. The newest first.">
      <div className="caption-new">
        <Form label="New caption" onSubmit={addCaption} queuesSubmits>
          <TextField name="text" label="Say" maxLength={10_000} autoComplete="off" dir="auto" required />
          <Submit>Send</Submit>
        </Form>
        <label className="caption-language">
          <span>Language</span>
          <input
            className="input"
            value={language}
            placeholder="yours"
            maxLength={35}
            autoComplete="off"
            onChange={(event) => setLanguage(event.target.value)}
          />
        </label>
      </div>
      <Loaded query={query} lines={4}>
        {({ captions }) =>
          captions.length === 0 ? (
            <Empty icon={CaptionsIcon} title="No captions yet">
              <p>Write one here, or let a program send them to the API.</p>
            </Empty>
          ) : (
            <ul className="rows caption-rows" aria-label="Captions">
              {captions.map((caption) => (
                <Row
                  key={caption.id}
                  caption={caption}
                  onCorrect={() => setCorrecting(caption)}
                  onDelete={() => void actions.deleteCaption(caption)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <FormDialog
        open={correcting !== null}
        onClose={() => setCorrecting(null)}
        title="Correct the caption"
        about="Where it is still on the screen, it changes there."
        action="Correct"
        savedAs={`caption ${displayed?.id}`}
        onSubmit={correct}
      >
        <AreaField
          name="text"
          label="Text"
          defaultValue={displayed?.text}
          maxLength={10_000}
          dir="auto"
          required
        />
        <TextField
          name="speaker"
          label="Speaker"
          defaultValue={displayed?.speaker ?? ''}
          maxLength={200}
          autoComplete="off"
        />
      </FormDialog>
    </Card>
  )
}
