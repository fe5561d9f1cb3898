import { Captions as CaptionsIcon, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/stream'
import { IconButton } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { AreaField, TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { FormPopover } from '../../ui/popover.tsx'
import { languageName } from './language-name.ts'
import { type Caption, type StreamActions, useCaptions } from './use-stream.ts'

/** Formats seconds as 1:02:03. */
const clockOf = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

interface RowProps {
  caption: Caption
  onEdit: (values: FormData) => Promise<void>
  onDelete: () => void
}

const Row = ({ caption, onEdit, onDelete }: RowProps) => (
  <li>
    <div className="row-main">
      <p className="caption-text" dir="auto" lang={caption.language}>
        {caption.speaker !== null && <strong>{caption.speaker}: </strong>}
        {caption.text}
      </p>
      <p className="row-notes">
        <span>{clockOf(caption.start)}</span>
        <span>{languageName(caption.language)}</span>
        {caption.updatedAt !== caption.createdAt && (
          <span>
            <Tag>{t.edited}</Tag>
          </span>
        )}
      </p>
    </div>
    <div className="row-actions">
      <FormPopover
        align="end"
        trigger={<IconButton icon={Pencil} label={t.editNamed(caption.text.slice(0, 60))} />}
        title={t.editCaption}
        about={t.editCaptionHelp}
        action={common.save}
        savedAs={`caption ${caption.id}`}
        onSubmit={onEdit}
      >
        <AreaField
          name="text"
          label={t.text}
          defaultValue={caption.text}
          maxLength={10_000}
          dir="auto"
          required
        />
        <TextField
          name="speaker"
          label={t.speaker}
          defaultValue={caption.speaker ?? ''}
          maxLength={200}
          autoComplete="off"
        />
      </FormPopover>
      <IconButton icon={Trash2} label={t.deleteNamed(caption.text.slice(0, 60))} onClick={onDelete} />
    </div>
  </li>
)

export const CaptionsCard = ({ actions }: { actions: StreamActions }) => {
  const query = useCaptions()
  const [language, setLanguage] = useState('')
  const addCaption = async (values: FormData) => {
    await actions.addCaption({
      text: readText(values, 'text'),
      ...(language.trim() !== '' && { language: language.trim() }),
    })
  }
  const edit = async (caption: Caption, values: FormData) => {
    await actions.correct(caption, {
      text: readText(values, 'text'),
      speaker: readText(values, 'speaker') || null,
    })
  }
  return (
    <Card title={t.captions} about={t.captionsHelp}>
      <div className="caption-new">
        <Form label={t.newCaption} onSubmit={addCaption} queuesSubmits>
          <TextField
            name="text"
            label={t.caption}
            maxLength={10_000}
            autoComplete="off"
            dir="auto"
            required
          />
          <Submit>{t.send}</Submit>
        </Form>
        <label className="caption-language">
          <span>{t.captionLanguage}</span>
          <input
            className="input"
            value={language}
            placeholder={t.defaultLanguage}
            maxLength={35}
            autoComplete="off"
            onChange={(event) => setLanguage(event.target.value)}
          />
        </label>
      </div>
      <Loaded query={query} lines={4}>
        {({ captions }) =>
          captions.length === 0 ? (
            <Empty icon={CaptionsIcon} title={t.noCaptions} about={t.noCaptionsHelp} />
          ) : (
            <ul className="rows caption-rows" aria-label={t.captions}>
              {captions.map((caption) => (
                <Row
                  key={caption.id}
                  caption={caption}
                  onEdit={(values) => edit(caption, values)}
                  onDelete={() => void actions.deleteCaption(caption)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
