import { type Client, type Shape, unwrap } from '../../../api/client.ts'
import { fileUploadOptions, readUploadReport } from '../../../api/file-upload.ts'

export type Report = Shape<'ImportedData'>
export interface Progress {
  done: number
  total: number
}

/** Uploads an export. Reports progress after the archive was validated. */
export const importZip = async (
  client: Client,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<Report> =>
  readUploadReport(
    await unwrap(client.POST('/api/settings/import', fileUploadOptions(file, 'application/zip'))),
    {
      onProgress,
      lost: 'The connection was lost before the end. Reload the page to see whether everything is here.',
    },
  )
