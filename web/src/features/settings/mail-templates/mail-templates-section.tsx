import { NotepadTextDashed, Pencil, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import * as t from '#locale/mail-templates'
import * as common from '#locale/shared-texts'
import { Page } from '../../../shell/page.tsx'
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { Skeleton } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Row } from '../../../ui/rows.tsx'
import { htmlToText } from '../../mail/compose/html-text.ts'
import { RichTextEditor } from '../../mail/compose/rich-text/lazy.ts'
import { TEMPLATE_FIELDS } from '../../mail/compose/templates/template-fields.ts'
import {
  type MailTemplate,
  useTemplateActions,
  useTemplates,
} from '../../mail/compose/templates/use-templates.ts'

const loadNoImage = async (src: string): Promise<string | null> => (src.startsWith('data:') ? src : null)

/** The edited template; `new` for a new one. */
type Edited = MailTemplate | 'new'

const TemplateDialog = ({ edited, onClose }: { edited: Edited; onClose: () => void }) => {
  const actions = useTemplateActions()
  const template = edited === 'new' ? null : edited
  const [html, setHtml] = useState(template?.html ?? '')
  return (
    <FormDialog
      open
      onClose={onClose}
      size="large"
      persistent
      title={template ? t.editTemplate(template.name) : t.newTemplate}
      action={t.save}
      savedAs={null}
      onSubmit={async (values) => {
        const input = { name: String(values.get('name')), subject: String(values.get('subject')), html }
        await actions.save(input, template?.id ?? null)
        onClose()
      }}
    >
      <TextField name="name" label={t.name} maxLength={100} defaultValue={template?.name ?? ''} required />
      <TextField name="subject" label={t.subject} maxLength={2000} defaultValue={template?.subject ?? ''} />
      <Suspense fallback={<Skeleton lines={6} />}>
        <RichTextEditor label={t.text} value={html} onChange={setHtml} loadImage={loadNoImage} />
      </Suspense>
      <p className="field-hint">{t.fieldsHint(TEMPLATE_FIELDS.map((name) => `{{${name}}}`).join(' '))}</p>
    </FormDialog>
  )
}

export const MailTemplatesSection = () => {
  const query = useTemplates()
  const actions = useTemplateActions()
  const [edited, setEdited] = useState<Edited | null>(null)
  const [removed, setRemoved] = useState<MailTemplate | null>(null)
  return (
    <Page title={t.templates} within={common.settings} about={t.about}>
      <ListCard
        id="mail-templates"
        title={t.templates}
        add={{ label: t.newTemplate, onClick: () => setEdited('new') }}
        query={query}
        itemsOf={(all) => all}
        empty={{ icon: NotepadTextDashed, title: t.none, about: t.noneAbout }}
      >
        {(template) => (
          <Row
            key={template.id}
            icon={NotepadTextDashed}
            title={template.name}
            actions={
              <RowMenu
                label={t.actionsFor(template.name)}
                actions={[
                  { label: common.edit, icon: Pencil, onSelect: () => setEdited(template) },
                  { label: common.remove, icon: Trash2, onSelect: () => setRemoved(template) },
                ]}
              />
            }
          >
            <p className="row-notes">
              <span>{htmlToText(template.html).slice(0, 120)}</span>
            </p>
          </Row>
        )}
      </ListCard>
      {edited !== null && <TemplateDialog edited={edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        item={removed}
        onClose={() => setRemoved(null)}
        title={({ name }) => t.removeTitle(name)}
        action={common.remove}
        onConfirm={actions.remove}
      />
    </Page>
  )
}
