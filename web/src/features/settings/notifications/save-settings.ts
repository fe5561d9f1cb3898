import { useQueryClient } from '@tanstack/react-query'
import { ifMatch, type Shape, unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { notificationSettingsQuery } from '../../../api/notifications.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useVersionedForm } from '../use-versioned-form.ts'

export type Settings = Shape<'NotificationSettings'>

/** Edits one part of the notification settings. Shows `toastText` after saving. */
export const useSettingsForm = <C extends Shape<'NotificationSettingsChange'>>(options: {
  current: Versioned<Settings>
  part: (settings: Settings) => C
  toastText: string
}) => {
  const { current, part, toastText } = options
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  return useVersionedForm({
    current,
    part,
    read: () => unwrapVersion(client.GET('/api/settings/notifications')),
    send: async (body: C, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/notifications', { body, headers: ifMatch(etag) }),
      )
      queries.setQueryData(notificationSettingsQuery(client).queryKey, saved)
      notify(toastText)
      return saved
    },
  })
}
