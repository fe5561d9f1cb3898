// Texts of index.html and overlay.html, inserted when the console is built.
export const description = 'E-Mails, Aufgaben, Kalender, Buchungen und Livestream an einem Ort.'
export const loading = 'Wird geladen …'
export const needsJavaScript = 'Die Factotum-Konsole benötigt JavaScript. Die API ist dokumentiert unter'
export const overlayTitle = 'Factotum-Overlay'
export const overlayNeedsJavaScript = 'Das Overlay benötigt JavaScript.'
