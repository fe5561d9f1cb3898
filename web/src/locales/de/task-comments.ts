export const comments = 'Kommentare'
export const writeComment = 'Kommentar schreiben'
export const addComment = 'Kommentieren'
export const commentActions = (author: string) => `Aktionen für den Kommentar von ${author}`
export const editComment = 'Kommentar bearbeiten'
export const edited = 'bearbeitet'
export const commentDeleted = 'Kommentar gelöscht'
export const commentRestored = 'Kommentar wiederhergestellt'
