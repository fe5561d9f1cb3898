import { formatNumber } from '../format.ts'

export const attachments = 'Attachments'
export const download = ({ filename, size }: { filename: string; size: string }) =>
  `Download ${filename}, ${size}`
export const preview = (filename: string) => `Preview ${filename}`
export const downloadAll = 'Download all'
export const downloadFile = 'Download'
export const previous = 'Previous attachment'
export const next = 'Next attachment'
export const position = ({ index, count }: { index: number; count: number }) =>
  `${formatNumber(index)} of ${formatNumber(count)}`
export const loading = 'Loading preview…'
export const noPreview = 'No preview is available for this file. Download it to open it.'
export const noPdfViewer = 'This browser cannot display PDF files. Download the file to open it.'
export const damagedImage = 'The image cannot be displayed. Download the file to open it.'
export const truncated = 'Only the beginning is displayed. Download the file to see everything.'
export const from = 'From'
export const to = 'To'
export const date = 'Date'
export const files = 'Attachments'
export const noSubject = 'No subject'
export const untitled = 'Untitled event'
