import { useAccountChanged } from '../../../api/account.ts'
import { ifMatch, type Shape, unwrapVersion } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { type EditedPart, useVersionedForm } from '../../../ui/versioned-form.tsx'

export type Preferences = Shape<'Preferences'>

/** Edits one part of the preferences. */
export const usePreferencesForm = <C extends Shape<'PreferencesChange'>>(
  part: EditedPart<Preferences, C>,
) => {
  const client = useClient()
  const changed = useAccountChanged()
  return useVersionedForm({
    ...part,
    read: () => unwrapVersion(client.GET('/api/settings/preferences')),
    send: async (body: C, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/preferences', { body, headers: ifMatch(etag) }),
      )
      await changed()
      return saved
    },
  })
}
