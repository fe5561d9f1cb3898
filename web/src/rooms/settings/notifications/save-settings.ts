import { useQueryClient } from '@tanstack/react-query'
import { ifMatch, type Shape, unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { notificationSettingsQuery } from '../../../api/notifications.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useEditing } from '../editing.ts'

export type Settings = Shape<'NotificationSettings'>

/** Edits one part of the settings; `said` is what the person hears when it is saved. */
export const useSettingsEditing = <C extends Shape<'NotificationSettingsChange'>>(options: {
  current: Versioned<Settings>
  part: (settings: Settings) => C
  said: string
}) => {
  const { current, part, said } = options
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  return useEditing({
    current,
    part,
    read: () => unwrapVersion(client.GET('/api/settings/notifications')),
    send: async (body: C, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/notifications', { body, headers: ifMatch(etag) }),
      )
      queries.setQueryData(notificationSettingsQuery(client).queryKey, saved)
      notify(said)
      return saved
    },
  })
}
