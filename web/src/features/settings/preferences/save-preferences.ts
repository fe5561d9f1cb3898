import { useAccountChanged } from '../../../api/account.ts'
import { ifMatch, type Shape, unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useVersionedForm } from '../use-versioned-form.ts'

export type Preferences = Shape<'Preferences'>

/** Edits one part of the preferences. Shows `toastText` after saving. */
export const usePreferencesForm = <C extends Shape<'PreferencesChange'>>(options: {
  current: Versioned<Preferences>
  part: (preferences: Preferences) => C
  toastText: string
}) => {
  const { current, part, toastText } = options
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  return useVersionedForm({
    current,
    part,
    read: () => unwrapVersion(client.GET('/api/settings/preferences')),
    send: async (body: C, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/preferences', { body, headers: ifMatch(etag) }),
      )
      await changed()
      notify(toastText)
      return saved
    },
  })
}
