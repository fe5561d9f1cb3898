import { useQueryClient } from '@tanstack/react-query'
import { ifMatch, type Shape, unwrapVersion } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { notificationSettingsQuery } from '../../../api/notifications.ts'
import { type EditedPart, useVersionedForm } from '../../../ui/versioned-form.tsx'

export type Settings = Shape<'NotificationSettings'>

/** Edits one part of the notification settings. */
export const useSettingsForm = <C extends Shape<'NotificationSettingsChange'>>(
  part: EditedPart<Settings, C>,
) => {
  const client = useClient()
  const queries = useQueryClient()
  return useVersionedForm({
    ...part,
    read: () => unwrapVersion(client.GET('/api/settings/notifications')),
    send: async (body: C, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/notifications', { body, headers: ifMatch(etag) }),
      )
      queries.setQueryData(notificationSettingsQuery(client).queryKey, saved)
      return saved
    },
  })
}
