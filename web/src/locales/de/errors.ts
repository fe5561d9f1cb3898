// Texts of API errors, loaded with the first error.

/** Texts by error code. The server's own text is English. */
export const codes: Readonly<Record<string, string>> = {
  validation_failed: 'Einige Angaben sind ungültig. Prüfe sie und versuche es erneut.',
  page_unavailable: 'Die Seite konnte nicht geladen werden. Prüfe die Adresse im Browser.',
  unreadable_calendar:
    'Die Kalenderdatei konnte nicht gelesen werden. Exportiere sie erneut oder teile sie in kleinere Dateien auf.',
  unreadable_captions: 'Die Untertiteldatei konnte nicht gelesen werden. Teile sie in kleinere Dateien auf.',
  unreadable_file: 'Die Datei konnte nicht gelesen werden. Teile sie in kleinere Dateien auf.',
  unreadable_message: 'Die E-Mail konnte nicht gelesen werden. Prüfe, ob die Datei eine E-Mail enthält.',
  too_many_emails:
    'Diese Unterhaltungen enthalten zu viele E-Mails auf einmal. Wähle weniger Unterhaltungen aus.',
  time_taken:
    'Ein Block überschneidet sich mit einem Termin oder einem anderen Block. Verschiebe ihn oder wähle ihn ab.',
  unauthorized: 'Deine Sitzung ist abgelaufen. Melde dich erneut an.',
  invalid_credentials: 'E-Mail oder Passwort ist falsch.',
  two_factor_required: 'Für dieses Konto ist ein zweiter Faktor nötig. Gib den Code deiner App ein.',
  invalid_two_factor_code: 'Der Code ist falsch oder abgelaufen. Warte auf den nächsten Code.',
  invalid_refresh_token: 'Deine Sitzung ist abgelaufen. Melde dich erneut an.',
  refresh_token_reused:
    'Diese Sitzung wurde aus Sicherheitsgründen beendet. Melde dich erneut an und prüfe die letzten Aktivitäten.',
  invalid_reset_token: 'Der Link ist abgelaufen oder wurde schon verwendet. Fordere einen neuen an.',
  forbidden: 'Dafür fehlt dir die Berechtigung.',
  origin_not_allowed:
    'Anfragen von dieser Seite sind nicht erlaubt. Öffne Factotum unter seiner eigenen Adresse.',
  host_not_allowed: 'Factotum ist unter dieser Adresse nicht eingerichtet. Verwende seine eigene Adresse.',
  https_required: 'Diese Verbindung würde das Passwort verraten. Apps anderer Geräte brauchen HTTPS.',
  reset_other_browser: 'Öffne den Link in dem Browser, in dem du ihn angefordert hast.',
  account_disabled: 'Dieses Konto ist gesperrt. Wende dich an den Eigentümer dieser Instanz.',
  registration_closed: 'Für ein Konto brauchst du eine gültige Einladung.',
  insufficient_scope: 'Dem Zugriffstoken fehlt die Berechtigung dafür.',
  not_found: 'Dieser Eintrag existiert nicht oder wurde gelöscht.',
  method_not_allowed: 'Diese Aktion ist hier nicht möglich.',
  conflict: 'Das steht im Widerspruch zum aktuellen Stand. Lade die Seite neu und versuche es erneut.',
  folder_exists: 'Dort gibt es schon einen Ordner mit diesem Namen.',
  folder_not_empty: 'Der Ordner enthält noch E-Mails oder andere Ordner.',
  email_taken: 'Ein anderes Konto verwendet diese E-Mail-Adresse.',
  not_configured: 'Dafür muss zuerst ein Dienst eingerichtet werden.',
  meeting_refused: 'Diese Einladung kann nicht übernommen oder beantwortet werden.',
  reset_mail_not_seen:
    'Die E-Mail mit dem Link wurde noch nicht synchronisiert. Warte einen Moment und versuche es erneut.',
  system_mail: 'Diese E-Mail stammt von Factotum selbst und wird nicht gespeichert.',
  idempotency_mismatch: 'Diese Anfrage wurde schon mit anderen Angaben gesendet. Lade die Seite neu.',
  payment_refused: 'Die Zahlung wurde abgelehnt. Verwende eine andere Zahlungsart oder frage deine Bank.',
  precondition_failed: 'Der Eintrag wurde inzwischen geändert. Lade ihn neu und versuche es erneut.',
  too_large: 'Die Daten sind zu groß. Sende weniger auf einmal.',
  storage_full:
    'Dein Speicher ist voll. Lösche E-Mails oder bitte den Eigentümer dieser Instanz um mehr Speicher.',
  unsupported_media_type: 'Dieses Dateiformat wird nicht unterstützt.',
  rate_limited: 'Zu viele Versuche. Warte einen Moment und versuche es dann erneut.',
  spending_limit: 'Das Tageslimit für Sprachmodelle ist erreicht. Versuche es morgen erneut.',
  internal: 'Auf dem Server ist ein Fehler aufgetreten. Versuche es später erneut.',
  upstream_failed: 'Ein anderer Dienst hat die Anfrage abgelehnt. Prüfe die Einstellungen und Zugangsdaten.',
  unavailable: 'Factotum ist gerade nicht verfügbar. Versuche es gleich noch einmal.',
  storage_unavailable:
    'Der Speicher für E-Mails und Anhänge antwortet gerade nicht. Versuche es später erneut.',
  upstream_timeout: 'Ein anderer Dienst hat nicht rechtzeitig geantwortet. Versuche es später erneut.',
}

