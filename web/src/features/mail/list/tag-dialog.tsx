import { useId } from 'react'
import * as t from '#locale/mail'
import { FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import type { SelectedEmailActions } from '../use-selected-email-actions.ts'

/** Reads the value of a `TagField`. */
export const readTag = (values: FormData): string => readText(values, 'tag').replace(/^#/, '')

/** A new tag, with the known ones as suggestions. */
export const TagField = ({ tags }: { tags: readonly string[] }) => {
  const suggestions = useId()
  return (
    <>
      <TextField name="tag" label={t.newTag} list={suggestions} maxLength={50} autoComplete="off" required />
      <datalist id={suggestions}>
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  )
}

interface TagDialogProps {
  tags: readonly string[]
  tagging: SelectedEmailActions['tagging']
}

/** The tag of the shortcut, which has no button beside it. */
export const TagDialog = ({ tags, tagging }: TagDialogProps) =>
  tagging.threads && (
    <FormDialog
      open
      onClose={tagging.close}
      title={t.addTag}
      action={t.add}
      savedAs={null}
      onSubmit={(values) => tagging.add(readTag(values))}
    >
      <TagField tags={tags} />
    </FormDialog>
  )
