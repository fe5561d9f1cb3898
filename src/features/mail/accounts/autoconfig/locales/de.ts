import type { ProviderTexts } from './en.ts'

export const de: ProviderTexts = {
  steps: {
    pasteAppPassword: 'Kopiere das neue Passwort und gib es unten ein.',
    googleTwoStep: 'Schalte in deinem Google-Konto die Bestätigung in zwei Schritten ein, falls sie aus ist.',
    googleAppPasswords: 'Öffne die App-Passwörter deines Google-Kontos.',
    googleCreate: 'Gib „Factotum“ als App-Namen ein und wähle „Erstellen“.',
    appleSignIn: 'Melde dich bei deinem Apple Account an.',
    appleAppPasswords: 'Öffne „Anmelden und Sicherheit“, dann „App-spezifische Passwörter“.',
    appleCreate: 'Erzeuge ein Passwort mit dem Namen „Factotum“.',
    fastmailSecurity: 'Öffne „Privacy & Security“ in den Einstellungen von Fastmail.',
    fastmailAppPasswords: 'Wähle „Manage app passwords and access“, dann „New app password“.',
    fastmailCreate: 'Wähle den Zugriff „Mail, Contacts & Calendars“ und erzeuge das Passwort.',
    yahooAppPasswords: 'Öffne „App-Passwörter“ in der Kontosicherheit von Yahoo.',
    yahooCreate: 'Gib „Factotum“ als App-Namen ein und wähle „Passwort generieren“.',
    gmxOpen: 'Öffne in GMX „E-Mail“, „Einstellungen“, „POP3/IMAP Abruf“.',
    gmxTurnOn: 'Schalte „POP3 und IMAP Zugriff erlauben“ ein und speichere.',
    gmxComOpen: 'Öffne in GMX „Email“, „Settings“, „POP3 & IMAP“.',
    gmxComTurnOn: 'Schalte „Send and receive emails via external program“ ein und speichere.',
    gmxPassword:
      'Gib dein Passwort ein. Bei Zwei-Faktor-Authentifizierung erstelle ein anwendungsspezifisches.',
    webDeOpen: 'Öffne in WEB.DE „E-Mail“, „Einstellungen“, „POP3/IMAP Abruf“.',
    protonInstall:
      'Installiere Proton Mail Bridge auf dem Rechner, auf dem Factotum läuft, und melde dich dort an.',
    protonPassword: 'Kopiere das Passwort, das Bridge für dein Konto anzeigt, und gib es unten ein.',
    protonCertificate:
      'Öffne in Bridge „Einstellungen“, „Erweiterte Einstellungen“, „TLS-Zertifikate exportieren“. Gib den Inhalt von „cert.pem“ unten ein.',
    zohoTurnOn: 'Schalte den IMAP-Zugriff in den Einstellungen von Zoho Mail ein.',
    zohoAppPasswords: 'Öffne „App Passwords“ in deinem Zoho-Konto und erzeuge ein Passwort.',
  },
  notes: {
    googleTwoStep: 'Google bietet App-Passwörter nur mit der Bestätigung in zwei Schritten an.',
    googleWorkspace:
      'Deine Administration muss IMAP erlauben. Manche Administrationen erlauben keine App-Passwörter.',
    microsoft:
      'Microsoft akzeptiert von E-Mail-Programmen keine Passwörter mehr. Du meldest dich bei Microsoft an.',
    apple: 'Apple bietet App-spezifische Passwörter nur mit Zwei-Faktor-Authentifizierung an.',
    proton: 'Bridge setzt einen bezahlten Proton-Tarif voraus und muss ständig laufen.',
  },
  calendarNotes: {
    google: 'Melde dich mit Google an, um auch deine Google-Kalender zu verbinden.',
    googleNotSetUp:
      'Google-Kalender setzen die Anmeldung mit Google voraus, die der Eigentümer dieser Instanz einrichten kann.',
    microsoft:
      'Kalender von Microsoft-Konten sind noch nicht verfügbar. Du kannst einen Kalender in Outlook veröffentlichen und seinen ICS-Link abonnieren.',
    proton: 'Proton-Kalender bieten kein CalDAV. Du kannst einen Kalender teilen und seinen Link abonnieren.',
  },
  remedies: {
    app_password: (name, url) =>
      `${name} akzeptiert hier nur App-Passwörter. Erstelle eines unter ${url} und gib es statt deines Passworts ein.`,
    password: (name, url) => `Prüfe beides und schalte IMAP in den Einstellungen von ${name} ein (${url}).`,
    oauth: (name) =>
      `${name} akzeptiert von E-Mail-Programmen keine Passwörter. Melde dich stattdessen mit Microsoft an.`,
  },
}
