// Texts of the settings overview, its search and its navigation.
import { formatNumber, plural } from '../format.ts'

export const allSettings = 'Alle Einstellungen'
export const searchSettings = 'Einstellungen durchsuchen'
export const noResults = (query: string) =>
  `Keine Einstellung passt zu „${query}“. Versuche es mit einem anderen Wort.`
export const resultsFound = (count: number) =>
  plural(count, { one: '1 Ergebnis', other: `${formatNumber(count)} Ergebnisse` })

export const groups = {
  account: 'Konto',
  mail: 'E-Mail',
  calendar: 'Kalender',
  assistant: 'Assistent',
  notifications: 'Benachrichtigungen',
  automation: 'Automatisierung',
  instance: 'Instanz',
}

/**
 * The sections by their path below /settings, and their cards by the anchor in the page. The search finds a card by
 * its label and by its keywords, which are separated by spaces.
 */
export const sections = {
  profile: {
    label: 'Profil',
    about: 'Name, Bild und E-Mail-Adresse',
    cards: {
      name: { label: 'Name', keywords: 'umbenennen anzeigename' },
      picture: { label: 'Bild', keywords: 'avatar foto profilbild hochladen' },
      email: { label: 'E-Mail-Adresse', keywords: 'email mail anmeldung login ändern' },
    },
  },
  preferences: {
    label: 'Allgemein',
    about: 'Sprache, Zeitzone und Arbeitszeiten',
    cards: {
      dates: {
        label: 'Sprache und Zeit',
        keywords:
          'region format datum zahlen uhrzeit zeitzone zone woche wochenbeginn montag sonntag deutsch englisch english language time',
      },
      hours: { label: 'Arbeitszeiten', keywords: 'arbeit zeitplan verfügbarkeit wochentag büro zeiten' },
      calls: { label: 'Videoanrufe', keywords: 'konferenz besprechung link zoom jitsi meet teams video' },
    },
  },
  security: {
    label: 'Sicherheit',
    about: 'Passwort, Zwei-Faktor-Authentifizierung und Sitzungen',
    cards: {
      password: { label: 'Passwort', keywords: 'ändern kennwort anmeldung login password' },
      'two-factor': {
        label: 'Zwei-Faktor-Authentifizierung',
        keywords: '2fa totp authenticator app backup-codes qr mfa zweistufig faktor zweiter',
      },
      sessions: { label: 'Sitzungen', keywords: 'geräte angemeldet abmelden browser sessions' },
      activity: { label: 'Aktivitäten', keywords: 'verlauf protokoll log audit ereignisse' },
    },
  },
  sharing: {
    label: 'Freigaben',
    about: 'Kalender und Aufgabenlisten anderer Personen',
    cards: {
      offers: {
        label: 'Angebote',
        keywords: 'freigabe teilen geteilt annehmen ablehnen kalender aufgabenliste einladung sharing',
      },
      shared: {
        label: 'Für dich freigegeben',
        keywords: 'verlassen freigabe geteilt zugriff kalender aufgabenliste team familie sharing',
      },
    },
  },
  data: {
    label: 'Deine Daten',
    about: 'Export, Import und Löschen des Kontos',
    cards: {
      export: { label: 'Export', keywords: 'herunterladen zip sicherung exportieren backup' },
      import: { label: 'Import', keywords: 'hochladen zip wiederherstellen umziehen importieren' },
      sample: { label: 'Beispieldaten', keywords: 'demo beispiel entfernen löschen' },
      account: { label: 'Konto löschen', keywords: 'entfernen schließen alles vernichten delete' },
    },
  },
  imports: {
    label: 'Importieren',
    about: 'E-Mails, Kontakte, Termine und Aufgaben anderer Programme',
    cards: {
      file: {
        label: 'Datei importieren',
        keywords:
          'mbox maildir takeout google outlook csv ics vcard vcf todoist ticktick vikunja umziehen wechseln thunderbird',
      },
      imports: { label: 'Importe', keywords: 'bericht fortschritt rückgängig verlauf' },
    },
  },
  usage: {
    label: 'Nutzung',
    about: 'KI-Kosten, Speicher und Budgets',
    cards: {
      storage: { label: 'Speicher', keywords: 'quota kontingent limit speicherplatz gigabyte voll' },
      usage: { label: 'Nutzung', keywords: 'kosten tokens anfragen speicherplatz bytes statistik verbrauch' },
      budgets: { label: 'Budgets', keywords: 'limit grenze warnung monat ausgaben' },
    },
  },
  billing: {
    label: 'Abrechnung',
    about: 'Tarif, Nutzung, Budgets und Rechnungen',
    cards: {
      plan: { label: 'Tarif', keywords: 'abonnement kündigen stripe upgrade zahlung karte plan' },
      storage: { label: 'Speicher', keywords: 'quota kontingent limit speicherplatz gigabyte voll' },
      usage: { label: 'Nutzung', keywords: 'kosten tokens anfragen speicherplatz bytes statistik verbrauch' },
      budgets: { label: 'Budgets', keywords: 'limit grenze warnung monat ausgaben' },
      invoices: { label: 'Rechnungen', keywords: 'quittung beleg pdf herunterladen steuer' },
      'billing-details': { label: 'Rechnungsangaben', keywords: 'adresse anschrift ust-id firma name' },
    },
  },
  'mail-accounts': {
    label: 'E-Mail-Konten',
    about: 'Postfächer zum Lesen und Senden',
    cards: {
      'mail-accounts': {
        label: 'E-Mail-Konten',
        keywords:
          'email mail imap smtp postfach server google gmail microsoft outlook synchronisieren passwort konto signatur alias absender',
      },
      images: {
        label: 'Externe Bilder',
        keywords: 'bilder tracking zählpixel datenschutz blockieren laden absender',
      },
    },
  },
  'mail-templates': {
    label: 'Vorlagen',
    about: 'Texte zum Einfügen in neue E-Mails',
    cards: {
      'mail-templates': { label: 'Vorlagen', keywords: 'mail email textbaustein baustein antwort text' },
    },
  },
  apps: {
    label: 'Apps auf Telefon und Computer',
    about: 'Kalender, Aufgaben und Kontakte in anderen Apps',
    cards: {
      'app-passwords': {
        label: 'App-Passwörter',
        keywords: 'caldav carddav iphone ios android davx5 thunderbird evolution telefon handy widerrufen',
      },
      'app-setup': {
        label: 'App verbinden',
        keywords:
          'caldav carddav serveradresse benutzername iphone ios mac android davx5 thunderbird evolution',
      },
    },
  },
  'calendar-accounts': {
    label: 'Kalenderkonten',
    about: 'Kalender anderer Dienste',
    cards: {
      'calendar-accounts': {
        label: 'Kalenderkonten',
        keywords:
          'caldav ics ical webcal abonnieren abonnement nextcloud icloud google feiertage server synchronisieren konto',
      },
    },
  },
  bookings: {
    label: 'Buchungen',
    about: 'Buchungsanbieter, Abgleich und Terminarten',
    cards: {
      'booking-provider': {
        label: 'Buchungsanbieter',
        keywords: 'cal.com calendly api schlüssel termin anbieter',
      },
      'booking-sync': {
        label: 'Abgleich der Buchungen',
        keywords: 'synchronisieren aktualisieren abrufen jetzt',
      },
      'booking-webhook': { label: 'Webhooks des Anbieters', keywords: 'adresse geheimnis signatur' },
      'booking-event-types': { label: 'Terminarten', keywords: 'buchung arten links event-typen' },
      'booking-drift': { label: 'Buchungen vergleichen', keywords: 'abweichung fehlend geändert prüfen' },
    },
  },
  ai: {
    label: 'KI',
    about: 'Modell, Anbieterschlüssel und Ausgaben',
    cards: {
      model: { label: 'Modell', keywords: 'ki ai llm gpt claude gemini ollama llama assistent' },
      keys: {
        label: 'Anbieterschlüssel',
        keywords: 'api schlüssel key openai anthropic google geheimnis prüfen lokal ollama vllm',
      },
      spending: { label: 'Ausgaben', keywords: 'kosten dollar nutzung tokens limit preis' },
    },
  },
  notifications: {
    label: 'Benachrichtigungen',
    about: 'Arten, Kanäle, Ruhezeiten und Zusammenfassung',
    cards: {
      kinds: {
        label: 'Arten von Benachrichtigungen',
        keywords: 'benachrichtigen hinweis erinnerung email e-mail webhook kanal',
      },
      'quiet-hours': { label: 'Ruhezeiten', keywords: 'nicht stören nacht stille stumm' },
      digest: { label: 'Zusammenfassung', keywords: 'digest täglich wöchentlich email e-mail' },
    },
  },
  tokens: {
    label: 'Zugriffstoken',
    about: 'API-Zugriff für deine Programme',
    cards: {
      tokens: { label: 'Zugriffstoken', keywords: 'api schlüssel token rechte geheimnis programm skript' },
    },
  },
  'feed-tokens': {
    label: 'Private Links',
    about: 'Leselinks für Kalender und Overlays',
    cards: {
      'feed-tokens': {
        label: 'Private Links',
        keywords: 'feed token kalender abonnieren overlay schreibgeschützt adresse',
      },
    },
  },
  webhooks: {
    label: 'Webhooks',
    about: 'HTTP-Aufrufe an deine anderen Programme',
    cards: {
      webhooks: {
        label: 'Webhooks',
        keywords: 'ereignisse endpunkt url signatur geheimnis zustellung n8n zapier',
      },
    },
  },
  instance: {
    label: 'Status',
    about: 'Version, Datenbank, Speicher und Zustand',
    cards: {
      status: {
        label: 'Serverstatus',
        keywords: 'version laufzeit zustand datenbank sqlite postgres speicher',
      },
      services: { label: 'Dienste', keywords: 'ki ai anbieter jobs fehlgeschlagen warteschlange' },
      diagnostics: { label: 'Diagnose', keywords: 'log logs protokoll doctor prüfen problem metriken' },
    },
  },
  backups: {
    label: 'Backups',
    about: 'Zeitplan, Ziel und geprüfte Backups',
    cards: {
      proof: { label: 'Stand der Backups', keywords: 'sicherung jetzt wiederherstellen geprüft kopie' },
      schedule: {
        label: 'Zeitplan und Ziel',
        keywords: 'sicherung täglich wöchentlich aufbewahrung passphrase verschlüsseln ordner s3 bucket',
      },
      backups: { label: 'Backups', keywords: 'sicherung liste herunterladen löschen fehlgeschlagen' },
      restore: { label: 'Wiederherstellen', keywords: 'wiederherstellung befehl notfall' },
    },
  },
  jobs: {
    label: 'Hintergrundjobs',
    about: 'Laufende, wartende und fehlgeschlagene Jobs',
    cards: {
      jobs: {
        label: 'Hintergrundjobs',
        keywords: 'warteschlange läuft wartet geparkt fehlgeschlagen wiederholen fortschritt jobs',
      },
    },
  },
  accounts: {
    label: 'Konten',
    about: 'Personen, Speicher, Registrierung und Einladungen',
    cards: {
      accounts: {
        label: 'Konten',
        keywords: 'benutzer personen mitglieder sperren löschen eigentümer übergeben speicherlimit quota',
      },
      registration: { label: 'Registrierung', keywords: 'anmelden registrieren offen geschlossen einladung' },
      invitations: {
        label: 'Einladungen',
        keywords: 'einladen personen mitglieder familie nutzer registrieren',
      },
      'default-storage': {
        label: 'Speicherlimit neuer Konten',
        keywords: 'quota kontingent speicherplatz gigabyte standard',
      },
      'instance-mail': {
        label: 'E-Mails der Instanz',
        keywords: 'absender smtp adresse passwort zurücksetzen system',
      },
    },
  },
  'oauth-clients': {
    label: 'Anmeldung mit Google/Microsoft',
    about: 'OAuth-Clients für E-Mail-Konten',
    cards: {
      google: {
        label: 'Anmeldung mit Google',
        keywords: 'oauth client id secret gmail workspace kalender weiterleitung',
      },
      microsoft: {
        label: 'Anmeldung mit Microsoft',
        keywords: 'oauth client id secret outlook office 365 azure entra weiterleitung',
      },
    },
  },
}
