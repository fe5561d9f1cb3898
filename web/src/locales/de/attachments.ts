import { formatNumber } from '../format.ts'

export const attachments = 'Anhänge'
export const download = ({ filename, size }: { filename: string; size: string }) =>
  `${filename} herunterladen, ${size}`
export const preview = (filename: string) => `Vorschau von ${filename}`
export const downloadAll = 'Alle herunterladen'
export const downloadFile = 'Herunterladen'
export const previous = 'Vorheriger Anhang'
export const next = 'Nächster Anhang'
export const position = ({ index, count }: { index: number; count: number }) =>
  `${formatNumber(index)} von ${formatNumber(count)}`
export const loading = 'Vorschau wird geladen…'
export const noPreview = 'Für diese Datei gibt es keine Vorschau. Lade sie herunter, um sie zu öffnen.'
export const noPdfViewer =
  'Dieser Browser kann keine PDF-Dateien anzeigen. Lade die Datei herunter, um sie zu öffnen.'
export const damagedImage = 'Das Bild kann nicht angezeigt werden. Lade die Datei herunter, um sie zu öffnen.'
export const truncated = 'Nur der Anfang wird angezeigt. Lade die Datei herunter, um alles zu sehen.'
export const from = 'Von'
export const to = 'An'
export const date = 'Datum'
export const files = 'Anhänge'
export const noSubject = 'Kein Betreff'
export const untitled = 'Termin ohne Titel'
