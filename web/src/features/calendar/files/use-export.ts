import * as t from '#locale/calendar'
import { unwrapFile } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'

/** Downloads the calendar as a file with the date in its name. */
export const useExport = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  return (today: string) =>
    attempt(async () => {
      const call = client.GET('/api/calendar/export.ics', { parseAs: 'blob' })
      saveFile(await unwrapFile(call), `factotum-${today}.ics`)
      notify(t.exported)
    })
}
