import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/task-trees'
import type { Shape } from '../../api/client.ts'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useRefetch } from '../../api/use-refetch.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { FormPopover } from '../../ui/popover.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useItemDialog } from '../../ui/use-item-dialog.ts'
import type { Section } from './tree.ts'

const NONE: readonly Section[] = []
const keyOf = (listId: number | null) => ['task-sections', listId] as const

/** The sections of a list in their order. Null for no list. */
export const useSections = (listId: number | null): readonly Section[] => {
  const client = useClient()
  const query = useQuery({
    queryKey: keyOf(listId),
    queryFn: () =>
      unwrap(client.GET('/api/task-lists/{id}/sections', { params: { path: { id: listId ?? 0 } } })),
    enabled: listId !== null,
  })
  return query.data?.sections ?? NONE
}

const useSectionActions = (listId: number) => {
  const client = useClient()
  const refetch = useRefetch(keyOf(listId), ['tasks'])
  const path = ({ id }: Section) => ({ params: { path: { id: listId, sectionId: id } } })
  return {
    add: (name: string) =>
      unwrap(
        client.POST('/api/task-lists/{id}/sections', { params: { path: { id: listId } }, body: { name } }),
      ).then(refetch),
    change: (section: Section, body: Shape<'TaskSectionChange'>) =>
      unwrap(client.PATCH('/api/task-lists/{id}/sections/{sectionId}', { ...path(section), body })).then(
        refetch,
      ),
    remove: (section: Section) =>
      unwrap(client.DELETE('/api/task-lists/{id}/sections/{sectionId}', path(section))).then(refetch),
  }
}

const NameField = ({ defaultValue }: { defaultValue?: string | undefined }) => (
  <TextField
    name="name"
    label={t.sectionName}
    defaultValue={defaultValue}
    maxLength={100}
    autoComplete="off"
    required
  />
)

export const AddSection = ({ listId }: { listId: number }) => {
  const attempt = useAttempt()
  const { add } = useSectionActions(listId)
  return (
    <FormPopover
      trigger={
        <Button kind="quiet" size="small">
          <Plus size={16} aria-hidden="true" />
          {t.addSection}
        </Button>
      }
      title={t.addSection}
      action={t.addSection}
      onSubmit={(values) => void attempt(() => add(readText(values, 'name')))}
    >
      <NameField />
    </FormPopover>
  )
}

interface SectionMenuProps {
  section: Section
  sections: readonly Section[]
}

/** Renames, moves and deletes a section. */
export const SectionMenu = ({ section, sections }: SectionMenuProps) => {
  const attempt = useAttempt()
  const { change, remove } = useSectionActions(section.listId)
  const { open, close, itemOf } = useItemDialog<Section, 'rename' | 'delete'>()
  const index = sections.findIndex(({ id }) => id === section.id)
  const moveAfter = (after: Section | undefined) =>
    void attempt(() => change(section, { afterId: after?.id ?? null }))
  return (
    <>
      <RowMenu
        label={t.sectionActions(section.name)}
        actions={[
          { label: t.rename, icon: Pencil, onSelect: () => open('rename', section) },
          ...(index > 0
            ? [{ label: t.moveUp, icon: ArrowUp, onSelect: () => moveAfter(sections[index - 2]) }]
            : []),
          ...(index < sections.length - 1
            ? [{ label: t.moveDown, icon: ArrowDown, onSelect: () => moveAfter(sections[index + 1]) }]
            : []),
          { label: common.remove, icon: Trash2, onSelect: () => open('delete', section) },
        ]}
      />
      <FormDialog
        open={itemOf('rename') !== null}
        onClose={close}
        title={t.renameSection}
        savedAs={`task-section ${section.id}`}
        onSubmit={async (values) => {
          await change(section, { name: readText(values, 'name') })
          close()
        }}
      >
        <NameField defaultValue={section.name} />
      </FormDialog>
      <ConfirmDialog
        item={itemOf('delete')}
        onClose={close}
        title={({ name }) => t.deleteSection(name)}
        about={() => t.deleteSectionHelp}
        action={common.remove}
        onConfirm={remove}
      />
    </>
  )
}
