import * as t from '#locale/calendar'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'

/** Downloads the calendar as a file with the date in its name. */
export const useExport = () => {
  const client = useClient()
  const notify = useNotify()
  return async (today: string): Promise<void> => {
    try {
      const call = client.GET('/api/calendar/export.ics', { parseAs: 'blob' })
      saveFile((await unwrap(call)) as unknown as Blob, `factotum-${today}.ics`)
      notify(t.exported)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
}
