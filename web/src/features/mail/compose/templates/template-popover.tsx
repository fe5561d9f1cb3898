import { type RefObject, useState } from 'react'
import * as t from '#locale/mail-templates'
import { Button, LinkButton } from '../../../../ui/button.tsx'
import { FormDialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { Popover } from '../../../../ui/popover.tsx'
import { useDates } from '../../../../ui/time.tsx'
import { htmlToText, parseHtml, textToHtml } from '../html-text.ts'
import type { ComposerState } from '../use-composer.ts'
import { fillTemplate } from './template-fields.ts'
import { type MailTemplate, useTemplateActions, useTemplates } from './use-templates.ts'

/** The written text without signature and quote. */
const toTemplateHtml = (html: string | null, text: string): string => {
  const body = parseHtml(html ?? textToHtml(text))
  const quote = body.querySelector(':scope > blockquote[type="cite"]')
  quote?.previousElementSibling?.remove()
  quote?.remove()
  body.querySelector(':scope > [data-part="signature"]')?.remove()
  for (const image of body.querySelectorAll('img[src^="cid:"]')) image.remove()
  return body.innerHTML
}

interface TemplatePopoverProps {
  composer: ComposerState
  /** `slash`: the user typed a slash, which the template replaces. */
  open: 'button' | 'slash' | null
  anchor: RefObject<Element | null>
  onClose: () => void
  insertText: (text: string) => void
}

/** Inserts a template, or saves the current text as one. */
export const TemplatePopover = ({ composer, open, anchor, onClose, insertText }: TemplatePopoverProps) => {
  const { draft, sender, editor } = composer
  const templates = useTemplates().data ?? []
  const actions = useTemplateActions()
  const { date, time } = useDates()
  const [filter, setFilter] = useState('')
  const [isNaming, setIsNaming] = useState(false)
  const { fields } = draft
  const matches = templates.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  const current = toTemplateHtml(fields.html, fields.text)

  const insert = (template: MailTemplate): void => {
    const now = new Date()
    const context = { fields, sender, date: date(now), time: time(now) }
    const subject = fillTemplate(template.subject, context, { isHtml: false })
    if (fields.subject === '' && subject !== '') draft.change({ subject })
    const html = fillTemplate(template.html, context, { isHtml: true })
    onClose()
    setFilter('')
    if (fields.html === null) insertText(htmlToText(html))
    else editor.current?.insertHtml(html, { replacesSlash: open === 'slash' })
  }
  return (
    <>
      <Popover
        open={open !== null}
        anchor={anchor}
        size="small"
        title={t.templates}
        onClose={() => onClose()}
      >
        {templates.length > 5 && (
          <input
            className="input"
            data-first
            type="search"
            aria-label={t.filter}
            placeholder={t.filter}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        )}
        {templates.length === 0 ? (
          <p className="quiet">{t.none}</p>
        ) : (
          <ul className="template-choices">
            {matches.map((template, index) => (
              <li key={template.id}>
                <Button
                  kind="quiet"
                  wide
                  {...(index === 0 && { 'data-first': true })}
                  onClick={() => insert(template)}
                >
                  {template.name}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <div className="dialog-actions">
          <LinkButton kind="quiet" size="small" href="/settings/mail-templates">
            {t.manage}
          </LinkButton>
          <Button
            size="small"
            disabled={htmlToText(current) === ''}
            onClick={() => {
              onClose()
              setIsNaming(true)
            }}
          >
            {t.saveCurrent}
          </Button>
        </div>
      </Popover>
      <FormDialog
        open={isNaming}
        onClose={() => setIsNaming(false)}
        title={t.saveCurrent}
        action={t.save}
        savedAs={null}
        onSubmit={async (values) => {
          await actions.save(
            { name: String(values.get('name')), subject: fields.subject, html: current },
            null,
          )
          setIsNaming(false)
        }}
      >
        <TextField
          name="name"
          label={t.name}
          maxLength={100}
          defaultValue={fields.subject.slice(0, 100)}
          required
        />
      </FormDialog>
    </>
  )
}
