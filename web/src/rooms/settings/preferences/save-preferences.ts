import { useAccountChanged } from '../../../api/account.ts'
import { ifMatch, type Shape, unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useEditing } from '../editing.ts'

export type Preferences = Shape<'Preferences'>

/** Edits one part of the preferences; `said` is what the person hears when it is saved. */
export const usePreferencesEditing = <C extends Shape<'PreferencesChange'>>(options: {
  current: Versioned<Preferences>
  part: (preferences: Preferences) => C
  said: string
}) => {
  const { current, part, said } = options
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  return useEditing({
    current,
    part,
    read: () => unwrapVersion(client.GET('/api/settings/preferences')),
    send: async (body: C, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/preferences', { body, headers: ifMatch(etag) }),
      )
      await changed()
      notify(said)
      return saved
    },
  })
}
