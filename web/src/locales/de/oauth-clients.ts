// Texts of the page where the owner enters the OAuth clients of the instance.

export const providers = {
  google: 'Google',
  microsoft: 'Microsoft',
}
export const signInWith = (provider: string) => `Anmeldung mit ${provider}`
export const abouts = {
  google: 'Für Gmail, Google Workspace und Google-Kalender',
  microsoft: 'Für Outlook.com und Microsoft 365',
}
export const sources = {
  environment: 'Von der Umgebung gesetzt',
  owner: 'Eingerichtet',
  none: 'Nicht eingerichtet',
}
export const setByEnvironment = ({ provider, clientId }: { provider: string; clientId: string }) =>
  `Die Variable <code>MAIL_OAUTH_${provider.toUpperCase()}_CLIENT_ID</code> setzt den Client <code>${clientId}</code>. Ändere ihn in der Konfiguration des Servers.`
export const stepsTitle = (provider: string) => `So registrierst du einen Client bei ${provider}`
export const steps = {
  google: [
    'Erstelle ein <link>Projekt in der Google Cloud Console</link>.',
    'Aktiviere die <link>Gmail API</link>.',
    'Aktiviere für Kalender die <link>CalDAV API</link>.',
    'Richte den <link>Zustimmungsbildschirm</link> ein: den Namen der App und wer sie verwenden darf.',
    'Erstelle einen <link>OAuth-Client</link> vom Typ „Webanwendung“ mit der Weiterleitungsadresse unten.',
    'Gib seine Client-ID und sein Client-Secret unten ein.',
  ],
  microsoft: [
    'Öffne die <link>App-Registrierungen in Microsoft Entra</link> und wähle „Neue Registrierung“.',
    'Wähle „Konten in einem beliebigen Organisationsverzeichnis und persönliche Microsoft-Konten“.',
    'Wähle als Umleitungs-URI „Web“ und gib die Weiterleitungsadresse unten ein.',
    'Füge unter „API-Berechtigungen“ die delegierten Berechtigungen IMAP.AccessAsUser.All und SMTP.Send von Microsoft Graph hinzu.',
    'Erstelle unter „Zertifikate & Geheimnisse“ einen geheimen Clientschlüssel und kopiere seinen Wert.',
    'Gib die Anwendungs-ID (Client) und den Wert unten ein.',
  ],
}
export const notes = {
  google:
    'Veröffentliche die App im Zustimmungsbildschirm. Solange sie getestet wird, beendet Google jede Anmeldung nach 7 Tagen.',
  microsoft: 'Merke dir den Tag, an dem der Schlüssel abläuft. Danach funktioniert die Anmeldung nicht mehr.',
}
export const redirectAddress = 'Weiterleitungsadresse'
export const httpsRequired =
  'Google und Microsoft akzeptieren nur https-Adressen. Setze PUBLIC_URL auf die https-Adresse dieser Instanz.'
export const clientIds = {
  google: 'Client-ID',
  microsoft: 'Anwendungs-ID (Client)',
}
export const clientSecret = 'Client-Secret'
export const clientSecretHints = {
  google: 'Wird verschlüsselt gespeichert und nie wieder angezeigt',
  microsoft: 'Der Wert des Schlüssels, nicht seine ID',
}
export const newClientSecret = 'Neues Client-Secret'
export const keepSecretHint = 'Leer lassen, um das aktuelle zu behalten'
export const clientSaved = (provider: string) => `Anmeldung mit ${provider} gespeichert`
export const deleteClient = 'Client löschen'
export const deleteClientTitle = (provider: string) => `Client für ${provider} löschen?`
export const deleteClientAbout =
  'Konten mit dieser Anmeldung werden nach spätestens einer Stunde nicht mehr synchronisiert.'
export const clientDeleted = (provider: string) => `Anmeldung mit ${provider} gelöscht`
