import { type Client, type Shape, unwrap } from '../../../api/client.ts'
import { followReport, sentFile } from '../../../api/sent-file.ts'

export type Report = Shape<'ImportReport'>
export type Progress = Pick<Report, 'found' | 'created' | 'updated' | 'unchanged' | 'skippedCount'>

/** Sends a calendar file, and tells how far it has come. */
export const importFile = async (
  client: Client,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<Report> =>
  followReport(await unwrap(client.POST('/api/calendar/import', sentFile(file, 'text/calendar'))), {
    onProgress,
    lost: 'The connection was lost before the end. Send the file again: nothing is doubled.',
  })
