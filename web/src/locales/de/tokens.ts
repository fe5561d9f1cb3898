// Texts of access tokens and private links.
import { formatNumber, plural } from '../format.ts'

export const neverUsed = 'Nie verwendet'
export const lastUsed = 'Zuletzt verwendet: <time></time>'
export const revoke = 'Widerrufen'
export const revokeTitle = (name: string) => `„${name}“ widerrufen?`
export const revokeNamed = (name: string) => `${name} widerrufen`
export const revoked = (name: string) => `„${name}“ widerrufen`
export const name = 'Name'

export const yourTokens = 'Deine Tokens'
export const accessTokens = 'Zugriffstoken'
export const accessTokensAbout =
  'Für Programme, die die <link>API</link> nutzen. Tokens können keine Einstellungen ändern.'
export const noTokens = 'Keine Zugriffstoken'
export const noTokensAbout = 'Erstelle eines für ein Skript oder ein anderes Programm.'
export const newToken = 'Neues Token'
export const newTokenTitle = 'Neues Zugriffstoken'
export const newTokenAbout = 'Für ein Programm, nur mit dem nötigen Zugriff'
export const createToken = 'Token erstellen'
export const tokenNameHint = 'Zum Beispiel „n8n auf dem NAS“'
export const scopes = 'Zugriff'
export const area = 'Bereich'
export const read = 'Lesen'
export const write = 'Schreiben'
export const readMetrics = 'Metriken dieser Instanz lesen'
export const draftEmails = 'E-Mails entwerfen'
export const areas = {
  mail: 'E-Mail',
  tasks: 'Aufgaben',
  calendar: 'Kalender',
  booking: 'Buchungen',
  ai: 'KI und Chat',
  stream: 'Stream',
  metrics: 'Metriken dieser Instanz',
  workflow: 'Abläufe',
}
/** The access of a token to an area. */
export const grants = {
  read: (label: string) => `${label}: lesen`,
  draft: (label: string) => `${label}: lesen und entwerfen`,
  write: (label: string) => `${label}: lesen und schreiben`,
}
export const readArea = (label: string) => `${label} lesen`
export const writeArea = (label: string) => `${label} schreiben`
export const sendingNotes = {
  'mail:write': 'E-Mail schreiben: sendet ohne Rückfrage. Einladungen können Termine ändern.',
  'calendar:write': 'Kalender schreiben: ändert Termine. Server können Teilnehmende benachrichtigen.',
  'mail:draft': 'E-Mails entwerfen: sendet erst nach deiner Bestätigung.',
}
export const scopesMissing = 'Wähle aus, worauf das Token zugreifen darf.'
export const selectOne = 'Wähle mindestens eines aus.'
export const expires = 'Läuft ab'
export const expiryInDays = (days: number) =>
  plural(days, { one: 'In 1 Tag', other: `In ${formatNumber(days)} Tagen` })
export const expiryInYear = 'In einem Jahr'
export const expiryOnDate = 'An einem Datum'
export const expiryNever = 'Nie'
export const expiryDate = 'Ablaufdatum'
export const neverExpires = 'Läuft nie ab'
export const expiresOn = (date: string) => `Läuft am ${date} ab`
export const expired = 'Abgelaufen'
export const expiresSoon = 'Läuft bald ab'
export const actionsFor = (token: string) => `Aktionen für ${token}`
export const rename = 'Umbenennen'
export const renameTitle = 'Token umbenennen'
export const renamed = 'Token umbenannt'
export const newSecret = 'Neues Geheimnis'
export const newSecretTitle = (token: string) => `Neues Geheimnis für „${token}“`
export const newSecretAbout = 'Das bisherige Geheimnis ist sofort ungültig.'
export const createSecret = 'Geheimnis erstellen'
export const revokeTokenAbout =
  'Programme, die dieses Token verwenden, verlieren den Zugriff. Das lässt sich nicht rückgängig machen.'
export const yourToken = 'Dein Zugriffstoken'
export const yourTokenAbout = 'Kopiere es jetzt. Es wird nur einmal angezeigt.'

export const yourPrivateLinks = 'Deine Links'
export const privateLinks = 'Private Links'
export const privateLinksAbout =
  'Links mit Lesezugriff auf deinen Kalender oder dein Stream-Overlay, für andere Programme.'
export const noPrivateLinks = 'Keine privaten Links'
export const noPrivateLinksAbout = 'Erstelle einen pro Programm, um sie einzeln zu widerrufen.'
export const newPrivateLink = 'Neuer privater Link'
export const createPrivateLink = 'Link erstellen'
export const privateLinkNameHint = 'Zum Beispiel „Kalender auf dem Telefon“'
export const content = 'Inhalt'
export const purposes = {
  calendar: 'Kalender',
  overlay: 'Stream-Overlay',
}
export const revokeLinkAbout =
  'Programme, die diesen Link verwenden, verlieren den Zugriff. Das lässt sich nicht rückgängig machen.'
export const yourPrivateLink = 'Dein privater Link'
export const yourPrivateLinkAbout =
  'Wer diesen Link hat, kann den Inhalt lesen. Kopiere ihn jetzt: Er wird nur einmal angezeigt.'
