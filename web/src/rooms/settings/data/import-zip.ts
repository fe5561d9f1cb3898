import { type Client, type Shape, unwrap } from '../../../api/client.ts'
import { followReport, sentFile } from '../../../api/sent-file.ts'

export type Report = Shape<'ImportedData'>
export interface Progress {
  done: number
  total: number
}

/** Sends an export. Once it is found to be in order, tells how far it has come. */
export const importZip = async (
  client: Client,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<Report> =>
  followReport(await unwrap(client.POST('/api/settings/import', sentFile(file, 'application/zip'))), {
    onProgress,
    lost: 'The connection was lost before the end. Reload the page to see whether everything is here.',
  })