type Describe = (label: string, limit: string) => string

/** The validation messages of the server that a form can cause. The first group is a limit. */
const FIELD_ERRORS: readonly (readonly [RegExp, Describe])[] = [
  [/^(?:is required|must not be empty|is missing)/, (label) => `Bitte „${label}“ ausfüllen.`],
  [
    /^must have (\d+) characters? or more/,
    (label, limit) => `„${label}“ braucht mindestens ${limit} Zeichen.`,
  ],
  [
    /^must have (\d+) characters? or fewer/,
    (label, limit) => `„${label}“ darf höchstens ${limit} Zeichen haben.`,
  ],
  [/^must have (\d+) items? or more/, (label, limit) => `„${label}“ braucht mindestens ${limit} Einträge.`],
  [
    /^must have (\d+) items? or fewer/,
    (label, limit) => `„${label}“ darf höchstens ${limit} Einträge haben.`,
  ],
  [/^must be >= ?(\S+)/, (label, limit) => `„${label}“ muss mindestens ${limit} sein.`],
  [/^must be <= ?(\S+)/, (label, limit) => `„${label}“ darf höchstens ${limit} sein.`],
  [/most common passwords/, () => 'Dieses Passwort ist zu häufig. Wähle ein anderes.'],
  [
    /^must differ from the current password/,
    () => 'Das neue Passwort muss sich vom aktuellen unterscheiden.',
  ],
  [
    /overlaps other working hours/,
    (label) => `„${label}“ überschneidet sich mit anderen Arbeitszeiten dieses Tages.`,
  ],
  [/after (?:the )?start|before the start/, (label) => `„${label}“ muss nach dem Beginn liegen.`],
  [/in the future/, (label) => `„${label}“ muss in der Zukunft liegen.`],
  [/https?:?\/?\/?|URL/, (label) => `„${label}“ muss eine Webadresse wie https://example.org sein.`],
  [/^is your own address/, () => 'Das ist deine eigene Adresse.'],
  [/email|address/, (label) => `„${label}“ muss eine E-Mail-Adresse wie ana@example.org sein.`],
  [/time zone/, (label) => `„${label}“ muss eine Zeitzone wie Europe/Berlin sein.`],
  [/entered again/, (label) => `Bitte „${label}“ erneut eingeben.`],
  [/integer|number/, (label) => `„${label}“ muss eine Zahl sein.`],
]

export const fieldError = ({ label, message }: { label: string; message: string }) => {
  for (const [pattern, describe] of FIELD_ERRORS) {
    const found = pattern.exec(message)
    if (found) return describe(label, found[1] ?? '')
  }
  return `„${label}“ ist ungültig.`
}
