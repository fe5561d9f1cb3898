import { type Client, type Shape, unwrap } from '../../../api/client.ts'
import { fileUploadOptions, readUploadReport } from '../../../api/file-upload.ts'

export type Report = Shape<'ImportReport'>
export type Progress = Pick<Report, 'found' | 'created' | 'updated' | 'unchanged' | 'skippedCount'>

/** Uploads a calendar file and reports the progress. */
export const importFile = async (
  client: Client,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<Report> =>
  readUploadReport(
    await unwrap(client.POST('/api/calendar/import', fileUploadOptions(file, 'text/calendar'))),
    {
      onProgress,
      lost: 'The connection was lost before the end. Send the file again: nothing is doubled.',
    },
  )
