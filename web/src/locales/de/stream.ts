import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

export const stream = 'Stream'
export const streamHelp = 'Untertitel, Ziele und Overlay für deinen Stream'

export const broadcast = 'Livestream'
export const live = 'Live'
export const offline = 'Offline'
export const liveSince = ({ time, viewers }: { time: string; viewers: number }) =>
  plural(viewers, {
    one: `Live seit <time>${time}</time>, 1 Zuschauer`,
    other: `Live seit <time>${time}</time>, ${formatNumber(viewers)} Zuschauer`,
  })
export const offlineHelp = 'Jetzt gesendete Untertitel zählen als Probe'
export const titleAndScene = 'Titel und Szene'
export const title = 'Titel'
export const scene = 'Szene'
export const goLive = 'Live gehen'
export const endStream = 'Stream beenden'
export const hideOverlay = 'Overlay ausblenden'
export const showOverlay = 'Overlay einblenden'
export const overlayIsHidden =
  'Das Overlay ist ausgeblendet. Neue Untertitel werden gespeichert, aber nicht angezeigt.'
export const youAreLive = 'Du bist live'
export const streamEnded = 'Stream beendet'
export const overlayHidden = 'Overlay ausgeblendet'
export const overlayVisible = 'Overlay eingeblendet'
export const titleAndSceneSaved = 'Titel und Szene gespeichert'

export const captions = 'Untertitel'
export const captionsHelp = 'Neueste zuerst'
export const newCaption = 'Neuer Untertitel'
export const caption = 'Untertitel'
export const send = 'Senden'
export const captionLanguage = 'Sprache'
export const defaultLanguage = 'Standard'
export const noCaptions = 'Noch keine Untertitel'
export const noCaptionsHelp = 'Gib oben einen ein oder nutze die API.'
export const edited = 'Bearbeitet'
export const editNamed = (text: string) => `„${text}“ bearbeiten`
export const deleteNamed = (text: string) => `„${text}“ löschen`
export const editCaption = 'Untertitel bearbeiten'
export const editCaptionHelp = 'Ändert auch das Overlay'
export const text = 'Text'
export const speaker = 'Sprecher'
export const captionDeleted = 'Untertitel gelöscht'

export const pastStreams = 'Frühere Streams'
export const pastStreamsHelp = 'Untertitel als WebVTT oder SRT herunterladen'
export const noPastStreams = 'Keine früheren Streams'
export const noPastStreamsHelp = 'Beendete Streams erscheinen hier.'
export const rehearsal = 'Probe'
export const untitled = 'Ohne Titel'
export const captionCount = ({ count, language }: { count: number; language: string }) =>
  plural(count, {
    one: `1 Untertitel auf ${language}`,
    other: `${formatNumber(count)} Untertitel auf ${language}`,
  })
export const downloadCaptions = ({ language, format }: { language: string; format: string }) =>
  `Untertitel auf ${language} (.${format})`
export const moreFor = (name: string) => `Mehr zu ${name}`
export const deleted = (name: string) => `„${name}“ gelöscht`
export const restored = (name: string) => `„${name}“ wiederhergestellt`

export const overlay = 'Overlay'
export const overlayHelp = 'Als Browserquelle verwenden, zum Beispiel in OBS'
export const overlayPreview = 'Vorschau des Overlays'
export const privateLinkHelp = 'Wenn eine Anmeldung nötig ist, verwende einen privaten Link.'
export const createPrivateLink = 'Privaten Link erstellen'
export const privateLink = 'Privater Link zum Overlay'
export const privateLinkWarning =
  'Kopiere den Link jetzt. Er wird nur einmal angezeigt. Wer den Link hat, kann das Overlay sehen. Du kannst ihn unter Einstellungen, Private Links löschen.'

export const goals = 'Ziele'
export const goalsHelp = 'Erscheinen mit ihrem Fortschritt im Overlay'
export const newGoal = 'Neues Ziel'
export const editGoal = 'Ziel bearbeiten'
export const addGoal = 'Ziel hinzufügen'
export const noGoals = 'Noch keine Ziele'
export const noGoalsHelp = 'Füge ein Ziel hinzu und verfolge deinen Fortschritt.'
export const target = 'Zielwert'
export const unit = 'Einheit'
export const unitExample = 'Zum Beispiel Follower'
export const source = 'Quelle'
export const sources = {
  manual: 'Manuell',
  tasks_completed: 'Erledigte Aufgaben',
  bookings: 'Buchungen',
  emails_received: 'Empfangene E-Mails',
} satisfies Record<Shape<'Milestone'>['source'], string>
export const reached = 'Erreicht'
export const progress = ({
  current,
  target: wanted,
  unit: of,
}: {
  current: number
  target: number
  unit: string
}) => `${formatNumber(current)} von ${formatNumber(wanted)} ${of}`
export const addTo = (name: string) => `Zu ${name} hinzufügen`
export const amount = 'Wert'
export const amountFor = (name: string) => `Wert für ${name}`
export const add = 'Hinzufügen'

export const streamKeys = 'Stream-Schlüssel'
export const streamKeysHelp = 'Verschlüsselt gespeichert und nie wieder angezeigt'
export const addKey = 'Schlüssel hinzufügen'
export const addStreamKey = 'Stream-Schlüssel hinzufügen'
export const addStreamKeyHelp = 'Ersetzt den vorhandenen Schlüssel der Plattform'
export const noKeys = 'Keine Stream-Schlüssel'
export const noKeysHelp = 'Speichere hier den Schlüssel jeder Plattform.'
export const savedAt = (time: string) => `Gespeichert: <time>${time}</time>`
export const platform = 'Plattform'
export const platformExample = 'Zum Beispiel twitch oder youtube'
export const streamKey = 'Stream-Schlüssel'
export const serverUrl = 'Server-URL'
export const serverUrlExample = 'Optional, zum Beispiel rtmps://live.example.com'
export const deleteKey = (name: string) => `Schlüssel für ${name} löschen`
export const confirmDeleteKey = (name: string) => `Schlüssel für ${name} löschen?`
export const cannotBeUndone = 'Das lässt sich nicht rückgängig machen.'
