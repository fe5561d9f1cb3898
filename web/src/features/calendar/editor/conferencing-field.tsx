import * as t from '#locale/event-editor'
import { usePreferences } from '../../../api/account.ts'
import { CheckField } from '../../../ui/field.tsx'
import type { Draft } from './draft.ts'

interface ConferencingProps {
  draft: Draft
  onChange: (conferencing: boolean) => void
}

/** Adds a video call to an event without a link, if the preferences have a template for links. */
export const ConferencingField = ({ draft, onChange }: ConferencingProps) => {
  const hasTemplate = Boolean(usePreferences().data?.value.conferencingLink)
  if (!hasTemplate || draft.meetingUrl.trim() !== '') return null
  return (
    <CheckField
      checked={draft.conferencing}
      onChange={(event) => onChange(event.target.checked)}
      label={t.addVideoCall}
    />
  )
}
