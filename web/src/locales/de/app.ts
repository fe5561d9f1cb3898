// Texts of the first download: they can appear before any page has loaded.

export const pageFailed = 'Diese Seite konnte nicht angezeigt werden'
export const pageFailedHelp =
  'Factotum wurde vielleicht aktualisiert. Lade die Seite neu, um die aktuelle Version zu erhalten.'
export const reload = 'Neu laden'
export const signIn = 'Anmelden'
export const dismiss = 'Schließen'
export const unreachable = 'Factotum ist nicht erreichbar. Prüfe deine Verbindung.'
export const sessionEnded = 'Deine Sitzung ist abgelaufen. Melde dich erneut an.'
export const unexpectedStatus = (status: number) =>
  `Der Server hat mit Status ${status} geantwortet. Versuche es später erneut.`
export const unexpectedError =
  'Auf dieser Seite ist ein Fehler aufgetreten. Lade sie neu und versuche es noch einmal.'
export const waitMinute = 'Zu viele Versuche. Versuche es in einer Minute erneut.'
/** For two minutes or more. */
export const waitMinutes = (minutes: number) => `Zu viele Versuche. Versuche es in ${minutes} Minuten erneut.`
